import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { actorTypes } from '#core/scopes.ts';
import { listPage } from '#http/paging.ts';
import { ApplicationPath } from '#http/schema.ts';
import { timeOrNull, toOutcome, toRun } from './render.ts';
import { RunList, RunsQuery, ScheduleList } from './schema.ts';
import { countRuns, type ListedRun, lastRuns, listRuns, listSchedules } from './store.ts';

const reads = {
  scope: 'network:deployments:read',
  actors: actorTypes,
  role: 'MEMBER',
  product: 'deployments',
} as const;
const tags = ['Deployments'];
const defaultLimit = 25;
/** A schedule that no live deployment had for so long is over. */
const currentMilliseconds = 300_000;

export function scheduleRoutes({ db, clock }: { db: Db; clock: Clock }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/applications/:applicationId/schedules',
      {
        config: reads,
        schema: {
          operationId: 'listSchedules',
          summary: 'List the schedules of an application',
          description: 'Lists the schedules of its live deployments.',
          tags,
          params: ApplicationPath,
          response: { 200: ScheduleList },
        },
      },
      async ({ params, auth }) => {
        const now = clock.now();
        const own = auth.actor.environmentId;
        const rows = await listSchedules(db, params.applicationId, now - currentMilliseconds);
        const last = await lastRuns(
          db,
          rows.map(({ id }) => id),
        );
        const items = rows
          .filter(({ environment_id }) => own === null || own === environment_id)
          .map((row) => {
            const run = last.get(row.id);
            return {
              ...{ id: row.id, environmentId: row.environment_id, deploymentId: row.deployment_id },
              ...{ functionName: row.function_name, schedule: row.schedule },
              running: (row.leased_until ?? 0) > now,
              nextRunAt: timeOrNull(row.next_at),
              lastRun: run ? toOutcome(run) : null,
            };
          });
        return { items, total: items.length };
      },
    );

    app.get(
      '/applications/:applicationId/schedules/runs',
      {
        config: reads,
        schema: {
          operationId: 'listScheduleRuns',
          summary: 'List the runs of schedules of an application',
          description: 'Newest first.',
          tags,
          params: ApplicationPath,
          querystring: RunsQuery,
          response: { 200: RunList },
        },
      },
      ({ params: { applicationId }, query, auth }) => {
        const environmentId = auth.actor.environmentId ?? undefined;
        return listPage(query, {
          rows: ({ limit = defaultLimit, after }) =>
            listRuns(db, { applicationId, environmentId }, { limit, after }),
          count: () => countRuns(db, { applicationId, environmentId }),
          ...{ sortKey: ({ id }: ListedRun) => id, defaultLimit },
          item: toRun,
        });
      },
    );
  };
}
