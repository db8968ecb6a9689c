import type { DomainReputation, EmailReputation, ReputationOverride } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';
import type { Page } from '#api/pages.ts';

export type Status = DomainReputation['status'];

/** Why a domain has its status; the answer holds the status too. */
export const domainsQuery = (organizationId: string, names: string[]) =>
  queryOptions({
    queryKey: ['reputation', 'domains', organizationId, names],
    queryFn: ({ signal }) => api.webReputation.explainDomains(names, { organizationId, signal }),
    enabled: names.length > 0,
  });

/** Addresses, and what was probably meant where the provider looks mistyped. */
export const emailsQuery = (organizationId: string, emails: string[]) =>
  queryOptions({
    queryKey: ['reputation', 'emails', organizationId, emails],
    queryFn: async ({ signal }): Promise<(EmailReputation & { suggestion: string | null })[]> => {
      const [answers, suggestions] = await Promise.all([
        api.webReputation.emails(emails, { organizationId, signal }),
        api.webReputation.suggestEmails(emails, { organizationId, signal }),
      ]);
      const meant = new Map(suggestions.map(({ email, suggestion }) => [email, suggestion]));
      return answers.map((answer) => ({ ...answer, suggestion: meant.get(answer.email) ?? null }));
    },
    enabled: emails.length > 0,
  });

export const feedsQuery = queryOptions({
  queryKey: ['reputation', 'feeds'],
  queryFn: ({ signal }) => api.webReputation.feeds({ signal }).then(({ items }) => items),
});

type Draft = Parameters<typeof api.admin.createReputationOverride>[0];
type Change = Parameters<typeof api.admin.updateReputationOverride>[1];

/** The overrides of an organization, or those of the operators, which hold for everybody. */
export interface OverrideSet {
  queryKey: readonly string[];
  path: string;
  list: (cursor: string | undefined, signal: AbortSignal) => Promise<Page<ReputationOverride>>;
  create: (draft: Draft) => Promise<ReputationOverride>;
  update: (id: string, change: Change) => Promise<ReputationOverride>;
  delete: (id: string) => Promise<unknown>;
}

const limit = 100;

export const overridesOf = (organizationId: string): OverrideSet => ({
  queryKey: ['reputation', 'overrides', organizationId],
  path: `/organizations/${organizationId}/web-reputation/overrides`,
  list: (cursor, signal) =>
    api.webReputation.overrides(organizationId, { limit, ...(cursor ? { cursor } : {}) }, { signal }),
  create: (draft) => api.webReputation.createOverride(organizationId, draft),
  update: (id, change) => api.webReputation.updateOverride(organizationId, id, change),
  delete: (id) => api.webReputation.deleteOverride(organizationId, id),
});

export const overridesForAll: OverrideSet = {
  queryKey: ['reputation', 'overrides', 'all'],
  path: '/admin/web-reputation/overrides',
  list: (cursor, signal) =>
    api.admin.reputationOverrides({ limit, ...(cursor ? { cursor } : {}) }, { signal }),
  create: (draft) => api.admin.createReputationOverride(draft),
  update: (id, change) => api.admin.updateReputationOverride(id, change),
  delete: (id) => api.admin.deleteReputationOverride(id),
};
