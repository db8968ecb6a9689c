import type { AdminUser } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { UserMenu } from '#areas/operator/user-menu.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Columns } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TabLinks } from '#ui/tabs.tsx';

const route = getRouteApi('/signed-in/operator/users');
const rowId = ({ id }: AdminUser) => id;
const limit = 50;

export function Users() {
  const { filter, waitlist } = route.useSearch();
  const navigate = route.useNavigate();
  const asked = { limit, ...(filter ? { search: filter } : {}), ...(waitlist ? { waitlist } : {}) };
  const query = useInfiniteQuery({
    queryKey: ['operator', 'users', asked],
    ...byPage((cursor, signal) => api.admin.users({ ...asked, ...(cursor ? { cursor } : {}) }, { signal })),
  });
  const columns = useMemo(() => columnsOf(), []);
  return (
    <>
      <PageHeader
        title="Users"
        description="Everybody with an account on this instance."
        call={{ method: 'GET', path: `/admin/users${searchText(asked)}` }}
      />
      <TabLinks
        label="Users"
        tabs={[
          { text: 'All', link: { to: '/operator/users', search: {}, activeOptions: { exact: true } } },
          { text: 'Waitlist', link: { to: '/operator/users', search: { waitlist: true } } },
        ]}
      />
      <div className="mb-3">
        <FilterField
          label="Find by name or address"
          value={filter ?? ''}
          onChange={(text) =>
            void navigate({
              search: { ...(waitlist ? { waitlist } : {}), ...(text ? { filter: text } : {}) },
              replace: true,
            })
          }
        />
      </div>
      <PagedTable
        label="Users"
        query={query}
        columns={columns}
        rowId={rowId}
        empty={waitlist && !filter ? 'Nobody waits to be admitted.' : 'Nobody has such a name or address.'}
      />
    </>
  );
}

const columnsOf = (): Columns<AdminUser> => [
  {
    accessorKey: 'name',
    header: 'Person',
    meta: { width: '3fr' },
    cell: ({ row: { original } }) => (
      <span className="leading-4">
        <span className="block truncate font-medium">{original.name}</span>
        <span className="block truncate text-xs text-faint">{original.email}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    meta: { width: '2fr' },
    cell: ({ row: { original } }) => (
      <span className="flex gap-1.5">
        {original.operator && <Badge tone="accent">Operator</Badge>}
        {original.suspended && <Badge tone="danger">Suspended</Badge>}
        {!original.admitted && <Badge tone="warning">Waits</Badge>}
        {original.hasPaymentMethod && <Badge>Pays</Badge>}
      </span>
    ),
  },
  {
    accessorKey: 'organizations',
    header: 'Organizations',
    meta: { width: '7.5rem', align: 'end', wide: true },
    cell: ({ row: { original } }) => <span className="tabular-nums">{original.organizations}</span>,
  },
  {
    accessorKey: 'createdAt',
    header: 'Signed up',
    meta: { width: '8rem', wide: true },
    cell: ({ row: { original } }) => <RelativeTime time={original.createdAt} />,
  },
  {
    id: 'menu',
    header: () => <span className="sr-only">Actions</span>,
    meta: { width: '3.5rem', align: 'end' },
    cell: ({ row: { original } }) => <UserMenu user={original} />,
  },
];
