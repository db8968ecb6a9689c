import type { AiProvider } from '@mainstay/sdk';
import { useQueryClient } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { providersQuery } from '#areas/ai-gateway/data.ts';
import { providersPath, updateProvider } from '#areas/ai-gateway/provider-change.ts';
import { needsAddress, providerKinds } from '#areas/ai-gateway/provider-types.ts';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { toast } from '#ui/toast.ts';

interface Values {
  kind: string;
  slug: string;
  name: string;
  baseUrl: string;
  apiKey: string;
  models: string;
  priority: string;
  zdr: boolean;
  allowPrivate: boolean;
}

interface ProviderDialogProps {
  organizationId: string | undefined;
  /** The one to change; a new one where there is none. */
  provider?: AiProvider;
  onClose: () => void;
}

export function ProviderDialog({ organizationId, provider, onClose }: ProviderDialogProps) {
  const client = useQueryClient();
  const isShared = organizationId === undefined;
  const form = useAppForm({
    defaultValues: {
      kind: provider ? 'other' : 'openai',
      slug: provider?.slug ?? '',
      name: provider?.name ?? '',
      baseUrl: provider?.baseUrl ?? '',
      apiKey: '',
      models: provider?.models?.join('\n') ?? '',
      priority: String(provider?.priority ?? 0),
      zdr: provider?.zdr ?? false,
      allowPrivate: provider?.allowPrivate ?? false,
    } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        if (provider) await updateProvider(organizationId, provider.id, changeOf(values, isShared));
        else if (organizationId === undefined) await api.aiProviders.createShared(newOf(values, true));
        else await api.aiProviders.create(organizationId, newOf(values, false));
        await Promise.all([
          client.invalidateQueries(providersQuery(organizationId)),
          client.invalidateQueries({ queryKey: ['ai models'] }),
        ]);
        toast.done(provider ? 'Provider updated' : 'Provider added');
        onClose();
      }),
    },
  });
  const path = providersPath(organizationId);
  return (
    <FormDialog
      title={provider ? `Edit ${provider.name}` : 'Add provider'}
      form={form}
      submit={provider ? 'Save' : 'Add provider'}
      call={(values: Values) =>
        provider
          ? { method: 'PATCH', path: `${path}/${provider.id}`, body: changeOf(values, isShared) }
          : { method: 'POST', path, body: newOf({ ...values, apiKey: values.apiKey && '…' }, isShared) }
      }
      onClose={onClose}
    >
      {!provider && (
        <form.AppField name="kind">
          {(field) => (
            <field.SelectField
              label="Provider"
              options={providerKinds.map(({ value, label }) => ({ value, label }))}
            />
          )}
        </form.AppField>
      )}
      <form.Subscribe selector={({ values }) => values.kind}>
        {(kind) =>
          !provider &&
          kind === 'other' && (
            <form.AppField name="slug">
              {(field) => (
                <field.TextField
                  label="Short name"
                  mono
                  placeholder="local"
                  hint="Prefix of its model IDs, for example local/llama3.2."
                  autoComplete="off"
                  required
                />
              )}
            </form.AppField>
          )
        }
      </form.Subscribe>
      {provider && (
        <form.AppField name="name">
          {(field) => <field.TextField label="Name" autoComplete="off" required />}
        </form.AppField>
      )}
      <form.Subscribe selector={({ values }) => values.kind}>
        {(kind) => (
          <form.AppField name="baseUrl">
            {(field) => (
              <field.TextField
                label="Address"
                mono
                type="url"
                placeholder="https://llm.example.com/v1"
                hint={
                  needsAddress(kind)
                    ? 'Where its API begins.'
                    : "Only if different from the provider's default."
                }
                autoComplete="off"
                required={!provider && needsAddress(kind)}
              />
            )}
          </form.AppField>
        )}
      </form.Subscribe>
      {!provider && (
        <form.AppField name="apiKey">
          {(field) => (
            <field.PasswordField
              label="Key"
              autoComplete="off"
              hint="The key is encrypted when saved and never shown again."
            />
          )}
        </form.AppField>
      )}
      <form.AppField name="models">
        {(field) => (
          <field.TextAreaField
            label="Models"
            mono
            rows={3}
            placeholder="llama3.2"
            hint="One per line. Leave empty for all known models."
          />
        )}
      </form.AppField>
      <form.AppField name="priority">
        {(field) => (
          <field.TextField
            label="Priority"
            inputMode="numeric"
            hint="Higher ones are tried first."
            required
          />
        )}
      </form.AppField>
      <form.AppField name="zdr">
        {(field) => (
          <field.CheckboxField label="Zero data retention" hint="Agreed with the provider by contract." />
        )}
      </form.AppField>
      {isShared && (
        <form.AppField name="allowPrivate">
          {(field) => (
            <field.CheckboxField
              label="Allow a private address"
              hint="For a server in your own network or on this host."
            />
          )}
        </form.AppField>
      )}
    </FormDialog>
  );
}

function changeOf(values: Values, isShared: boolean) {
  const models = values.models.split(/\s+/).filter(Boolean);
  return {
    ...(values.name.trim() === '' ? {} : { name: values.name.trim() }),
    baseUrl: values.baseUrl.trim() === '' ? null : values.baseUrl.trim(),
    models: models.length === 0 ? null : models,
    priority: Number(values.priority),
    zdr: values.zdr,
    ...(isShared ? { allowPrivate: values.allowPrivate } : {}),
  };
}

function newOf(values: Values, isShared: boolean) {
  const kind = providerKinds.find(({ value }) => value === values.kind);
  const isOther = values.kind === 'other';
  return {
    slug: isOther ? values.slug.trim() : values.kind,
    type: kind?.type ?? 'openai-compatible',
    ...changeOf({ ...values, name: isOther ? '' : (kind?.label ?? '') }, isShared),
    ...(values.apiKey === '' ? {} : { credentials: [{ apiKey: values.apiKey }] }),
  };
}
