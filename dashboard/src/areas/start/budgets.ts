import type { AiBudget } from '@mainstay/sdk';
import { queryOptions } from '@tanstack/react-query';
import { api } from '#api/client.ts';

export const budgetsQuery = (organizationId: string) =>
  queryOptions({
    queryKey: ['ai budgets', organizationId],
    queryFn: ({ signal }) => api.aiGateway.listBudgets(organizationId, { signal }).then(({ items }) => items),
  });

const nearly = 0.8;

/** Of the limit that is nearest. */
export function shareOf({ used, maxCostMicros, maxRequests, maxTokens }: AiBudget): number {
  const shares = [
    [used.costMicros, maxCostMicros],
    [used.requests, maxRequests],
    [used.tokens, maxTokens],
  ] as const;
  return Math.max(0, ...shares.map(([spent, most]) => (most ? spent / most : 0)));
}

export function isNearlySpent(budget: AiBudget): boolean {
  return budget.enabled && shareOf(budget) > nearly;
}

export function budgetName({ applicationId, userId, apiKeyId, period }: AiBudget): string {
  const of = applicationId
    ? 'an application'
    : userId
      ? 'a member'
      : apiKeyId
        ? 'an API key'
        : 'the organization';
  return `The ${period === 'day' ? 'daily' : 'monthly'} AI budget of ${of}`;
}
