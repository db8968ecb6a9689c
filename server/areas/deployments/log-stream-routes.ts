import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Resumed, Tails } from '#areas/request-logs/service.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { logLinesAfter } from './log-store.ts';
import { type ReachDeps, reach } from './reach.ts';
import { toLogLine } from './render.ts';
import { DeploymentPath } from './schema.ts';
import type { DeploymentRow } from './store.ts';

const pollMilliseconds = 500;
const heartbeatMilliseconds = 15_000;
const linesAtOnce = 1000;

/** What is done and printed for a deployment, as it is. */
export function logStreamRoutes(deps: ReachDeps & { tails: Tails }): FastifyPluginAsyncTypebox {
  const { db, tails } = deps;
  return async (app) => {
    app.get(
      '/deployments/:deploymentId/logs/stream',
      {
        config: {
          scope: 'network:deployments:read',
          actors: actorTypes,
          checksRole: { organization: 'MEMBER', application: 'MEMBER' },
        },
        schema: {
          operationId: 'streamDeploymentLogs',
          summary: 'Stream the log of a deployment',
          description:
            'Server-sent events, starting with the first line. Each `line` event contains a line in the format of the list; `end` follows the last line of a deployment that is active or has failed. `Last-Event-ID` resumes after a lost connection.',
          tags: ['Deployments'],
          params: DeploymentPath,
          response: { 200: { type: 'string', description: 'text/event-stream' } },
        },
      },
      async (request, reply) => {
        const { deploymentId } = request.params;
        const { organizationId } = await reach(deps, request.auth, deploymentId, 'MEMBER');
        return tails.answer(request, reply, organizationId, (resumed) =>
          eventsOf(db, deploymentId, resumed, async () => {
            await request.checkAgain();
            return (await reach(deps, request.auth, deploymentId, 'MEMBER')).row;
          }),
        );
      },
    );
  };
}

/** `look` gives the deployment as it is now, and throws when the caller may see it no more. */
async function* eventsOf(
  db: Db,
  deploymentId: string,
  { lastEventId, signal }: Resumed,
  look: () => Promise<DeploymentRow>,
): AsyncGenerator<string> {
  let after = /^\d{1,15}$/.test(lastEventId ?? '') ? Number(lastEventId) : -1;
  let saidAt = Date.now();
  yield 'retry: 2000\n: open\n\n';
  try {
    for (;;) {
      // The state first: what is logged before it turns is then among the lines.
      const { status } = await look();
      const lines = await logLinesAfter(db, deploymentId, after, linesAtOnce);
      let text = '';
      for (const line of lines) {
        after = line.seq;
        text += `event: line\nid: ${line.seq}\ndata: ${JSON.stringify(toLogLine(line))}\n\n`;
      }
      if (text === '' && Date.now() - saidAt > heartbeatMilliseconds) text = ': still here\n\n';
      if (text !== '') {
        saidAt = Date.now();
        yield text;
      }
      if (lines.length === linesAtOnce) continue;
      if (status === 'ACTIVE' || status === 'FAILED') break;
      await sleep(pollMilliseconds, undefined, { signal, ref: false });
    }
    yield 'event: end\ndata: {}\n\n';
  } catch (error) {
    // The server stops, or the caller may not read on: either way the stream is over, and says nothing more.
    if (!signal.aborted && !(error instanceof Problem)) throw error;
  }
}
