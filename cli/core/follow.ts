import { ApiError, type Client, ConnectionError } from '@mainstay/sdk';
import type { Context } from './context.ts';
import { Failure } from './failure.ts';
import { pause } from './pause.ts';
import { duration, visible } from './text.ts';

type Deployment = Awaited<ReturnType<Client['deployments']['get']>>;

const firstPollMilliseconds = 150;
const pollMilliseconds = 1000;
/** How long the instance may be away before the command gives up waiting. */
const patienceMilliseconds = 120_000;

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
  const { items: hostnames } = await client.deployments.hostnames(deploymentId);
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
  progress: { above(print: () => void): void; say(text: string): void },
): Promise<Deployment> {
  const { signal } = context;
  let offset = 0;
  let lastAnswerAt = Date.now();
  for (let wait = firstPollMilliseconds; ; wait = Math.min(wait * 1.5, pollMilliseconds)) {
    try {
      // The state first: what is logged before it turns is then in the log.
      const deployment = await client.deployments.get(deploymentId, { signal });
      const { items } = await client.deployments.logs(deploymentId, { offset, limit: 100 }, { signal });
      offset += items.length;
      lastAnswerAt = Date.now();
      for (const line of items) progress.above(() => printLine(context, line));
      if (deployment.status === 'ACTIVE' || deployment.status === 'FAILED') return deployment;
      progress.say(states[deployment.status] ?? deployment.status);
      if (items.length >= 100) continue;
    } catch (error) {
      const isAway =
        error instanceof ConnectionError ||
        (error instanceof ApiError && (error.status >= 500 || error.status === 429));
      if (signal.aborted || !isAway || Date.now() - lastAnswerAt > patienceMilliseconds) throw error;
      progress.say('The instance does not answer; asking again');
    }
    await pause(wait, signal);
  }
}

const states: Partial<Record<Deployment['status'], string>> = {
  PENDING: 'Waiting for the archive',
  QUEUED: 'Waiting for a free builder',
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
