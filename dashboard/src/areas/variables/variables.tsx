import type { EnvVar } from '@mainstay/sdk';
import { useQuery, useSuspenseQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Braces, Download, Plus, Upload } from 'lucide-react';
import { useMemo } from 'react';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { organizationHome, resolvedQuery, variablesPath, variablesQuery } from '#areas/variables/data.ts';
import { ExportDialog } from '#areas/variables/export-dialog.tsx';
import { HistoryDialog } from '#areas/variables/history-dialog.tsx';
import { ImportDialog } from '#areas/variables/import-dialog.tsx';
import { NewVariableDialog } from '#areas/variables/new-variable-dialog.tsx';
import { ValueCell } from '#areas/variables/value-cell.tsx';
import { VariableMenu } from '#areas/variables/variable-menu.tsx';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { RelativeTime } from '#ui/relative-time.tsx';
import { Switch } from '#ui/toggle.tsx';

const route = getRouteApi('/signed-in/o/$slug/variables');
// biome-ignore lint/suspicious/noTemplateCurlyInString: how references to other variables are written.
const reference = '${OTHER}';
const rowId = ({ id }: EnvVar) => id;

export function Variables() {
  const organization = useOrganization();
  const canChange = useCan()('updateOrganizationEnvVar');
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const { data } = useSuspenseQuery(variablesQuery(organization.id));
  const resolved = useQuery({ ...resolvedQuery(organization.id), enabled: search.resolved === true });
  const { filter } = search;
  const rows = useMemo(() => data.filter(({ key, value }) => matches(filter, key, value)), [data, filter]);
  const shown = search.resolved && resolved.data;
  const columns = useMemo(() => {
    const values = shown ? new Map(shown.items.map(({ key, value }) => [key, value])) : undefined;
    return columnsOf(canChange, values);
  }, [canChange, shown]);
  const to = (next: Partial<typeof search>) =>
    void navigate({ search: next as typeof search, replace: next.filter !== search.filter });
  const { create: _create, dialog: _dialog, history, ...list } = search;
  const close = () => to(list);
  useHotkey('c', 'New variable', () => to({ ...list, create: true }));
  useHotkey('i', 'Import a .env file', () => to({ ...list, dialog: 'import' }));

  const path = variablesPath(organization.id);
  const actions = canChange && (
    <>
      <Button onClick={() => to({ ...list, dialog: 'import' })}>
        <Upload aria-hidden />
        Import .env
      </Button>
      <Button look="primary" onClick={() => to({ ...list, create: true })}>
        <Plus aria-hidden />
        New variable
      </Button>
    </>
  );
  return (
    <>
      <PageHeader
        title="Environment variables"
        description="Configuration shared by all applications of this organization. Encrypted at rest."
        call={{ method: 'GET', path }}
        {...(data.length > 0 ? { actions } : {})}
      />
      {data.length === 0 ? (
        <EmptyState
          icon={<Braces />}
          title="No variables yet"
          action={actions}
          call={{
            method: 'POST',
            path,
            body: { key: 'DATABASE_URL', value: 'postgres://…', sensitive: true },
          }}
        >
          Keep configuration and secrets out of your code. Sensitive values are never shown again, and{' '}
          <code className="font-mono text-xs">{reference}</code> refers to another variable.
        </EmptyState>
      ) : (
        <>
          <div className="mb-3 flex flex-wrap items-center justify-between gap-3">
            <FilterField
              label="Filter variables"
              value={filter ?? ''}
              onChange={(text) => {
                const { filter: _filter, ...rest } = search;
                to(text === '' ? rest : { ...rest, filter: text });
              }}
            />
            <div className="flex items-center gap-3">
              <Switch
                label="Replace references"
                checked={search.resolved === true}
                onChange={(isOn) => {
                  const { resolved: _resolved, ...rest } = search;
                  to(isOn ? { ...rest, resolved: true } : rest);
                }}
              />
              <Button look="ghost" onClick={() => to({ ...list, dialog: 'export' })}>
                <Download aria-hidden />
                Export
              </Button>
            </div>
          </div>
          <DataTable
            label="Environment variables"
            rows={rows}
            columns={columns}
            rowId={rowId}
            onOpen={({ id }) => to({ ...list, history: id })}
            empty={`No variables match “${filter}”.`}
          />
        </>
      )}
      {search.create && (
        <NewVariableDialog onClose={close} onImport={() => to({ ...list, dialog: 'import' })} />
      )}
      {search.dialog === 'import' && <ImportDialog onClose={close} />}
      {search.dialog === 'export' && (
        <ExportDialog
          description="As a .env file. Sensitive values are never exported."
          of={[organization.id]}
          load={(signal) => api.envVars.export(organization.id, { signal })}
          fileName={`${organization.slug}.env`}
          call={{ method: 'GET', path: `${path}/export` }}
          onClose={close}
        />
      )}
      <HistoryDialog
        home={organizationHome(organization.id)}
        variable={data.find(({ id }) => id === history)}
        canChange={canChange}
        onClose={close}
      />
    </>
  );
}

/** `values`: with their references replaced, to be looked at instead. */
function columnsOf(canChange: boolean, values: Map<string, string | null> | undefined): Column<EnvVar>[] {
  return [
    {
      id: 'key',
      value: (row) => row.key,
      header: 'Key',
      sortable: true,
      width: '5fr',
      cell: (row) => (
        <span className="flex items-center gap-2">
          <span className="truncate font-mono text-xs font-medium" title={row.key}>
            {row.key}
          </span>
          {row.sensitive && (
            <span className="max-sm:hidden">
              <Badge>Sensitive</Badge>
            </span>
          )}
        </span>
      ),
    },
    {
      id: 'value',
      header: values ? 'Value, references replaced' : 'Value',
      width: '6fr',
      cell: (row) => (
        <ValueCell variable={row} canChange={canChange && !values} resolved={values?.get(row.key)} />
      ),
    },
    {
      id: 'updatedAt',
      value: (row) => row.updatedAt,
      header: 'Changed',
      sortable: true,
      width: '8rem',
      wide: true,
      cell: (row) => <RelativeTime time={row.updatedAt} />,
    },
    {
      id: 'menu',
      header: 'Actions',
      fixed: true,
      width: '3.5rem',
      align: 'end',
      cell: (row) => <VariableMenu variable={row} canChange={canChange} />,
    },
  ];
}
