import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Problem } from '#core/problem.ts';
import { toRun } from './render.ts';
import type { Scheduler } from './scheduler.ts';
import { Run, SchedulePath } from './schema.ts';

const writers = ['user', 'organization', 'application'] as const;

/** `scheduler`: null where this instance runs no code of users. */
export function runRoutes(scheduler: Scheduler | null): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.post(
      '/applications/:applicationId/schedules/:scheduleId/run',
      {
        config: {
          ...{ scope: 'network:deployments:trigger', actors: writers, role: 'ADMIN', product: 'deployments' },
          errors: [409],
        },
        schema: {
          operationId: 'runSchedule',
          summary: 'Run a schedule now',
          description:
            'Its function is called as it is when it is due, and its next time stays as it is. Answered when the call begins; what ' +
            'comes of it is among the runs. 409 while it runs.',
          tags: ['Deployments'],
          params: SchedulePath,
          response: { 200: Run },
        },
      },
      async (request) => {
        if (!scheduler)
          throw new Problem('conflict', 'This instance runs no functions: MAINSTAY_RUNNER is none.');
        const { applicationId, scheduleId } = request.params;
        const wanted = {
          ...{ applicationId, scheduleId },
          environmentId: request.auth.actor.environmentId,
        };
        return toRun(await scheduler.runNow(requestSource(request), wanted));
      },
    );
  };
}
