import type { Db, Tx } from '#core/db.ts';

interface SeriesPointTable {
  /** An organization's id, or `instance`. */
  subject: string;
  /** Seconds that the point spans. */
  step: number;
  name: string;
  /** Its beginning, in seconds since 1970. */
  at: number;
  sum: number;
  samples: number;
}

declare module '#core/db.ts' {
  interface Tables {
    series_points: SeriesPointTable;
  }
}

export type SeriesPoint = SeriesPointTable;

/** A statement of SQLite takes a limited number of values. */
const rowsAtOnce = 100;

/** Adds to the points that are there. In one order on every node, so that two of them do not wait for each other. */
export async function addUp(tx: Tx, points: readonly SeriesPoint[]): Promise<void> {
  const sorted = points.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (let at = 0; at < sorted.length; at += rowsAtOnce) {
    await tx
      .insertInto('series_points')
      .values(sorted.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['subject', 'step', 'at', 'name']).doUpdateSet((eb) => ({
          sum: eb('series_points.sum', '+', eb.ref('excluded.sum')),
          samples: eb('series_points.samples', '+', eb.ref('excluded.samples')),
        })),
      )
      .execute();
  }
}

function keyOf({ subject, step, at, name }: SeriesPoint): string {
  return `${subject} ${step} ${at} ${name}`;
}

export async function pointsOf(
  db: Db,
  { subject, step, from }: { subject: string; step: number; from: number },
): Promise<Pick<SeriesPoint, 'name' | 'at' | 'sum' | 'samples'>[]> {
  return db
    .selectFrom('series_points')
    .select(['name', 'at', 'sum', 'samples'])
    .where('subject', '=', subject)
    .where('step', '=', step)
    .where('at', '>=', from)
    .execute();
}

export async function deleteOlder(tx: Tx, step: number, before: number): Promise<void> {
  await tx.deleteFrom('series_points').where('step', '=', step).where('at', '<', before).execute();
}
