import type { EnvVarComparison } from '@mainstay/sdk';
import { useQuery } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { ArrowLeftRight, Copy, Eye, EyeOff } from 'lucide-react';
import { useMemo, useState } from 'react';
import { comparisonColumns } from '#areas/applications/comparison-columns.tsx';
import { CopyVariablesDialog } from '#areas/applications/copy-variables-dialog.tsx';
import { useApplication, useEnvironment, useEnvironments } from '#areas/applications/data.ts';
import { comparisonQuery } from '#areas/applications/queries.ts';
import { VariableTabs } from '#areas/applications/variable-tabs.tsx';
import { useCan } from '#areas/organizations/permissions.ts';
import { changed, matches } from '#shell/search.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { DataTable } from '#ui/data-table.tsx';
import { ErrorNotice } from '#ui/error-notice.tsx';
import { FilterField } from '#ui/filter-field.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Select } from '#ui/select.tsx';
import { Switch } from '#ui/toggle.tsx';

const route = getRouteApi('/signed-in/o/$slug/apps/$applicationId/variables/compare');
const rowId = ({ key }: EnvVarComparison) => key;

/** Two environments beside one another: what is missing where, and what differs. */
export function CompareVariables() {
  const application = useApplication();
  const environments = useEnvironments();
  const current = useEnvironment();
  const search = route.useSearch();
  const navigate = route.useNavigate();
  const canCopy = useCan()('copyApplicationEnvVars');
  const [isShown, setShown] = useState(false);
  const [keys, setKeys] = useState<readonly string[]>();
  const left = environments.find(({ slug }) => slug === search.left) ?? current;
  const right =
    environments.find(({ slug }) => slug === search.right) ??
    environments.find((one) => one !== left) ??
    left;
  const [from, to] = [left?.slug ?? '', right?.slug ?? ''];
  const { data, error } = useQuery(comparisonQuery(application.id, from, to));
  const { filter, all } = search;
  const rows = useMemo(
    () => data?.filter((row) => (all || row.status !== 'same') && matches(filter, row.key)),
    [data, all, filter],
  );
  const columns = useMemo(
    () => comparisonColumns(left?.name ?? '', right?.name ?? '', isShown),
    [left, right, isShown],
  );
  const change = (next: Parameters<typeof changed<typeof search>>[1]) =>
    void navigate({ search: changed(search, next), replace: true });
  const options = environments.map(({ slug, name }) => ({ value: slug, label: name }));
  const path = `/applications/${application.id}/env-vars/compare?left=${from}&right=${to}`;
  return (
    <>
      <PageHeader
        title="Variables"
        description="Compare the variables of two environments. Sensitive values are not shown or compared."
        call={{ method: 'GET', path }}
        actions={
          canCopy && (
            <Button onClick={() => setKeys([])}>
              <Copy aria-hidden />
              Copy variables
            </Button>
          )
        }
      />
      <VariableTabs />
      <div className="mb-3 flex flex-wrap items-center gap-3">
        <div className="flex items-center gap-1.5 max-sm:w-full">
          <Select
            className="w-40 max-sm:min-w-0 max-sm:flex-1"
            label="Left environment"
            value={from}
            onChange={(slug) => change({ left: slug })}
            options={options}
          />
          <IconButton
            label="Swap environments"
            icon={<ArrowLeftRight aria-hidden />}
            onClick={() => change({ left: to, right: from })}
          />
          <Select
            className="w-40 max-sm:min-w-0 max-sm:flex-1"
            label="Right environment"
            value={to}
            onChange={(slug) => change({ right: slug })}
            options={options}
          />
        </div>
        <FilterField
          label="Key"
          value={filter ?? ''}
          onChange={(text) => change({ filter: text === '' ? undefined : text })}
        />
        <div className="ml-auto flex items-center gap-3">
          <Switch
            label="Show equal variables"
            checked={all === true}
            onChange={(isOn) => change({ all: isOn ? true : undefined })}
          />
          <IconButton
            look="secondary"
            label={isShown ? 'Hide values' : 'Show values'}
            icon={isShown ? <EyeOff aria-hidden /> : <Eye aria-hidden />}
            onClick={() => setShown(!isShown)}
          />
        </div>
      </div>
      {error ? (
        <ErrorNotice error={error} />
      ) : (
        <DataTable
          label={`${left?.name} and ${right?.name}`}
          rows={rows}
          columns={columns}
          rowId={rowId}
          {...(canCopy
            ? {
                selection: (marked: EnvVarComparison[]) => (
                  <Button size="sm" onClick={() => setKeys(marked.map(({ key }) => key))}>
                    Copy {marked.length}
                  </Button>
                ),
              }
            : {})}
          empty={
            filter
              ? `No differences match “${filter}”.`
              : `${left?.name} and ${right?.name} have the same variables.`
          }
        />
      )}
      {keys && (
        <CopyVariablesDialog
          {...{ from, to }}
          {...(keys.length > 0 ? { keys } : {})}
          onClose={() => setKeys(undefined)}
        />
      )}
    </>
  );
}
