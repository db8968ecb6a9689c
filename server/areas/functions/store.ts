import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { CountName } from './meter.ts';

interface FunctionPointTable {
  deployment_id: string;
  function_name: string;
  name: CountName | 'runMilliseconds' | 'cpuMilliseconds' | 'memoryBytes';
  /** Its beginning, in milliseconds since 1970. */
  at: number;
  sum: number;
  samples: number;
  most: number;
}

declare module '#core/db.ts' {
  interface Tables {
    function_points: FunctionPointTable;
  }
}

export type FunctionPoint = FunctionPointTable;

/** A statement of SQLite takes a limited number of values. */
const rowsAtOnce = 100;

/** Adds to the points that are there. In one order on every node, so that two of them do not wait for each other. */
export async function addPoints(tx: Tx, points: readonly FunctionPoint[]): Promise<void> {
  const sorted = points.toSorted((a, b) => (keyOf(a) < keyOf(b) ? -1 : 1));
  for (let at = 0; at < sorted.length; at += rowsAtOnce)
    await tx
      .insertInto('function_points')
      .values(sorted.slice(at, at + rowsAtOnce))
      .onConflict((conflict) =>
        conflict.columns(['deployment_id', 'at', 'name', 'function_name']).doUpdateSet((eb) => ({
          sum: eb('function_points.sum', '+', eb.ref('excluded.sum')),
          samples: eb('function_points.samples', '+', eb.ref('excluded.samples')),
          most: eb
            .case()
            .when('function_points.most', '>', eb.ref('excluded.most'))
            .then(eb.ref('function_points.most'))
            .else(eb.ref('excluded.most'))
            .end(),
        })),
      )
      .execute();
}

function keyOf({ deployment_id, at, name, function_name }: FunctionPoint): string {
  return `${deployment_id} ${at} ${name} ${function_name}`;
}

export async function deletePoints(tx: Tx, before: number): Promise<void> {
  await tx
    .deleteFrom('function_points')
    .where((row) =>
      row.or([
        row('at', '<', before),
        row('deployment_id', 'not in', row.selectFrom('deployments').select('deployments.id')),
      ]),
    )
    .execute();
}

export type PointSum = Pick<FunctionPoint, 'name' | 'sum' | 'samples' | 'most'>;

interface PointsWanted {
  deploymentId: string;
  /** Undefined: of all of them. */
  functionName: string | undefined;
  /** Both inclusive. */
  from: number;
  to: number;
}

function pointsIn(db: Db, { deploymentId, functionName, from, to }: PointsWanted) {
  const query = db
    .selectFrom('function_points')
    .select([
      'name',
      // Sums of PostgreSQL are of a type that is not handed out as a number.
      sql<number>`cast(sum(function_points.sum) as bigint)`.as('sum'),
      sql<number>`cast(sum(function_points.samples) as bigint)`.as('samples'),
      sql<number>`max(function_points.most)`.as('most'),
    ])
    .where('deployment_id', '=', deploymentId)
    .where('function_points.at', '>=', from)
    .where('function_points.at', '<=', to)
    .groupBy('name');
  return functionName === undefined ? query : query.where('function_name', '=', functionName);
}

/** Points of a deployment, added up by steps, which are of whole points. */
export async function pointsBySteps(db: Db, wanted: PointsWanted, step: number) {
  const start = sql<number>`function_points.at - function_points.at % ${sql.lit(step)}`;
  return pointsIn(db, wanted).select(start.as('step_at')).groupBy(start).execute();
}

export async function pointsByFunctions(db: Db, wanted: PointsWanted) {
  return pointsIn(db, wanted).select('function_name').groupBy('function_name').execute();
}
