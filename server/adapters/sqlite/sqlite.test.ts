import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { openSqlite } from '#adapters/sqlite/open.ts';
import type { Problem } from '#core/problem.ts';

test('when the writer dies, what was committed is answered so, the rest is refused, and writing goes on', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-sqlite-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'test.db');
  const db = await openSqlite(file, { retrySeconds: 2 });
  t.after(() => db.close());
  const look = new DatabaseSync(file);
  t.after(() => look.close());
  await db.write((tx) => sql`create table written (name text primary key)`.execute(tx));
  const write = (name: string) => db.write((tx) => sql`insert into written values (${name})`.execute(tx));
  const writeOne = (name: string) =>
    db.writeOne((one) => sql`insert into written values (${name})`.execute(one));
  const isThere = (name: string) =>
    look.prepare('select 1 from written where name = ?').get(name) !== undefined;

  let gone: Promise<unknown> | undefined;
  let doomed: { op: string; after: number } | undefined;
  const { postMessage } = Worker.prototype;
  t.after(() => {
    Worker.prototype.postMessage = postMessage;
  });
  Worker.prototype.postMessage = function (this: Worker, message: { op: string }) {
    postMessage.call(this, message);
    if (message.op !== doomed?.op) return;
    const until = performance.now() + doomed.after;
    doomed = undefined;
    while (performance.now() < until);
    gone = this.terminate();
  };

  for (const [op, after] of [
    ['begin', 0],
    ['query', 0],
    ...Array.from({ length: 6 }, (_, at) => ['write', at / 5] as const),
    ...Array.from({ length: 12 }, (_, at) => ['commit', at / 5] as const),
  ] as const) {
    const name = `${op} ${after}`;
    doomed = { op, after };
    const outcome = await (op === 'write' ? writeOne : write)(name).then(
      () => 'done',
      ({ kind }: Problem) => kind,
    );
    if (outcome === 'done') assert.ok(isThere(name), name);
    else if (outcome === 'unavailable') assert.ok(!isThere(name), name);
    else assert.equal(outcome, 'outcome_unknown');
    await gone;
    await write(`after ${name}`);
    assert.ok(isThere(`after ${name}`));
  }
});

test('a relaxed transaction does not wait for the disk, and everything else does', async (t) => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-sqlite-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const db = await openSqlite(path.join(folder, 'test.db'), { retrySeconds: 2 });
  t.after(() => db.close());
  const level = sql<{ synchronous: number }>`pragma synchronous`;
  const levelOf = (options?: { relaxed: true }) =>
    db.write(async (tx) => (await level.execute(tx)).rows[0]?.synchronous, options);
  const [normal, full] = [1, 2];
  assert.equal(await levelOf(), full);
  assert.equal(await levelOf({ relaxed: true }), normal);
  const single = await level.execute(db);
  assert.equal(single.rows[0]?.synchronous, full, 'a single statement');
  const oneOf = (options?: { relaxed: true }) =>
    db.writeOne(async (one) => (await level.execute(one)).rows[0]?.synchronous, options);
  assert.deepEqual([await oneOf({ relaxed: true }), await oneOf()], [normal, full]);
  await assert.rejects(
    db.write((tx) => sql`insert into nowhere values (1)`.execute(tx), { relaxed: true }),
    /nowhere/,
  );
  assert.equal(await levelOf(), full);
});
