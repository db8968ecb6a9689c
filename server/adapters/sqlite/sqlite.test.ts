import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { type TestContext, test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { sql } from 'kysely';
import { openSqlite } from '#adapters/sqlite/open.ts';
import type { Problem } from '#core/problem.ts';
import { runWithin, Waits } from '#core/waits.ts';

/** A database with a table, and another connection that sees what is committed. */
async function openWritten(t: TestContext) {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-sqlite-'));
  t.after(() => rm(folder, { recursive: true, force: true }));
  const file = path.join(folder, 'test.db');
  const db = await openSqlite(file, { retrySeconds: 2 });
  t.after(() => db.close());
  const look = new DatabaseSync(file);
  t.after(() => look.close());
  await db.write((tx) => sql`create table written (name text primary key)`.execute(tx));
  return { db, look };
}

test('when the writer dies, what was committed is answered so, the rest is refused, and writing continues', async (t) => {
  const { db, look } = await openWritten(t);
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
  Worker.prototype.postMessage = function (this: Worker, messages: { op: string }[]) {
    postMessage.call(this, messages);
    if (!messages.some(({ op }) => op === doomed?.op)) return;
    if (!doomed) return;
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
  const { db } = await openWritten(t);
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

test('transactions that wait for each other share a commit, and one that fails takes back itself alone', async (t) => {
  const { db, look } = await openWritten(t);
  const write = (name: string) =>
    db.write(async (tx) => {
      await sql`insert into written values (${name})`.execute(tx);
      if (name.endsWith('fails')) throw new Error('Not this one.');
      if (name.endsWith('twice')) await sql`insert into written values (${name})`.execute(tx);
    });
  const names = () =>
    look
      .prepare('select name from written order by name')
      .all()
      .map(({ name }) => name);
  const all = Array.from({ length: 300 }, (_, at) => {
    const kind = at % 7 === 3 ? ' fails' : at % 11 === 5 ? ' twice' : '';
    return `${String(at).padStart(3, '0')}${kind}`;
  });
  const wanted = all.filter((name) => !name.includes(' '));
  const outcomes = await Promise.allSettled(all.map(write));
  assert.deepEqual(
    all.filter((_, at) => outcomes[at]?.status === 'fulfilled'),
    wanted,
  );
  assert.deepEqual(names(), wanted);
  // The last one in the queue fails: those that were held for it are committed all the same.
  await Promise.allSettled(['a', 'b fails'].map(write));
  assert.deepEqual(names(), [...wanted, 'a']);
  // The one that was to follow is dropped before it begins, since its client has gone.
  let looks = 0;
  // There when it joins the queue, gone when its turn comes.
  const isAbandoned = () => ++looks > 1;
  const outcome = await Promise.allSettled([
    write('c'),
    runWithin(new Waits({ seconds: 5, isAbandoned }), () => write('d')),
  ]);
  assert.deepEqual(
    outcome.map(({ status }) => status),
    ['fulfilled', 'rejected'],
  );
  assert.ok(names().includes('c'));
});

test('when the writer dies in the commit of several, each is answered truly', async (t) => {
  const { db, look } = await openWritten(t);
  const { postMessage } = Worker.prototype;
  t.after(() => {
    Worker.prototype.postMessage = postMessage;
  });
  for (let round = 0; round < 24; round++) {
    let commits = 0;
    let gone: Promise<unknown> | undefined;
    Worker.prototype.postMessage = function (this: Worker, messages: { op: string }[]) {
      postMessage.call(this, messages);
      if (!messages.some(({ op }) => op === 'commit') || ++commits !== 1 + round) return;
      const until = performance.now() + (round % 6) / 5;
      while (performance.now() < until);
      gone = this.terminate();
    };
    const all = Array.from({ length: 30 }, (_, at) => `${round} ${at}`);
    const outcomes = await Promise.all(
      all.map((name) =>
        db
          .write((tx) => sql`insert into written values (${name})`.execute(tx))
          .then(
            () => 'done',
            ({ kind }: Problem) => kind,
          ),
      ),
    );
    await gone;
    Worker.prototype.postMessage = postMessage;
    assert.ok(gone, 'the writer died');
    for (const [at, name] of all.entries()) {
      const outcome = outcomes[at];
      const isThere = look.prepare('select 1 from written where name = ?').get(name) !== undefined;
      if (outcome === 'done') assert.ok(isThere, name);
      else if (outcome === 'unavailable') assert.ok(!isThere, name);
      else assert.equal(outcome, 'outcome_unknown');
    }
  }
});

test('what is sent along with a transaction that cannot begin is not done', async (t) => {
  const { db, look } = await openWritten(t);
  const insert = (name: string) =>
    db.write(async (tx) => {
      const names = [`${name} 1`, `${name} 2`];
      await Promise.all(names.map((one) => sql`insert into written values (${one})`.execute(tx)));
    });
  await insert('before');
  // Another process holds the lock for longer than this one waits.
  look.exec('begin immediate');
  await assert.rejects(insert('meanwhile'), ({ kind }: Problem) => kind === 'unavailable');
  look.exec('rollback');
  await insert('after');
  const { total } = look.prepare('select count(*) as total from written').get() as { total: number };
  assert.equal(total, 4);
});

test('what is sent along with a statement that rolls everything back is not done', async (t) => {
  const { db, look } = await openWritten(t);
  await db.write((tx) => sql`insert into written values ('there')`.execute(tx));
  const outcome = await db
    .write((tx) =>
      Promise.all([
        sql`insert into written values ('before')`.execute(tx),
        // As a full disk does it.
        sql`insert or rollback into written values ('there')`.execute(tx),
        sql`insert into written values ('behind')`.execute(tx),
      ]),
    )
    .then(
      () => 'done',
      () => 'failed',
    );
  assert.equal(outcome, 'failed');
  await db.write((tx) => sql`insert into written values ('later')`.execute(tx));
  const names = look.prepare('select name from written order by name').all();
  assert.deepEqual(
    names.map(({ name }) => name),
    ['later', 'there'],
  );
});
