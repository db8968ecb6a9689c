import { api } from '#api/client.ts';
import { useApplication } from '#areas/applications/data.ts';
import {
  placeOf,
  useRefreshVariables,
  useScopeOptions,
  wholeApplication,
} from '#areas/applications/variable-scopes.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  key: string;
  value: string;
  scope: string;
  sensitive: boolean;
}

const bodyOf = ({ key, value, scope, sensitive }: Values) => ({ key, value, sensitive, ...placeOf(scope) });

const referenceHint =
  // biome-ignore lint/suspicious/noTemplateCurlyInString: how references to other variables are written.
  '${OTHER} stands for the value of another variable of any scope, \\${OTHER} for itself.';

export function NewVariableDialog({ onClose }: { onClose: () => void }) {
  const application = useApplication();
  const refresh = useRefreshVariables(application.id);
  const scopes = useScopeOptions();
  const form = useAppForm({
    defaultValues: { key: '', value: '', scope: wholeApplication, sensitive: false },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const { key } = await api.applicationEnvVars.create(application.id, bodyOf(values));
        await refresh();
        toast.done(`${key} created`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="New variable"
      form={form}
      submit="Create variable"
      call={(values: Values) => ({
        method: 'POST',
        path: `/applications/${application.id}/env-vars`,
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
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
      <form.AppField name="scope">
        {(field) => (
          <field.SelectField
            label="Scope"
            options={scopes}
            hint="A variable of one environment wins over that of the application, which wins over the organization's."
          />
        )}
      </form.AppField>
      <form.AppField name="sensitive">
        {(field) => (
          <field.CheckboxField
            label="Sensitive"
            hint="No response shows its value again; it can only be replaced."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
