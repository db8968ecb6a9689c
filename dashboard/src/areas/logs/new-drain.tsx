import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { drainsQuery } from '#areas/logs/data.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  name: string;
  type: 'ndjson' | 'otlp';
  url: string;
  authorization: string;
}

function toBody({ name, type, url, authorization }: Values) {
  return { name, type, url, ...(authorization === '' ? {} : { headers: { authorization } }) };
}

export function NewDrain({ applicationId, onClose }: { applicationId: string; onClose: () => void }) {
  const client = useQueryClient();
  const form = useAppForm({
    defaultValues: { name: '', type: 'ndjson', url: '', authorization: '' } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        await api.logDrains.create(applicationId, toBody(values));
        await client.invalidateQueries(drainsQuery(applicationId));
        toast.done('Log drain created');
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title="New log drain"
      description="New requests are sent in batches every few seconds."
      form={form}
      submit="Create log drain"
      call={(values: Values) => ({
        method: 'POST',
        path: `/applications/${applicationId}/log-drains`,
        body: toBody({ ...values, authorization: values.authorization && '…' }),
      })}
      onClose={onClose}
    >
      <form.AppField name="name">
        {(field) => (
          <field.TextField label="Name" placeholder="Warehouse" autoComplete="off" autoFocus required />
        )}
      </form.AppField>
      <form.AppField name="type">
        {(field) => (
          <field.SelectField
            label="Format"
            options={[
              { value: 'ndjson', label: 'NDJSON: one request per line' },
              { value: 'otlp', label: 'OpenTelemetry (OTLP, JSON)' },
            ]}
          />
        )}
      </form.AppField>
      <form.AppField name="url">
        {(field) => (
          <field.TextField
            label="Endpoint"
            mono
            type="url"
            placeholder="https://logs.example.com/v1/logs"
            autoComplete="off"
            required
          />
        )}
      </form.AppField>
      <form.AppField name="authorization">
        {(field) => (
          <field.TextField
            label="Authorization header"
            mono
            placeholder="Bearer …"
            hint="Optional. It is not shown again."
            autoComplete="off"
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
