import type { AiProvider } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { providersQuery } from '#areas/ai-gateway/data.ts';
import { keptCredential, providersPath, updateProvider } from '#areas/ai-gateway/provider-change.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  name: string;
  apiKey: string;
  weight: string;
}

interface CredentialDialogProps {
  organizationId: string | undefined;
  provider: AiProvider;
  onClose: () => void;
}

/** One more key for a provider: requests are spread over all of them by weight. */
export function CredentialDialog({ organizationId, provider, onClose }: CredentialDialogProps) {
  const client = useQueryClient();
  const bodyOf = ({ name, apiKey, weight }: Values) => ({
    credentials: [
      ...provider.credentials.map(keptCredential),
      { apiKey, weight: Number(weight), ...(name === '' ? {} : { name }) },
    ],
  });
  const form = useAppForm({
    defaultValues: { name: '', apiKey: '', weight: '1' },
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        await updateProvider(organizationId, provider.id, bodyOf(values));
        await client.invalidateQueries(providersQuery(organizationId));
        toast.done('Key added');
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title={`Add a key for ${provider.name}`}
      description="The key is encrypted when saved and never shown again."
      form={form}
      submit="Add key"
      call={(values: Values) => ({
        method: 'PATCH',
        path: `${providersPath(organizationId)}/${provider.id}`,
        body: bodyOf({ ...values, apiKey: '…' }),
      })}
      onClose={onClose}
    >
      <form.AppField name="apiKey">
        {(field) => <field.PasswordField label="Key" autoComplete="off" autoFocus required />}
      </form.AppField>
      <form.AppField name="name">
        {(field) => <field.TextField label="Name" placeholder="Production" autoComplete="off" />}
      </form.AppField>
      <form.AppField name="weight">
        {(field) => (
          <field.TextField
            label="Weight"
            inputMode="numeric"
            hint="Share of requests relative to the other keys."
            required
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
