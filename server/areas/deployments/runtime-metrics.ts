import { type PointSum, pointsByFunctions, pointsBySteps } from '#areas/functions/service.ts';
import { stepsOf, toCounts } from '#areas/request-logs/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import { readRange } from '#core/time-range.ts';
import { partId } from './artefact.ts';
import type { DeploymentMetrics, MetricsQuery } from './runtime-schema.ts';
import type { DeploymentRow } from './store.ts';

/** What processes of functions do and use is counted by five minutes. */
const shortest = 300_000;
const topBudgetMilliseconds = 2000;

/** Requests come from the request log; what processes did and used from the points of functions. */
export async function deploymentMetrics(
  { db, logs, now }: { db: Db; logs: LogStore; now: number },
  row: Pick<DeploymentRow, 'id' | 'application_id'>,
  functionNames: readonly string[],
  query: MetricsQuery,
): Promise<DeploymentMetrics> {
  const { from, to, step } = stepsOf(readRange(query), query.interval ?? 'auto', { now, shortest });
  const wanted = query.function || undefined;
  const names = functionNames
    .filter((name) => wanted === undefined || name === wanted)
    .map((name) => ({ id: partId(row.id, 'function', name), name }));
  const range = { scope: row.application_id, from, to };
  const ofDeployment = { column: 'deploymentId', in: [row.id] } as const;
  const of = (ids: string[]) => ({ column: 'deploymentFunctionId' as const, in: ids });
  const filters =
    wanted === undefined ? [ofDeployment] : [ofDeployment, of([partId(row.id, 'function', wanted)])];
  const points = { deploymentId: row.id, functionName: wanted, from, to };
  const [requests, top, bySteps, byFunctions] = await Promise.all([
    logs.series('requests', { ...range, filters, stepMilliseconds: step }),
    names.length === 0
      ? { rows: [], complete: true }
      : logs.top('requests', {
          ...{ ...range, filters: [ofDeployment, of(names.map(({ id }) => id))] },
          column: 'deploymentFunctionId',
          ...{ limit: names.length, budgetMilliseconds: topBudgetMilliseconds },
        }),
    pointsBySteps(db, points, step),
    pointsByFunctions(db, points),
  ]);
  const stepAt = new Map(requests.steps.map((each) => [each.at, each]));
  const pointsAt = Map.groupBy(bySteps, (point) => point.step_at);
  const pointsOf = Map.groupBy(byFunctions, (point) => point.function_name);
  const requestsOf = new Map(top.rows.map((found) => [found.value, found]));
  const series: DeploymentMetrics['series'] = [];
  // What is to come yet has no processes, and is no part of an average.
  const lengthOf = (since: number, until: number) => (now > since ? Math.min(until, now) : until) - since;
  for (let at = from; at <= to; at += step)
    series.push({
      ...{ at: isoTime(at), ...toCounts(stepAt.get(at)) },
      ...toProcesses(pointsAt.get(at) ?? [], lengthOf(at, at + step)),
    });
  const length = lengthOf(from, to + 1);
  return {
    from: isoTime(from),
    to: isoTime(to),
    intervalSeconds: step / 1000,
    total: { ...toCounts(requests.total), ...toProcesses(byFunctions, length) },
    series,
    functions: names.map(({ id, name }) => {
      const found = requestsOf.get(id);
      return {
        ...{ id, name, requests: found?.count ?? 0, errors: found?.groups['5'] ?? 0 },
        bytes: found?.sums['bytes'] ?? 0,
        ...toProcesses(pointsOf.get(name) ?? [], length),
      };
    }),
    functionsComplete: top.complete,
  };
}

function toProcesses(points: readonly PointSum[], milliseconds: number) {
  const sum = (name: PointSum['name']) =>
    points.reduce((total, point) => total + (point.name === name ? point.sum : 0), 0);
  const memory = points.filter(({ name }) => name === 'memoryBytes');
  const samples = memory.reduce((total, point) => total + point.samples, 0);
  return {
    instances: Number((sum('runMilliseconds') / milliseconds).toPrecision(3)),
    coldStarts: sum('coldStarts'),
    prewarmedStarts: sum('prewarmedStarts'),
    wakes: sum('wakes'),
    crashes: sum('crashes'),
    rejected: sum('rejected'),
    cpuMilliseconds: sum('cpuMilliseconds'),
    memoryBytes: samples > 0 ? Math.round(sum('memoryBytes') / samples) : null,
    memoryPeakBytes: samples > 0 ? Math.max(...memory.map(({ most }) => most)) : null,
  };
}
