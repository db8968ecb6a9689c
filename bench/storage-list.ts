import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { startPostgres } from '../scripts/postgres.ts';
import { newId } from '../server/core/ids.ts';
import { encodeCursor } from '../server/http/paging.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { bearer, startMainstay } from './lib/mainstay.ts';

/**
 * Lists of a bucket with so many keys as `--keys N` says (1 000 000 when nothing is said), in folders of a hundred, over
 * HTTP: every key and by folder, from its beginning and from its middle. On SQLite, or with `--postgres` on PostgreSQL.
 */

const keyCount = Number(process.argv[process.argv.indexOf('--keys') + 1]) || 1_000_000;
const batch = 250_000;
const rounds = 100;

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
await using stack = new AsyncDisposableStack();
stack.defer(() => rm(folder, { recursive: true, force: true }));
const settings: Record<string, string> = { MAINSTAY_DATA_DIR: path.join(folder, 'data') };
if (process.argv.includes('--postgres')) {
  const postgres = await startPostgres();
  if (!postgres) throw new Error('PostgreSQL is not installed: apt-get install postgresql');
  stack.use(postgres);
  settings['MAINSTAY_DATABASE_URL'] = postgres.url;
}
const { keys, application } = await bootstrapCommand(settings);
const server = stack.use(await startMainstay(settings));
const buckets = `${server.url}/applications/${application.id}/storage/buckets`;
const made = await fetch(buckets, {
  method: 'POST',
  headers: { ...(await bearer(server.url, keys.application)), 'content-type': 'application/json' },
  body: JSON.stringify({ name: 'many' }),
});
const { id: bucketId } = (await made.json()) as { id: string };

const begun = performance.now();
if (settings['MAINSTAY_DATABASE_URL']) await fillPostgres(settings['MAINSTAY_DATABASE_URL']);
else fillSqlite(path.join(folder, 'data/mainstay.db'));
console.log(`${keyCount} keys written in ${((performance.now() - begun) / 1000).toFixed(0)} s`);

// Nothing was looked at meanwhile: connections that the server closed are noticed now.
await sleep(1000);

const middle = `folder-${String(Math.floor(keyCount / 200)).padStart(7, '0')}`;
for (const [name, query] of [
  ['every key, page by page', 'delimiter='],
  ['by folder, page by page', ''],
  ['every key, from a cursor in the middle', `delimiter=&cursor=${encodeCursor(middle)}`],
  ['by folder, from a cursor in the middle', `cursor=${encodeCursor(middle)}`],
  ['every key of a prefix in the middle', `delimiter=&prefix=${middle.slice(0, -2)}`],
  ['by folder, of a prefix in the middle', `prefix=${middle.slice(0, -3)}`],
] as const) {
  const times: number[] = [];
  // A token is good for five minutes, and filling the bucket may take longer.
  const headers = await bearer(server.url, keys.application);
  const before = await server.cpuSeconds();
  let cursor = '';
  const begin = query.replace(/&?cursor=.*/, '');
  for (let round = 0; round < rounds; round++) {
    const started = performance.now();
    const response = await fetch(
      `${buckets}/many/objects?limit=1000&${cursor === '' ? query : begin + cursor}`,
      { headers },
    );
    const { nextCursor } = (await response.json()) as { nextCursor?: string };
    times.push(performance.now() - started);
    if (!response.ok) throw new Error(`The list answered ${response.status}.`);
    cursor = nextCursor ? `&cursor=${nextCursor}` : '';
  }
  const cpu = (((await server.cpuSeconds()) - before) / rounds) * 1000;
  times.sort((a, b) => a - b);
  const at = (share: number) => `${times[Math.floor(rounds * share)]?.toFixed(1)} ms`;
  console.log(
    `1000 of ${keyCount}, ${name}: median ${at(0.5)}, p95 ${at(0.95)}, ${cpu.toFixed(1)} ms of CPU`,
  );
}

/** The columns of a row of no bytes, and the values that all have in common. */
function columns(): string {
  return (
    'id, key, bucket_id, state, delete_marker, null_version, content_length, etag, encrypted, attributes, ' +
    'legal_hold, uploaded_at, created_at, updated_at'
  );
}

function common(): string {
  const now = Date.now();
  return `'${bucketId}', 'live', 0, 1, 0, 'x', 0, '{}', 0, ${now}, ${now}, ${now}`;
}

function fillSqlite(file: string): void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  db.exec('pragma synchronous = off; pragma cache_size = -200000');
  for (let from = 0; from < keyCount; from += batch) {
    const to = Math.min(keyCount, from + batch);
    db.exec(`
      with recursive n(n) as (select ${from} union all select n + 1 from n where n + 1 < ${to})
      insert into storage_objects (${columns()})
      select printf('${newId().slice(0, 14)}7000-8000-%012x', n),
        printf('folder-%07d/file-%d', n / 100, n), ${common()} from n`);
  }
  db.close();
}

async function fillPostgres(url: string): Promise<void> {
  const db = new pg.Client({ connectionString: url });
  await db.connect();
  for (let from = 0; from < keyCount; from += batch) {
    await db.query(`
      insert into storage_objects (${columns()})
      select gen_random_uuid(), 'folder-' || lpad((n / 100)::text, 7, '0') || '/file-' || n, ${common()}
      from generate_series(${from}, ${Math.min(keyCount, from + batch) - 1}) n`);
  }
  await db.end();
}
