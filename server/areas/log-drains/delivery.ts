import { shownOf, toDetail } from '#areas/request-logs/service.ts';
import { newId } from '#core/ids.ts';
import type { StoredLine } from '#core/log-store.ts';
import { toNdjson, toOtlp } from './format.ts';
import { post, type Sent } from './post.ts';
import { type Deps, targetOf } from './service.ts';
import { claim, type DrainRow, dueIds, update } from './store.ts';

/**
 * The log itself is the spool: a drain is a position in it, which moves on when the collector has accepted what came
 * before. A node that dies while it delivers leaves the position as it was, so that lines are sent at least once.
 */

const batchLines = 500;
/** Of one node at once. */
const width = 8;
/** Longer than a turn takes; after it another node may claim the drain. */
const leaseMilliseconds = 60_000;
const turnMilliseconds = 15_000;
const restMilliseconds = 2000;
const maxBackoffMilliseconds = 10 * 60_000;

export async function deliverDue(deps: Deps): Promise<void> {
  const now = deps.clock.now();
  const ids = await dueIds(deps.db, now, 100);
  const workers = Array.from({ length: Math.min(width, ids.length) }, async () => {
    for (let id = ids.shift(); id !== undefined; id = ids.shift()) {
      const claimed = id;
      const row = await deps.db.write((tx) => claim(tx, claimed, now, now + leaseMilliseconds));
      if (row) await deliver(deps, row);
    }
  });
  await Promise.all(workers);
}

async function deliver(deps: Deps, row: DrainRow): Promise<void> {
  const { db, clock, logs } = deps;
  const oldest = Date.now() - deps.backlogMilliseconds;
  let position =
    row.position_stored < oldest
      ? { stored: oldest, id: '' }
      : { stored: row.position_stored, id: row.position_id };
  const started = performance.now();
  let failure: string | null = null;
  let delivered = false;
  while (performance.now() - started < turnMilliseconds) {
    const until = Date.now() - logs.settleMilliseconds;
    const lines = await logs.changes('requests', {
      ...{ scope: row.application_id, after: position, until, limit: batchLines },
    });
    const last = lines.at(-1);
    if (!last) break;
    failure = (await send(deps, row, lines)).error;
    if (failure !== null) break;
    delivered = true;
    position = { stored: last.stored, id: last.id };
    if (lines.length < batchLines) break;
  }
  const now = clock.now();
  const failures = failure === null ? 0 : row.failures + 1;
  const wait =
    failure === null
      ? restMilliseconds
      : Math.min(maxBackoffMilliseconds, 2000 * 2 ** Math.min(failures, 20));
  await db.write((tx) =>
    update(tx, row.id, {
      ...{ position_stored: position.stored, position_id: position.id, due_at: now + wait, failures },
      last_error: failure,
      ...(delivered ? { delivered_at: now } : {}),
    }),
  );
}

async function send(deps: Deps, row: DrainRow, lines: readonly StoredLine[]): Promise<Sent> {
  const shown = await shownOf(deps, row.application_id, lines);
  const details = lines.map((line) => toDetail(line, shown));
  const isOtlp = row.type === 'otlp';
  return post(deps.outgoing, {
    ...targetOf(deps.vault, row),
    type: isOtlp ? 'application/json' : 'application/x-ndjson',
    body: isOtlp ? toOtlp(details, shown.application) : toNdjson(details),
  });
}

/** Sends one made-up request, so that somebody sees whether it arrives. */
export async function sendTest(
  deps: Deps,
  row: DrainRow,
): Promise<Sent & { ok: boolean; latencyMs: number }> {
  const now = deps.clock.now();
  const line: StoredLine = {
    ...{ id: newId(now), at: now, stored: now, weight: 1 },
    body: {
      deploymentId: null,
      deploymentFunction: null,
      deploymentAsset: null,
      storageBucket: null,
      storageObject: null,
      request: {
        method: 'GET',
        hostname: 'test.invalid',
        path: '/mainstay-log-drain-test',
        query: null,
        country: null,
        ...{ protocol: null, userAgent: 'mainstay-log-drain', referer: null },
      },
      response: { status: 200, cacheStatus: null, cacheHit: null, region: null, edgeLocation: null },
      metrics: { requestBodyBytes: null, responseBodyBytes: null, bytesSent: 0, durationMs: 0 },
      ...{ startedAt: now, completedAt: now, bot: true, error: null, truncated: false },
    },
    detail: { requestHeaders: {}, responseHeaders: {}, clientAddress: null, clientSubdivision: null },
  };
  const start = performance.now();
  const sent = await send(deps, row, [line]);
  return { ...sent, ok: sent.error === null, latencyMs: Math.round(performance.now() - start) };
}
