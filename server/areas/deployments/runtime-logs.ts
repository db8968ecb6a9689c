import { listOf, readCursor, writeCursor } from '#areas/request-logs/service.ts';
import { isoTime } from '#core/clock.ts';
import type { LogFilter, LogStore, StoredLine } from '#core/log-store.ts';
import type { ColumnOf } from '#core/log-streams.ts';
import { readRange } from '#core/time-range.ts';
import {
  levels,
  type RuntimeFilterQuery,
  type RuntimeLogLine,
  type RuntimeLogQuery,
} from './runtime-schema.ts';
import type { DeploymentRow } from './store.ts';

const defaultLimit = 100;
/** After so much work a page may be short; the next one continues where it ended. */
const budgetMilliseconds = 2000;

type Of = Pick<DeploymentRow, 'id' | 'application_id'>;

/** What the functions of a deployment print, narrowed down by a query, and how it is shown. */
export function linesOf({ id, application_id }: Of, query: RuntimeFilterQuery) {
  const filters: LogFilter<ColumnOf<'runtime-logs'>>[] = [
    { column: 'deploymentId', in: [id] },
    { column: 'source', in: ['runtime'] },
  ];
  const names = listOf('function', query.function);
  if (names) filters.push({ column: 'functionId', in: names });
  const isLevel = (text: string) => (levels as readonly string[]).includes(text.toUpperCase());
  const wanted = listOf('level', query.level, isLevel, `one of ${levels.join(', ')}`);
  if (wanted) filters.push({ column: 'level', in: wanted.map((level) => level.toUpperCase()) });
  if (query.q) filters.push({ columns: ['message'], contains: query.q });
  return {
    ...{ stream: 'runtime-logs' as const, scope: application_id, filters, ...readRange(query) },
    show: (lines: readonly StoredLine[]) => lines.map(toLine),
  };
}

export async function listLines(logs: LogStore, row: Of, query: RuntimeLogQuery) {
  const { stream, show, ...narrowed } = linesOf(row, query);
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, row.id);
  const page = await logs.search(stream, {
    ...{ ...narrowed, order: 'newest', after: cursor?.position, limit: query.limit ?? defaultLimit },
    // Pages of one list tell the same total.
    ...{ count: cursor === undefined, budgetMilliseconds },
  });
  const total = cursor?.total ?? page.total ?? { count: 0, capped: false };
  return {
    items: show(page.lines),
    total: total.count,
    ...(total.capped ? { totalCapped: true } : {}),
    ...(page.next ? { nextCursor: writeCursor(row.id, page.next, total) } : {}),
  };
}

function toLine({ id, at, body }: StoredLine): RuntimeLogLine {
  const { deploymentId, functionId, level, message } = body;
  return { id, deploymentId, function: functionId, level, message, createdAt: isoTime(at) };
}
