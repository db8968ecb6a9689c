import { applicationId, organization } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import { duration } from '../core/text.ts';
import { timeOf } from '../core/time.ts';
import type { aiUsage } from '../descriptions/more.ts';

export const run: Run<typeof aiUsage> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const { id } = await organization(context, options.org);
  const usage = await client.aiGateway.usageSummary(id, {
    from: timeOf(options.from ?? '30d'),
    ...(options.to === undefined ? {} : { to: timeOf(options.to) }),
    ...(options.app === undefined ? {} : { applicationId: await applicationId(context, options.app) }),
  });
  const { summary, byModel } = usage;
  out.result(usage, () => {
    out.fields([
      ['Requests', `${summary.requestCount} (${summary.errorCount} failed)`],
      ['Tokens', `${summary.inputTokens} in, ${summary.outputTokens} out`],
      ['Cost', dollars(summary.billableCostMicros)],
      ['Latency', duration(summary.avgLatencyMs)],
    ]);
    if (byModel.length === 0) return;
    out.line();
    out.table(byModel, [
      { title: 'Model', value: ({ label }) => label },
      { title: 'Requests', value: ({ requests }) => requests, isFixed: true, alignsRight: true },
      { title: 'Tokens', value: ({ tokens }) => tokens, isFixed: true, alignsRight: true },
      { title: 'Cost', value: ({ costMicros }) => dollars(costMicros), isFixed: true, alignsRight: true },
    ]);
  });
};

export function dollars(micros: number): string {
  return `$${(micros / 1e6).toFixed(micros !== 0 && micros < 10_000 ? 6 : 2)}`;
}
