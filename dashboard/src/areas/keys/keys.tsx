import type { ApiKey } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { type KeyOwner, keysPath, keysQuery } from '#areas/keys/data.ts';
import { KeyMenu } from '#areas/keys/key-menu.tsx';
import { NewKeyDialog } from '#areas/keys/new-key-dialog.tsx';
import type { KeysSearch } from '#areas/keys/routes.ts';
import { changed, matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterBar } from '#ui/filter-bar.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
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
}

const rowId = ({ id }: ApiKey) => id;
const day = 86_400_000;
const statusFacet = {
  name: 'status',
  label: 'Status',
  options: [
    { value: 'active', label: 'Active' },
    { value: 'expiring', label: 'Expires soon' },
    { value: 'expired', label: 'Expired' },
  ],
};

/** A key in its last week asks for somebody. */
function statusOf({ expiresAt }: ApiKey): 'active' | 'expiring' | 'expired' {
  if (expiresAt === null) return 'active';
  const left = Date.parse(expiresAt) - Date.now();
  return left <= 0 ? 'expired' : left < 7 * day ? 'expiring' : 'active';
}

export function Keys({ owner, title, description, search, onSearch }: KeysProps) {
  const { data, error, refetch } = useQuery(keysQuery(owner));
  const { filter, status, sort, create } = search;
  const rows = useMemo(
    () =>
      data
        ?.filter(({ name, id, scopes }) => matches(filter, name, id, scopes.join(' ')))
        .filter((key) => status === undefined || statusOf(key) === status),
    [data, filter, status],
  );
  const columns = useMemo(() => columnsOf(owner), [owner]);
  const openNew = () => onSearch({ ...search, create: true }, false);
  useHotkey('c', 'Create an API key', openNew);
  const newKey = (
    <Button look="primary" onClick={openNew}>
      <Plus aria-hidden />
      New key
    </Button>
  );
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        call={{ method: 'GET', path: keysPath(owner) }}
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
            body: { name: 'CI', ...(owner === null ? {} : { organizationId: owner }) },
          }}
        >
          A key is an id and a secret. A program exchanges it for a token, and can do with it what the scopes
          of the key say, until the key expires or you revoke it.
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
            sort={sort}
            onSort={(next) => onSearch(changed(search, { sort: next }), true)}
            empty="No key matches the filters."
          />
        </>
      )}
      {create && (
        <NewKeyDialog owner={owner} onClose={() => onSearch(changed(search, { create: undefined }), true)} />
      )}
    </>
  );
}

function columnsOf(owner: KeyOwner): Column<ApiKey>[] {
  return [
    {
      id: 'name',
      value: (row) => row.name,
      header: 'Name',
      sortable: true,
      width: '3fr',
      cell: (row) => (
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{row.name}</span>
          {row.secrets.length > 1 && <Badge tone="warning">Two secrets</Badge>}
        </span>
      ),
    },
    {
      id: 'id',
      value: (row) => row.id,
      header: 'Client id',
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
      cell: (row) => <KeyMenu apiKey={row} owner={owner} />,
    },
  ];
}
