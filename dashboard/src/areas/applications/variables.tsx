import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Braces, Copy, Download, Plus, Upload } from 'lucide-react';
import { CopyVariablesDialog } from '#areas/applications/copy-variables-dialog.tsx';
import { useApplication, useEnvironment, useEnvironments } from '#areas/applications/data.ts';
import { ExportVariablesDialog } from '#areas/applications/export-variables-dialog.tsx';
import { ImportVariablesDialog } from '#areas/applications/import-variables-dialog.tsx';
import { NewVariableDialog } from '#areas/applications/new-variable-dialog.tsx';
import { applicationVariablesQuery, effectiveQuery } from '#areas/applications/queries.ts';
import { VariableDialog } from '#areas/applications/variable-dialog.tsx';
import { VariableTabs } from '#areas/applications/variable-tabs.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { matches } from '#shell/search.ts';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { type Column, DataTable } from '#ui/data-table.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { MenuItem } from '#ui/menu.tsx';
import { PageHeader } from '#ui/page-header.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/variables');

interface Row {
  key: string;
  /** Null: sensitive. Undefined: not seen in this environment. */
  value: string | null | undefined;
  source: 'organization' | 'application' | 'environment' | undefined;
  /** Names of the environments that have one of their own. */
  environments: string[];
}

const rowId = ({ key }: Row) => key;

export function ApplicationVariables() {
  const application = useApplication();
  const environment = useEnvironment();
  const environments = useEnvironments();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canChange = useCan()('createApplicationEnvVar');
  const slug = environment?.slug ?? application.defaultEnvironmentSlug;
  const effective = useQuery(effectiveQuery(application.id, slug));
  const { data: own = [] } = useQuery(applicationVariablesQuery(application.id));
  const names = new Map(environments.map(({ id, name }) => [id, name]));
  const rows = effective.data && rowsOf(effective.data.items, own, names);
  const shown = rows?.filter(({ key }) => matches(search.filter, key));
  const goTo = (next: typeof search) =>
    void navigate({ search: (old) => ({ environment: old.environment, ...next }) as never });
  const list = search.filter ? { filter: search.filter } : {};
  const close = () => goTo(list);
  const add = () => goTo({ ...list, create: true });
  useHotkey(canChange ? 'c' : undefined, 'New variable', add);
  const button = canChange && (
    <Button look="primary" onClick={add}>
      <Plus aria-hidden />
      New variable
    </Button>
  );
  const path = `/applications/${application.id}/env-vars`;
  return (
    <>
      <PageHeader
        title="Variables"
        description={`What ${application.name} sees in ${environment?.name ?? slug}: environment values override application values, which override organization values.`}
        call={{
          method: 'GET',
          path: `${path}/resolved?environment=${slug}`,
          cli: `mainstay env pull --environment ${slug}`,
        }}
        actions={button}
        menu={
          <>
            {canChange && (
              <>
                <MenuItem icon={<Upload aria-hidden />} onSelect={() => goTo({ ...list, dialog: 'import' })}>
                  Import a .env file
                </MenuItem>
                <MenuItem icon={<Copy aria-hidden />} onSelect={() => goTo({ ...list, dialog: 'copy' })}>
                  Copy between environments
                </MenuItem>
              </>
            )}
            <MenuItem icon={<Download aria-hidden />} onSelect={() => goTo({ ...list, dialog: 'export' })}>
              Export as a .env file
            </MenuItem>
          </>
        }
      />
      <VariableTabs />
      {effective.error && <ErrorNotice className="mb-4" error={effective.error} />}
      {rows?.length === 0 ? (
        <EmptyState
          icon={<Braces />}
          title="No variables yet"
          action={button}
          call={{ method: 'POST', path, body: { key: 'LOG_LEVEL', value: 'info' } }}
        >
          Store configuration and secrets for all environments or a single one, and pull them where the
          application runs.
        </EmptyState>
      ) : (
        !effective.error && (
          <>
            <div className="mb-3">
              <FilterField
                label="Key"
                value={search.filter ?? ''}
                onChange={(filter) => goTo(filter ? { filter } : {})}
              />
            </div>
            <DataTable
              label="Variables"
              rows={shown}
              columns={columns}
              rowId={rowId}
              onOpen={({ key }) => goTo({ ...list, variable: key })}
              empty={`No keys match “${search.filter}”.`}
            />
          </>
        )
      )}
      {search.variable !== undefined && <VariableDialog variableKey={search.variable} onClose={close} />}
      {search.create && canChange && (
        <NewVariableDialog onClose={close} onImport={() => goTo({ ...list, dialog: 'import' })} />
      )}
      {search.dialog === 'import' && canChange && <ImportVariablesDialog onClose={close} />}
      {search.dialog === 'export' && <ExportVariablesDialog onClose={close} />}
      {search.dialog === 'copy' && canChange && <CopyVariablesDialog onClose={close} />}
    </>
  );
}

function rowsOf(
  effective: readonly { key: string; value: string | null; source: Row['source'] }[],
  own: readonly { key: string; environmentId: string | null }[],
  names: ReadonlyMap<string, string>,
): Row[] {
  const rows = new Map<string, Row>();
  for (const { key, value, source } of effective) rows.set(key, { key, value, source, environments: [] });
  for (const { key, environmentId } of own) {
    const row = rows.get(key) ?? { key, value: undefined, source: undefined, environments: [] };
    rows.set(key, row);
    const name = environmentId === null ? undefined : names.get(environmentId);
    if (name !== undefined) row.environments.push(name);
  }
  return [...rows.values()].sort((a, b) => (a.key < b.key ? -1 : 1));
}

const sources = { organization: 'Organization', application: 'Application', environment: 'Environment' };

const columns: Column<Row>[] = [
  {
    id: 'key',
    header: 'Key',
    width: '3fr',
    fixed: true,
    cell: (row) => <span className="truncate font-mono text-xs font-medium">{row.key}</span>,
  },
  {
    id: 'value',
    header: 'Value in this environment',
    width: '4fr',
    cell: (row) => <Value value={row.value} />,
  },
  {
    id: 'source',
    header: 'Comes from',
    width: '9rem',
    cell: (row) =>
      row.source && (
        <Badge tone={row.source === 'environment' ? 'accent' : 'neutral'}>{sources[row.source]}</Badge>
      ),
  },
  {
    id: 'environments',
    header: 'Set in environments',
    width: '2fr',
    wide: true,
    cell: (row) => <span className="truncate text-muted">{row.environments.join(', ')}</span>,
  },
];

/** In full where a person opens it: somebody may look over the shoulder. */
function Value({ value }: { value: Row['value'] }) {
  if (value === undefined) return <span className="text-faint">Not set</span>;
  if (value === null) return <span className="text-faint">Sensitive</span>;
  return (
    <span className="text-faint">
      <span aria-hidden>••••••••</span>
      <span className="sr-only">hidden</span>
    </span>
  );
}
