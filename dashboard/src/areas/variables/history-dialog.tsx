import type { EnvVar, EnvVarVersion } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { ActorName } from '#areas/audit-log/actor-name.tsx';
import type { VariableHome } from '#areas/variables/data.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

interface HistoryDialogProps {
  home: VariableHome;
  variable: EnvVar | undefined;
  canChange: boolean;
  onClose: () => void;
}

export function HistoryDialog({ home, variable, canChange, onClose }: HistoryDialogProps) {
  return (
    <Dialog
      open={variable !== undefined}
      wide
      onClose={onClose}
      title={variable ? `History of ${variable.key}` : 'History'}
      description="Who changed it and when. Restoring creates a new version; existing versions are kept."
    >
      {variable && <History {...{ home, variable, canChange }} />}
    </Dialog>
  );
}

interface HistoryProps {
  home: VariableHome;
  variable: EnvVar;
  canChange: boolean;
}

function History({ home, variable, canChange }: HistoryProps) {
  const [isShown, setShown] = useState(false);
  const { data, error } = useQuery({
    queryKey: [...home.queryKey, 'versions', variable.id],
    queryFn: ({ signal }) => home.versions(variable.id, signal),
  });
  const path = `${home.path}/${variable.id}/versions`;
  const restore = useAction({
    run: ({ version }: EnvVarVersion) => home.restore(variable.id, version),
    refresh: [home.queryKey],
    done: (_result, { version }) => `Version ${version} restored`,
  });
  if (error) return <ErrorNotice error={error} />;
  if (!data) return <Skeleton className="h-40 w-full" />;
  return (
    <>
      <ol className="max-h-[50dvh] divide-y overflow-y-auto rounded-md border">
        {data.map((version, index) => (
          <li key={version.version} className="flex items-center gap-3 px-3 py-2.5">
            <span className="w-8 shrink-0 text-faint tabular-nums">#{version.version}</span>
            <div className="min-w-0 flex-1">
              <div className="truncate font-mono text-xs">
                {version.key !== variable.key && <span className="text-muted">{version.key}=</span>}
                <VersionValue version={version} isShown={isShown} />
              </div>
              <div className="mt-0.5 flex flex-wrap gap-x-2 text-faint">
                <ActorName actor={version.actor} />
                <RelativeTime time={version.createdAt} />
              </div>
            </div>
            {index === 0 && <Badge tone="accent">Current</Badge>}
            {index > 0 && canChange && (
              <Button
                size="sm"
                busy={restore.isPending && restore.variables === version}
                onClick={() => restore.mutate(version)}
              >
                Restore<span className="sr-only"> version {version.version}</span>
              </Button>
            )}
          </li>
        ))}
      </ol>
      <DialogActions aside={<ViewAsCode call={{ method: 'GET', path }} />}>
        {data.some(({ value }) => value !== null) && (
          <Button onClick={() => setShown(!isShown)}>{isShown ? 'Hide values' : 'Show values'}</Button>
        )}
      </DialogActions>
    </>
  );
}

function VersionValue({ version, isShown }: { version: EnvVarVersion; isShown: boolean }) {
  if (version.value === null) return <span className="text-faint">Sensitive</span>;
  if (!isShown) return <span className="text-faint">••••••••</span>;
  return version.value === '' ? <span className="text-faint">empty</span> : version.value;
}
