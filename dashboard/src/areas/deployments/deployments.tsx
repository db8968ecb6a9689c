import type { Deployment } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Rocket } from 'lucide-react';
import { useMemo } from 'react';
import { useApplication, useEnvironments } from '#areas/applications/data.ts';
import { deploymentsQuery } from '#areas/deployments/data.ts';
import { DeployButtons, DropArea, useDeploy } from '#areas/deployments/deploy.tsx';
import { DeploymentTabs } from '#areas/deployments/deployment-tabs.tsx';
import { durationText } from '#areas/deployments/duration.ts';
import { useStartedBy } from '#areas/deployments/started-by.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/deployments');
const onePath = '/o/$slug/apps/$applicationId/deployments/$deploymentId' as const;
const rowId = ({ id }: Deployment) => id;

export function Deployments() {
  const { slug } = useOrganization();
  const { id: applicationId } = useApplication();
  const environments = useEnvironments();
  const navigate = useNavigate();
  const can = useCan();
  const query = useInfiniteQuery(deploymentsQuery(applicationId));
  const rows = useMemo(() => query.data?.pages.flatMap(({ items }) => items), [query.data]);
  const names = useMemo(() => new Map(environments.map(({ id, name }) => [id, name])), [environments]);
  const startedBy = useStartedBy();
  const columns = useMemo(
    () => columnsOf(slug, applicationId, names, startedBy),
    [slug, applicationId, names, startedBy],
  );
  route.useSearch();
  const deploying = useDeploy();
  const deploy = can('createDeployment') && <DeployButtons {...deploying} />;
  return (
    <DropArea onFiles={(files) => can('createDeployment') && void deploying.deploy(files)}>
      <PageHeader
        title="Deployments"
        description="Deployments of the application, newest first. One per environment is live."
        call={{ method: 'GET', path: `/deployments?applicationId=${applicationId}` }}
        {...(rows?.length ? { actions: deploy } : {})}
      />
      <DeploymentTabs />
      {query.error ? (
        <TryAgain error={query.error} refetch={query.refetch} />
      ) : rows?.length === 0 ? (
        <EmptyState
          icon={<Rocket />}
          title="Nothing deployed yet"
          action={deploy}
          call={{ method: 'POST', path: '/deployments', body: { applicationId } }}
        >
          Drop a project folder or a ZIP archive here. It is built on this instance and served at the
          application's hostname.
        </EmptyState>
      ) : (
        <DataTable
          label="Deployments"
          rows={rows}
          columns={columns}
          rowId={rowId}
          remember="deployments"
          onOpen={({ id }) =>
            void navigate({ to: onePath, params: { slug, applicationId, deploymentId: id } })
          }
          footer={
            query.hasNextPage && (
              <Button onClick={() => void query.fetchNextPage()} busy={query.isFetchingNextPage}>
                Load more
              </Button>
            )
          }
        />
      )}
    </DropArea>
  );
}

function columnsOf(
  slug: string,
  applicationId: string,
  names: ReadonlyMap<string, string>,
  startedBy: (deployment: Deployment) => string,
): Column<Deployment>[] {
  return [
    {
      id: 'id',
      header: 'Deployment',
      value: (row) => row.id,
      fixed: true,
      width: '2fr',
      cell: (row) => (
        <Link
          to={onePath}
          params={{ slug, applicationId, deploymentId: row.id }}
          tabIndex={-1}
          className="truncate font-medium hover:underline"
        >
          <Mono>{row.id.slice(-8)}</Mono>
        </Link>
      ),
    },
    {
      id: 'status',
      header: 'Status',
      value: (row) => row.status,
      cell: (row) => (
        <StatusBadge status={row.live ? 'live' : row.status} {...(row.live ? { text: 'Live' } : {})} />
      ),
    },
    {
      id: 'environment',
      header: 'Environment',
      value: (row) => names.get(row.environmentId) ?? '',
      cell: (row) => names.get(row.environmentId) ?? '',
    },
    {
      id: 'branch',
      header: 'Branch',
      value: (row) => row.branch ?? '',
      wide: true,
      cell: (row) => row.branch ?? '–',
    },
    {
      id: 'duration',
      header: 'Duration',
      value: (row) => durationText(row) ?? '',
      wide: true,
      cell: (row) => durationText(row) ?? '–',
    },
    { id: 'by', header: 'Started by', value: startedBy, wide: true, cell: startedBy },
    {
      id: 'createdAt',
      header: 'Created',
      wide: true,
      value: (row) => row.createdAt,
      cell: (row) => <RelativeTime time={row.createdAt} />,
    },
  ];
}
