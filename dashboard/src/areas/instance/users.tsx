import type { AdminUser } from '@mainstay/sdk';
import { useInfiniteQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { api } from '#api/client.ts';
import { byPage, searchText } from '#api/pages.ts';
import { UserMenu } from '#areas/instance/user-menu.tsx';
import { UserState } from '#areas/instance/user-page.tsx';
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
      empty="No users match."
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
      empty={filter ? 'No users on the waitlist match.' : 'The waitlist is empty.'}
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
  const navigate = useNavigate();
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
          isWaitlist ? 'Users waiting for access, longest first.' : 'All accounts on this instance.'
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
        <FilterField label="Filter by name or e-mail" value={filter ?? ''} onChange={onFilter} />
      </div>
      <PagedTable
        label="Users"
        query={query}
        columns={columns}
        rowId={rowId}
        remember="users"
        onOpen={({ id }) => void navigate({ to: '/instance/users/$userId', params: { userId: id } })}
        empty={empty}
      />
    </>
  );
}

const columns: Column<AdminUser>[] = [
  {
    id: 'name',
    value: (row) => row.name,
    header: 'User',
    width: '3fr',
    cell: (row) => (
      <span className="leading-4">
        <Link
          to="/instance/users/$userId"
          params={{ userId: row.id }}
          tabIndex={-1}
          className="block truncate font-medium hover:underline"
        >
          {row.name}
        </Link>
        <span className="block truncate text-xs text-faint">{row.email}</span>
      </span>
    ),
  },
  {
    id: 'state',
    header: 'Status',
    width: '2fr',
    cell: (row) => (
      <span className="*:flex-nowrap">
        <UserState user={row} />
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
