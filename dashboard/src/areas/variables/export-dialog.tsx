import { useQuery } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import type { ApiCall } from '#api/snippets.ts';
import { buttonClass } from '#ui/button-class.ts';
import { CodeBlock } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Pending } from '#ui/pending.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface ExportDialogProps {
  description: string;
  /** What the file is of; asked for anew each time. */
  of: readonly string[];
  load: (signal: AbortSignal) => Promise<{ content: string; omittedSensitive: number }>;
  fileName: string;
  call: ApiCall;
  /** Above the file: what else could be exported. */
  children?: ReactNode;
  onClose: () => void;
}

/** Variables as a .env file, to be copied or downloaded. */
export function ExportDialog({
  description,
  of,
  load,
  fileName,
  call,
  children,
  onClose,
}: ExportDialogProps) {
  const query = useQuery({
    queryKey: ['export of variables', ...of],
    queryFn: ({ signal }) => load(signal),
    staleTime: 0,
    gcTime: 0,
  });
  const { data } = query;
  return (
    <Dialog open wide onClose={onClose} title="Export variables" description={description}>
      <div className="space-y-4 [&_pre]:max-h-[45dvh] [&_pre]:overflow-y-auto">
        {children}
        <Pending query={query} className="h-48" />
        {data && data.omittedSensitive > 0 && (
          <Notice tone="warning">
            {data.omittedSensitive === 1
              ? 'One sensitive variable is left out.'
              : `${data.omittedSensitive} sensitive variables are left out.`}
          </Notice>
        )}
        {data && <CodeBlock code={data.content || '# No variables'} />}
      </div>
      <DialogActions aside={<ViewAsCode call={call} />}>
        {data && <Download text={data.content} name={fileName} />}
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
