import type { ApiKey } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { Link, type LinkProps, useNavigate } from '@tanstack/react-router';
import { Ellipsis, KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { type KeyOwner, keysPath, keysQuery, ownerFields, statusOf } from '#areas/keys/data.ts';
import { KeyActions } from '#areas/keys/key-actions.tsx';
import { NewKeyDialog } from '#areas/keys/new-key-dialog.tsx';
import type { KeysSearch } from '#areas/keys/routes.ts';
import { changed, matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { Menu } from '#ui/menu.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';

interface KeysProps {
  owner: KeyOwner;
  title: string;
  description: string;
  search: KeysSearch;
  onSearch: (search: KeysSearch, replace: boolean) => void;
  /** The page of one of them. */
  linkOf: (keyId: string) => LinkProps;
}

const rowId = ({ id }: ApiKey) => id;
const statusFacet = {
  name: 'status',
  label: 'Status',
  options: [
    { value: 'active', label: 'Active' },
    { value: 'expiring', label: 'Expires soon' },
    { value: 'expired', label: 'Expired' },
  ],
};

export function Keys({ owner, title, description, search, onSearch, linkOf }: KeysProps) {
  const navigate = useNavigate();
  const { data, error, refetch } = useQuery(keysQuery(owner));
  const { filter, status, sort, create } = search;
  const rows = useMemo(
    () =>
      data
        ?.filter(({ name, id, scopes }) => matches(filter, name, id, scopes.join(' ')))
        .filter((key) => status === undefined || statusOf(key) === status),
    [data, filter, status],
  );
  const path = keysPath(owner);
  // biome-ignore lint/correctness/useExhaustiveDependencies: the path says whose keys they are, and where their pages.
  const columns = useMemo(() => columnsOf(owner, linkOf), [path]);
  const openNew = () => onSearch({ ...search, create: true }, false);
  useHotkey('c', 'Create key', openNew);
  const newKey = (
    <Button look="primary" onClick={openNew}>
      <Plus aria-hidden />
      Create key
    </Button>
  );
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        call={{ method: 'GET', path }}
        {...(data?.length ? { actions: newKey } : {})}
      />
      {error ? (
        <TryAgain error={error} refetch={refetch} />
      ) : data?.length === 0 ? (
        <EmptyState
          icon={<KeyRound />}
          title="No keys yet"
          action={newKey}
          call={{
            method: 'POST',
            path: '/api-keys',
            body: { name: 'CI', ...ownerFields(owner) },
          }}
        >
          A key is a client ID and a secret. Clients exchange it for access tokens with the key's scopes,
          until the key expires or is revoked.
        </EmptyState>
      ) : (
        <>
          <FilterBar
            label="Filter keys"
            search={search}
            onChange={(change) => onSearch(changed(search, change), true)}
            facets={[statusFacet]}
          />
          <DataTable
            label="API keys"
            rows={rows}
            columns={columns}
            rowId={rowId}
            remember="keys"
            onOpen={({ id }) => void navigate(linkOf(id) as object)}
            sort={sort}
            onSort={(next) => onSearch(changed(search, { sort: next }), true)}
            empty="No keys match the filters."
          />
        </>
      )}
      {create && (
        <NewKeyDialog owner={owner} onClose={() => onSearch(changed(search, { create: undefined }), true)} />
      )}
    </>
  );
}

function columnsOf(owner: KeyOwner, linkOf: KeysProps['linkOf']): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      value: (row) => row.name,
      header: 'Name',
      sortable: true,
      width: '3fr',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          <Link {...linkOf(row.id)} tabIndex={-1} className="truncate font-medium hover:underline">
            {row.name}
          </Link>
          {row.secrets.length > 1 && <Badge tone="warning">Two secrets</Badge>}
        </span>
      ),
    },
    {
      id: 'id',
      value: (row) => row.id,
      header: 'Client ID',
      width: '3fr',
      wide: true,
      cell: (row) => <Mono copy>{row.id}</Mono>,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      width: '6rem',
      wide: true,
      cell: (row) => <span title={row.scopes.join('\n')}>{row.scopes.length}</span>,
    },
    {
      id: 'status',
      header: 'Status',
      value: statusOf,
      sortable: true,
      width: '8rem',
      cell: (row) => <StatusBadge status={statusOf(row)} />,
    },
    {
      id: 'lastUsedAt',
      value: (row) => row.lastUsedAt,
      header: 'Last used',
      sortable: true,
      width: '7.5rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.lastUsedAt} />,
    },
    {
      id: 'expiresAt',
      value: (row) => row.expiresAt,
      header: 'Expires',
      sortable: true,
      width: '8rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.expiresAt} />,
    },
    {
      id: 'menu',
      header: 'Actions',
      fixed: true,
      width: '3rem',
      align: 'end',
      cell: (row) => (
        <KeyActions apiKey={row} owner={owner}>
          {(items) => (
            <Menu
              trigger={
                <IconButton size="sm" label={`Actions for ${row.name}`} icon={<Ellipsis aria-hidden />} />
              }
            >
              {items}
            </Menu>
          )}
        </KeyActions>
      ),
    },
  ];
}
