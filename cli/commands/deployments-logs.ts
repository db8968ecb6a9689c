import { findDeployment } from '../core/deployment.ts';
import { followDeployment } from '../core/follow.ts';
import type { Run } from '../core/run.ts';
import { visible } from '../core/text.ts';
import type { deploymentsLogs } from '../descriptions/deploy.ts';
import { printLogs } from '../logs/follow.ts';
import { runtimeSource } from '../logs/sources.ts';

export const run: Run<typeof deploymentsLogs> = async (
  context,
  { arguments: { deployment: wanted }, options },
) => {
  const { out, signal } = context;
  const client = await context.client();
  const { runtime, level, function: name, since, until, search, limit } = options;
  const isRuntime = runtime || [level, name, since, until, search].some((one) => one !== undefined);
  const { id } = await findDeployment(context, client, wanted, options.app);
  if (isRuntime)
    return printLogs(context, [runtimeSource(context, client, id, options)], {
      most: limit ?? (since === undefined ? 100 : Number.POSITIVE_INFINITY),
      follows: options.follow === true && until === undefined,
      what: 'line',
    });
  if (options.follow) return followDeployment(context, client, id);
  const styles: Record<string, (text: string) => string> = {
    ERROR: out.paint.red,
    WARN: out.paint.yellow,
    DEBUG: out.paint.dim,
  };
  for (let offset = 0; ; ) {
    const { items } = await client.deployments.logs(id, { offset, limit: 100 }, { signal });
    if (items.length === 0) return;
    offset += items.length;
    for (const line of items)
      out.event(line, () => out.line((styles[line.type] ?? String)(visible(line.message))));
  }
};
