import type { CreatedOAuthClient, OAuthClient } from '@mainstay/sdk';
import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { AppWindow, Plus, Trash2 } from 'lucide-react';
import { useMemo, useState } from 'react';
import { api } from '#api/client.ts';
import { oauthAppsQuery } from '#areas/instance/data.ts';
import { OAuthAppDialog } from '#areas/instance/oauth-app-dialog.tsx';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button, IconButton } from '#ui/button.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { Dialog } from '#ui/dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';

const route = getRouteApi('/signed-in/instance/oauth-apps');
const path = '/admin/oauth-clients';
const rowId = ({ id }: OAuthClient) => id;

/** OAuth apps that people sign in to with their account here. */
export function OAuthApps() {
  const { filter } = route.useSearch();
  const navigate = route.useNavigate();
  const client = useQueryClient();
  const { data } = useSuspenseQuery(oauthAppsQuery);
  const [edited, setEdited] = useState<OAuthClient | 'new'>();
  const [removed, setRemoved] = useState<OAuthClient>();
  const [created, setCreated] = useState<CreatedOAuthClient>();
  const rows = useMemo(
    () => data.filter(({ id, name, redirectUris }) => matches(filter, id, name, ...redirectUris)),
    [data, filter],
  );
  const columns = useMemo(() => columnsOf(setRemoved), []);
  useHotkey('c', 'Register OAuth app', () => setEdited('new'));
  const button = (
    <Button look="primary" onClick={() => setEdited('new')}>
      <Plus aria-hidden />
      Register OAuth app
    </Button>
  );
  return (
    <>
      <PageHeader
        title="OAuth apps"
        description="Apps that users can sign in to with their account on this instance."
        call={{ method: 'GET', path }}
        actions={data.length > 0 && button}
      />
      {data.length === 0 ? (
        <EmptyState
          icon={<AppWindow />}
          title="No OAuth apps yet"
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
          Register your wiki, monitoring or internal tools so that users can sign in to them with their
          account here.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3">
            <FilterField
              label="Filter OAuth apps"
              value={filter ?? ''}
              onChange={(text) => void navigate({ search: text ? { filter: text } : {}, replace: true })}
            />
          </div>
          <DataTable
            label="OAuth apps"
            rows={rows}
            columns={columns}
            rowId={rowId}
            onOpen={setEdited}
            empty={`No OAuth apps match “${filter}”.`}
          />
        </>
      )}
      {edited && (
        <OAuthAppDialog
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
              Its client ID is <code className="font-mono text-xs">{created.id}</code>.
            </p>
            {created.secret && <SecretOnce label="Client secret" secret={created.secret} />}
          </div>
        )}
      </Dialog>
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Remove ${removed?.name}?`}
        action="Remove OAuth app"
        onConfirm={async () => {
          if (removed) await api.admin.deleteOAuthClient(removed.id);
          await client.invalidateQueries(oauthAppsQuery);
        }}
        call={{ method: 'DELETE', path: `${path}/${removed?.id}` }}
      >
        All access that users granted to it ends immediately.
      </ConfirmDialog>
    </>
  );
}

const columnsOf = (remove: (program: OAuthClient) => void): Column<OAuthClient>[] => [
  {
    id: 'name',
    value: (row) => row.name,
    header: 'Name',
    sortable: true,
    width: '2fr',
    cell: (row) => (
      <span className="flex items-center gap-2">
        <span className="truncate font-medium">{row.name}</span>
        {!row.confidential && <Badge>Public</Badge>}
      </span>
    ),
  },
  {
    id: 'id',
    value: (row) => row.id,
    header: 'Client ID',
    width: '2fr',
    wide: true,
    cell: (row) => <span className="font-mono text-xs text-muted">{row.id}</span>,
  },
  {
    id: 'scopes',
    header: 'Scopes',
    width: '5rem',
    align: 'end',
    cell: (row) => <span className="tabular-nums">{row.scopes.length}</span>,
  },
  {
    id: 'remove',
    header: 'Actions',
    fixed: true,
    width: '3.5rem',
    align: 'end',
    cell: (row) => (
      <IconButton
        size="sm"
        label={`Remove ${row.name}`}
        icon={<Trash2 aria-hidden />}
        onClick={() => remove(row)}
      />
    ),
  },
];
