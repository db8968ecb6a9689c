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
      scopeHint="Environment variables override those of the application, which override those of the organization."
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
