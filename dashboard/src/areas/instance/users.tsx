import type { AdminUser } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { UserMenu } from '#areas/instance/user-menu.tsx';
import { Badge } from '#ui/badge.tsx';
import type { Column } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { PagedTable } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { TabLinks } from '#ui/tabs.tsx';

const usersRoute = getRouteApi('/signed-in/instance/users');
const waitlistRoute = getRouteApi('/signed-in/instance/waitlist');
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
    queryKey: ['instance', 'users', asked],
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
          { text: 'All', link: { to: '/instance/users' } },
          { text: 'Waitlist', link: { to: '/instance/waitlist' } },
        ]}
      />
      <div className="mb-3">
        <FilterField label="Find by name or address" value={filter ?? ''} onChange={onFilter} />
      </div>
      <PagedTable label="Users" query={query} columns={columns} rowId={rowId} empty={empty} />
    </>
  );
}

const columns: Column<AdminUser>[] = [
  {
    id: 'name',
    value: (row) => row.name,
    header: 'Person',
    width: '3fr',
    cell: (row) => (
      <span className="leading-4">
        <span className="block truncate font-medium">{row.name}</span>
        <span className="block truncate text-xs text-faint">{row.email}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'State',
    width: '2fr',
    cell: (row) => (
      <span className="flex gap-1.5">
        {row.operator && <Badge tone="accent">Operator</Badge>}
        {row.suspended && <Badge tone="danger">Suspended</Badge>}
        {!row.admitted && <Badge tone="warning">Waits</Badge>}
        {row.hasPaymentMethod && <Badge>Pays</Badge>}
      </span>
    ),
  },
  {
    id: 'organizations',
    value: (row) => row.organizations,
    header: 'Organizations',
    width: '7.5rem',
    align: 'end',
    wide: true,
    cell: (row) => <span className="tabular-nums">{row.organizations}</span>,
  },
  {
    id: 'createdAt',
    value: (row) => row.createdAt,
    header: 'Signed up',
    width: '8rem',
    wide: true,
    cell: (row) => <RelativeTime time={row.createdAt} />,
  },
  {
    id: 'menu',
    header: 'Actions',
    fixed: true,
    width: '3.5rem',
    align: 'end',
    cell: (row) => <UserMenu user={row} />,
  },
];
