import type { AiBudget } from '@mainstay/sdk';
import { api } from '#api/client.ts';

type Input = Parameters<typeof api.aiGateway.replaceBudgets>[1]['budgets'][number];

/** As the API takes one back. */
function inputOf(budget: AiBudget): Input {
  const { applicationId, userId, apiKeyId, period, enabled } = budget;
  const { maxCostMicros, maxRequests, maxTokens, maxRequestCostMicros } = budget;
  return {
    ...{ applicationId, userId, apiKeyId, period, enabled },
    ...{ maxCostMicros, maxRequests, maxTokens, maxRequestCostMicros },
  };
}

/** The API replaces all of them at once: what stands there now is read again, so that nothing of others is lost. */
async function replaced(organizationId: string, change: (now: AiBudget[]) => Input[]) {
  const { items } = await api.aiGateway.listBudgets(organizationId);
  return api.aiGateway.replaceBudgets(organizationId, { budgets: change(items) });
}

export const withBudget = (organizationId: string, before: AiBudget | undefined, input: Input) =>
  replaced(organizationId, (now) => [...now.filter(({ id }) => id !== before?.id).map(inputOf), input]);

export const withoutBudget = ({ id, organizationId }: AiBudget) =>
  replaced(organizationId, (now) => now.filter((one) => one.id !== id).map(inputOf));
