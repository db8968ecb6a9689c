import { useQueryClient, useSuspenseQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { tokenCurl } from '#api/snippets.ts';
import { type KeyOwner, keysQuery, scopesQuery } from '#areas/keys/data.ts';
import { ScopeChoice } from '#areas/keys/scope-choice.tsx';
import { Button } from '#ui/button.tsx';
import { CodeBlock, Mono } from '#ui/code-block.tsx';
import { Dialog, DialogActions } from '#ui/dialog.tsx';
import { Facts } from '#ui/facts.tsx';
import { Form, sending, useAppForm } from '#ui/form.tsx';
import { SecretOnce } from '#ui/secret-once.tsx';
import { ViewAsCode } from '#ui/view-as-code.tsx';

const lifetimes = [
  { value: '30', label: '30 days' },
  { value: '90', label: '90 days' },
  { value: '365', label: 'A year' },
  { value: 'never', label: 'Never', hint: 'Rotate it yourself' },
];

interface Made {
  id: string;
  secret: string;
}

export function NewKeyDialog({ owner, onClose }: { owner: KeyOwner; onClose: () => void }) {
  const [made, setMade] = useState<Made>();
  const close = () => {
    setMade(undefined);
    onClose();
  };
  return (
    <Dialog
      open
      onClose={close}
      wide
      sticky
      title={made ? 'The key is there' : 'New API key'}
      {...(made ? {} : { description: 'Give it what its program needs, and no more.' })}
    >
      {made ? <Done made={made} onClose={close} /> : <NewKeyForm owner={owner} onMade={setMade} />}
    </Dialog>
  );
}

function NewKeyForm({ owner, onMade }: { owner: KeyOwner; onMade: (made: Made) => void }) {
  const client = useQueryClient();
  const { data: scopes } = useSuspenseQuery(scopesQuery);
  const offered = scopes.filter(({ actors }) => actors.includes(owner === null ? 'user' : 'organization'));
  const [chosen, setChosen] = useState<ReadonlySet<string>>(
    new Set(offered.map(({ scope }) => scope).filter((scope) => !scope.startsWith('platform:admin:'))),
  );
  const bodyOf = ({ name, lifetime, addresses }: { name: string; lifetime: string; addresses: string }) => {
    const allowedAddresses = addresses.split(/[\s,]+/).filter((text) => text !== '');
    return {
      name,
      ...(owner === null ? {} : { organizationId: owner }),
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
      <ScopeChoice offered={offered} chosen={chosen} onChange={setChosen} />
      <form.AppField name="addresses">
        {(field) => (
          <field.TextField
            label="Only from these addresses"
            mono
            placeholder="203.0.113.0/24 2001:db8::1"
            autoComplete="off"
            hint="Addresses and CIDR blocks with blanks between them. Empty: from anywhere."
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

function Done({ made, onClose }: { made: Made; onClose: () => void }) {
  return (
    <div className="space-y-4">
      <Facts
        facts={[
          [
            'Client id',
            <Mono key="id" copy>
              {made.id}
            </Mono>,
          ],
        ]}
      />
      <SecretOnce label="Secret of the key" secret={made.secret} />
      <CodeBlock label="A token of five minutes" code={tokenCurl(made)} />
      <DialogActions>
        <Button look="primary" onClick={onClose}>
          I have copied it
        </Button>
      </DialogActions>
    </div>
  );
}
