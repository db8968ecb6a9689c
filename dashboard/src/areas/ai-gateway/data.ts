import type { AiModel, AiUsageEvent } from '@mainstay/sdk';
import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import { Refused } from '#api/errors.ts';
import { byPage } from '#api/pages.ts';
import {
  type Breakdown,
  type RequestsSearch,
  rangeStart,
  type UsageSearch,
} from '#areas/ai-gateway/search.ts';
import { applicationsKey } from '#areas/applications/queries.ts';

export const aiPath = (organizationId: string) => `/organizations/${organizationId}/ai-gateway`;

export const summaryQuery = (organizationId: string, range: UsageSearch['range']) =>
  queryOptions({
    queryKey: ['ai usage', organizationId, 'summary', range],
    queryFn: ({ signal }) =>
      api.aiGateway.usageSummary(organizationId, { from: rangeStart(range).toISOString() }, { signal }),
    placeholderData: keepPreviousData,
  });

export const seriesQuery = (organizationId: string, range: UsageSearch['range'], groupBy: Breakdown) =>
  queryOptions({
    queryKey: ['ai usage', organizationId, 'series', range, groupBy],
    queryFn: ({ signal }) =>
      api.aiGateway.usageSeries(
        organizationId,
        { from: rangeStart(range).toISOString(), interval: range === '30d' ? 'day' : 'hour', groupBy },
        { signal },
      ),
    placeholderData: keepPreviousData,
  });

/** As the API takes what the address says. */
export function toQuery({ range, application, ...filters }: RequestsSearch) {
  return {
    from: rangeStart(range).toISOString(),
    ...filters,
    ...(application === undefined ? {} : { applicationId: application }),
  };
}

export const requestsQuery = (organizationId: string, search: RequestsSearch) =>
  infiniteQueryOptions({
    queryKey: ['ai usage', organizationId, 'requests', search],
    ...byPage<AiUsageEvent>((cursor, signal) =>
      api.aiGateway.listRequests(
        organizationId,
        { ...toQuery(search), limit: 100, ...(cursor ? { cursor } : {}) },
        { signal },
      ),
    ),
  });

export const requestQuery = (organizationId: string, eventId: string) =>
  queryOptions({
    queryKey: ['ai usage', organizationId, 'request', eventId],
    queryFn: ({ signal }) => api.aiGateway.getRequest(organizationId, eventId, { signal }),
  });

/** What the person may use in the name of the organization: the same list that programs get. */
export const modelsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['ai models', organizationId],
    queryFn: async ({ signal }) => {
      const response = await askModels('/models', organizationId, { signal });
      if (!response.ok) throw new Refused(await refusalOf(response));
      return ((await response.json()) as { items: AiModel[] }).items;
    },
    staleTime: 60_000,
  });

/** A request of `/ai/v1` as the person who is signed in, for the organization. The SDK leaves these paths to the `openai` packages. */
export function askModels(
  path: string,
  organizationId: string,
  { body, ...init }: { body?: unknown; signal: AbortSignal },
): Promise<Response> {
  return fetch(`/ai/v1${path}`, {
    ...init,
    headers: {
      'x-mainstay-session': '1',
      'x-mainstay-organization-id': organizationId,
      ...(body === undefined ? {} : { 'content-type': 'application/json' }),
    },
    ...(body === undefined ? {} : { method: 'POST', body: JSON.stringify(body) }),
  });
}

/** The sentence of a refusal in the shape of OpenAI's protocol. */
export async function refusalOf(response: Response): Promise<string> {
  const answer = (await response.json().catch(() => undefined)) as
    | { error?: { message?: string } }
    | undefined;
  return answer?.error?.message ?? `The request failed with status ${response.status}.`;
}

/** Providers of an organization; those of the instance where there is none. */
export const providersQuery = (organizationId: string | undefined) =>
  queryOptions({
    queryKey: ['ai providers', organizationId ?? ''],
    queryFn: ({ signal }) =>
      (organizationId === undefined
        ? api.aiProviders.listShared({ signal })
        : api.aiProviders.list(organizationId, { signal })
      ).then(({ items }) => items),
  });

export const budgetsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['ai budgets', organizationId],
    queryFn: ({ signal }) => api.aiGateway.listBudgets(organizationId, { signal }).then(({ items }) => items),
    refetchInterval: 30_000,
  });

export const aliasesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['ai aliases', organizationId],
    queryFn: ({ signal }) =>
      api.aiGateway.listAliases(organizationId, { signal }).then(({ aliases }) => aliases),
  });

export type Alias = Awaited<ReturnType<typeof api.aiGateway.listAliases>>['aliases'][number];

/** Whose policy: an application's, a key's, or, where neither is named, the organization's. */
export interface PolicySubject {
  applicationId?: string;
  apiKeyId?: string;
}

export function policySubjectOf({ application, key }: { application?: string; key?: string }): PolicySubject {
  return {
    ...(application === undefined ? {} : { applicationId: application }),
    ...(key === undefined ? {} : { apiKeyId: key }),
  };
}

export const policyQuery = (organizationId: string, subject: PolicySubject) =>
  queryOptions({
    queryKey: ['ai policy', organizationId, subject],
    queryFn: ({ signal }) =>
      api.aiGateway.getPolicy(organizationId, subject, { signal }).then(({ policy }) => policy),
  });

export const catalogueQuery = queryOptions({
  queryKey: ['ai catalogue'],
  queryFn: ({ signal }) => api.aiProviders.listModels({ signal }).then(({ items }) => items),
});

export const priceListsQuery = queryOptions({
  queryKey: ['ai price lists'],
  queryFn: ({ signal }) => api.aiProviders.listPriceLists({ signal }).then(({ items }) => items),
});

/** Every application of the organization, to say whose something is. */
export const applicationNamesQuery = (organizationId: string) =>
  queryOptions({
    queryKey: [...applicationsKey(organizationId), 'names'],
    queryFn: async ({ signal }) => {
      const names: { id: string; name: string }[] = [];
      for await (const { id, name } of api.applications.list({ organizationId, limit: 100 }, { signal }))
        names.push({ id, name });
      return names;
    },
    staleTime: 60_000,
  });

/** Keys of the organization and its applications that may use models. */
export const modelKeysQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['keys', organizationId, 'of models'],
    queryFn: async ({ signal }) => {
      const owners: { organizationId?: string; applicationId?: string }[] = [{ organizationId }];
      for await (const { id } of api.applications.list({ organizationId, limit: 100 }, { signal }))
        owners.push({ applicationId: id });
      const keys: { id: string; name: string }[] = [];
      for (const owner of owners)
        for await (const { id, name, scopes } of api.apiKeys.list({ ...owner, limit: 100 }, { signal }))
          if (scopes.some((scope) => scope.startsWith('network:ai_gateway:'))) keys.push({ id, name });
      return keys;
    },
    staleTime: 60_000,
  });
