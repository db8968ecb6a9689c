import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import {
  type Cache,
  type CacheEntry,
  type CacheItem,
  type CacheOperation,
  type CacheOutcome,
  itemOverheadBytes,
  never,
} from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import type { Problem } from '#core/problem.ts';
import { TestClock } from '#testing/clock.ts';

/** What the items of one application may count in these tests. */
export const contractBytes = 64 * 1024;

const utf8 = (text: string) => Buffer.byteLength(text);

/** A set of a value that lives that many seconds, or for ever. */
export function set(
  key: string,
  value: string,
  options: { at?: number; condition?: (CacheOperation & { op: 'set' })['condition'] } = {},
): CacheOperation & { op: 'set' } {
  const { at = never, condition } = options;
  const expiration = at === never ? 0 : Math.ceil(at / 1000);
  const json = JSON.stringify(value);
  return { op: 'set', key, json, byteSize: utf8(value), expiration, expiresAt: at, condition };
}

export function countedBytes(key: string, value: string): number {
  return utf8(key) + utf8(JSON.stringify(value)) + itemOverheadBytes;
}

/** What every engine of the cache promises. `open` opens a new node on one and the same engine, empty at first. */
export function cacheContract(name: string, open: (clock: Clock) => Promise<Cache>): void {
  describe(`cache contract: ${name}`, () => {
    const clock = new TestClock();
    let cache: Cache;
    let other: Cache;

    before(async () => {
      cache = await open(clock);
      other = await open(clock);
    });
    after(async () => {
      await other?.[Symbol.asyncDispose]();
      await cache?.[Symbol.asyncDispose]();
    });

    const value = (item: CacheItem | null) => (item ? JSON.parse(item.json.toString()) : null);
    const read = async (node: Cache, application: string, key: string) =>
      value(await node.get(application, key));
    const one = async (application: string, operation: CacheOperation, node = cache) =>
      (await node.run(application, [operation]))[0] as CacheOutcome;
    const entry = (outcome: CacheOutcome) => {
      assert.ok('entry' in outcome && outcome.entry, JSON.stringify(outcome));
      return outcome.entry as CacheEntry;
    };
    const failure = (outcome: CacheOutcome) => ('failure' in outcome ? outcome.failure : undefined);
    const add = (key: string, by: number, at = never): CacheOperation => {
      return { op: 'increment', key, by, expiration: at === never ? 0 : Math.ceil(at / 1000), expiresAt: at };
    };
    const keys = async (application: string, prefix = '') => {
      const { items } = await cache.list(application, { prefix, limit: 1000, total: false });
      return items.map(({ key }) => key);
    };

    test('a write is seen by every node once it resolves, with all that is known of it', async () => {
      const app = newId();
      const at = clock.now() + 60_000;
      const written = entry(await one(app, set('k', 'välue "quoted"\n', { at })));
      for (const node of [cache, other]) {
        const item = (await node.get(app, 'k')) as CacheItem;
        assert.equal(value(item), 'välue "quoted"\n');
        assert.equal(item.byteSize, 16);
        assert.equal(item.expiresAt, at);
        assert.equal(item.expiration, Math.ceil(at / 1000));
        assert.equal(item.version, written.version);
      }
    });

    test('any text is a key and any text a value', async () => {
      const app = newId();
      const texts = [
        'a/b?c=d&e#f',
        '\0',
        'a\0b',
        ' ',
        '😀',
        'ключ',
        '{x}',
        '}{',
        '\r\n',
        'é'.repeat(256),
        '%',
        '*[?]',
      ];
      await cache.run(
        app,
        texts.map((text) => set(text, text)),
      );
      for (const text of texts) assert.equal(await read(other, app, text), text);
      const sorted = [...texts].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
      assert.deepEqual(await keys(app), sorted);
      await one(app, set('empty', ''));
      assert.equal(await read(cache, app, 'empty'), '');
    });

    test('a large value comes back whole', async () => {
      const app = newId();
      const large = `${'x'.repeat(contractBytes - 1000)}é`;
      await one(app, set('large', large));
      assert.equal(await read(other, app, 'large'), large);
    });

    test('what never was, what was deleted and what has expired look the same', async () => {
      const app = newId();
      const at = clock.now() + 10_000;
      await cache.run(app, [set('gone', '1'), set('short', '1', { at }), set('n', '5', { at })]);
      await one(app, { op: 'delete', key: 'gone' });
      assert.equal(await cache.get(app, 'gone'), null);
      assert.notEqual(await cache.get(app, 'short'), null);
      clock.advance(10);
      for (const node of [cache, other])
        for (const key of ['never was', 'gone', 'short']) assert.equal(await node.get(app, key), null);
      const outcomes = await cache.run(app, [
        { op: 'get', key: 'short' },
        set('short', '2', { condition: { match: 'any' } }),
        set('short', '3', { condition: { noneMatch: 'any' } }),
        add('n', 1),
      ]);
      assert.deepEqual(outcomes[0], { item: null });
      assert.equal(failure(outcomes[1] as CacheOutcome), 'precondition');
      assert.ok(entry(outcomes[2] as CacheOutcome));
      assert.equal(await read(cache, app, 'n'), '1');
      assert.deepEqual(await keys(app), ['n', 'short']);
    });

    test('an item that is past its time when it is written takes the place of the old one and is not there', async () => {
      const app = newId();
      await one(app, set('k', 'old'));
      assert.ok(entry(await one(app, set('k', 'new', { at: clock.now() - 1 }))));
      assert.equal(await cache.get(app, 'k'), null);
      assert.deepEqual(await keys(app), []);
      assert.equal((await cache.usage(app)).items, 0);
    });

    test('applications see nothing of one another', async () => {
      const [mine, theirs] = [newId(), newId()];
      await one(mine, set('k', 'mine'));
      assert.equal(await cache.get(theirs, 'k'), null);
      assert.deepEqual(await keys(theirs), []);
      assert.equal(await cache.clear(theirs, ''), 0);
      assert.equal((await cache.usage(theirs)).items, 0);
      assert.equal(await read(cache, mine, 'k'), 'mine');
    });

    test('versions grow and never come twice, not even when everything was deleted in between', async () => {
      const app = newId();
      const seen: number[] = [];
      for (let round = 0; round < 5; round++) {
        seen.push(entry(await one(app, set('k', 'same'))).version);
        seen.push(entry(await one(app, set('other', 'same'), other)).version);
        if (round === 1) await one(app, { op: 'delete', key: 'k' });
        if (round === 2) await cache.clear(app, '');
        if (round === 3) await cache.clear(app, null);
        clock.advance(1);
      }
      assert.deepEqual(
        seen,
        [...new Set(seen)].sort((a, b) => a - b),
      );
    });

    test('a write happens only when its precondition holds', async () => {
      const app = newId();
      const create = (text: string) => set('k', text, { condition: { noneMatch: 'any' } });
      assert.equal(failure(await one(app, set('k', '0', { condition: { match: 'any' } }))), 'precondition');
      const { version } = entry(await one(app, create('1')));
      assert.equal(failure(await one(app, create('2'))), 'precondition');
      const swap = (expected: readonly number[], text: string) =>
        set('k', text, { condition: { match: expected } });
      assert.equal(failure(await one(app, swap([version - 1], '2'))), 'precondition');
      assert.equal(await read(cache, app, 'k'), '1');
      const second = entry(await one(app, swap([1, version], '2'))).version;
      assert.equal(failure(await one(app, swap([version], '3'))), 'precondition');
      const unless = set('k', '3', { condition: { noneMatch: [second] } });
      assert.equal(failure(await one(app, unless)), 'precondition');
      const remove = (expected: number): CacheOperation => {
        return { op: 'delete', key: 'k', condition: { match: [expected] } };
      };
      assert.equal(failure(await one(app, remove(version))), 'precondition');
      assert.equal(await read(other, app, 'k'), '2');
      assert.deepEqual(await one(app, remove(second)), { entry: null });
      assert.equal(await cache.get(app, 'k'), null);
    });

    test('of a crowd on two nodes that would create one item, one does', async () => {
      const app = newId();
      const attempts = Array.from({ length: 40 }, (_, i) =>
        one(app, set('lock', String(i), { condition: { noneMatch: 'any' } }), i % 2 === 0 ? cache : other),
      );
      const outcomes = await Promise.all(attempts);
      const winners = outcomes.flatMap((outcome, i) => (failure(outcome) ? [] : [String(i)]));
      assert.equal(winners.length, 1);
      assert.equal(await read(cache, app, 'lock'), winners[0]);
    });

    test('an increment counts from nothing, keeps the time to live, and refuses what is no whole number', async () => {
      const app = newId();
      const at = clock.now() + 60_000;
      const first = await one(app, add('n', 5, at));
      assert.ok('item' in first && first.item);
      assert.equal(value(first.item), '5');
      assert.equal(first.item.expiresAt, at);
      const second = await one(app, add('n', -12));
      assert.ok('item' in second && second.item);
      assert.equal(value(second.item), '-7');
      assert.equal(second.item.byteSize, 2);
      assert.equal(second.item.expiresAt, at);
      assert.equal(second.item.expiration, Math.ceil(at / 1000));
      assert.ok(second.item.version > first.item.version);
      for (const text of ['', 'x', '1.5', '1e3', ' 1', '1 ', '+1', '01', '-0', '0x1', '9'.repeat(17), '١']) {
        await one(app, set('text', text));
        assert.equal(failure(await one(app, add('text', 1))), 'not_a_number', JSON.stringify(text));
        assert.equal(await read(cache, app, 'text'), text);
      }
      for (const [start, by] of [
        [Number.MAX_SAFE_INTEGER, 1],
        [Number.MAX_SAFE_INTEGER, Number.MAX_SAFE_INTEGER],
        [Number.MIN_SAFE_INTEGER, -1],
      ] as const) {
        await one(app, set('edge', String(start)));
        assert.equal(failure(await one(app, add('edge', by))), 'overflow');
        assert.equal(await read(cache, app, 'edge'), String(start));
      }
      await one(app, set('edge', String(Number.MAX_SAFE_INTEGER - 1)));
      await one(app, add('edge', 1));
      assert.equal(await read(other, app, 'edge'), String(Number.MAX_SAFE_INTEGER));
    });

    test('increments of two nodes at once lose none', async () => {
      const app = newId();
      await Promise.all(
        Array.from({ length: 200 }, (_, i) => one(app, add('n', 1), i % 2 === 0 ? cache : other)),
      );
      assert.equal(await read(cache, app, 'n'), '200');
    });

    test('operations of one run see those before them, and one that fails stops none', async () => {
      const app = newId();
      const outcomes = await cache.run(app, [
        { op: 'get', key: 'a' },
        set('a', '1'),
        add('a', 1),
        set('a', 'x', { condition: { noneMatch: 'any' } }),
        { op: 'get', key: 'a' },
        { op: 'delete', key: 'a' },
        { op: 'get', key: 'a' },
        set('b', 'last'),
      ]);
      assert.deepEqual(outcomes.map(failure), [
        ...[undefined, undefined, undefined, 'precondition'],
        ...[undefined, undefined, undefined, undefined],
      ]);
      const read5 = outcomes[4] as { item: CacheItem };
      assert.ok(Buffer.isBuffer(read5.item.json));
      assert.equal(value(read5.item), '2');
      assert.deepEqual(outcomes[6], { item: null });
      assert.deepEqual(await keys(app), ['b']);
    });

    test('a run that is sent twice under one id is done once', async () => {
      const app = newId();
      const once = { id: 'retry', fingerprint: 'f', expiresAt: clock.now() + 60_000 };
      const run = (fingerprint = 'f', node = cache) =>
        node.run(app, [add('n', 1), set('k', 'v'), { op: 'get', key: 'n' }], { ...once, fingerprint });
      const first = await run();
      await one(app, add('n', 1));
      const again = await run('f', other);
      assert.deepEqual(again.slice(0, 2), first.slice(0, 2));
      assert.equal(value((again[2] as { item: CacheItem }).item), '2');
      assert.equal(await read(cache, app, 'n'), '2');
      await assert.rejects(run('another'), (problem: Problem) => problem.kind === 'unprocessable');
      assert.deepEqual(await keys(app), ['k', 'n']);
      assert.equal((await cache.usage(app)).items, 2);
      clock.advance(61);
      await run();
      assert.equal(await read(cache, app, 'n'), '3');
    });

    test('a run of which everything failed may be sent again under its id', async () => {
      const app = newId();
      const once = { id: 'retry', fingerprint: 'f', expiresAt: clock.now() + 60_000 };
      const run = () => cache.run(app, [set('k', '2', { condition: { match: 'any' } })], once);
      assert.equal(failure((await run())[0] as CacheOutcome), 'precondition');
      await one(app, set('k', '1'));
      assert.ok(entry((await run())[0] as CacheOutcome));
    });

    test('a list is in the order of bytes, and pages by prefix and last key', async () => {
      const app = newId();
      const at = clock.now() + 5000;
      const names = ['a', 'b:1', 'b:10', 'b:2', 'b:é', 'c'];
      await cache.run(app, [
        ...names.map((key) => set(key, key)),
        set('b:short', 'x', { at }),
        add('b:n', 1),
      ]);
      clock.advance(5);
      const page = (after: string | undefined, limit: number) =>
        other.list(app, { prefix: 'b:', after, limit, total: true });
      const first = await page(undefined, 2);
      assert.deepEqual(
        first.items.map(({ key, byteSize }) => [key, byteSize]),
        [
          ['b:1', 3],
          ['b:10', 4],
        ],
      );
      assert.ok([5, 6].includes(first.total ?? 0));
      const rest = await page('b:10', 10);
      assert.deepEqual(
        rest.items.map(({ key }) => key),
        ['b:2', 'b:n', 'b:é'],
      );
      assert.deepEqual((await page('b:é', 10)).items, []);
      assert.deepEqual((await cache.list(app, { prefix: 'd', limit: 1, total: true })).total, 0);
    });

    test('clearing removes what begins with the prefix and says how many that were', async () => {
      const app = newId();
      const many = Array.from({ length: 50 }, (_, i) => set(`many:${i}`, 'x'));
      const short = set('many:short', 'x', { at: clock.now() + 1000 });
      await cache.run(app, [...many, short, set('man', 'x'), set('many;', 'x')]);
      clock.advance(1);
      assert.equal(await cache.clear(app, 'many:'), 50);
      assert.equal(await cache.clear(app, 'many:'), 0);
      assert.deepEqual(await keys(app), ['man', 'many;']);
      const { items, bytes } = await cache.usage(app);
      assert.deepEqual(
        { items, bytes },
        { items: 2, bytes: countedBytes('man', 'x') + countedBytes('many;', 'x') },
      );
      assert.equal(await cache.clear(app, ''), 2);
      assert.deepEqual(await keys(app), []);
    });

    test('usage counts items, bytes, hits and misses; clearing all forgets them', async () => {
      const app = newId();
      await cache.run(app, [set('a', 'äö'), set('b', '1'), set('a', 'longer')]);
      await one(app, { op: 'tally', hits: 3, misses: 2 });
      await one(app, { op: 'tally', hits: 1, misses: 0 }, other);
      assert.deepEqual(await other.usage(app), {
        items: 2,
        bytes: countedBytes('a', 'longer') + countedBytes('b', '1'),
        maxBytes: contractBytes,
        hits: 4,
        misses: 2,
        evictions: 0,
      });
      assert.equal(await cache.clear(app, null), 2);
      assert.deepEqual(await cache.usage(app), {
        ...{ items: 0, bytes: 0, maxBytes: contractBytes, hits: 0, misses: 0, evictions: 0 },
      });
    });

    test('past the bound those nearest to expiry leave first, then the oldest, and nobody else’s', async () => {
      const [app, neighbour] = [newId(), newId()];
      await one(neighbour, set('k', 'x'.repeat(contractBytes - 200), { at: clock.now() + 1000 }));
      const now = clock.now();
      const part = 'x'.repeat(contractBytes / 8 - itemOverheadBytes - 10);
      await cache.run(app, [
        set('old', part),
        set('late', part, { at: now + 900_000 }),
        set('soon', part, { at: now + 500_000 }),
        set('same 1', part, { at: now + 600_000 }),
        set('young', part),
        set('same 2', part, { at: now + 600_000 }),
        add('n', 1),
      ]);
      const present = async () => (await keys(app)).sort().join();
      assert.equal(await present(), 'late,n,old,same 1,same 2,soon,young');
      await cache.run(app, [set('p1', part), set('p2', part)]);
      assert.equal(await present(), 'late,n,old,p1,p2,same 1,same 2,young');
      await one(app, set('p3', part), other);
      assert.equal(await present(), 'late,n,old,p1,p2,p3,same 2,young');
      await cache.run(app, [set('p4', part), set('p5', part)]);
      assert.equal(await present(), 'n,old,p1,p2,p3,p4,p5,young');
      // An item that is written again is young again.
      await cache.run(app, [set('old', part), add('n', 1), set('p6', part)]);
      assert.equal(await present(), 'n,old,p1,p2,p3,p4,p5,p6');
      const usage = await cache.usage(app);
      assert.ok(usage.bytes <= contractBytes);
      assert.equal(usage.evictions, 5);
      assert.notEqual(await cache.get(neighbour, 'k'), null);
    });

    test('an item too large for the whole bound is refused, and everything stays as it was', async () => {
      const app = newId();
      await cache.run(app, [set('a', '1'), set('big', 'before')]);
      assert.equal(failure(await one(app, set('big', 'x'.repeat(contractBytes)))), 'full');
      assert.equal(await read(cache, app, 'big'), 'before');
      assert.deepEqual(await keys(app), ['a', 'big']);
      assert.equal((await cache.usage(app)).evictions, 0);
    });

    test('a sweep frees what has expired, of every application', async () => {
      const apps = Array.from({ length: 5 }, () => newId());
      const at = clock.now() + 1000;
      for (const app of apps) {
        const short = Array.from({ length: 300 }, (_, i) => set(`s${i}`, 'x', { at }));
        await cache.run(app, [...short, set('stays', 'x'), set('later', 'x', { at: at + 1000 })]);
      }
      clock.advance(1);
      await cache.sweep();
      for (const app of apps) {
        const { items, bytes, evictions } = await other.usage(app);
        assert.deepEqual([items, evictions], [2, 0]);
        assert.equal(bytes, countedBytes('stays', 'x') + countedBytes('later', 'x'));
      }
      clock.advance(1);
      await other.sweep();
      for (const app of apps) assert.equal((await cache.usage(app)).items, 1);
    });

    test('the applications that have something are known', async () => {
      const apps = Array.from({ length: 3 }, () => newId());
      for (const app of apps) await one(app, set('k', 'v'));
      const known = new Set<string>();
      for await (const app of other.applications()) known.add(app);
      for (const app of apps) assert.ok(known.has(app));
      await cache.clear(apps[0] as string, null);
      const left: string[] = [];
      for await (const app of cache.applications()) left.push(app);
      assert.ok(!left.includes(apps[0] as string));
    });
  });
}
