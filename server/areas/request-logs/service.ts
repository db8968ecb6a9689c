import type { Static } from 'typebox';
import { findApplication } from '#accounts/applications/service.ts';
import type { Db } from '#core/db.ts';
import type { LogStore, StoredLine } from '#core/log-store.ts';
import { Problem } from '#core/problem.ts';
import type { RequestLine, RequestLog } from '#core/request-log.ts';
import { readCursor, writeCursor } from './cursor.ts';
import { readFilters } from './filters.ts';
import { type Shown, toDetail, toSummary } from './render.ts';
import type { ListRequestsQuery } from './schema.ts';

export { readCursor, writeCursor } from './cursor.ts';
export { type Resumed, sendExport, Tails } from './live.ts';
export { listOf } from './narrowing.ts';
export { toDetail } from './render.ts';
export { figures, type RequestDetail } from './schema.ts';
export { toCounts } from './stats.ts';
export { stepsOf } from './steps.ts';
export type { Deps as ListDeps };

/** What it takes to read requests and show them. */
export interface Deps {
  db: Db;
  logs: LogStore;
  /** States of those deployments that there are, by id. */
  deploymentStates: (ids: readonly string[]) => Promise<ReadonlyMap<string, string>>;
}

/** Where the gateway, the storage host and the S3 endpoint write. Keeps that share of what did not fail. */
export function sampledLog(logs: LogStore, percent: number): RequestLog {
  if (percent === 100) return { write: (line) => logs.write('requests', line) };
  const weight = 100 / percent;
  return {
    write(line) {
      if (line.status === null || line.status >= 500) logs.write('requests', line);
      else if (Math.random() * 100 < percent)
        logs.write('requests', { ...line, weight } as RequestLine & { weight: number });
    },
  };
}

const defaultLimit = 100;
/** After so much work a page may be short; the next one continues where it ended. */
const budgetMilliseconds = 2000;

export async function listRequests(
  deps: Deps,
  applicationId: string,
  query: Static<typeof ListRequestsQuery>,
) {
  if ((query.page ?? 1) > 1)
    throw new Problem(
      'invalid_request',
      'The query parameter "page" must be 1: ask for later pages with "cursor".',
    );
  const narrowed = readFilters(query);
  const cursor = query.cursor === undefined ? undefined : readCursor(query.cursor, applicationId);
  const page = await deps.logs.search('requests', {
    ...narrowed,
    scope: applicationId,
    order: 'newest',
    after: cursor?.position,
    limit: query.limit ?? query.perPage ?? defaultLimit,
    // Pages of one list tell the same total.
    count: cursor === undefined,
    budgetMilliseconds,
  });
  const total = cursor?.total ?? page.total ?? { count: 0, capped: false };
  return {
    items: await showLines(deps, applicationId, page.lines),
    total: total.count,
    ...(total.capped ? { totalCapped: true } : {}),
    ...(page.next ? { nextCursor: writeCursor(applicationId, page.next, total) } : {}),
  };
}

export async function getRequest(deps: Deps, applicationId: string, requestId: string) {
  const line = await deps.logs.find('requests', applicationId, requestId);
  if (!line)
    throw new Problem(
      'not_found',
      'The application has no request with this id, or it is no longer retained.',
    );
  return toDetail(line, await shownOf(deps, applicationId, [line]));
}

/** As lists show them. */
export async function showLines(deps: Deps, applicationId: string, lines: readonly StoredLine[]) {
  const shown = await shownOf(deps, applicationId, lines);
  return lines.map((line) => toSummary(line, shown));
}

/** What is shown beside the lines. */
export async function shownOf(
  { db, deploymentStates }: Pick<Deps, 'db' | 'deploymentStates'>,
  applicationId: string,
  lines: readonly StoredLine[],
): Promise<Shown> {
  const ids = new Set(
    lines.map(({ body }) => body.deploymentId as string | null).filter((id) => id !== null),
  );
  return {
    application: { id: applicationId, name: (await findApplication(db, applicationId))?.name ?? '' },
    states: ids.size > 0 ? await deploymentStates([...ids]) : new Map(),
  };
}
