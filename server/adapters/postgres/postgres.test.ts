import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import pg from 'pg';
import { openPostgres } from '#adapters/postgres/open.ts';
import { markQuery, outcomeOf, type TransactionMark } from '#adapters/postgres/outcomes.ts';
import type { Db } from '#core/db.ts';
import type { Problem } from '#core/problem.ts';
import { Readiness } from '#core/readiness.ts';
import { runWithin, Waits } from '#core/waits.ts';
import { createDatabase, emptyHome, engines, type TestHome } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { startTcpProxy, type TcpProxy } from '#testing/tcp-proxy.ts';
import { startPostgres } from '../../../scripts/postgres.ts';

const skip = engines.includes('postgres') ? false : 'PostgreSQL is not on this machine';
const holder = path.join(import.meta.dirname, 'holder-child.ts');
const lockQuery = 'select pg_advisory_lock(hashtextextended($1, 0))';

/** Asks until it is so, for 10 s at most. */
async function until(isSo: () => Promise<boolean>): Promise<void> {
  const started = performance.now();
  while (!(await isSo())) assert.ok(performance.now() - started < 10_000, `not within 10 s: ${isSo}`);
}

describe('PostgreSQL under fire', { skip }, () => {
  let database: Awaited<ReturnType<typeof createDatabase>>;
  let operator: pg.Client;
  let proxy: TcpProxy;
  let db: Db;

  before(async () => {
    database = await createDatabase();
    operator = new pg.Client({ connectionString: database.url });
    await operator.connect();
    await operator.query('create table written (name text primary key)');
    const url = new URL(database.url);
    proxy = await startTcpProxy({ host: url.hostname, port: Number(url.port) });
    url.port = String(proxy.port);
    db = await openPostgres(url, { retrySeconds: 1, maxConnections: 3, onError: () => undefined });
  });

  after(async () => {
    await db?.close();
    await proxy?.[Symbol.asyncDispose]();
    await operator?.end();
    await database?.drop();
  });

  const write = (name: string, queue = name, seconds = 5) =>
    runWithin(new Waits({ seconds, isAbandoned: () => false }), () =>
      db.write((tx) => sql`insert into written values (${name})`.execute(tx), { queue }),
    );
  const isThere = async (name: string) =>
    (await operator.query('select 1 from written where name = $1', [name])).rowCount === 1;
  const refused = (problem: Problem) => problem.kind === 'unavailable';

  test('a lock that cannot be had is given up in time, and its connection is returned to the pool', async () => {
    await operator.query(lockQuery, ['taken']);
    for (let round = 0; round < 6; round++) await assert.rejects(write('never', 'taken', 0.05), refused);
    await write('beside');
    await operator.query('select pg_advisory_unlock_all()');
    await write('then', 'taken');
    assert.equal(await isThere('never'), false);
  });

  test('connections that are lost while they wait for a lock leave room for others', async () => {
    await operator.query(lockQuery, ['fought for']);
    for (let round = 0; round < 6; round++) {
      const waiting = assert.rejects(write('lost', 'fought for'), refused);
      await until(async () => {
        const { rowCount } = await operator.query(
          `select pg_terminate_backend(pid) from pg_stat_activity
           where datname = current_database() and wait_event_type = 'Lock' and wait_event = 'advisory'`,
        );
        return Boolean(rowCount);
      });
      await waiting;
    }
    await operator.query('select pg_advisory_unlock_all()');
    await write('after losses', 'fought for');
  });

  test('the lock of a frozen node is taken from it', async () => {
    const frozen = spawn(process.execPath, [holder, database.url, 'frozen'], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    await once(frozen.stdout, 'data');
    process.kill(frozen.pid as number, 'SIGSTOP');
    try {
      await write('despite the frozen one', 'frozen', 10);
    } finally {
      process.kill(frozen.pid as number, 'SIGKILL');
    }
    assert.ok(await isThere('despite the frozen one'));
  });

  test('a server that stalls is an error in time, is not ready, and is as good as before when it continues', async () => {
    const readiness = new Readiness({ db });
    await readiness.check();
    proxy.stall();
    const names = Array.from({ length: 8 }, (_, at) => `stalled ${at}`);
    await Promise.all([
      ...names.map((name) => assert.rejects(write(name, name, 0.2), refused)),
      assert.rejects(readiness.check()),
    ]);
    proxy.resume();
    await readiness.check();
    await write('after the stall');
    assert.ok(await isThere('after the stall'));
  });

  test('a write whose COMMIT was done and not answered is answered normally', async () => {
    const lost = proxy.loseAnswerTo('commit');
    await write('answer lost');
    await lost;
    assert.ok(await isThere('answer lost'));
  });

  test('an API key whose COMMIT was not answered is handed out with its secret', async () => {
    await using home = await emptyHome('postgres');
    const url = new URL(home.settings['MAINSTAY_DATABASE_URL'] ?? '');
    url.port = String(proxy.port);
    home.settings['MAINSTAY_DATABASE_URL'] = url.href;
    await using instance = await startInstance('postgres', { home });
    await instance.token('user');
    const lost = proxy.loseAnswerTo('commit');
    const made = await instance.call('POST', '/api-keys', { as: 'user', body: { name: 'Lost' } });
    await lost;
    assert.equal(made.status, 200);
    await fetchToken(instance.url, made.body);
  });

  test('a write whose COMMIT never arrived is refused, and was not done', async () => {
    proxy.loseRequest('commit');
    await assert.rejects(write('request lost'), refused);
    assert.equal(await isThere('request lost'), false);
  });

  test('a transaction that a crash of the server took with it was not done', async () => {
    await using server = await startPostgres();
    assert.ok(server);
    const connection = { connectionString: server.url };
    const client = new pg.Client(connection);
    client.on('error', () => undefined);
    await client.connect();
    await client.query('create table lost (name text)');
    await client.query('checkpoint');
    await client.query('begin');
    const [mark] = (await client.query(markQuery)).rows as [TransactionMark];
    await client.query("insert into lost values ('not on the disk')");
    await server.stop();
    await server.start();
    assert.equal(await outcomeOf(mark, connection, 5), 'aborted');
    assert.equal(await outcomeOf({ ...mark, timeline: '000000FF' }, connection, 5), 'unknown');
    // The server gives the number again: that another transaction of this number was committed says nothing of ours.
    const after = new pg.Client(connection);
    await after.connect();
    try {
      let xid = '';
      while (xid !== mark.xid) {
        const { rows } = await after.query('select pg_current_xact_id()::text as xid');
        xid = (rows as { xid: string }[])[0]?.xid ?? '';
        assert.ok(Number(xid) <= Number(mark.xid));
      }
    } finally {
      await after.end();
    }
    assert.equal(await outcomeOf(mark, connection, 5), 'unknown');
  });

  test('a write of which nobody can say what became of it is no invitation to repeat it', async () => {
    const lost = proxy.loseAnswerTo('commit');
    const writing = assert.rejects(write('nobody knows'), (problem: Problem) => {
      assert.equal(problem.kind, 'outcome_unknown');
      assert.equal(problem.retryAfterSeconds, undefined);
      assert.doesNotMatch(problem.message, /[Nn]othing was/);
      return true;
    });
    await lost;
    proxy.stall();
    await writing;
    proxy.resume();
  });

  test('while the server is away, cached rights are accepted only where a setting says so, and reported', async () => {
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const homes = { MAINSTAY_DATA_DIR: '', MAINSTAY_DATABASE_URL: url.href };
    await using home = await emptyHome('sqlite');
    await using other = await emptyHome('sqlite');
    const settings = (of: TestHome) => ({ ...homes, ...of.settings });
    await using trusting = await startInstance('postgres', {
      home: { ...home, settings: { ...settings(home), MAINSTAY_DATABASE_GRACE: '60s' } },
    });
    const masterKey = await readFile(
      path.join(home.settings['MAINSTAY_DATA_DIR'] ?? '', 'master.key'),
      'utf8',
    );
    await using strict = await startInstance('postgres', {
      home: { ...other, settings: { ...settings(other), MAINSTAY_MASTER_KEY: masterKey.trim() } },
    });
    const token = await trusting.token('application');
    await trusting.token('user');
    const use = async (instance: Instance) =>
      (await instance.call('GET', '/fastcache?key=k', { as: { token } })).status;
    const readiness = async (instance: Instance) => (await instance.call('GET', '/readyz')).body.status;
    assert.deepEqual(await Promise.all([trusting, strict].map(use)), [404, 404]);
    assert.deepEqual(await Promise.all([trusting, strict].map(readiness)), ['ready', 'ready']);
    proxy.refuse();
    await until(async () => (await readiness(trusting)) === 'degraded');
    await until(async () => (await readiness(strict)) === undefined);
    assert.deepEqual(await Promise.all([trusting, strict].map(use)), [404, 503]);
    // A write is refused all the same.
    const write = await trusting.call('POST', '/api-keys', { as: 'user', body: { name: 'no' } });
    assert.equal(write.status, 503);
    await proxy.accept();
    for (const instance of [trusting, strict])
      await until(async () => (await readiness(instance)) === 'ready');
    assert.deepEqual(await Promise.all([trusting, strict].map(use)), [404, 404]);
  });

  test('closing ends while the server says nothing', async () => {
    const url = new URL(database.url);
    url.port = String(proxy.port);
    const node = await openPostgres(url, { retrySeconds: 1, maxConnections: 3, onError: () => undefined });
    await node.write((tx) => sql`select 1`.execute(tx), { queue: 'before the end' });
    proxy.stall();
    await node.close();
    proxy.resume();
  });
});
