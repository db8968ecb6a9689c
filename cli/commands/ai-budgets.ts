import { organization } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { aiBudgets } from '../descriptions/more.ts';
import { dollars } from './ai-usage.ts';

export const run: Run<typeof aiBudgets> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const { items } = await client.aiGateway.listBudgets(id);
  const of = (used: number | string, most: number | string | null) =>
    most === null ? String(used) : `${used} of ${most}`;
  out.result(items, () => {
    if (items.length === 0)
      return out.note('The organization has no budget. Set one in the dashboard, under AI.');
    out.table(items, [
      { title: 'For', value: (one) => one.applicationId ?? one.userId ?? one.apiKeyId ?? 'the organization' },
      { title: 'Each', value: ({ period }) => period, isFixed: true },
      {
        title: 'Cost',
        value: ({ used, maxCostMicros }) =>
          of(dollars(used.costMicros), maxCostMicros === null ? null : dollars(maxCostMicros)),
      },
      { title: 'Requests', value: ({ used, maxRequests }) => of(used.requests, maxRequests) },
      { title: 'Tokens', value: ({ used, maxTokens }) => of(used.tokens, maxTokens) },
      { title: 'On', value: ({ enabled }) => (enabled ? 'yes' : 'no'), isFixed: true },
    ]);
  });
};
