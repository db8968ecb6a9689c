import type { AdminOrganization } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { SuspendButton } from '#areas/operator/suspend-button.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Columns } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/operator/organizations');
const rowId = ({ id }: AdminOrganization) => id;
const limit = 50;

/** The organizations of everybody. */
export function Tenants() {
  const { filter } = route.useSearch();
  const navigate = useNavigate();
  const asked = { limit, ...(filter ? { search: filter } : {}) };
  const query = useInfiniteQuery({
    queryKey: ['operator', 'organizations', asked],
    ...byPage((cursor, signal) =>
      api.admin.organizations({ ...asked, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  return (
    <>
      <PageHeader
        title="All organizations"
        description="Those of everybody on this instance. Open one to see and change what it has access to."
        call={{ method: 'GET', path: `/admin/organizations${searchText(asked)}` }}
      />
      <div className="mb-3">
        <FilterField
          label="Find by name or slug"
          value={filter ?? ''}
          onChange={(text) =>
            void navigate({
              to: '/operator/organizations',
              search: text ? { filter: text } : {},
              replace: true,
            })
          }
        />
      </div>
      <PagedTable
        label="Organizations"
        query={query}
        columns={columns}
        rowId={rowId}
        onOpen={({ id }) =>
          void navigate({ to: '/operator/organizations/$organizationId', params: { organizationId: id } })
        }
        empty="No organization has such a name or slug."
      />
    </>
  );
}

const columns: Columns<AdminOrganization> = [
  {
    accessorKey: 'name',
    header: 'Name',
    meta: { width: '3fr' },
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2.5">
        <Avatar url={original.imageUrl} />
        <Link
          to="/operator/organizations/$organizationId"
          params={{ organizationId: original.id }}
          tabIndex={-1}
          className="truncate font-medium"
        >
          {original.name}
        </Link>
        {original.suspended && <Badge tone="danger">Suspended</Badge>}
        {original.deletedAt !== null && <Badge>Deleted</Badge>}
      </span>
    ),
  },
  {
    accessorKey: 'slug',
    header: 'Slug',
    meta: { wide: true, width: '2fr' },
    cell: ({ row: { original } }) => <span className="font-mono text-xs text-muted">{original.slug}</span>,
  },
  {
    accessorKey: 'members',
    header: 'Members',
    meta: { width: '6rem', align: 'end', wide: true },
    cell: ({ row: { original } }) => <span className="tabular-nums">{original.members}</span>,
  },
  {
    accessorKey: 'createdAt',
    header: 'Created',
    meta: { width: '8rem', wide: true },
    cell: ({ row: { original } }) => <RelativeTime time={original.createdAt} />,
  },
  {
    id: 'suspend',
    header: () => <span className="sr-only">Actions</span>,
    meta: { width: '8.5rem', align: 'end' },
    cell: ({ row: { original } }) => <SuspendButton organization={original} />,
  },
];
