import { api } from '#api/client.ts';
import { useApplication } from '#areas/applications/data.ts';
import { placeOf, useRefreshVariables, useScopeOptions } from '#areas/applications/variable-scopes.ts';
import { type NewVariable, VariableFormDialog } from '#areas/variables/variable-form-dialog.tsx';

const bodyOf = ({ key, value, scope, sensitive }: NewVariable) => ({
  ...{ key, value, sensitive },
  ...placeOf(scope),
});

export function NewVariableDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const { id } = useApplication();
  const refresh = useRefreshVariables(id);
  return (
    <VariableFormDialog
      path={`/applications/${id}/env-vars`}
      scopes={useScopeOptions()}
      scopeHint="A variable of one environment wins over that of the application, which wins over the organization's."
      bodyOf={bodyOf}
      create={async (values) => {
        const made = await api.applicationEnvVars.create(id, bodyOf(values));
        await refresh();
        return made;
      }}
      onImport={onImport}
      onClose={onClose}
    />
  );
}
