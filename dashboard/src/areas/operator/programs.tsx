import type { CreatedOAuthClient, OAuthClient } from '@mainstay/sdk';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppWindow, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { programsQuery } from '#areas/operator/data.ts';
import { ProgramDialog } from '#areas/operator/program-dialog.tsx';
import { matches } from '#shell/search.ts';
import { AlertDialog } from '#ui/alert-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { type Columns, DataTable } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';

const route = getRouteApi('/signed-in/operator/programs');
const path = '/admin/oauth-clients';
const rowId = ({ id }: OAuthClient) => id;

/** Programs that people sign in to with their account here. */
export function Programs() {
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { data } = useSuspenseQuery(programsQuery);
  const [edited, setEdited] = useState<OAuthClient | 'new'>();
  const [removed, setRemoved] = useState<OAuthClient>();
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const rows = useMemo(
    () => data.filter(({ id, name, redirectUris }) => matches(filter, id, name, ...redirectUris)),
    [data, filter],
  );
  const columns = useMemo(() => columnsOf(setRemoved), []);
  useHotkey('c', 'Register a program', () => setEdited('new'));
  const button = (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Register a program
    </Button>
  );
  return (
    <>
      <PageHeader
        title="Programs"
        description="What people may sign in to with their account here, by OAuth."
        call={{ method: 'GET', path }}
        actions={data.length > 0 && button}
      />
      {data.length === 0 ? (
        <EmptyState
          icon={<AppWindow />}
          title="No programs yet"
          action={button}
          call={{
            method: 'POST',
            path,
            body: {
              name: 'Wiki',
              redirectUris: ['https://wiki.example.com/callback'],
              scopes: ['openid', 'email'],
            },
          }}
        >
          Register your wiki, your monitoring, your own tools: people sign in to them here, and they learn who
          it is.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3">
            <FilterField
              label="Filter programs"
              value={filter ?? ''}
              onChange={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
            />
          </div>
          <DataTable
            label="Programs"
            rows={rows}
            columns={columns}
            rowId={rowId}
            onOpen={setEdited}
            empty={`No program matches “${filter}”.`}
          />
        </>
      )}
      {edited && (
        <ProgramDialog
          {...(edited === 'new' ? {} : { program: edited })}
          onCreated={setCreated}
          onClose={() => setEdited(undefined)}
        />
      )}
      <Dialog
        open={created !== undefined}
        sticky
        onClose={() => setCreated(undefined)}
        title={created?.name ?? ''}
      >
        {created && (
          <div className="space-y-4">
            <p>
              Its client id is <code className="font-mono text-xs">{created.id}</code>.
            </p>
            {created.secret && <SecretOnce label="Client secret" secret={created.secret} />}
          </div>
        )}
      </Dialog>
      <AlertDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Remove ${removed?.name}?`}
        action="Remove program"
        onConfirm={async () => {
          if (removed) await api.admin.deleteOAuthClient(removed.id);
          await client.invalidateQueries(programsQuery);
        }}
        call={{ method: 'DELETE', path: `${path}/${removed?.id}` }}
      >
        Whatever people have let it do ends at once.
      </AlertDialog>
    </>
  );
}

const columnsOf = (remove: (program: OAuthClient) => void): Columns<OAuthClient> => [
  {
    accessorKey: 'name',
    header: 'Name',
    enableSorting: true,
    meta: { width: '2fr' },
    cell: ({ row: { original } }) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium">{original.name}</span>
        {!original.confidential && <Badge>Public</Badge>}
      </span>
    ),
  },
  {
    accessorKey: 'id',
    header: 'Client id',
    meta: { width: '2fr', wide: true },
    cell: ({ row: { original } }) => <span className="font-mono text-xs text-muted">{original.id}</span>,
  },
  {
    id: 'scopes',
    header: 'Scopes',
    meta: { width: '5rem', align: 'end' },
    cell: ({ row: { original } }) => <span className="tabular-nums">{original.scopes.length}</span>,
  },
  {
    id: 'remove',
    header: () => <span className="sr-only">Actions</span>,
    meta: { width: '3.5rem', align: 'end' },
    cell: ({ row: { original } }) => (
      <IconButton
        size="sm"
        className="w-7!"
        label={`Remove ${original.name}`}
        icon={<Trash2 aria-hidden />}
        onClick={() => remove(original)}
      />
    ),
  },
];
