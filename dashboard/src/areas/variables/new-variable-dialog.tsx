import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { variablesPath, variablesQuery } from '#areas/variables/data.ts';
import { Button } from '#ui/button.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { toast } from '#ui/toast.ts';
import { ViewAsCode } from '#ui/view-as-code.tsx';

const referenceHint =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how references to other variables are written.
  '${OTHER} stands for the value of another variable, \\${OTHER} for itself.';

export function NewVariableDialog({ onClose, onImport }: { onClose: () => void; onImport: () => void }) {
  const organization = useOrganization();
  const client = useQueryClient();
  const path = variablesPath(organization.id);
  const form = useAppForm({
    defaultValues: { key: '', value: '', sensitive: false },
    validators: {
      onSubmitAsync: sending(async (body: { key: string; value: string; sensitive: boolean }) => {
        const { key } = await api.envVars.create(organization.id, body);
        await client.invalidateQueries(variablesQuery(organization.id));
        toast.done(`${key} is there`);
        onClose();
      }),
    },
  });
  return (
    <Dialog open onClose={onClose} title="New variable">
      <Form form={form}>
        <form.AppField name="key">
          {(field) => (
            <field.TextField
              label="Key"
              mono
              placeholder="DATABASE_URL"
              autoComplete="off"
              autoFocus
              required
            />
          )}
        </form.AppField>
        <form.AppField name="value">
          {(field) => <field.TextAreaField label="Value" mono rows={3} hint={referenceHint} />}
        </form.AppField>
        <form.AppField name="sensitive">
          {(field) => (
            <field.CheckboxField
              label="Sensitive"
              hint="No response shows its value again; it can only be replaced."
            />
          )}
        </form.AppField>
        <form.AppForm>
          <form.FormError />
          <DialogActions
            aside={
              <form.Subscribe selector={(state) => state.values}>
                {(body) => <ViewAsCode call={{ method: 'POST', path, body }} />}
              </form.Subscribe>
            }
          >
            <Button look="ghost" onClick={onImport}>
              Paste many
            </Button>
            <form.SubmitButton>Create</form.SubmitButton>
          </DialogActions>
        </form.AppForm>
      </Form>
    </Dialog>
  );
}
