import type { Organization } from '@mainstay/sdk';
import { useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi, Link, useNavigate } from '@tanstack/react-router';
import { Plus, RotateCcw } from 'lucide-react';
import { useMemo } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { deletedOrganizationsQuery, organizationsQuery } from '#areas/organizations/data.ts';
import { matches } from '#shell/search.ts';
import { Avatar } from '#ui/avatar.tsx';
import { Button } from '#ui/button.tsx';
import { buttonClass } from '#ui/button-class.ts';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

const route = getRouteApi('/signed-in/o');

const columns: Column<Organization>[] = [
  {
    id: 'name',
    value: (row) => row.name,
    header: 'Name',
    sortable: true,
    width: '2fr',
    cell: (row) => (
      <span className="flex items-center gap-2.5">
        <Avatar url={row.imageUrl} />
        <Link to="/o/$slug" params={{ slug: row.slug }} tabIndex={-1} className="truncate font-medium">
          {row.name}
        </Link>
      </span>
    ),
  },
  {
    id: 'slug',
    value: (row) => row.slug,
    header: 'Slug',
    wide: true,
    cell: (row) => <span className="font-mono text-xs text-muted">{row.slug}</span>,
  },
  {
    id: 'createdAt',
    value: (row) => row.createdAt,
    header: 'Created',
    sortable: true,
    width: '8rem',
    cell: (row) => <RelativeTime time={row.createdAt} />,
  },
];

const rowId = ({ id }: Organization) => id;

export function Organizations() {
  const { filter } = route.useSearch();
  const navigate = useNavigate();
  const { data } = useSuspenseQuery(organizationsQuery);
  const { data: deleted } = useSuspenseQuery(deletedOrganizationsQuery);
  const rows = useMemo(
    () => data.filter(({ name, slug, id }) => matches(filter, name, slug, id)),
    [data, filter],
  );
  useHotkey('c', 'Create an organization', () => void navigate({ to: '/new-organization' }));
  return (
    <>
      <PageHeader
        title="Organizations"
        description="Organizations that you are a member of."
        call={{ method: 'GET', path: '/organizations?limit=100' }}
        actions={
          <Link to="/new-organization" className={buttonClass({ look: 'primary' })}>
            <Plus aria-hidden />
            New organization
          </Link>
        }
      />
      <div className="mb-3">
        <FilterField
          label="Filter organizations"
          value={filter ?? ''}
          onChange={(text) =>
            void navigate({ to: '/o', search: text ? { filter: text } : {}, replace: true })
          }
        />
      </div>
      <DataTable
        label="Organizations"
        rows={rows}
        columns={columns}
        rowId={rowId}
        onOpen={({ slug }) => void navigate({ to: '/o/$slug', params: { slug } })}
        empty={
          data.length === 0
            ? 'You do not belong to an organization yet.'
            : `No organizations match “${filter}”.`
        }
      />
      {deleted.length > 0 && <Deleted organizations={deleted} />}
    </>
  );
}

function Deleted({ organizations }: { organizations: Organization[] }) {
  const restore = useAction({
    run: ({ id }: Organization) => api.organizations.restore(id),
    refresh: [organizationsQuery.queryKey],
    done: (_result, { name }) => `${name} restored`,
  });
  return (
    <section className="mt-10">
      <h2 className="text-base font-semibold">Deleted</h2>
      <p className="mt-1 mb-3 text-muted">
        Deleted organizations can be restored with everything that belongs to them until they are purged.
      </p>
      <ul className="divide-y rounded-lg border bg-surface">
        {organizations.map((organization) => (
          <li key={organization.id} className="flex items-center justify-between gap-3 px-4 py-2">
            <span className="min-w-0 truncate text-muted">{organization.name}</span>
            <Button
              size="sm"
              busy={restore.isPending && restore.variables.id === organization.id}
              onClick={() => restore.mutate(organization)}
            >
              <RotateCcw aria-hidden />
              Restore
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
