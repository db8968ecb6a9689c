import { useQuery } from '@tanstack/react-query';
import { getRouteApi, Link } from '@tanstack/react-router';
import { Terminal } from 'lucide-react';
import { useApplication, useEnvironment } from '#areas/applications/data.ts';
import { liveQuery } from '#areas/deployments/data.ts';
import { hasArtefact } from '#areas/deployments/deployment-files.tsx';
import { RuntimeLogs } from '#areas/deployments/runtime-logs.tsx';
import { LogTabs } from '#areas/logs/log-tabs.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/logs/runtime');

/** What is printed by what is live in the environment of the selector. */
export function LiveLogs() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environment = useEnvironment();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data, error, refetch } = useQuery(liveQuery(applicationId));
  const live = data?.find(({ environmentId }) => environmentId === environment?.id);
  return (
    <>
      <PageHeader
        title="Runtime logs"
        description={
          live ? (
            <>
              Output of the functions of{' '}
              <Link
                to="/o/$slug/apps/$applicationId/deployments/$deploymentId/logs"
                params={{ slug, applicationId, deploymentId: live.id }}
                className="underline"
              >
                deployment {live.id.slice(-8)}
              </Link>
              , which is live.
            </>
          ) : (
            'Output of functions.'
          )
        }
        {...(live ? { call: { method: 'GET', path: `/deployments/${live.id}/runtime-logs` } } : {})}
      />
      <LogTabs />
      {error && <TryAgain error={error} refetch={refetch} />}
      {!data && !error && <Skeleton className="h-96 w-full" />}
      {live && (
        <RuntimeLogs
          key={live.id}
          deploymentId={live.id}
          isBuilt={hasArtefact(live)}
          search={search}
          onChange={(next) => void navigate({ search: (before) => ({ ...before, ...next }), replace: true })}
        />
      )}
      {data && !live && (
        <EmptyState icon={<Terminal />} title={`Nothing live in ${environment?.name ?? 'this environment'}`}>
          Deploy to it to see the output of its functions here.
        </EmptyState>
      )}
    </>
  );
}
