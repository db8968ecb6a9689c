import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { variablesPath, variablesQuery } from '#areas/variables/data.ts';
import { type NewVariable, VariableFormDialog } from '#areas/variables/variable-form-dialog.tsx';

const bodyOf = ({ key, value, sensitive }: NewVariable) => ({ key, value, sensitive });

export function NewVariableDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const { id } = useOrganization();
  const client = useQueryClient();
  return (
    <VariableFormDialog
      path={variablesPath(id)}
      bodyOf={bodyOf}
      create={async (values) => {
        const made = await api.envVars.create(id, bodyOf(values));
        await client.invalidateQueries(variablesQuery(id));
        return made;
      }}
      onImport={onImport}
      onClose={onClose}
    />
  );
}
