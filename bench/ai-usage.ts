import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { openSqlite } from '../server/adapters/sqlite/open.ts';
import { openSqliteLogs } from '../server/adapters/sqlite-logs/open.ts';
import type { UsageEvent } from '../server/areas/ai-gateway/ledger/event.ts';
import { toUsageLine } from '../server/areas/ai-gateway/usage/render.ts';
import { filterOf, searchEvents, seriesOf, summarize } from '../server/areas/ai-gateway/usage/service.ts';
import { addEvents } from '../server/areas/ai-gateway/usage/store.ts';
import { newId } from '../server/core/ids.ts';
import { migrate } from '../server/core/migrate.ts';
import { migrations } from '../server/migrations/index.ts';
import { Dice } from '../server/testing/dice.ts';
import { ratio } from './lib/report.ts';
import { day } from './lib/request-lines.ts';

/**
 * Usage of the AI gateway: pages and sums among many rows of 30 days. `npm run bench -- ai-usage 1000000` takes so many
 * rows (ten millions unless given): minutes rather than an hour.
 */

const count = Number(process.argv[3] ?? 10_000_000);
if (!Number.isInteger(count) || count < 1) throw new Error('The number of rows must be a whole one.');
const rounds = 40;
const batch = 5000;
const now = Math.floor(Date.now() / 60_000) * 60_000;
const from = now - 30 * day;
const organizationId = newId();
const applications = Array.from({ length: 5 }, () => newId());
const models = Array.from({ length: 20 }, (_, at) => `bench/model-${at}`);
const providers = ['bench', 'other', 'third'];
const users = Array.from({ length: 2000 }, (_, at) => `user-${at}`);
const statuses = ['success', 'success', 'success', 'success', 'error', 'cancelled'] as const;

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const year = 365 * 86_400;
try {
  await using logs = openSqliteLogs({
    folder: path.join(folder, 'logs'),
    prepare: { requests: { addresses: 'truncated', countriesFile: undefined } },
    retention: { requests: year, 'runtime-logs': year, 'ai-usage': year },
    bufferBytes: 32 * 1024 * 1024,
    notice: (text) => console.log(text),
  });
  const db = await openSqlite(path.join(folder, 'test.db'), { retrySeconds: 10 });
  await migrate(db, migrations);
  const dice = new Dice(3);
  const start = performance.now();
  for (let done = 0; done < count; done += batch) {
    const events = Array.from({ length: Math.min(batch, count - done) }, (_, at) => eventOf(dice, done + at));
    await logs.append('ai-usage', events.map(toUsageLine));
    await db.write((tx) => addEvents(tx, db.engine, events));
    if (done % 1_000_000 === 0 && done > 0) console.log(`${done} rows`);
  }
  console.log(`${count} rows in ${Math.round((performance.now() - start) / 1000)} s`);

  const everything = { organizationId, applicationId: undefined };
  const some = (query: object) => ({ ...filterOf(organizationId, {}), ...query });
  const list = (filter: object, counts = false) =>
    searchEvents(logs, some(filter), { limit: 100, after: undefined, count: counts });
  await measure('list, newest', 'at most 100', () => list({}));
  await measure('list, newest, counted to 10 000', 'at most 100', () => list({}, true));
  await measure('list of a model', 'at most 100', () => list({ model: dice.of(models) }));
  await measure('list of an application', 'at most 100', () =>
    list({ applicationId: dice.of(applications) }),
  );
  await measure('list of failures', 'at most 100', () => list({ status: 'error' }));
  await measure('list of a user', 'at most 100', () => list({ endUserId: dice.of(users) }));
  await measure('list of a user and a model', 'at most 100', () =>
    list({ endUserId: dice.of(users), model: dice.of(models) }),
  );
  await measure('list of an old day', 'at most 100', () =>
    list({ to: from + Math.floor(dice.next() * 29 * day) }),
  );
  const month = { from: Math.ceil(from / 3_600_000) * 3_600_000, to: now, now };
  await measure('summary of 30 days', 'at most 150', () =>
    summarize({ db, logs }, { ...everything, ...month }),
  );
  await measure('summary of an application', 'at most 150', () =>
    summarize({ db, logs }, { ...month, organizationId, applicationId: dice.of(applications) }),
  );
  await measure('summary of 7 days from any minute', 'at most 150', () => {
    const begin = now - 7 * day - Math.floor(dice.next() * 60) * 60_000;
    return summarize({ db, logs }, { ...everything, from: begin, to: now, now });
  });
  await measure('series of 30 days by model', 'at most 150', () =>
    seriesOf(db, { ...everything, ...month }, { interval: 'day', groupBy: 'model' }),
  );
  await measure('series of 7 days by user', 'for comparison', () =>
    seriesOf(db, { ...everything, ...month, from: now - 7 * day }, { interval: 'day', groupBy: 'user' }),
  );
  await db.close();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measure(name: string, wanted: string, work: () => Promise<unknown>): Promise<void> {
  const times: number[] = [];
  await work();
  for (let round = 0; round < rounds; round++) {
    const start = performance.now();
    await work();
    times.push(performance.now() - start);
  }
  times.sort((a, b) => a - b);
  ratio(`${name}: p95 ms`, times[Math.floor(rounds * 0.95)] as number, wanted);
}

/** In the order of time, as they are settled. */
function eventOf(dice: Dice, at: number): UsageEvent {
  const startedAt = Math.floor(from + ((now - from) * at) / count);
  const inputTokens = 20 + dice.skewed(20_000);
  const outputTokens = 1 + dice.skewed(2000);
  const model = models[dice.skewed(models.length)] as string;
  const provider = dice.of(providers);
  const nanos = inputTokens * 250 + outputTokens * 1000;
  const latencyMs = 100 + dice.skewed(20_000);
  return {
    ...{ id: newId(startedAt), requestId: newId(startedAt), traceId: null, organizationId },
    ...{ applicationId: dice.of(applications), actorId: organizationId, actorType: 'application' },
    ...{ apiKeyId: applications[0] as string, authenticatedUserId: null },
    callerEndUserId: users[dice.skewed(users.length)] as string,
    ...{ path: '/ai/v1/chat/completions', modelRequested: model, modelServed: model, provider },
    providerAttempts: [{ provider, model, startedMs: 0, durationMs: latencyMs, statusCode: 200 }],
    ...{ status: dice.of(statuses), errorCode: null, errorType: null, inputTokens, outputTokens },
    ...{ cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, usageSource: 'provider' },
    ...{ providerNanos: nanos, billableNanos: nanos, pricing: 'list' },
    unitPrices: { source: 'bench', input: 250_000, output: 1_000_000 },
    ...{ streaming: true, cacheHit: false, latencyMs, firstTokenMs: 80, metadata: null },
    ...{ startedAt, completedAt: startedAt + latencyMs },
  };
}
