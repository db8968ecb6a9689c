import type { AiProvider } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { PlugZap, Plus } from 'lucide-react';
import { type ReactNode, useState } from 'react';
import { useAction } from '#api/action.ts';
import { api } from '#api/client.ts';
import { CredentialDialog } from '#areas/ai-gateway/credential-dialog.tsx';
import { providersQuery } from '#areas/ai-gateway/data.ts';
import { keptCredential, providersPath, updateProvider } from '#areas/ai-gateway/provider-change.ts';
import { ProviderDialog } from '#areas/ai-gateway/provider-dialog.tsx';
import { Badge } from '#ui/badge.tsx';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { ConfirmDialog } from '#ui/confirm-dialog.tsx';
import { EmptyState } from '#ui/empty-state.tsx';
import { Notice } from '#ui/error-notice.tsx';
import { Facts } from '#ui/facts.tsx';
import { useHotkey } from '#ui/hotkeys.ts';
import { PageHeader } from '#ui/page-header.tsx';
import { TryAgain } from '#ui/paged-table.tsx';
import { Skeleton } from '#ui/skeleton.tsx';
import { StatusBadge } from '#ui/status-badge.tsx';
import { toast } from '#ui/toast.ts';

interface ProvidersProps {
  /** Whose: those of the instance where there is none. */
  organizationId?: string;
  title: string;
  description: string;
  tabs: ReactNode;
  canChange: boolean;
  isCreating: boolean;
  onCreating: (isCreating: boolean) => void;
}

/** Where models are, with the keys for them. */
export function ProviderList(props: ProvidersProps) {
  const { organizationId, title, description, tabs, canChange, isCreating, onCreating } = props;
  const { data, error, refetch } = useQuery(providersQuery(organizationId));
  const path = providersPath(organizationId);
  useHotkey('c', 'Add provider', () => canChange && onCreating(true));
  const add = canChange && (
    <Button look="primary" onClick={() => onCreating(true)}>
      <Plus aria-hidden />
      Add provider
    </Button>
  );
  return (
    <>
      <PageHeader
        title={title}
        description={description}
        call={{ method: 'GET', path }}
        {...(data?.length ? { actions: add } : {})}
      />
      {tabs}
      {error && <TryAgain error={error} refetch={refetch} />}
      {!data && !error && <Skeleton className="h-40 w-full" />}
      {data?.length === 0 && (
        <EmptyState
          icon={<PlugZap />}
          title="No providers yet"
          action={add}
          call={{
            method: 'POST',
            path,
            body: { slug: 'openai', type: 'openai', credentials: [{ apiKey: 'sk-…' }] },
          }}
        >
          {organizationId === undefined
            ? 'A provider serves models: OpenAI, Anthropic, or your own server. Providers added here are available to all organizations.'
            : 'Add a provider with your own key. It is tried before the providers configured by the operator.'}
        </EmptyState>
      )}
      <div className="space-y-4">
        {data?.map((provider) => (
          <ProviderCard
            key={provider.id}
            provider={provider}
            organizationId={organizationId}
            canChange={canChange && !provider.readOnly}
          />
        ))}
      </div>
      {isCreating && canChange && (
        <ProviderDialog organizationId={organizationId} onClose={() => onCreating(false)} />
      )}
    </>
  );
}

interface ProviderCardProps {
  provider: AiProvider;
  organizationId: string | undefined;
  canChange: boolean;
}

function ProviderCard({ provider, organizationId, canChange }: ProviderCardProps) {
  const { id, slug, credentials } = provider;
  const client = useQueryClient();
  const [open, setOpen] = useState<'edit' | 'delete' | 'key'>();
  const [removed, setRemoved] = useState<AiProvider['credentials'][number]>();
  const refresh = [providersQuery(organizationId).queryKey, ['ai models']];
  const path = `${providersPath(organizationId)}/${id}`;
  const test = useAction({
    run: () =>
      organizationId === undefined
        ? api.aiProviders.testShared(id)
        : api.aiProviders.test(organizationId, id),
  });
  const toggle = useAction({
    run: () => updateProvider(organizationId, id, { enabled: !provider.enabled }),
    refresh,
    done: (after) => (after.enabled ? 'Provider enabled' : 'Provider disabled'),
  });
  const outcome = test.data;
  const refreshAll = () => Promise.all(refresh.map((queryKey) => client.invalidateQueries({ queryKey })));
  return (
    <Card
      title={provider.name}
      actions={
        <span className="flex flex-wrap justify-end gap-1.5">
          {provider.zdr && <Badge tone="success">Zero data retention</Badge>}
          {provider.readOnly && <Badge>From configuration file</Badge>}
          <StatusBadge
            status={provider.enabled ? 'active' : 'disabled'}
            text={provider.enabled ? 'Enabled' : 'Disabled'}
          />
        </span>
      }
      footer={
        <div className="flex flex-wrap gap-2">
          {canChange && (
            <>
              <Button size="sm" busy={test.isPending} onClick={() => test.mutate()}>
                Test connection
              </Button>
              <Button size="sm" onClick={() => setOpen('key')}>
                Add key
              </Button>
              <Button size="sm" onClick={() => setOpen('edit')}>
                Edit
              </Button>
              <Button size="sm" busy={toggle.isPending} onClick={() => toggle.mutate()}>
                {provider.enabled ? 'Disable' : 'Enable'}
              </Button>
              <Button size="sm" look="danger" onClick={() => setOpen('delete')}>
                Delete
              </Button>
            </>
          )}
          {provider.readOnly && 'Configured in the operator’s file; it cannot be edited here.'}
        </div>
      }
    >
      <div className="space-y-4">
        <Facts
          facts={[
            ['Models begin with', `${slug}/`],
            ['Protocol', protocols[provider.type]],
            ['Address', provider.baseUrl],
            ['Private address', provider.allowPrivate ? 'Allowed' : null],
            ['Priority', provider.priority === 0 ? null : String(provider.priority)],
            ['Models', provider.models === null ? 'All known models' : provider.models.join(', ')],
          ]}
        />
        <section>
          <h3 className="mb-1.5 font-medium">Keys</h3>
          {credentials.length === 0 ? (
            <p className="text-muted">None. Self-hosted servers may not need one.</p>
          ) : (
            <ul className="divide-y rounded-md border">
              {credentials.map((credential) => (
                <li key={credential.id} className="flex flex-wrap items-center gap-x-4 gap-y-1 px-3 py-2">
                  <span className="font-medium">{credential.name}</span>
                  <span className="font-mono text-xs text-muted">…{credential.hint}</span>
                  {credentials.length > 1 && <span className="text-muted">Weight {credential.weight}</span>}
                  {!credential.enabled && <StatusBadge status="disabled" />}
                  {canChange && (
                    <Button
                      size="sm"
                      look="ghost"
                      className="ml-auto"
                      aria-label={`Remove the key ${credential.name}`}
                      onClick={() => setRemoved(credential)}
                    >
                      Remove
                    </Button>
                  )}
                </li>
              ))}
            </ul>
          )}
        </section>
        {outcome && (
          <Notice {...(outcome.ok ? {} : { tone: 'warning' as const })}>
            {outcome.ok
              ? `Responded after ${outcome.latencyMs.toLocaleString('en')} ms with ${outcome.models.length.toLocaleString('en')} models.`
              : `Not connected: ${outcome.error}`}
          </Notice>
        )}
      </div>
      {open === 'edit' && (
        <ProviderDialog
          organizationId={organizationId}
          provider={provider}
          onClose={() => setOpen(undefined)}
        />
      )}
      {open === 'key' && (
        <CredentialDialog
          organizationId={organizationId}
          provider={provider}
          onClose={() => setOpen(undefined)}
        />
      )}
      <ConfirmDialog
        open={open === 'delete'}
        onClose={() => setOpen(undefined)}
        title={`Delete ${provider.name}?`}
        action="Delete provider"
        onConfirm={async () => {
          await (organizationId === undefined
            ? api.aiProviders.deleteShared(id)
            : api.aiProviders.delete(organizationId, id));
          await refreshAll();
          toast.done('Provider deleted');
        }}
        call={{ method: 'DELETE', path }}
      >
        Its keys are deleted too. Requests for its models go to other providers that serve them, or are
        rejected.
      </ConfirmDialog>
      <ConfirmDialog
        open={removed !== undefined}
        onClose={() => setRemoved(undefined)}
        title={`Remove the key ${removed?.name}?`}
        action="Remove key"
        onConfirm={async () => {
          await updateProvider(organizationId, id, {
            credentials: credentials.filter((one) => one.id !== removed?.id).map(keptCredential),
          });
          await refreshAll();
          toast.done('Key removed');
        }}
      >
        The key is no longer used. It stays valid until you revoke it at the provider.
      </ConfirmDialog>
    </Card>
  );
}

const protocols: Record<AiProvider['type'], string> = {
  openai: 'OpenAI',
  'openai-compatible': 'OpenAI-compatible',
  azure: 'Azure OpenAI',
  anthropic: 'Anthropic Messages',
  gemini: 'Google Gemini',
};
