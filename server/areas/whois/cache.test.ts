import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { AnswerCache } from './cache.ts';
import type { Finding } from './lookup.ts';
import { put } from './store.ts';

const log = pino({ level: 'silent' });
const free: Finding = { outcome: 'free', record: null, raw: null, source: 'rdap' };

for (const engine of engines) {
  describe(`the answers kept on ${engine}`, () => {
    test('old ones are swept away, and the oldest where there are too many', async () => {
      await using instance = await startInstance(engine);
      const { db } = instance.platform;
      const clock = new TestClock();
      const times = { freshSeconds: 100, negativeSeconds: 50, staleSeconds: 100 };
      const cache = new AnswerCache({ db, clock, log, times, memory: 65_536, observe: () => {} });
      const domains = async () =>
        (await db.selectFrom('whois_answers').select('domain').orderBy('domain').execute()).map(
          (row) => row.domain,
        );
      for (const name of ['a.test', 'b.test', 'c.test']) {
        await cache.get(name, async () => free);
        clock.advance(20);
      }
      await cache.sweep(10);
      assert.deepEqual(await domains(), ['b.test', 'c.test']);
      await cache.sweep(1);
      assert.deepEqual(await domains(), ['c.test']);
    });

    test('of two nodes that write at once the newer answer stays', async () => {
      await using instance = await startInstance(engine);
      const { db } = instance.platform;
      const row = {
        domain: 'a.test',
        outcome: 'free',
        source: 'rdap',
        record: null,
        raw: null,
        fresh_until: 1,
        keep_until: 1,
      } as const;
      await db.write((tx) => put(tx, { ...row, fetched_at: 2 }));
      await db.write((tx) => put(tx, { ...row, fetched_at: 1 }));
      const kept = await db.selectFrom('whois_answers').select('fetched_at').executeTakeFirst();
      assert.equal(kept?.fetched_at, 2);
    });

    test('a look-up that read the database before another one ended does not ask again', async () => {
      await using instance = await startInstance(engine);
      const { db } = instance.platform;
      const gate = Promise.withResolvers<void>();
      let reads = 0;
      const slow = db.withPlugin({
        transformQuery: ({ node }) => node,
        transformResult: async ({ result }) => {
          reads += 1;
          if (reads === 1) await gate.promise;
          return result;
        },
      });
      const asked: string[] = [];
      const cache = new AnswerCache({
        db: new Proxy(db, {
          get: (target, name) =>
            name === 'selectFrom' ? slow.selectFrom.bind(slow) : Reflect.get(target, name).bind(target),
        }),
        ...{ clock: new TestClock(), log, memory: 65_536, observe: () => {} },
        times: { freshSeconds: 100, negativeSeconds: 50, staleSeconds: 100 },
      });
      const ask = async () => {
        asked.push('a.test');
        return free;
      };
      const early = cache.get('a.test', ask);
      await cache.get('a.test', ask);
      gate.resolve();
      assert.equal((await early).outcome, 'free');
      assert.deepEqual([reads, asked], [2, ['a.test']]);
    });

    test('an answer is given even when it cannot be kept', async () => {
      await using instance = await startInstance(engine);
      const { db } = instance.platform;
      const cache = new AnswerCache({
        ...{ db, clock: new TestClock(), log, memory: 65_536, observe: () => {} },
        times: { freshSeconds: 100, negativeSeconds: 50, staleSeconds: 100 },
      });
      await db.schema.alterTable('whois_answers').renameColumn('raw', 'gone').execute();
      assert.equal((await cache.get('a.test', async () => free)).outcome, 'free');
      const kept = await db.selectFrom('whois_answers').select('domain').execute();
      assert.deepEqual(kept, []);
    });
  });
}
