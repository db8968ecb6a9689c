import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil, Plus, Split, Trash2 } from 'lucide-react';
import { useState } from 'react';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import { type Alias, aiPath, aliasesQuery } from '#areas/ai-gateway/data.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button, IconButton } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { sending, useAppForm } from '#ui/form.tsx';
import { FormDialog } from '#ui/form-dialog.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { toast } from '#ui/toast.ts';

const route = getRouteApi('/signed-in/o/$slug/ai/aliases');

/** Names of the organization's own for models, each with the models that are tried behind it. */
export function Aliases() {
  const { id } = useOrganization();
  const can = useCan();
  const { create } = route.useSearch();
  const navigate = route.useNavigate();
  const query = useQuery(aliasesQuery(id));
  const [editing, setEditing] = useState<Alias>();
  const [removing, setRemoving] = useState<Alias>();
  const change = useChange();
  const canChange = can('replaceAiAliases');
  const setCreating = (isCreating: boolean) =>
    void navigate({ search: isCreating ? { create: true } : {}, replace: !isCreating });
  const path = `${aiPath(id)}/aliases`;
  const add = canChange && (
    <Button look="primary" onClick={() => setCreating(true)}>
      <Plus aria-hidden />
      Create alias
    </Button>
  );
  return (
    <>
      <PageHeader
        title="AI model aliases"
        description="An alias can be used in place of a model ID. Its models are tried in order: if one fails before producing output, the next one is used."
        call={{ method: 'GET', path }}
        {...(query.data?.length ? { actions: add } : {})}
      />
      <AiTabs />
      <Pending query={query} className="h-40" />
      {query.data?.length === 0 && (
        <EmptyState
          icon={<Split />}
          title="No aliases"
          action={add}
          call={{ method: 'PUT', path, body: { aliases: [exampleAlias] } }}
        >
          With an alias, applications ask for "fast" or "careful", and you decide here which models that
          means, and which serve when the first cannot.
        </EmptyState>
      )}
      <div className="space-y-4">
        {query.data?.map((alias) => (
          <Card
            key={alias.alias}
            title={alias.alias}
            actions={
              canChange && (
                <>
                  <IconButton
                    label={`Edit ${alias.alias}`}
                    icon={<Pencil aria-hidden />}
                    onClick={() => setEditing(alias)}
                  />
                  <IconButton
                    label={`Delete ${alias.alias}`}
                    icon={<Trash2 aria-hidden />}
                    onClick={() => setRemoving(alias)}
                  />
                </>
              )
            }
          >
            <ol className="list-inside list-decimal space-y-1">
              {alias.models.map((model) => (
                <li key={model}>
                  <code className="font-mono text-xs wrap-anywhere">{model}</code>
                </li>
              ))}
            </ol>
          </Card>
        ))}
      </div>
      {create && canChange && <AliasDialog onClose={() => setCreating(false)} />}
      {editing && <AliasDialog alias={editing} onClose={() => setEditing(undefined)} />}
      <ConfirmDialog
        open={removing !== undefined}
        onClose={() => setRemoving(undefined)}
        title={`Delete the alias ${removing?.alias}?`}
        action="Delete alias"
        onConfirm={async () => {
          await change(removing, undefined);
          toast.done('Alias deleted');
          setRemoving(undefined);
        }}
      >
        Requests that use it are rejected as requests for an unknown model.
      </ConfirmDialog>
    </>
  );
}

const exampleAlias = { alias: 'fast', models: ['openai/gpt-4o-mini', 'anthropic/claude-haiku-4-5'] };

/** The API replaces all of them at once: what stands there now is read again, so that nothing of others is lost. */
function useChange() {
  const { id } = useOrganization();
  const client = useQueryClient();
  return async (before: Alias | undefined, after: Alias | undefined) => {
    const { aliases } = await api.aiGateway.listAliases(id);
    const others = aliases.filter(({ alias }) => alias !== before?.alias);
    if (after && others.some(({ alias }) => alias === after.alias))
      throw new Refused(`The alias "${after.alias}" already exists.`);
    await api.aiGateway.replaceAliases(id, { aliases: after ? [...others, after] : others });
    await client.invalidateQueries(aliasesQuery(id));
  };
}

interface Values {
  alias: string;
  models: string;
}

const aliasOf = ({ alias, models }: Values): Alias => ({
  alias: alias.trim(),
  models: models
    .split('\n')
    .map((line) => line.trim())
    .filter((line) => line !== ''),
});

function AliasDialog({ alias, onClose }: { alias?: Alias; onClose: () => void }) {
  const { id } = useOrganization();
  const change = useChange();
  const form = useAppForm({
    defaultValues: { alias: alias?.alias ?? '', models: alias?.models.join('\n') ?? '' } as Values,
    validators: {
      onSubmitAsync: sending(async (values: Values) => {
        await change(alias, aliasOf(values));
        toast.done(alias ? 'Alias updated' : 'Alias created');
        onClose();
      }),
    },
  });
  return (
    <FormDialog
      title={alias ? `Edit ${alias.alias}` : 'Create alias'}
      form={form}
      submit={alias ? 'Save' : 'Create alias'}
      call={(values: Values) => ({
        method: 'PUT',
        path: `${aiPath(id)}/aliases`,
        body: { aliases: [aliasOf(values)] },
      })}
      onClose={onClose}
    >
      <form.AppField name="alias">
        {(field) => <field.TextField label="Alias" mono placeholder={exampleAlias.alias} required />}
      </form.AppField>
      <form.AppField name="models">
        {(field) => (
          <field.TextAreaField
            label="Models"
            mono
            rows={4}
            placeholder={exampleAlias.models.join('\n')}
            hint="One per line, in the order in which they are tried."
          />
        )}
      </form.AppField>
    </FormDialog>
  );
}
