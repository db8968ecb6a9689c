import type { ApiKey } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { sentenceOf } from '#api/errors.ts';
import { type KeyOwner, keysPath, keysQuery } from '#areas/keys/data.ts';
import { KeyMenu } from '#areas/keys/key-menu.tsx';
import { NewKeyDialog } from '#areas/keys/new-key-dialog.tsx';
import type { CreateSearch, FilterSearch } from '#shell/search.ts';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { type Columns, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TableSkeleton } from '#ui/paged-table.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';

type KeysSearch = FilterSearch & CreateSearch;

interface KeysProps {
  owner: KeyOwner;
  title: string;
  description: string;
  search: KeysSearch;
  onSearch: (search: KeysSearch, replace: boolean) => void;
}

const rowId = ({ id }: ApiKey) => id;
const day = 86_400_000;

export function Keys({ owner, title, description, search, onSearch }: KeysProps) {
  const { data, error, refetch } = useQuery(keysQuery(owner));
  const { filter, create } = search;
  const rows = useMemo(
    () => data?.filter(({ name, id, scopes }) => matches(filter, name, id, scopes.join(' '))) ?? [],
    [data, filter],
  );
  const columns = useMemo(() => columnsOf(owner), [owner]);
  const listed = filter === undefined ? {} : { filter };
  const openNew = () => onSearch({ ...listed, create: true }, false);
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
        <ErrorNotice
          sentence={sentenceOf(error)}
          action={
            <Button size="sm" onClick={() => void refetch()}>
              Try again
            </Button>
          }
        />
      ) : !data ? (
        <TableSkeleton />
      ) : data.length === 0 ? (
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
          <div className="mb-3">
            <FilterField
              label="Filter keys"
              value={filter ?? ''}
              onChange={(text) => onSearch(text === '' ? {} : { filter: text }, true)}
            />
          </div>
          <DataTable
            label="API keys"
            rows={rows}
            columns={columns}
            rowId={rowId}
            empty={`No key matches “${filter}”.`}
          />
        </>
      )}
      {create && <NewKeyDialog owner={owner} onClose={() => onSearch(listed, true)} />}
    </>
  );
}

function columnsOf(owner: KeyOwner): Columns<ApiKey> {
  return [
    {
      accessorKey: 'name',
      header: 'Name',
      enableSorting: true,
      meta: { width: '3fr' },
      cell: ({ row: { original } }) => (
        <span className="flex min-w-0 items-center gap-2">
          <span className="truncate font-medium">{original.name}</span>
          {original.secrets.length > 1 && <Badge tone="warning">Two secrets</Badge>}
        </span>
      ),
    },
    {
      accessorKey: 'id',
      header: 'Client id',
      meta: { width: '3fr', wide: true },
      cell: ({ row: { original } }) => <Mono copy>{original.id}</Mono>,
    },
    {
      id: 'scopes',
      header: 'Scopes',
      meta: { width: '6rem', wide: true },
      cell: ({ row: { original } }) => (
        <span title={original.scopes.join('\n')}>{original.scopes.length}</span>
      ),
    },
    {
      accessorKey: 'lastUsedAt',
      header: 'Last used',
      enableSorting: true,
      meta: { width: '7.5rem' },
      cell: ({ row: { original } }) => <RelativeTime time={original.lastUsedAt} />,
    },
    {
      accessorKey: 'expiresAt',
      header: 'Expires',
      enableSorting: true,
      meta: { width: '8rem', wide: true },
      cell: ({ row: { original } }) => <Expiry expiresAt={original.expiresAt} />,
    },
    {
      id: 'menu',
      header: '',
      meta: { width: '3rem', align: 'end' },
      cell: ({ row: { original } }) => <KeyMenu apiKey={original} owner={owner} />,
    },
  ];
}

/** Red when it is over, amber in its last week. */
function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return <span className="text-faint">Never</span>;
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return <Badge tone="danger">Expired</Badge>;
  const time = <RelativeTime time={expiresAt} />;
  return left < 7 * day ? <Badge tone="warning">{time}</Badge> : time;
}
