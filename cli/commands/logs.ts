import { ApiError, type Client } from '@mainstay/sdk';
import { applicationId } from '../core/choose.ts';
import { collect } from '../core/collect.ts';
import { findDeployment } from '../core/deployment.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { logs } from '../descriptions/deploy.ts';
import { printLogs } from '../logs/follow.ts';
import { requestSource, runtimeSource } from '../logs/sources.ts';

const defaultLines = 20;

export const run: Run<typeof logs> = async (context, { options }) => {
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const { status, method, path, host, level, function: name, deployment, since, until } = options;
  const ofRequests = options.requests || [status, method, path, host].some((one) => one !== undefined);
  const ofRuntime = options.runtime || [level, name].some((one) => one !== undefined);
  if (ofRequests && ofRuntime)
    throw wrongUsage(
      'These options select requests and runtime lines at the same time.',
      '--status, --method, --path and --host select requests; --level and --function select runtime lines.',
    );
  const deploymentId =
    deployment === undefined
      ? undefined
      : (await findDeployment(context, client, deployment, options.app)).id;
  const known = new Set<string>();
  /** What is live and not followed yet, or the one that was named. */
  const printing = async () => {
    const ids = deploymentId === undefined ? await liveIds(client, app) : [deploymentId];
    const fresh = ids.filter((id) => !known.has(id));
    for (const id of fresh) known.add(id);
    return fresh.map((id) => runtimeSource(context, client, id, options));
  };
  const requests = ofRuntime ? [] : [requestSource(context, client, { app, deploymentId }, options)];
  const printed = ofRequests ? [] : await printing().catch(unlessRefused(ofRuntime));
  await printLogs(context, [...requests, ...(printed ?? [])], {
    most: options.limit ?? (since === undefined ? defaultLines : Number.POSITIVE_INFINITY),
    follows: !options['no-follow'] && until === undefined,
    what: ofRequests ? 'request' : 'line',
    ...(ofRequests || printed === undefined ? {} : { more: printing }),
  });
};

/** The deployments that answer at hostnames of their environments. */
async function liveIds(client: Client, applicationId: string): Promise<string[]> {
  const list = client.deployments.list({ applicationId, status: 'ACTIVE', limit: 100 });
  return (await collect(list, 100)).filter(({ live }) => live).map(({ id }) => id);
}

/** A key that reads requests alone follows those, unless it was asked for more. */
const unlessRefused = (wasAsked: boolean) => (error: unknown) => {
  if (!wasAsked && error instanceof ApiError && error.status === 403) return undefined;
  throw error;
};
