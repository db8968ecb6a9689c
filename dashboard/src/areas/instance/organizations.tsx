import type { AdminOrganization } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { SuspendButton } from '#areas/instance/suspend-button.tsx';
import { Avatar } from '#ui/avatar.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Column } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/instance/organizations');
const rowId = ({ id }: AdminOrganization) => id;
const limit = 50;

/** The organizations of everybody. */
export function InstanceOrganizations() {
  const { filter } = route.useSearch();
  const navigate = useNavigate();
  const asked = { limit, ...(filter ? { search: filter } : {}) };
  const query = useInfiniteQuery({
    queryKey: ['instance', 'organizations', asked],
    ...byPage((cursor, signal) =>
      api.admin.organizations({ ...asked, ...(cursor ? { cursor } : {}) }, { signal }),
    ),
  });
  return (
    <>
      <PageHeader
        title="All organizations"
        description="All organizations on this instance. Open one to see and change its entitlements."
        call={{ method: 'GET', path: `/admin/organizations${searchText(asked)}` }}
      />
      <div className="mb-3">
        <FilterField
          label="Find by name or slug"
          value={filter ?? ''}
          onChange={(text) =>
            void navigate({
              to: '/instance/organizations',
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
          void navigate({ to: '/instance/organizations/$organizationId', params: { organizationId: id } })
        }
        empty="No organizations match this name or slug."
      />
    </>
  );
}

const columns: Column<AdminOrganization>[] = [
  {
    id: 'name',
    value: (row) => row.name,
    header: 'Name',
    width: '3fr',
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <Avatar url={row.imageUrl} />
        <Link
          to="/instance/organizations/$organizationId"
          params={{ organizationId: row.id }}
          tabIndex={-1}
          className="truncate font-medium"
        >
          {row.name}
        </Link>
        {row.suspended && <Badge tone="danger">Suspended</Badge>}
        {row.deletedAt !== null && <Badge>Deleted</Badge>}
      </span>
    ),
  },
  {
    id: 'slug',
    value: (row) => row.slug,
    header: 'Slug',
    wide: true,
    width: '2fr',
    cell: (row) => <span className="font-mono text-xs text-muted">{row.slug}</span>,
  },
  {
    id: 'members',
    value: (row) => row.members,
    header: 'Members',
    width: '6rem',
    align: 'end',
    wide: true,
    cell: (row) => <span className="tabular-nums">{row.members}</span>,
  },
  {
    id: 'createdAt',
    value: (row) => row.createdAt,
    header: 'Created',
    width: '8rem',
    wide: true,
    cell: (row) => <RelativeTime time={row.createdAt} />,
  },
  {
    id: 'suspend',
    header: 'Actions',
    fixed: true,
    width: '8.5rem',
    align: 'end',
    cell: (row) => <SuspendButton organization={row} />,
  },
];
