import type { ApiKey } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { KeyRound, Plus } from 'lucide-react';
import { useMemo } from 'react';
import { type KeyOwner, keysPath, keysQuery } from '#areas/keys/data.ts';
import { KeyMenu } from '#areas/keys/key-menu.tsx';
import { NewKeyDialog } from '#areas/keys/new-key-dialog.tsx';
import type { CreateSearch, FilterSearch } from '#shell/search.ts';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Mono } from '#ui/code-block.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
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
    () => data?.filter(({ name, id, scopes }) => matches(filter, name, id, scopes.join(' '))),
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
      id: 'lastUsedAt',
      value: (row) => row.lastUsedAt,
      header: 'Last used',
      sortable: true,
      width: '7.5rem',
      cell: (row) => <RelativeTime time={row.lastUsedAt} />,
    },
    {
      id: 'expiresAt',
      value: (row) => row.expiresAt,
      header: 'Expires',
      sortable: true,
      width: '8rem',
      wide: true,
      cell: (row) => <Expiry expiresAt={row.expiresAt} />,
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

/** Red when it is over, amber in its last week. */
function Expiry({ expiresAt }: { expiresAt: string | null }) {
  if (expiresAt === null) return <span className="text-faint">Never</span>;
  const left = Date.parse(expiresAt) - Date.now();
  if (left <= 0) return <Badge tone="danger">Expired</Badge>;
  const time = <RelativeTime time={expiresAt} />;
  return left < 7 * day ? <Badge tone="warning">{time}</Badge> : time;
}
