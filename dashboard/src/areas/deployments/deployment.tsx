import type { Deployment } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi, useNavigate } from '@tanstack/react-router';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { sentenceOf } from '#api/errors.ts';
import { useEnvironments } from '#areas/applications/data.ts';
import { deploymentQuery, hostnamesOfQuery, isOver, logQuery } from '#areas/deployments/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Mono } from '#ui/code-block.tsx';
import { Facts } from '#ui/facts.tsx';
import { LogView } from '#ui/log-view.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments/$deploymentId');

export function DeploymentPage() {
  const { deploymentId } = route.useParams();
  const { data, error, refetch } = useQuery(deploymentQuery(deploymentId));
  if (error) return <TryAgain error={error} refetch={refetch} />;
  return data ? <Loaded deployment={data} /> : null;
}

function Loaded({ deployment }: { deployment: Deployment }) {
  const { id, status, reason, live } = deployment;
  const environments = useEnvironments();
  const { data: log } = useQuery(logQuery(id, isOver(deployment)));
  const { data: hostnames } = useQuery(hostnamesOfQuery(id, status));
  const lines = (log?.items ?? []).map(({ type, createdAt, ...line }) => ({
    ...line,
    level: type,
    time: createdAt,
  }));
  const environment = environments.find((one) => one.id === deployment.environmentId);
  return (
    <>
      <PageHeader
        title={`Deployment ${id.slice(-8)}`}
        description={reason?.split('\n')[0] ?? 'What was done, and where it answers.'}
        badge={<StatusBadge status={live ? 'live' : status} {...(live ? { text: 'Live' } : {})} />}
        call={{ method: 'GET', path: `/deployments/${id}` }}
        actions={<Actions deployment={deployment} />}
      />
      <div className="grid grid-cols-1 items-start gap-4 xl:grid-cols-[minmax(0,2fr)_minmax(0,1fr)]">
        <Card title="Build log">
          <LogView
            label="Build log"
            lines={lines}
            live={!isOver(deployment)}
            empty="Nothing was printed yet."
          />
        </Card>
        <Card title="About">
          <Facts
            facts={[
              ['Environment', environment?.name],
              ['Branch', deployment.branch],
              ...(hostnames?.items ?? []).map(
                ({ hostname }) =>
                  [
                    'Hostname',
                    <a
                      key={hostname}
                      href={`${location.protocol}//${hostname}/`}
                      target="_blank"
                      rel="noreferrer"
                      className="underline"
                    >
                      {hostname}
                    </a>,
                  ] as const,
              ),
              ['Framework', (deployment.summary as { framework?: string | null } | null)?.framework],
              [
                'Deployment ID',
                <Mono key="id" copy>
                  {id}
                </Mono>,
              ],
              ['Created', <RelativeTime key="created" time={deployment.createdAt} />],
            ]}
          />
        </Card>
      </div>
    </>
  );
}

function Actions({ deployment }: { deployment: Deployment }) {
  const { id, status, live, applicationId } = deployment;
  const { slug } = useOrganization();
  const can = useCan();
  const queries = useQueryClient();
  const navigate = useNavigate();
  const [busy, setBusy] = useState(false);
  const act = async (work: () => Promise<Deployment>, done: string) => {
    setBusy(true);
    try {
      const after = await work();
      await Promise.all([
        queries.invalidateQueries({ queryKey: ['deployment', id] }),
        queries.invalidateQueries({ queryKey: ['deployments', applicationId] }),
      ]);
      toast.done(done);
      if (after.id !== id)
        await navigate({
          to: '/o/$slug/apps/$applicationId/deployments/$deploymentId',
          params: { slug, applicationId, deploymentId: after.id },
        });
    } catch (error) {
      toast.problem(sentenceOf(error));
    } finally {
      setBusy(false);
    }
  };
  if (!isOver(deployment) && can('cancelDeployment'))
    return (
      <Button busy={busy} onClick={() => void act(() => api.deployments.cancel(id), 'Deployment canceled')}>
        Cancel
      </Button>
    );
  if (status !== 'ACTIVE') return null;
  return (
    <>
      {!live && can('rollbackDeployment') && (
        <Button
          look="primary"
          busy={busy}
          onClick={() => void act(() => api.deployments.rollback(id), 'Rolled back to this deployment')}
        >
          Roll back to this deployment
        </Button>
      )}
      {can('redeployDeployment') && (
        <Button busy={busy} onClick={() => void act(() => api.deployments.redeploy(id), 'Deployment queued')}>
          Redeploy
        </Button>
      )}
    </>
  );
}
