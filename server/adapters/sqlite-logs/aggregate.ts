import { type Column, valueAt } from '#adapters/sqlite-logs/columns.ts';
import type { BlockRow, DayBlocks } from '#adapters/sqlite-logs/day-blocks.ts';
import { hourMilliseconds, minuteMilliseconds } from '#adapters/sqlite-logs/day-file.ts';
import type { ReaderFolder } from '#adapters/sqlite-logs/reader-folder.ts';
import { isBroken } from '#adapters/sqlite-logs/schema.ts';
import { lowerBound, type Steps } from '#adapters/sqlite-logs/search.ts';
import { select, testsOf } from '#adapters/sqlite-logs/select.ts';
import type { LogSeries, LogStep, LogTop, LogTopPage } from '#core/log-store.ts';
import type { Value } from '#core/logs/predicate.ts';
import { StepSums } from '#core/logs/steps.ts';

interface Measured {
  group: number;
  sums: number[];
  quantile: number;
}

function measured(folder: ReaderFolder): Measured {
  const { columns, rollup } = folder.spec;
  const names = Object.keys(columns);
  return {
    group: names.indexOf(rollup.group),
    sums: rollup.sums.map((name) => names.indexOf(name)),
    quantile: rollup.quantile === null ? -1 : names.indexOf(rollup.quantile),
  };
}

/** From roll-ups where nothing is filtered and the range is of whole minutes, else from the lines. */
export function* series(
  folder: ReaderFolder,
  query: LogSeries<string>,
): Steps<{ steps: LogStep[]; total: LogStep }> {
  const { from, to, stepMilliseconds: step } = query;
  const steps = new Map<number, StepSums>();
  const sumsAt = (at: number) => {
    const start = Math.floor(at / step) * step;
    let sums = steps.get(start);
    if (!sums) {
      sums = new StepSums(folder.spec);
      steps.set(start, sums);
    }
    return sums;
  };
  const isWhole = (unit: number) => step % unit === 0 && from % unit === 0 && (to + 1) % unit === 0;
  const isFiltered = (query.filters ?? []).length > 0 || folder.spec.replaces;
  const unit = isWhole(hourMilliseconds) ? hourMilliseconds : minuteMilliseconds;
  if (!isFiltered && isWhole(unit)) {
    for (const { reader } of folder.days(from, to)) {
      for (const { at, record } of reader.rollups(query.scope, unit, from, to)) sumsAt(at).addRecord(record);
      yield;
    }
  } else yield* seriesOfLines(folder, query, sumsAt);
  const total = new StepSums(folder.spec);
  for (const sums of steps.values()) total.addRecord(sums.toRecord());
  const found = [...steps].sort(([a], [b]) => a - b).map(([at, sums]) => sums.toStep(at));
  return { steps: found, total: total.toStep(from) };
}

function* seriesOfLines(
  folder: ReaderFolder,
  query: LogSeries<string>,
  sumsAt: (at: number) => StepSums,
): Steps<void> {
  const { group, sums, quantile } = measured(folder);
  const add = (at: number, weight: number, value: (column: number) => Value) => {
    const step = sumsAt(at);
    step.add(weight, value(group));
    sums.forEach((column, index) => {
      const number = value(column);
      if (typeof number === 'number') step.addSum(index, number * weight);
    });
    const number = quantile < 0 ? null : value(quantile);
    if (typeof number === 'number') step.addQuantile(number, weight);
  };
  const lines = eachLine(
    folder,
    query,
    [group, ...sums, ...(quantile < 0 ? [] : [quantile])],
    add,
    () => true,
  );
  yield* lines;
}

/** Calls `add` for each line that fits, newest days first; ends early when `goOn` says no. */
function* eachLine(
  folder: ReaderFolder,
  { scope, from = 0, to = 8.64e15, filters = [] }: Pick<LogTop<string>, 'scope' | 'from' | 'to' | 'filters'>,
  columns: readonly number[],
  add: (at: number, weight: number, value: (column: number) => Value) => void,
  goOn: () => boolean,
): Steps<boolean> {
  const tests = testsOf(folder.spec, filters);
  for (const { reader } of folder.days(from, to)) {
    try {
      const blocks = reader.open(scope, { from, to });
      blocks.sort((a, b) => b.last - a.last);
      for (const block of blocks) {
        yield;
        if (!goOn()) return false;
        const mask = select(reader.blocks, block, tests);
        if (mask !== undefined) addBlock(reader.blocks, block, mask, { from, to, columns }, add);
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }
  return true;
}

function addBlock(
  blocks: DayBlocks,
  block: BlockRow,
  mask: Uint8Array | null,
  { from, to, columns }: { from: number; to: number; columns: readonly number[] },
  add: (at: number, weight: number, value: (column: number) => Value) => void,
): void {
  const times = blocks.times(block);
  const weights = blocks.weights(block);
  const read = new Map<number, Column>(columns.map((column) => [column, blocks.column(block, column)]));
  const high = lowerBound(times, to - block.first + 1);
  for (let line = lowerBound(times, from - block.first); line < high; line++) {
    if (mask && !mask[line]) continue;
    add(block.first + (times[line] as number), valueAt(weights, line) as number, (column) =>
      valueAt(read.get(column) as Column, line),
    );
  }
}

/** Values that are counted at once; rarer ones free some space. */
const maxValues = 100_000;

export function* top(folder: ReaderFolder, query: LogTop<string>): Steps<LogTopPage> {
  const names = Object.keys(folder.spec.columns);
  const { group, sums } = measured(folder);
  const column = names.indexOf(query.column);
  const deadline = performance.now() + (query.budgetMilliseconds ?? Number.POSITIVE_INFINITY);
  const counts = new Map<Value, StepSums>();
  let isExact = true;
  const complete = yield* eachLine(
    folder,
    query,
    [column, group, ...sums],
    (_at, weight, value) => {
      const key = value(column);
      let found = counts.get(key);
      if (!found) {
        if (counts.size >= maxValues) {
          isExact = false;
          return;
        }
        found = new StepSums(folder.spec);
        counts.set(key, found);
      }
      found.add(weight, value(group));
      sums.forEach((each, index) => {
        const number = value(each);
        if (typeof number === 'number') found.addSum(index, number * weight);
      });
    },
    () => performance.now() < deadline,
  );
  const rows = [...counts].map(([value, found]) => {
    const { count, groups, sums: totals } = found.toStep(0);
    return { value, count, groups, sums: totals };
  });
  rows.sort((a, b) => b.count - a.count || (String(a.value) < String(b.value) ? -1 : 1));
  return { rows: rows.slice(0, query.limit), complete: complete && isExact };
}
