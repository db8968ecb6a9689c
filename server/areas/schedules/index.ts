import { workloadOf } from '#areas/deployments/service.ts';
import type { Instances } from '#areas/functions/service.ts';
import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { callFunction } from './call.ts';
import { scheduleRoutes } from './routes.ts';
import { runRoutes } from './run-routes.ts';
import { Scheduler } from './scheduler.ts';
import { scheduleSettings } from './settings.ts';
import { deleteRuns } from './store.ts';

export const area = {
  settings: { heading: 'Functions', group: scheduleSettings },
  tables: ['schedules', 'schedule_runs'],
} satisfies Area;

/** Calls of functions by schedule. `instances`: null where this instance runs no code of users. */
export function open(
  parts: Parts<'db' | 'vault' | 'clock' | 'log' | 'blobs', typeof scheduleSettings>,
  { instances }: { instances: Instances | null },
): OpenedArea {
  const { db, vault, clock, log, settings } = parts;
  const scheduler = instances
    ? new Scheduler({
        ...{ db, clock, log, blobs: parts.blobs.deployments },
        call: (of, wanted, dueAt, signal) =>
          callFunction(
            {
              instances,
              workloadOf: ({ deploymentId, variables, sources }) =>
                workloadOf(vault, { id: deploymentId, variables, variable_sources: sources }),
            },
            ...([of, wanted, dueAt, signal] as const),
          ),
      })
    : null;
  return {
    routes: [scheduleRoutes({ db, clock }), runRoutes(scheduler)],
    tasks: [
      ...(scheduler
        ? [{ everySeconds: 3, name: 'call functions by schedule', work: () => scheduler.look() }]
        : []),
      {
        everySeconds: 3600,
        name: 'sweep runs of schedules',
        work: () => db.write((tx) => deleteRuns(tx, clock.now() - settings.scheduleRunRetention * 1000)),
      },
    ],
    close: async () => scheduler?.close(),
  };
}
