import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { Cached } from '#core/cached.ts';
import { type Db, TransactionConflict, together, UniqueViolation } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { Problem } from '#core/problem.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: any text. */
    contract: true;
    /** Key: any text. */
    failed: true;
    /** Key: any text. */
    item: true;
  }
}

declare module '#core/db.ts' {
  interface Tables {
    contract_items: { name: string; count: number; bytes: Uint8Array | null };
  }
}

/** What every database engine promises. `open` opens a new node on one and the same database, empty at first. */
export function databaseContract(name: string, open: () => Promise<Db>): void {
  describe(`database contract: ${name}`, () => {
    let db: Db;
    let other: Db;

    before(async () => {
      db = await open();
      other = await open();
      await db.write(async (tx) => {
        // Notification of SQLite travels in a table that the first migration makes.
        if (db.engine === 'sqlite') {
          await tx.schema
            .createTable('news')
            .addColumn('id', 'integer', (c) => c.primaryKey().autoIncrement())
            .addColumn('topic', 'text')
            .addColumn('key', 'text')
            .execute();
        }
        await tx.schema
          .createTable('contract_items')
          .addColumn('name', 'text', (c) => c.primaryKey())
          .addColumn('count', 'bigint', (c) => c.notNull())
          .addColumn('bytes', db.engine === 'sqlite' ? 'blob' : 'bytea')
          .execute();
      });
    });

    after(async () => {
      await other?.close();
      await db?.close();
    });

    const put = (item: string, count = 0) =>
      db.write(async (tx) => {
        await tx.insertInto('contract_items').values({ name: item, count, bytes: null }).execute();
      });
    const get = (node: Db, item: string) =>
      node.selectFrom('contract_items').selectAll().where('name', '=', item).executeTakeFirst();
    const increment = (node: Db, item: string, options = {}) =>
      node.write(async (tx) => {
        const row = await tx
          .selectFrom('contract_items')
          .select('count')
          .where('name', '=', item)
          .executeTakeFirstOrThrow();
        await tx
          .updateTable('contract_items')
          .set({ count: row.count + 1 })
          .where('name', '=', item)
          .execute();
      }, options);

    test('a write is seen by every node once it resolves', async () => {
      await put('seen', 7);
      assert.equal((await get(db, 'seen'))?.count, 7);
      assert.equal((await get(other, 'seen'))?.count, 7);
    });

    test('a write that throws leaves nothing', async () => {
      const failing = db.write(async (tx) => {
        await tx.insertInto('contract_items').values({ name: 'half', count: 1, bytes: null }).execute();
        throw new Error('changed my mind');
      });
      await assert.rejects(failing, /changed my mind/);
      assert.equal(await get(db, 'half'), undefined);
      // And the next write goes through.
      await put('after half');
    });

    test('readers wait for no transaction, and see nothing of it before it ends', async () => {
      await put('read');
      const gate = Promise.withResolvers<void>();
      const inside = Promise.withResolvers<void>();
      const writing = db.write(async (tx) => {
        await tx.updateTable('contract_items').set({ count: 1 }).where('name', '=', 'read').execute();
        inside.resolve();
        await gate.promise;
      });
      await inside.promise;
      assert.equal((await get(db, 'read'))?.count, 0);
      gate.resolve();
      await writing;
      assert.equal((await get(db, 'read'))?.count, 1);
    });

    test('inside a transaction only the transaction is asked: anything else could wait for ever', async () => {
      const sentence = /Inside a transaction/;
      const cache = new Cached({ notifications: db.notifications, max: 1, topics: [], load: async () => 1 });
      const ways: (() => Promise<unknown>)[] = [
        () => get(db, 'read'),
        () => put('nested'),
        async () => cache.get('read'),
      ];
      for (const way of ways) await assert.rejects(db.write(way), sentence);
      assert.equal(await get(db, 'nested'), undefined);
    });

    test('bytes, big numbers and null are returned unchanged in', async () => {
      const bytes = new Uint8Array([0, 1, 254, 255]);
      await db.write(async (tx) => {
        await tx
          .insertInto('contract_items')
          .values({ name: 'types', count: 2 ** 52, bytes })
          .execute();
      });
      const row = await get(db, 'types');
      assert.equal(row?.count, 2 ** 52);
      assert.deepEqual([...(row?.bytes ?? [])], [...bytes]);
      await put('no bytes');
      assert.equal((await get(db, 'no bytes'))?.bytes, null);
    });

    test('a row that breaks a unique index is told apart from other failures', async () => {
      await put('unique');
      await assert.rejects(put('unique'), UniqueViolation);
    });

    test('queries that are asked together run in their order, and each has its rows', async () => {
      const [inserted, rows, [row]] = await db.write((tx) =>
        together(
          tx,
          tx.insertInto('contract_items').values({ name: 'together', count: 1, bytes: null }),
          tx.selectFrom('contract_items').select('name').where('name', '=', 'together'),
          tx
            .updateTable('contract_items')
            .set((e) => ({ count: e('count', '+', 1) }))
            .where('name', '=', 'together')
            .returningAll(),
        ),
      );
      assert.deepEqual(inserted, []);
      assert.deepEqual(rows, [{ name: 'together' }]);
      assert.equal(row?.count, 2);
      assert.equal((await get(db, 'together'))?.count, 2);
    });

    test('when one of them fails, nothing of the transaction is done', async () => {
      const insert = (name: string) => ({ name, count: 0, bytes: null });
      const failing = db.write((tx) =>
        together(
          tx,
          ...['first', 'together', 'last'].map((name) =>
            tx.insertInto('contract_items').values(insert(name)),
          ),
        ),
      );
      await assert.rejects(failing, UniqueViolation);
      for (const name of ['first', 'last']) assert.equal(await get(db, name), undefined);
      await put('after together');
    });

    test('read-modify-writes of two nodes at once lose no update', async () => {
      await put('counter');
      const work = Array.from({ length: 40 }, (_, i) => increment(i % 2 === 0 ? db : other, 'counter'));
      await Promise.all(work);
      assert.equal((await get(db, 'counter'))?.count, 40);
    });

    test('a queued crowd of two nodes gets through', async () => {
      await put('queued');
      const queue = { queue: 'crowd' };
      await Promise.all(
        Array.from({ length: 60 }, (_, i) => increment(i % 2 === 0 ? db : other, 'queued', queue)),
      );
      assert.equal((await get(db, 'queued'))?.count, 60);
    });

    test('a transaction that keeps losing ends in 503 within its bound', async () => {
      const started = performance.now();
      const losing = db.write(async () => {
        throw new TransactionConflict('lost again');
      });
      await assert.rejects(losing, (problem: Problem) => problem.kind === 'unavailable');
      assert.ok(performance.now() - started < 5000);
    });

    test('a notification of a commit reaches the other node within a second, and this one at once', async () => {
      const heard: [string, string | undefined][] = [];
      db.notifications.on('contract', (key) => heard.push(['here', key]));
      other.notifications.on('contract', (key) => heard.push(['there', key]));
      await db.write(async (tx) => announce(tx, 'contract', 'k1'));
      // The other node may be the quicker one.
      assert.ok(heard.some(([where, key]) => where === 'here' && key === 'k1'));
      const started = performance.now();
      while (!heard.some(([where, key]) => where === 'there' && key === 'k1')) {
        assert.ok(performance.now() - started < 1000, 'no notifications within a second');
        await sleep(10);
      }
      assert.ok(other.notifications.current());
    });

    test('a transaction that fails tells nobody', async () => {
      const heard: unknown[] = [];
      db.notifications.on('failed', (key) => heard.push(key));
      other.notifications.on('failed', (key) => heard.push(key));
      const failing = db.write(async (tx) => {
        announce(tx, 'failed', 'k');
        throw new Error('no');
      });
      await assert.rejects(failing);
      await sleep(600);
      assert.deepEqual(heard, []);
    });

    test('a cache that notifications invalidate is right within a second of a change on another node', async () => {
      await put('cached', 1);
      let loads = 0;
      const cache = new Cached<number>({
        notifications: other.notifications,
        max: 10,
        topics: ['item'],
        load: async (key) => {
          loads++;
          return (await get(other, key))?.count ?? -1;
        },
      });
      assert.equal(await cache.get('cached'), 1);
      assert.equal(await cache.get('cached'), 1);
      assert.equal(loads, 1);
      await db.write(async (tx) => {
        await tx.updateTable('contract_items').set({ count: 2 }).where('name', '=', 'cached').execute();
        announce(tx, 'item', 'cached');
      });
      const started = performance.now();
      while ((await cache.get('cached')) !== 2) {
        assert.ok(performance.now() - started < 1000, 'stale for more than a second');
        await sleep(10);
      }
    });

    test('what one node was told is saved, another reads at once, when it catches up', async () => {
      await put('acknowledged');
      const cache = new Cached<number>({
        notifications: other.notifications,
        max: 10,
        topics: ['item'],
        load: async (key) => (await get(other, key))?.count ?? -1,
      });
      for (let count = 1; count <= 100; count++) {
        await cache.get('acknowledged');
        await db.write(async (tx) => {
          await tx.updateTable('contract_items').set({ count }).where('name', '=', 'acknowledged').execute();
          announce(tx, 'item', 'acknowledged');
        });
        // A request to another node comes in a later turn of its event loop; embedded engines need nothing more.
        if (db.engine === 'sqlite') await new Promise((resolve) => setImmediate(resolve));
        else await other.notifications.catchUp();
        assert.equal(await cache.get('acknowledged'), count);
      }
    });

    test('a snapshot stands still while others write', async () => {
      await put('still', 1);
      await db.snapshot(async (read) => {
        const read1 = await read
          .selectFrom('contract_items')
          .select('count')
          .where('name', '=', 'still')
          .execute();
        assert.equal(read1[0]?.count, 1);
        await increment(other, 'still');
        const read2 = await read
          .selectFrom('contract_items')
          .select('count')
          .where('name', '=', 'still')
          .execute();
        assert.equal(read2[0]?.count, 1);
      });
      assert.equal((await get(db, 'still'))?.count, 2);
    });
  });
}
