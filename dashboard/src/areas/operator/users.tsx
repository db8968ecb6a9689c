import type { AdminUser } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
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

const usersRoute = getRouteApi('/signed-in/operator/users');
const waitlistRoute = getRouteApi('/signed-in/operator/waitlist');
const rowId = ({ id }: AdminUser) => id;
const limit = 50;

export function Users() {
  const { filter } = usersRoute.useSearch();
  const navigate = usersRoute.useNavigate();
  return (
    <People
      filter={filter}
      onFilter={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
      empty="Nobody has such a name or address."
    />
  );
}

export function Waitlist() {
  const { filter } = waitlistRoute.useSearch();
  const navigate = waitlistRoute.useNavigate();
  return (
    <People
      isWaitlist
      filter={filter}
      onFilter={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
      empty={filter ? 'Nobody who waits has such a name or address.' : 'Nobody waits to be admitted.'}
    />
  );
}

interface PeopleProps {
  /** Only those who wait to be admitted, longest first. */
  isWaitlist?: boolean;
  filter: string | undefined;
  onFilter: (text: string) => void;
  empty: string;
}

function People({ isWaitlist = false, filter, onFilter, empty }: PeopleProps) {
  const asked = { limit, ...(filter ? { search: filter } : {}), ...(isWaitlist ? { waitlist: true } : {}) };
  const query = useInfiniteQuery({
    queryKey: ['operator', 'users', asked],
    ...byPage((cursor, signal) => api.admin.users({ ...asked, ...(cursor ? { cursor } : {}) }, { signal })),
  });
  return (
    <>
      <PageHeader
        title={isWaitlist ? 'Waitlist' : 'Users'}
        description={
          isWaitlist
            ? 'Those who signed up and wait to be admitted, longest first.'
            : 'Everybody with an account on this instance.'
        }
        call={{ method: 'GET', path: `/admin/users${searchText(asked)}` }}
      />
      <TabLinks
        label="Users"
        tabs={[
          { text: 'All', link: { to: '/operator/users' } },
          { text: 'Waitlist', link: { to: '/operator/waitlist' } },
        ]}
      />
      <div className="mb-3">
        <FilterField label="Find by name or address" value={filter ?? ''} onChange={onFilter} />
      </div>
      <PagedTable label="Users" query={query} columns={columns} rowId={rowId} empty={empty} />
    </>
  );
}

const columns: Columns<AdminUser> = [
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
