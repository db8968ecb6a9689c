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
  content: string;
  scope: string;
  sensitive: boolean;
  overwrite: boolean;
}

const bodyOf = ({ content, scope, sensitive, overwrite }: Values) => ({
  ...{ content, sensitive, overwrite },
  ...placeOf(scope),
});

export function ImportVariablesDialog({ onClose }: { onClose: () => void }) {
  const application = useApplication();
  const refresh = useRefreshVariables(application.id);
  const scopes = useScopeOptions();
  const form = useAppForm({
    defaultValues: { content: '', scope: wholeApplication, sensitive: false, overwrite: true },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        const done = await api.applicationEnvVars.import(application.id, bodyOf(values));
        await refresh();
        toast.done(`${done.created} created, ${done.updated} changed, ${done.unchanged} unchanged`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      wide
      title="Import a .env file"
      description="Either all variables are imported or none."
      form={form}
      submit="Import"
      call={(values: Values) => ({
        method: 'POST',
        path: `/applications/${application.id}/env-vars/import`,
        body: bodyOf(values),
      })}
      onClose={onClose}
    >
      <form.AppField name="content">
        {(field) => (
          <field.TextAreaField
            label="Variables"
            mono
            rows={10}
            required
            placeholder={'# Comments are left out\nDATABASE_URL="postgres://…"'}
          />
        )}
      </form.AppField>
      <form.AppField name="scope">
        {(field) => <field.SelectField label="Scope" options={scopes} />}
      </form.AppField>
      <form.AppField name="sensitive">
        {(field) => (
          <field.CheckboxField
            label="Mark new variables as sensitive"
            hint="Existing variables keep their setting."
          />
        )}
      </form.AppField>
      <form.AppField name="overwrite">
        {(field) => (
          <field.CheckboxField
            label="Update existing variables"
            hint="If off, an existing variable cancels the import."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
