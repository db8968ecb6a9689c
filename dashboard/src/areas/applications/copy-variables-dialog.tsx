import { api } from '#api/client.ts';
import { useApplication, useEnvironment, useEnvironments } from '#areas/applications/data.ts';
import { useRefreshVariables } from '#areas/applications/variable-scopes.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  from: string;
  to: string;
  overwrite: boolean;
}

interface CopyVariablesDialogProps {
  /** Slugs of environments to begin with. */
  from?: string;
  to?: string;
  /** Only these; all that the environment has of its own unless given. */
  keys?: readonly string[];
  onClose: () => void;
}

export function CopyVariablesDialog({ keys, onClose, ...chosen }: CopyVariablesDialogProps) {
  const application = useApplication();
  const refresh = useRefreshVariables(application.id);
  const environments = useEnvironments();
  const current = useEnvironment()?.slug ?? '';
  const from = chosen.from ?? current;
  const options = environments.map(({ slug, name }) => ({ value: slug, label: name }));
  const bodyOf = (values: Values) => ({ ...values, ...(keys ? { keys: [...keys] } : {}) });
  const form = useAppForm({
    defaultValues: {
      from,
      to: chosen.to ?? options.find(({ value }) => value !== from)?.value ?? '',
      overwrite: false,
    },
    validators: {
      onSubmitAsync: sending(async (body: Values) => {
        const done = await api.applicationEnvVars.copy(application.id, bodyOf(body));
        await refresh();
        toast.done(`${done.created} created, ${done.updated} changed, ${done.skipped} skipped`);
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="Copy between environments"
      description={
        keys
          ? `Of ${keys.length} selected variables, copies those that belong to the first environment. Sensitive values are copied without being shown.`
          : 'Copies the first environment’s own variables. Sensitive values are copied without being shown.'
      }
      form={form}
      submit="Copy variables"
      call={(body: Values) => ({
        method: 'POST',
        path: `/applications/${application.id}/env-vars/copy`,
        body: bodyOf(body),
      })}
      onClose={onClose}
    >
      <div className="grid gap-4 sm:grid-cols-2">
        <form.AppField name="from">
          {(field) => <field.SelectField label="From" options={options} />}
        </form.AppField>
        <form.AppField name="to">
          {(field) => <field.SelectField label="To" options={options} />}
        </form.AppField>
      </div>
      <form.AppField name="overwrite">
        {(field) => <field.CheckboxField label="Overwrite existing values" />}
      </form.AppField>
    </FormDialog>
  );
}
