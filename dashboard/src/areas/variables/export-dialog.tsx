import { useQuery } from '@tanstack/react-query';
import { useEffect, useState } from 'react';
import { useOrganization } from '#areas/organizations/data.ts';
import { exportQuery, variablesPath } from '#areas/variables/data.ts';
import { buttonClass } from '#ui/button-class.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Pending } from '#ui/pending.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

export function ExportDialog({ onClose }: { onClose: () => void }) {
  const organization = useOrganization();
  const query = useQuery(exportQuery(organization.id));
  const { data } = query;
  return (
    <Dialog
      open
      wide
      onClose={onClose}
      title="Export"
      description="As a .env file, for a machine of your own."
    >
      <Pending query={query} className="h-48" />
      {data && (
        <div className="space-y-4 [&_pre]:max-h-[45dvh] [&_pre]:overflow-y-auto">
          {data.omittedSensitive > 0 && (
            <Notice tone="warning">
              {data.omittedSensitive === 1
                ? 'One sensitive variable is not in it.'
                : `${data.omittedSensitive} sensitive variables are not in it.`}
            </Notice>
          )}
          <CodeBlock code={data.content} />
        </div>
      )}
      <DialogActions
        aside={<ViewAsCode call={{ method: 'GET', path: `${variablesPath(organization.id)}/export` }} />}
      >
        {data && <Download text={data.content} name={`${organization.slug}.env`} />}
      </DialogActions>
    </Dialog>
  );
}

function Download({ text, name }: { text: string; name: string }) {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    const made = URL.createObjectURL(new Blob([text], { type: 'text/plain' }));
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [text]);
  return (
    <a href={url} download={name} className={buttonClass({ look: 'primary' })}>
      Download {name}
    </a>
  );
}
