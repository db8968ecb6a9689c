import type { BlockLines, RawLine } from '#adapters/sqlite-logs/block-lines.ts';
import type { BlockRow } from '#adapters/sqlite-logs/day-blocks.ts';
import type { DayReader } from '#adapters/sqlite-logs/day-reader.ts';
import type { ReaderFolder } from '#adapters/sqlite-logs/reader-folder.ts';
import { isBroken } from '#adapters/sqlite-logs/schema.ts';
import { select, testsOf } from '#adapters/sqlite-logs/select.ts';
import type { LogChanges, LogPosition, LogSearch } from '#core/log-store.ts';

/** Work that lets others have the thread wherever it yields. */
export type Steps<T> = Generator<undefined, T, undefined>;

const maxCount = 10_000;

export interface RawPage {
  lines: RawLine[];
  next?: LogPosition;
  total?: { count: number; capped: boolean };
}

/** A line that fits and where it is; its text is read when it is known to be on the page. */
interface Found {
  at: number;
  /** Read only when two have the same moment. */
  id: string | undefined;
  reader: DayReader;
  block: BlockRow;
  line: number;
}

const endOfTime = 8.64e15;

export function* search(folder: ReaderFolder, query: LogSearch<string>): Steps<RawPage> {
  const { scope, after, limit, offset = 0, budgetMilliseconds = Number.POSITIVE_INFINITY } = query;
  const isNewest = query.order === 'newest';
  const from = query.from ?? 0;
  const to = query.to ?? endOfTime;
  const deadline = performance.now() + budgetMilliseconds;
  const tests = testsOf(folder.spec, query.filters ?? []);
  const compare = isNewest ? (a: Found, b: Found) => order(b, a) : order;
  const wanted = offset + limit + 1;
  let count = 0;
  let found: Found[] = [];
  const isFull = () => found.length >= wanted;
  const isDone = () => isFull() && (!query.count || count > maxCount);
  /** A line before the page begins is counted and not shown. */
  const isOnPage = (at: number, id: () => string) => {
    if (!after || at !== after.at) return !after || (isNewest ? at < after.at : at > after.at);
    return isNewest ? id() < after.id : id() > after.id;
  };
  const days = [...folder.days(from, to)];
  if (!isNewest) days.reverse();

  for (const { reader } of days) {
    try {
      const blocks = reader.open(scope, { from, to });
      blocks.sort((a, b) => (isNewest ? b.last - a.last : a.first - b.first));
      for (const block of blocks) {
        const edge = isNewest ? block.last : block.first;
        const isBeyond = isFull() && compareAt(isNewest, edge, (found[wanted - 1] as Found).at) > 0;
        if (isBeyond && (!query.count || count > maxCount)) break;
        if (performance.now() > deadline) {
          // Lines at or beyond the edge may have others between them that were not looked at.
          const sure = found.filter(({ at }) => compareAt(isNewest, at, edge) < 0).slice(0, offset + limit);
          const next = isNewest ? { at: edge + 1, id: '' } : { at: edge - 1, id: '~' };
          return { ...page(sure, offset, limit, next), ...total(query, count, true) };
        }
        count += scan(block, reader, isBeyond);
        yield;
      }
      if (isDone()) break;
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
    if (performance.now() > deadline && !isFull()) {
      const { start, end } = days.find((day) => day.reader === reader) as { start: number; end: number };
      const next = isNewest ? { at: start, id: '' } : { at: end, id: '~' };
      return { ...page(found, offset, limit, next), ...total(query, count, true) };
    }
  }
  const more = found[offset + limit - 1];
  const next = found.length >= wanted && more ? { at: more.at, id: idOf(more) } : undefined;
  return { ...page(found.slice(0, offset + limit), offset, limit, next), ...total(query, count, false) };

  function scan(block: BlockRow, reader: DayReader, countOnly: boolean): number {
    const isInside = block.first >= from && block.last <= to;
    const mask = select(reader.blocks, block, tests);
    if (mask === undefined) return 0;
    if (mask === null && isInside && countOnly) return block.lines;
    const times = reader.blocks.times(block);
    let low = isInside ? 0 : lowerBound(times, from - block.first);
    let high = isInside ? block.lines : lowerBound(times, to - block.first + 1);
    let fitting = 0;
    if (mask) for (let line = low; line < high; line++) fitting += mask[line] as number;
    else fitting = high - low;
    if (countOnly || fitting === 0) return fitting;
    if (after) {
      // Lines of the very moment are compared by their ids below.
      if (isNewest) high = Math.min(high, lowerBound(times, after.at - block.first + 1));
      else low = Math.max(low, lowerBound(times, after.at - block.first));
    }
    const added: Found[] = [];
    const take = (line: number) => {
      if (mask && !mask[line]) return;
      const at = block.first + (times[line] as number);
      if (isOnPage(at, () => reader.blocks.idAt(block, line)))
        added.push({ at, id: undefined, reader, block, line });
    };
    if (isNewest) for (let line = high - 1; line >= low && added.length < wanted; line--) take(line);
    else for (let line = low; line < high && added.length < wanted; line++) take(line);
    found = [...found, ...added].sort(compare).slice(0, wanted);
    return fitting;
  }
}

/** Below zero: the first comes before the second. */
function compareAt(isNewest: boolean, a: number, b: number): number {
  return isNewest ? b - a : a - b;
}

function order(a: Found, b: Found): number {
  if (a.at !== b.at) return a.at - b.at;
  const [first, second] = [idOf(a), idOf(b)];
  return first < second ? -1 : Number(first > second);
}

function idOf(found: Found): string {
  found.id ??= found.reader.blocks.idAt(found.block, found.line);
  return found.id;
}

function total(query: LogSearch<string>, count: number, stopped: boolean): Pick<RawPage, 'total'> {
  if (!query.count) return {};
  return { total: { count: Math.min(count, maxCount), capped: stopped || count > maxCount } };
}

function page(
  found: readonly Found[],
  offset: number,
  limit: number,
  next: LogPosition | undefined,
): RawPage {
  const lines = read(found.slice(offset, offset + limit), { detail: false });
  return { lines, ...(next ? { next } : {}) };
}

function read(found: readonly Found[], options: { detail: boolean }): RawLine[] {
  const known = new Map<BlockRow, BlockLines>();
  return found.map(({ reader, block, line }) => {
    const lines = known.get(block) ?? reader.lines(block);
    known.set(block, lines);
    return lines.line(line, options);
  });
}

/** The first of ascending numbers that is at least so large. */
export function lowerBound(numbers: Uint32Array, least: number): number {
  let low = 0;
  let high = numbers.length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((numbers[middle] as number) < least) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** By the moment that they were stored at, oldest first. */
export function* changes(folder: ReaderFolder, query: LogChanges<string>): Steps<RawLine[]> {
  const { scope, after, until, limit } = query;
  const tests = testsOf(folder.spec, query.filters ?? []);
  const from = query.from ?? 0;
  const to = query.to ?? endOfTime;
  const isAfter = (stored: number, id: () => string) =>
    stored <= until && (stored > after.stored || (stored === after.stored && id() > after.id));
  let found: (Found & { stored: number })[] = [];
  const keep = () => {
    found.sort((a, b) => a.stored - b.stored || (idOf(a) < idOf(b) ? -1 : 1));
    found = found.slice(0, limit);
  };
  for (const { reader } of folder.days(from, to)) {
    try {
      if (reader.lastStored() < after.stored) continue;
      const blocks = reader.open(scope, { from, to, storedFrom: after.stored });
      blocks.sort((a, b) => a.storedMin - b.storedMin);
      for (const block of blocks) {
        const last = found.length >= limit ? (found[limit - 1] as { stored: number }).stored : endOfTime;
        if (block.storedMin > last) break;
        const mask = select(reader.blocks, block, tests);
        if (mask === undefined) continue;
        const times = reader.blocks.times(block);
        const stored = reader.blocks.stored(block);
        for (let line = lowerBound(times, from - block.first); line < block.lines; line++) {
          if (mask && !mask[line]) continue;
          const at = block.first + (times[line] as number);
          if (at > to) break;
          const moment = (stored.numbers?.[line] ?? stored.distinct[stored.codes?.[line] ?? 0]) as number;
          if (moment <= last && isAfter(moment, () => reader.blocks.idAt(block, line)))
            found.push({ at, id: undefined, stored: moment, reader, block, line });
        }
        keep();
        yield;
      }
    } catch (error) {
      if (!isBroken(error)) throw error;
    }
  }
  return read(found, { detail: true });
}
