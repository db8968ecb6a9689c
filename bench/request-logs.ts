import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { openSqliteLogs } from '../server/adapters/sqlite-logs/open.ts';
import type { LogFilter, LogStore } from '../server/core/log-store.ts';
import type { ColumnOf } from '../server/core/log-streams.ts';
import type { RequestLine } from '../server/core/request-log.ts';
import { Dice } from '../server/testing/dice.ts';
import { startProbe } from './lib/probe.ts';
import { ratio } from './lib/report.ts';
import { benchLine, day, ids } from './lib/request-lines.ts';

/**
 * Request logs: what a line costs the thread that answers requests, lines a second, bytes a line, and questions about
 * millions of lines over 30 days, beside PostgreSQL with the same rows. `npm run bench -- request-logs 1000000` takes so
 * many lines (ten millions unless given): minutes rather than an hour. `--seconds=600` of 20 000 lines a second
 * (60 unless given), `--no-peer` leaves PostgreSQL out.
 */

const option = (name: string, fallback: number) =>
  Number(process.argv.find((text) => text.startsWith(`--${name}=`))?.split('=')[1] ?? fallback);
const lineCount = Number(
  process.argv.slice(3).find((text) => !text.startsWith('--')) ?? option('lines', 10_000_000),
);
if (!Number.isInteger(lineCount) || lineCount < 1)
  throw new Error('The number of lines must be a whole one.');
const seconds = option('seconds', 60);
const withPeer = !process.argv.includes('--no-peer');
const questions = option('questions', 40);

const peerColumns = {
  id: 'uuid',
  application_id: 'uuid',
  started_at: 'bigint',
  deployment_id: 'uuid',
  storage_bucket_id: 'uuid',
  storage_object_id: 'uuid',
  method: 'text',
  hostname: 'text',
  path: 'text',
  status: 'int',
  cache_status: 'text',
  region: 'text',
  bytes_sent: 'bigint',
  duration_ms: 'float8',
  rest: 'text',
};

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
const year = 365 * 86_400;
const open = (name: string) =>
  openSqliteLogs({
    folder: path.join(folder, name),
    prepare: { requests: { addresses: 'truncated', countriesFile: undefined } },
    retention: { requests: year, 'runtime-logs': year, 'ai-usage': year },
    bufferBytes: 32 * 1024 * 1024,
    notice: (text) => console.log(text),
  });

try {
  await measureWriting();
  await measureQuestions();
} finally {
  await rm(folder, { recursive: true, force: true });
}

async function measureWriting(): Promise<void> {
  await using logs = open('writing');
  const dice = new Dice(1);
  const lines = Array.from({ length: 5000 }, () => benchLine(dice, Date.now()));
  const write = async (count: number, perSecond: number) => {
    const start = performance.now();
    const bursts: number[] = [];
    for (let done = 0; done < count; ) {
      const first = done;
      const due = Math.min(count, Math.ceil(((performance.now() - start) * perSecond) / 1000));
      const before = performance.now();
      for (; done < due; done++) {
        const line = lines[done % lines.length] as RequestLine;
        line.startedAt = Date.now();
        logs.write('requests', line);
      }
      if (done > first) bursts.push((performance.now() - before) / (done - first));
      await sleep(2);
    }
    // The median: a burst during which another process had the core tells nothing of the work.
    return 1000 * (bursts.sort((a, b) => a - b)[bursts.length >> 1] as number);
  };
  await write(50_000, 20_000);
  await logs.flush();
  const cpu = process.threadCpuUsage();
  const count = 200_000;
  const each = await write(count, 20_000);
  await logs.flush();
  const { user, system } = process.threadCpuUsage(cpu);
  ratio('write: µs of the request thread a line', each, 'at most 3');
  ratio(
    'write: µs of CPU of that thread a line, handing over and pacing included',
    (user + system) / count,
    'at most 3',
  );

  await using probe = await startProbe();
  await sleep(5000);
  await probe.latencies();
  await sleep(Math.min(seconds, 30) * 1000);
  const alone = await probe.latencies();
  const before = logs.counts().requests;
  const start = performance.now();
  const memory: number[] = [];
  const sampling = setInterval(() => memory.push(process.memoryUsage().rss), 1000);
  await write(20_000 * seconds, 20_000);
  await logs.flush();
  clearInterval(sampling);
  const took = (performance.now() - start) / 1000;
  const beside = await probe.latencies();
  const after = logs.counts().requests;
  const mib = (bytes: number) => Math.round(bytes / 1024 / 1024);
  const third = Math.floor(memory.length / 3);
  const peak = (part: number[]) => mib(Math.max(0, ...part));
  console.log(
    `${seconds} s of 20 000 lines/s: ${Math.round((after.written - before.written) / took)} lines/s stored, ` +
      `${after.dropped - before.dropped} dropped; memory at most ${peak(memory.slice(0, third))} MiB in the first third, ` +
      `${peak(memory.slice(-third))} MiB in the last`,
  );
  ratio('p99 ms of an API in this process', beside.p99, `${alone.p99.toFixed(2)} without lines`);
  ratio('p99 of that API with lines, of its p99 without', beside.p99 / alone.p99, 'at most 1.1');
}

type Filter = LogFilter<ColumnOf<'requests'>>;

function randomFilters(dice: Dice): { filter: Filter; sql: string; value: unknown }[] {
  const among = (column: ColumnOf<'requests'>, name: string, value: string | number) => ({
    filter: { column, in: [value] },
    sql: `${name} = $`,
    value,
  });
  const prefix = `/products/${dice.skewed(40)}/`;
  return [
    among('status', 'status', dice.of([200, 404, 500, 503, 401])),
    among('method', 'method', dice.of(['GET', 'POST', 'DELETE'])),
    among('hostname', 'hostname', dice.of(['www.example.com', 'api.example.com'])),
    among('deploymentId', 'deployment_id', ids.deployment(Math.floor(dice.next() * 60))),
    among('storageBucketId', 'storage_bucket_id', ids.bucket(Math.floor(dice.next() * 3))),
    among('storageObjectId', 'storage_object_id', ids.object(Math.floor(dice.next() * 200_000))),
    among('cacheStatus', 'cache_status', dice.of(['hit', 'stale', 'bypass'])),
    among('region', 'region', dice.of(['eu-1', 'us-1'])),
    { filter: { column: 'path', prefix }, sql: 'path like $', value: `${prefix}%` },
  ];
}

async function measureQuestions(): Promise<void> {
  await using logs = open('questions');
  await using peer = withPeer ? await startPostgres() : undefined;
  const client = peer && new pg.Client({ connectionString: peer.url });
  // A server that is stopped with us, after a failure, is not another one.
  client?.on('error', () => {});
  await client?.connect();
  if (client) await makePeerTable(client);
  const to = Math.floor(Date.now() / day) * day - 1;
  const from = to - 30 * day + 1;
  await fill(logs, client, from, to);
  if (client) await indexPeerTable(client);

  const measure = async (
    name: string,
    wanted: string,
    ours: (dice: Dice) => Promise<unknown>,
    theirs?: (dice: Dice) => Promise<unknown>,
  ) => {
    const times = async (work: (dice: Dice) => Promise<unknown>) => {
      const dice = new Dice(7);
      const found: number[] = [];
      for (let round = 0; round < questions; round++) {
        const start = performance.now();
        await work(dice);
        found.push(performance.now() - start);
      }
      return found.sort((a, b) => a - b)[Math.floor(questions * 0.95)] as number;
    };
    await times(ours);
    const own = await times(ours);
    ratio(`${name}: p95 ms`, own, wanted);
    if (client && theirs) {
      const other = await times(theirs);
      ratio(`${name}: p95 ms of PostgreSQL`, other, 'for comparison');
      ratio(`${name}: PostgreSQL / ours`, other / own, 'above 1');
    }
  };
  const scope = ids.application;
  const search = (filters: Filter[]) =>
    logs.search('requests', { scope, filters, order: 'newest', limit: 100, count: false });
  const select = (dice: { sql: string; value: unknown }[]) =>
    client?.query(
      `select * from requests where application_id = $1 ${dice.map(({ sql }, at) => `and ${sql}${at + 2}`).join(' ')} order by started_at desc, id desc limit 100`,
      [scope, ...dice.map(({ value }) => value)],
    ) ?? Promise.resolve();
  const kinds = randomFilters(new Dice(1)).length;
  for (let kind = 0; kind < kinds; kind++) {
    const one = (dice: Dice) => [randomFilters(dice)[kind] as ReturnType<typeof randomFilters>[number]];
    const [example] = one(new Dice(1));
    await measure(
      `last 100 by ${example?.sql.split(' ')[0]}`,
      'at most 50',
      (dice) => search(one(dice).map(({ filter }) => filter)),
      (dice) => select(one(dice)),
    );
  }
  const three = (dice: Dice) => {
    const all = randomFilters(dice);
    const first = Math.floor(dice.next() * kinds);
    return [0, 1, 2].map((at) => all[(first + at * 2) % kinds] as (typeof all)[number]);
  };
  await measure(
    'last 100 by three',
    'at most 100',
    (dice) => search(three(dice).map(({ filter }) => filter)),
    (dice) => select(three(dice)),
  );
  await measure('last 100 by three, counted to 10 000', 'for comparison', (dice) =>
    logs.search('requests', {
      scope,
      filters: three(dice).map(({ filter }) => filter),
      order: 'newest',
      limit: 100,
      count: true,
    }),
  );
  const chart = (days: number, step: number, filters: Filter[] = []) =>
    logs.series('requests', { scope, from: to + 1 - days * day, to, stepMilliseconds: step, filters });
  const peerChart = (days: number, step: number) =>
    client?.query(
      `select floor(started_at / $2::bigint), count(*), count(*) filter (where status >= 500), sum(bytes_sent),
        percentile_cont(array[0.5, 0.95, 0.99]) within group (order by duration_ms)
        from requests where application_id = $1 and started_at >= $3 and started_at <= $4 group by 1`,
      [scope, step, to + 1 - days * day, to],
    ) ?? Promise.resolve();
  await measure(
    'chart of 24 hours',
    'at most 30',
    () => chart(1, 600_000),
    () => peerChart(1, 600_000),
  );
  await measure('chart of 24 hours, filtered', 'for comparison', () =>
    chart(1, 600_000, [{ column: 'method', in: ['GET'] }]),
  );
  await measure('chart of 30 days', 'at most 60', () => chart(30, day / 4));
  await client?.end();
}

/** By the store's door for many lines at once: a batch is one message to its thread and one transaction a day. */
async function fill(logs: LogStore, client: pg.Client | undefined, from: number, to: number): Promise<void> {
  const dice = new Dice(3);
  const step = (to - from) / lineCount;
  const began = performance.now();
  let shown = 0;
  let spent = 0;
  let peerSpent = 0;
  for (let done = 0; done < lineCount; ) {
    const batch: RequestLine[] = [];
    for (; batch.length < 4000 && done < lineCount; done++)
      batch.push(benchLine(dice, Math.floor(from + done * step)));
    const start = performance.now();
    await logs.append('requests', batch);
    const middle = performance.now();
    spent += middle - start;
    if (client) await copyToPeer(client, batch);
    peerSpent += performance.now() - middle;
    if (done < lineCount * (shown + 0.1)) continue;
    shown = done / lineCount;
    console.log(`filled ${Math.round(shown * 100)} % in ${Math.round((performance.now() - began) / 1000)} s`);
  }
  // As the task of the server does, until every day that is over is sealed.
  for (let round = 0; round < 500; round++) await logs.sweep();
  const bytes = await sizeOf(path.join(folder, 'questions', 'requests'));
  console.log(`\n${lineCount} lines over 30 days`);
  ratio('store: lines a second, one thread', (lineCount * 1000) / spent, 'above 20 000');
  ratio('store: bytes a line on disk', bytes / lineCount, 'for comparison');
  if (client) {
    ratio(
      'store: lines a second into PostgreSQL, before its indexes',
      (lineCount * 1000) / peerSpent,
      'for comparison',
    );
  }
}

async function sizeOf(place: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(place)) bytes += (await stat(path.join(place, name))).size;
  return bytes;
}

async function makePeerTable(client: pg.Client): Promise<void> {
  const columns = Object.entries(peerColumns).map(([name, type]) => `${name} ${type}`);
  await client.query(`create table requests (${columns.join(', ')})`);
}

async function copyToPeer(client: pg.Client, lines: readonly RequestLine[]): Promise<void> {
  const rows = lines.map((line) => [
    ...[line.id, line.applicationId, line.startedAt, line.deploymentId ?? null, line.storageBucketId ?? null],
    ...[
      line.storageObjectId ?? null,
      line.method,
      line.hostname,
      line.path,
      line.status,
      line.cacheStatus ?? null,
    ],
    ...[line.region ?? null, line.bytesSent ?? null, line.durationMs ?? null],
    JSON.stringify([line.query, line.requestHeaders, line.responseHeaders]),
  ]);
  const types = Object.values(peerColumns);
  const arrays = types.map((type, at) => `$${at + 1}::${type}[]`);
  await client.query(
    `insert into requests select * from unnest(${arrays.join(', ')})`,
    types.map((_, at) => rows.map((row) => row[at])),
  );
}

async function indexPeerTable(client: pg.Client): Promise<void> {
  const start = performance.now();
  await client.query("set maintenance_work_mem = '1GB'");
  await client.query('create index on requests (application_id, started_at desc, id desc)');
  for (const name of ['status', 'deployment_id', 'storage_bucket_id', 'storage_object_id', 'hostname'])
    await client.query(`create index on requests (application_id, ${name}, started_at desc)`);
  await client.query('create index on requests (application_id, path text_pattern_ops)');
  await client.query('analyze requests');
  const { rows } = await client.query("select pg_total_relation_size('requests') as bytes");
  ratio('store: bytes a line in PostgreSQL', Number(rows[0].bytes) / lineCount, 'for comparison');
  ratio('store: seconds to make its indexes', (performance.now() - start) / 1000, 'for comparison');
}
