import type { Client } from '@mainstay/sdk';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { pause } from './pause.ts';
import type { Progress } from './progress.ts';
import { duration, visible } from './text.ts';

type Deployment = Awaited<ReturnType<Client['deployments']['get']>>;

const lookMilliseconds = 2000;
/** Of reading what a deployment is once its log has ended. */
const retries = 10;

/** Prints the log of a deployment until it has ended, then where it answers. A failed one fails the command. */
export async function followDeployment(
  context: Context,
  client: Client,
  deploymentId: string,
): Promise<void> {
  const { out, signal } = context;
  const startedAt = Date.now();
  const progress = context.progress('Waiting for the build');
  let deployment: Deployment;
  try {
    deployment = await printLog(context, client, deploymentId, progress);
  } catch (error) {
    if (signal.aborted)
      out.note(`\nThe deployment goes on: mainstay deployments logs ${deploymentId} --follow`);
    throw error;
  } finally {
    progress.end();
  }
  if (deployment.status === 'FAILED') {
    out.event({ type: 'failed', deployment }, () => {});
    throw new Failure(`The deployment failed: ${deployment.reason ?? 'see the log above'}`, {
      next: `The whole log: mainstay deployments logs ${deploymentId}`,
    });
  }
  const { items: hostnames } = await client.deployments.hostnames(deploymentId, { signal, retries });
  const { url: base } = await context.connection();
  const shown = hostnames.find(({ active }) => active) ?? hostnames[0];
  const url = shown ? `${new URL(base).protocol}//${shown.hostname}` : null;
  out.event({ type: 'deployed', url, deployment, hostnames }, () => {
    out.success(`Deployed in ${duration(Date.now() - startedAt)}`);
    if (url) out.line(url);
  });
}

async function printLog(
  context: Context,
  client: Client,
  deploymentId: string,
  progress: Progress,
): Promise<Deployment> {
  const { out, signal } = context;
  const over = new AbortController();
  let isBroken = false;
  const log = client.deployments.followLogs(deploymentId, {
    signal,
    onOpen() {
      isBroken = false;
    },
    onBreak() {
      if (!isBroken) progress.above(() => out.warn('Connection lost; reconnecting.'));
      isBroken = true;
      progress.say('The instance does not respond; retrying');
    },
  });
  if (progress.isOn) void showState(client, deploymentId, AbortSignal.any([signal, over.signal]), progress);
  try {
    for await (const line of log) progress.above(() => printLine(context, line));
  } finally {
    over.abort();
  }
  return client.deployments.get(deploymentId, { signal, retries });
}

/** Keeps the line at the bottom true, as well as it can. */
async function showState(
  client: Client,
  deploymentId: string,
  signal: AbortSignal,
  progress: Progress,
): Promise<void> {
  while (!signal.aborted) {
    const found = await client.deployments.get(deploymentId, { signal, retries: 0 }).catch(() => null);
    if (found && !signal.aborted) progress.say(states[found.status] ?? found.status);
    await pause(lookMilliseconds, signal).catch(() => {});
  }
}

const states: Partial<Record<Deployment['status'], string>> = {
  PENDING: 'Waiting for the archive',
  QUEUED: 'Waiting for an available builder',
  STARTING: 'Starting',
  BUILDING: 'Building',
  PROVISIONING: 'Making it reachable',
};

interface LogLine {
  message: string;
  type: string;
  createdAt: string;
}

/** Build output goes to stderr: stdout has the address alone. */
function printLine({ out }: Context, line: LogLine): void {
  const { red, yellow, dim } = out.notePaint;
  const style = { ERROR: red, WARN: yellow, DEBUG: dim }[line.type] ?? ((text: string) => text);
  out.event({ ...line, level: line.type, type: 'log' }, () => out.note(style(`  ${visible(line.message)}`)));
}
