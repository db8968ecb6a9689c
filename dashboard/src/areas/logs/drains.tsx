import type { LogDrain } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { Send } from 'lucide-react';
import { useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { useApplication } from '#areas/applications/data.ts';
import { drainsQuery } from '#areas/logs/data.ts';
import { LogTabs } from '#areas/logs/log-tabs.tsx';
import { NewDrain } from '#areas/logs/new-drain.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

const tones: Record<LogDrain['status'], string> = {
  waiting: 'pending',
  delivering: 'active',
  failing: 'failed',
  disabled: 'disabled',
};
const words: Record<LogDrain['status'], string> = {
  waiting: 'Waiting for requests',
  delivering: 'Delivering',
  failing: 'Failing',
  disabled: 'Disabled',
};

export function Drains() {
  const { id } = useApplication();
  const can = useCan();
  const [isCreating, setCreating] = useState(false);
  const { data, error, refetch } = useQuery({ ...drainsQuery(id), refetchInterval: 10_000 });
  const create = can('createLogDrain') && (
    <Button look="primary" onClick={() => setCreating(true)}>
      Create log drain
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Log drains"
        description="Forward every request to an HTTP endpoint or an OpenTelemetry collector, with at-least-once delivery."
        call={{ method: 'GET', path: `/applications/${id}/log-drains` }}
        actions={create}
      />
      <LogTabs />
      {error && <TryAgain error={error} refetch={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.items.length === 0 && (
        <EmptyState icon={<Send />} title="No log drains" action={create}>
          Send requests to a data warehouse or an OpenTelemetry collector to retain them longer or to combine
          them with other logs.
        </EmptyState>
      )}
      <div className="space-y-4">
        {data?.items.map((drain) => (
          <DrainCard key={drain.id} drain={drain} canChange={can('updateLogDrain')} />
        ))}
      </div>
      {isCreating && <NewDrain applicationId={id} onClose={() => setCreating(false)} />}
    </>
  );
}

function DrainCard({ drain, canChange }: { drain: LogDrain; canChange: boolean }) {
  const { id, applicationId } = drain;
  const [isDeleting, setDeleting] = useState(false);
  const client = useQueryClient();
  const refresh = [['log drains', applicationId]];
  const test = useAction({ run: () => api.logDrains.test(applicationId, id) });
  const toggle = useAction({
    run: () => api.logDrains.update(applicationId, id, { enabled: !drain.enabled }),
    refresh,
    done: (after) => (after.enabled ? 'Log drain enabled' : 'Log drain disabled'),
  });
  const outcome = test.data;
  return (
    <Card
      title={drain.name}
      actions={<StatusBadge status={tones[drain.status]} text={words[drain.status]} />}
      footer={
        canChange && (
          <div className="flex flex-wrap gap-2">
            <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
              Send test request
            </Button>
            <Button size="sm" busy={toggle.isPending} onClick={() => toggle.mutate()}>
              {drain.enabled ? 'Disable' : 'Enable'}
            </Button>
            <Button size="sm" look="danger" onClick={() => setDeleting(true)}>
              Delete
            </Button>
          </div>
        )
      }
    >
      <div className="space-y-3">
        <Facts
          facts={[
            ['Endpoint', drain.url],
            ['Format', drain.type === 'otlp' ? 'OpenTelemetry (OTLP, JSON)' : 'NDJSON'],
            ['Headers', drain.headerNames.join(', ')],
            ['Last delivery', <RelativeTime key="last" time={drain.lastDeliveredAt} />],
            ['Last error', drain.lastError],
          ]}
        />
        {outcome && (
          <Notice {...(outcome.ok ? {} : { tone: 'warning' as const })}>
            {outcome.ok
              ? `Accepted with ${outcome.status} after ${outcome.latencyMs} ms.`
              : `Not accepted: ${outcome.error}`}
          </Notice>
        )}
      </div>
      <ConfirmDialog
        open={isDeleting}
        onClose={() => setDeleting(false)}
        title={`Delete ${drain.name}?`}
        action="Delete log drain"
        onConfirm={async () => {
          await api.logDrains.delete(applicationId, id);
          await client.invalidateQueries(drainsQuery(applicationId));
          toast.done('Log drain deleted');
        }}
        call={{ method: 'DELETE', path: `/applications/${applicationId}/log-drains/${id}` }}
      >
        Requests are no longer sent to it. Data that was already delivered is not affected.
      </ConfirmDialog>
    </Card>
  );
}
