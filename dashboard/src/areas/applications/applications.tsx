import type { ApplicationSummary, LatestDeployment } from '@mainstay/sdk';
import { type UseQueryResult, useInfiniteQuery, useQueries, useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppWindow, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { searchText } from '#api/pages.ts';
import { NewApplicationDialog } from '#areas/applications/new-application-dialog.tsx';
import {
  applicationsKey,
  applicationsQuery,
  deletedApplicationsQuery,
  latestQuery,
} from '#areas/applications/queries.ts';
import { DeploymentState } from '#areas/deployments/deployment-state.tsx';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import type { Column } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps');
const rowId = ({ id }: ApplicationSummary) => id;

export function Applications() {
  const { id: organizationId, slug } = useOrganization();
  const { filter, create } = route.useSearch();
  const navigate = route.useNavigate();
  const canCreate = useCan()('createApplication');
  const query = useInfiniteQuery(applicationsQuery(organizationId, filter));
  const isDeploying = useCan()('listLatestDeployments');
  const pages = query.data?.pages ?? [];
  const latest = useQueries({
    queries: pages.map(({ items }) => ({
      ...latestQuery(
        organizationId,
        items.map(({ id }) => id),
      ),
      enabled: isDeploying && items.length > 0,
    })),
    combine: combined,
  });
  const columns = useMemo(() => columnsOf(isDeploying ? latest : undefined), [isDeploying, latest]);
  const isEmpty = !filter && query.data?.pages[0]?.total === 0;
  const open = () => void navigate({ search: (search) => ({ ...search, create: true as const }) });
  useHotkey(canCreate ? 'c' : undefined, 'New application', open);
  const button = canCreate && (
    <Button look="primary" onClick={open}>
      <Plus aria-hidden />
      New application
    </Button>
  );
  const body = { organizationId, name: 'web' };
  return (
    <>
      <PageHeader
        title="Applications"
        description="Each application has its own variables, keys, cache and hostnames."
        call={{ method: 'GET', path: `/applications${searchText({ organizationId, query: filter })}` }}
        actions={!isEmpty && button}
      />
      {isEmpty ? (
        <EmptyState
          icon={<AppWindow />}
          title="Create your first application"
          action={button}
          call={{ method: 'POST', path: '/applications', body }}
        >
          An application has configuration for each environment, API keys, its own cache, and a hostname.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3">
            <FilterField
              label="Name or slug"
              value={filter ?? ''}
              onChange={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
            />
          </div>
          <PagedTable
            label="Applications"
            query={query}
            columns={columns}
            rowId={rowId}
            onOpen={({ id }) =>
              void navigate({ to: '/o/$slug/apps/$applicationId', params: { slug, applicationId: id } })
            }
            empty={`No applications match “${filter}”.`}
          />
        </>
      )}
      {canCreate && <Deleted />}
      {create && canCreate && <NewApplicationDialog onClose={() => void navigate({ search: {} })} />}
    </>
  );
}

const combined = (results: UseQueryResult<LatestDeployment[]>[]): ReadonlyMap<string, LatestDeployment> =>
  new Map(results.flatMap(({ data = [] }) => data.map((one) => [one.applicationId, one])));

/** `latest`: undefined where the organization deploys nothing here. */
function columnsOf(latest: ReadonlyMap<string, LatestDeployment> | undefined): Column<ApplicationSummary>[] {
  return [
    {
      id: 'name',
      header: 'Name',
      value: (row) => row.name,
      width: '4fr',
      fixed: true,
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2.5">
          <Avatar url={row.imageUrl} name={row.name} />
          <span className="truncate font-medium">{row.name}</span>
        </span>
      ),
    },
    ...(latest
      ? ([
          {
            id: 'status',
            header: 'Status',
            width: '9rem',
            cell: (row) => <DeploymentState latest={latest.get(row.id)} />,
          },
          {
            id: 'deployedAt',
            header: 'Last deployed',
            width: '9rem',
            wide: true,
            cell: (row) => <RelativeTime time={latest.get(row.id)?.latest.createdAt ?? null} />,
          },
        ] satisfies Column<ApplicationSummary>[])
      : []),
    {
      id: 'updatedAt',
      header: 'Changed',
      value: (row) => row.updatedAt,
      width: '9rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.updatedAt} />,
    },
    {
      id: 'createdAt',
      header: 'Created',
      value: (row) => row.createdAt,
      width: '9rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.createdAt} />,
    },
  ];
}

/** Those that can still be restored. */
function Deleted() {
  const { id: organizationId } = useOrganization();
  const { data = [] } = useQuery(deletedApplicationsQuery(organizationId));
  const restore = useAction({
    run: ({ id }: ApplicationSummary) => api.applications.restore(id),
    refresh: [applicationsKey(organizationId)],
    done: ({ name }) => `${name} restored`,
  });
  if (data.length === 0) return null;
  return (
    <Card
      className="mt-8"
      title="Deleted applications"
      description="Deleted applications can be restored with everything they own until they are purged."
    >
      <ul className="divide-y">
        {data.map((one) => (
          <li key={one.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 py-2">
            <span className="mr-auto min-w-0 truncate font-medium">{one.name}</span>
            <span className="text-muted">
              Purged <RelativeTime time={one.purgedAt ?? null} />
            </span>
            <Button
              size="sm"
              busy={restore.isPending && restore.variables === one}
              onClick={() => restore.mutate(one)}
            >
              Restore<span className="sr-only"> {one.name}</span>
            </Button>
          </li>
        ))}
      </ul>
    </Card>
  );
}
