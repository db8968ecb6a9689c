import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { tokenCurl } from '#api/snippets.ts';
import { type KeyOwner, keysQuery, offeredTo, ownerFields, scopesQuery } from '#areas/keys/data.ts';
import { scopesOfPreset } from '#areas/keys/presets.ts';
import { ScopeChoice } from '#areas/keys/scope-choice.tsx';
import { useProducts } from '#areas/organizations/permissions.ts';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { SecretDialog, SecretOnce } from '#ui/secret-once.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: '1 year' },
  { value: 'never', label: 'Never', hint: 'Remember to rotate it' },
];

interface Made {
  id: string;
  name: string;
  secret: string;
}

export function NewKeyDialog({ owner, onClose }: { owner: KeyOwner; onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  if (made) return <Created made={made} onClose={close} />;
  return (
    <Dialog open onClose={close} wide title="Create API key" description="Grant only the scopes it needs.">
      <NewKeyForm owner={owner} onMade={setMade} />
    </Dialog>
  );
}

function NewKeyForm({ owner, onMade }: { owner: KeyOwner; onMade: (made: Made) => void }) {
  const client = useQueryClient();
  const { data: scopes } = useSuspenseQuery(scopesQuery);
  const products = useProducts(owner.type === 'user' ? undefined : owner.organizationId);
  const offered = offeredTo(owner, scopes, products);
  const [chosen, setChosen] = useState(() => scopesOfPreset('read-only', owner, offered));
  const bodyOf = ({ name, lifetime, addresses }: { name: string; lifetime: string; addresses: string }) => {
    const allowedAddresses = addresses.split(/[\s,]+/).filter((text) => text !== '');
    return {
      name,
      ...ownerFields(owner),
      scopes: [...chosen] as (typeof offered)[number]['scope'][],
      expiresAt:
        lifetime === 'never' ? null : new Date(Date.now() + Number(lifetime) * 86_400_000).toISOString(),
      ...(allowedAddresses.length > 0 ? { allowedAddresses } : {}),
    };
  };
  const form = useAppForm({
    defaultValues: { name: '', lifetime: '90', addresses: '' },
    validators: {
      onSubmitAsync: sending(async (value: { name: string; lifetime: string; addresses: string }) => {
        const key = await api.apiKeys.create(bodyOf(value) as Parameters<typeof api.apiKeys.create>[0]);
        await client.invalidateQueries(keysQuery(owner));
        onMade(key);
      }),
    },
  });
  return (
    <Form form={form}>
      <div className="grid gap-4 sm:grid-cols-[2fr_1fr]">
        <form.AppField name="name">
          {(field) => (
            <field.TextField
              label="Name"
              placeholder="CI"
              autoComplete="off"
              maxLength={128}
              autoFocus
              required
            />
          )}
        </form.AppField>
        <form.AppField name="lifetime">
          {(field) => <field.SelectField label="Expires after" options={lifetimes} />}
        </form.AppField>
      </div>
      <ScopeChoice owner={owner} offered={offered} chosen={chosen} onChange={setChosen} />
      <form.AppField name="addresses">
        {(field) => (
          <field.TextField
            label="Allowed addresses"
            mono
            placeholder="203.0.113.0/24 2001:db8::1"
            autoComplete="off"
            hint="IP addresses and CIDR blocks, separated by spaces. Leave empty to allow any."
          />
        )}
      </form.AppField>
      <form.AppForm>
        <form.FormError />
        <DialogActions
          aside={
            <form.Subscribe selector={(state) => state.values}>
              {(values) => <ViewAsCode call={{ method: 'POST', path: '/api-keys', body: bodyOf(values) }} />}
            </form.Subscribe>
          }
        >
          <form.SubmitButton>Create key</form.SubmitButton>
        </DialogActions>
      </form.AppForm>
    </Form>
  );
}

function Created({ made, onClose }: { made: Made; onClose: () => void }) {
  return (
    <SecretDialog title="Key created" onClose={onClose}>
      <Facts
        facts={[
          [
            'Client ID',
            <Mono key="id" copy>
              {made.id}
            </Mono>,
          ],
        ]}
      />
      <SecretOnce label="Secret of the key" secret={made.secret} filename={`${made.name}.txt`} />
      <CodeBlock label="Exchange it for a token that lasts five minutes" code={tokenCurl(made)} />
    </SecretDialog>
  );
}
