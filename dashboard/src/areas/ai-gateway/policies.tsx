import type { AiPolicy } from '@mainstay/sdk';
import { useQuery, useQueryClient } from '@tanstack/react-query';
import { getRouteApi } from '@tanstack/react-router';
import { Pencil } from 'lucide-react';
import { useState } from 'react';
import { countText } from '#api/numbers.ts';
import { searchText } from '#api/pages.ts';
import { AiTabs } from '#areas/ai-gateway/ai-tabs.tsx';
import {
  aiPath,
  applicationNamesQuery,
  modelKeysQuery,
  policyQuery,
  policySubjectOf,
} from '#areas/ai-gateway/data.ts';
import { PolicyDialog } from '#areas/ai-gateway/policy-dialog.tsx';
import type { PolicySearch } from '#areas/ai-gateway/search.ts';
import { useOrganization } from '#areas/organizations/data.ts';
import { useCan } from '#areas/organizations/permissions.ts';
import { Button } from '#ui/button.tsx';
import { Card } from '#ui/card.tsx';
import { Facts } from '#ui/facts.tsx';
import { PageHeader } from '#ui/page-header.tsx';
import { Pending } from '#ui/pending.tsx';
import { Select } from '#ui/select.tsx';

const route = getRouteApi('/signed-in/o/$slug/ai/policies');

/** What may be used and how: of the organization, and more strictly of one application or API key. */
export function Policies() {
  const { id } = useOrganization();
  const can = useCan();
  const client = useQueryClient();
  const search = route.useSearch();
  const { application, key } = search;
  const navigate = route.useNavigate();
  const [isEditing, setEditing] = useState(false);
  const of = policySubjectOf(search);
  const query = useQuery(policyQuery(id, of));
  const { data: keys = [] } = useQuery({ ...modelKeysQuery(id), enabled: can('listApiKeys') });
  const { data: applications = [] } = useQuery(applicationNamesQuery(id));
  const subject = key
    ? (keys.find((one) => one.id === key)?.name ?? 'the API key')
    : application
      ? (applications.find((one) => one.id === application)?.name ?? 'the application')
      : 'the organization';
  const value = key ? `key:${key}` : application ? `application:${application}` : '';
  const choose = (next: string) => {
    const [kind, chosen] = next.split(':');
    const search = kind === 'key' ? { key: chosen } : kind === 'application' ? { application: chosen } : {};
    void navigate({ search: search as PolicySearch, replace: true });
  };
  const edit = can('replaceAiPolicy') && query.data !== undefined && (
    <Button look="primary" onClick={() => setEditing(true)}>
      <Pencil aria-hidden />
      Edit policy
    </Button>
  );
  return (
    <>
      <PageHeader
        title="AI policies"
        description="Which models and providers can be used, and within which limits. If several policies apply, the strictest one wins."
        call={{
          method: 'GET',
          path: `${aiPath(id)}/policies${searchText({ ...of })}`,
        }}
        actions={edit}
      />
      <AiTabs />
      <div className="mb-4 w-full max-w-72">
        <Select
          label="Policy of"
          value={value}
          onChange={choose}
          options={[
            { value: '', label: 'The organization' },
            ...applications.map((one) => ({
              value: `application:${one.id}`,
              label: `Application ${one.name}`,
            })),
            ...keys.map((one) => ({ value: `key:${one.id}`, label: `API key ${one.name}` })),
          ]}
        />
      </div>
      <Pending query={query} className="h-64" />
      {query.data !== undefined && <PolicyCards policy={query.data} />}
      {isEditing && query.data !== undefined && (
        <PolicyDialog
          organizationId={id}
          of={of}
          subject={subject}
          policy={query.data}
          onClose={() => setEditing(false)}
          onSaved={() => client.invalidateQueries({ queryKey: ['ai policy', id] })}
        />
      )}
    </>
  );
}

const finds = {
  card: 'Payment cards',
  email: 'E-mail addresses',
  api_key: 'Keys and tokens',
  pattern: 'Pattern',
};
const places = { request: 'requests', response: 'answers', both: 'requests and answers' };

function PolicyCards({ policy }: { policy: AiPolicy | null }) {
  if (!policy)
    return (
      <Card title="No restrictions">
        <p className="max-w-prose text-muted">
          All models and providers can be used. A policy can restrict models by wildcard (openai/gpt-4o*),
          require zero data retention, limit response length, requests and tokens per minute, and redact or
          block card numbers, keys or custom patterns.
        </p>
      </Card>
    );
  const list = (patterns: string[] | null) =>
    patterns === null ? 'All' : patterns.length === 0 ? 'None' : patterns.join(', ');
  const bound = (value: number | null, unit: string) =>
    value === null ? 'No bound' : `${countText(value)} ${unit}`;
  return (
    <div className="grid items-start gap-4 lg:grid-cols-2">
      <Card title="Models and providers">
        <Facts
          facts={[
            ['Models', list(policy.allowedModels)],
            ['Providers', list(policy.allowedProviders)],
            ['Zero data retention', policy.requireZdr ? 'Required' : 'Not required'],
            ['Fallbacks', policy.allowFallbacks ? 'Allowed' : 'Not allowed'],
          ]}
        />
      </Card>
      <Card title="Bounds">
        <Facts
          facts={[
            ['Output', bound(policy.maxOutputTokens, 'tokens')],
            ['Requests', bound(policy.requestsPerMinute, 'a minute')],
            ['Tokens', bound(policy.tokensPerMinute, 'a minute')],
            [
              'Cached responses',
              policy.cacheTtlSeconds === null
                ? 'When the request asks for it'
                : policy.cacheTtlSeconds === 0
                  ? 'Never'
                  : `For ${countText(policy.cacheTtlSeconds)} seconds`,
            ],
          ]}
        />
      </Card>
      <Card title="Guardrails" className="lg:col-span-2">
        {policy.guardrails.length === 0 && policy.webhookUrl === null && (
          <p className="text-muted">None. The content of requests and responses is not inspected.</p>
        )}
        <ul className="space-y-1.5">
          {policy.guardrails.map((rule, at) => (
            // biome-ignore lint/suspicious/noArrayIndexKey: rules have no ids, and are replaced as a whole.
            <li key={at} className="wrap-anywhere">
              <span className="font-medium">{rule.action === 'redact' ? 'Redact' : 'Refuse'}</span>{' '}
              {finds[rule.type].toLowerCase()}{' '}
              {rule.pattern !== undefined && <code className="font-mono text-xs">{rule.pattern}</code>} in{' '}
              {places[rule.on]}
            </li>
          ))}
        </ul>
        {policy.webhookUrl !== null && (
          <p className="mt-2 wrap-anywhere">
            Asks <code className="font-mono text-xs">{policy.webhookUrl}</code> before a request is forwarded
            and before its response is returned.
          </p>
        )}
      </Card>
    </div>
  );
}
