import type { Area, OpenedArea, Parts } from '#http/area.ts';
import { ClockWatch, nodeName } from './service.ts';

export const area = { transientTables: ['nodes'] } as const satisfies Area;

/** Notes how far the clock of each node is from the database's, and warns of those that are off. */
export async function open({ db, clock, log }: Parts<'db' | 'clock' | 'log'>): Promise<OpenedArea> {
  // The processes on one machine share a clock.
  if (db.engine === 'sqlite') return {};
  const watch = new ClockWatch({ db, clock, log, name: nodeName() });
  await watch.look();
  return { tasks: [{ everySeconds: 60, name: 'compare clocks', work: () => watch.look() }] };
}
