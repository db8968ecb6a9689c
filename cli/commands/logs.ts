import { ApiError, type Client, ConnectionError } from '@mainstay/sdk';
import { pause } from '../archive/upload.ts';
import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import type { Context } from '../core/context.ts';
import { findDeployment } from '../core/deployment.ts';
import type { Given } from '../core/describe.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { visible } from '../core/text.ts';
import { timeOf } from '../core/time.ts';
import type { logs } from '../descriptions/deploy.ts';

type Logged = Awaited<ReturnType<Client['requestLogs']['list']>>['items'][number];

const longestDelayMilliseconds = 15_000;
/** What was printed last, to leave it out where a new connection starts. */
const remembered = 2000;

export const run: Run<typeof logs> = async (context, { options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const filter = await filterOf(context, client, options);
  const from = options.since === undefined ? {} : { from: timeOf(options.since) };
  const to = options.until === undefined ? {} : { to: timeOf(options.until) };
  const most = options.limit ?? (options.since === undefined ? 20 : Number.POSITIVE_INFINITY);
  const list = client.requestLogs.list(app, {
    ...filter,
    ...from,
    ...to,
    limit: Math.max(1, Math.min(most, 100)),
  });
  const before = (await collect(list, most)).reverse();
  for (const one of before) print(context, one);
  if (options['no-follow'] || options.until !== undefined) {
    if (before.length === 0) out.note('No request fits.');
    return;
  }
  out.note(out.notePaint.dim('Waiting for requests; Ctrl-C ends.'));
  await follow(context, client, app, filter, new Set(before.map(({ id }) => id)));
};

type Filter = NonNullable<Parameters<Client['requestLogs']['stream']>[1]>;

async function filterOf(
  context: Context,
  client: Client,
  options: Given<typeof logs>['options'],
): Promise<Filter> {
  const { status, method, path, host, deployment, search } = options;
  const family = /^([2-5])xx$/i.exec(status ?? '');
  if (status !== undefined && !family && !/^\d{3}$/.test(status))
    throw wrongUsage('--status must be a status such as 404, or a family such as 5xx.');
  return {
    ...(family ? { statusFamily: family[1] } : {}),
    ...(status !== undefined && !family ? { status } : {}),
    ...(method === undefined ? {} : { method: method.toUpperCase() }),
    ...(path === undefined ? {} : { pathPrefix: path }),
    ...(host === undefined ? {} : { hostname: host }),
    ...(deployment === undefined
      ? {}
      : { deploymentId: (await findDeployment(context, client, deployment, options.app)).id }),
    ...(search === undefined ? {} : { q: search }),
  } as Filter;
}

/** Until Ctrl-C; a connection that breaks is opened again. */
async function follow(
  context: Context,
  client: Client,
  app: string,
  filter: Filter,
  seen: Set<string>,
): Promise<void> {
  const { signal, out } = context;
  for (let failures = 0; !signal.aborted; ) {
    try {
      const stream = await client.requestLogs.stream(app, filter, { signal });
      for await (const one of stream) {
        failures = 0;
        if (seen.has(one.id)) continue;
        seen.add(one.id);
        if (seen.size > remembered) seen.delete(seen.values().next().value as string);
        print(context, one);
      }
    } catch (error) {
      if (signal.aborted) return;
      if (error instanceof ApiError && error.status < 500 && error.status !== 429) throw error;
      if (failures === 0 && error instanceof ConnectionError)
        out.warn('The connection broke; opening it again.');
      failures += 1;
    }
    await pause(Math.min(250 * 2 ** failures, longestDelayMilliseconds), signal).catch(() => {});
  }
}

function print({ out }: Context, one: Logged): void {
  const { green, red, yellow, cyan, dim, bold } = out.paint;
  out.event(one, () => {
    const { status } = one.response;
    const colour =
      status === null || status >= 500 ? red : status >= 400 ? yellow : status >= 300 ? cyan : green;
    const time = out.isTerminal ? new Date(one.startedAt).toTimeString().slice(0, 8) : one.startedAt;
    const took = one.metrics.durationMs === null ? '–' : `${Math.round(one.metrics.durationMs)} ms`;
    const query = one.request.query ? `?${one.request.query.replace(/^\?/, '')}` : '';
    out.line(
      [
        dim(time),
        colour(String(status ?? '–')),
        bold(visible(one.request.method).padEnd(6)),
        visible(one.request.hostname + one.request.path + query),
        dim(took),
        one.error ? red(visible(one.error)) : '',
      ]
        .filter((part) => part !== '')
        .join(' '),
    );
  });
}
