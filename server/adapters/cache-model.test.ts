import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Cache, type CacheOperation, type CacheOutcome, holds, never } from '#core/cache.ts';
import { newId } from '#core/ids.ts';
import { cacheEngines, cacheHome } from '#testing/caches.ts';
import { TestClock } from '#testing/clock.ts';
import { Dice } from '#testing/dice.ts';
import { countedBytes, set } from '../contracts/cache.ts';

/** Random operations against a plain Map with a clock. Every step is compared, and now and then everything. */

const steps = 100_000;
const stepsAtOnce = 50;
const applicationBytes = 16 * 1024;
const keys = Array.from({ length: 40 }, (_, i) => `${'abé😀'.slice(0, 1 + (i % 3))}:${i}`);

interface Item {
  value: string;
  expiresAt: number;
  version: number;
}

class Model {
  readonly items = new Map<string, Item>();
  evictions = 0;

  live(key: string, now: number): Item | undefined {
    const item = this.items.get(key);
    return item && item.expiresAt > now ? item : undefined;
  }

  bytes(): number {
    return [...this.items].reduce((sum, [key, { value }]) => sum + countedBytes(key, value), 0);
  }

  /** `version`: the one that the engine gave, for the next comparison. */
  put(key: string, item: Item, now: number): void {
    this.items.delete(key);
    if (item.expiresAt <= now) return;
    const needed = countedBytes(key, item.value);
    const leaving = [...this.items].sort(
      ([, a], [, b]) => a.expiresAt - b.expiresAt || a.version - b.version,
    );
    for (const [name, { expiresAt }] of leaving) {
      if (this.bytes() + needed <= applicationBytes) break;
      if (expiresAt > now) this.evictions++;
      this.items.delete(name);
    }
    this.items.set(key, item);
  }

  sweep(now: number): void {
    for (const [key, { expiresAt }] of this.items) if (expiresAt <= now) this.items.delete(key);
  }

  /** Checks the outcome and follows it. */
  follow(operation: CacheOperation, outcome: CacheOutcome, now: number): void {
    if (operation.op === 'tally') return;
    const { key } = operation;
    const before = this.live(key, now);
    if (operation.op === 'get') {
      assert.deepEqual(shown(outcome), before && { ...before });
      return;
    }
    if (operation.op === 'increment') {
      const text = before?.value ?? '0';
      const number = /^(0|-?[1-9]\d{0,15})$/.test(text) ? Number(text) : Number.NaN;
      if (Number.isNaN(number)) {
        assert.deepEqual(outcome, { failure: 'not_a_number' });
        return;
      }
      const after = shown(outcome) as Item;
      const expiresAt = before?.expiresAt ?? operation.expiresAt;
      assert.equal(after.value, String(number + operation.by));
      assert.equal(after.expiresAt, expiresAt);
      this.put(key, after, now);
      return;
    }
    if (!holds(operation.condition, before?.version)) {
      assert.deepEqual(outcome, { failure: 'precondition' });
      return;
    }
    if (operation.op === 'delete') {
      assert.deepEqual(outcome, { entry: null });
      this.items.delete(key);
      return;
    }
    assert.ok('entry' in outcome && outcome.entry, JSON.stringify(outcome));
    const { version, expiresAt } = outcome.entry;
    assert.equal(expiresAt, operation.expiresAt);
    this.put(key, { value: JSON.parse(operation.json) as string, expiresAt, version }, now);
  }
}

function shown(outcome: CacheOutcome): Item | undefined {
  assert.ok('item' in outcome, JSON.stringify(outcome));
  const { item } = outcome;
  if (!item) return undefined;
  const { expiresAt, version } = item;
  return { value: JSON.parse(item.json.toString()) as string, expiresAt, version };
}

for (const engine of cacheEngines) {
  test(`${engine} does in ${steps} random steps what a Map with a clock does`, async () => {
    await using home = await cacheHome(engine, applicationBytes);
    const clock = new TestClock({ still: true });
    await using cache: Cache = await home.open(clock);
    const app = newId();
    const dice = new Dice(20_261_121);
    const random = (below: number) => dice.below(below);
    const model = new Model();
    const anyKey = () => keys[random(keys.length)] as string;
    const anyTime = () => (random(3) === 0 ? never : clock.now() + (random(40) - 2) * 500);
    const condition = (key: string) => {
      const version = model.items.get(key)?.version ?? 1;
      const all = [
        undefined,
        undefined,
        { match: [version] },
        { noneMatch: 'any' },
        { match: 'any' },
      ] as const;
      return all[random(all.length)];
    };
    const step = (): CacheOperation => {
      const key = anyKey();
      const kind = random(10);
      if (kind < 3) return { op: 'get', key };
      if (kind < 5)
        return { op: 'increment', key, by: random(2000) - 1000, expiration: 9, expiresAt: anyTime() };
      if (kind < 6) return { op: 'delete', key, condition: condition(key) };
      const value = random(2) === 0 ? String(random(1000)) : 'ü"\n😀'.repeat(random(200));
      return set(key, value, { at: anyTime(), condition: condition(key) });
    };
    for (let done = 0; done < steps; done += stepsAtOnce) {
      const operations = Array.from({ length: stepsAtOnce }, step);
      const outcomes = await cache.run(app, operations);
      for (const [at, operation] of operations.entries())
        model.follow(operation, outcomes[at] as CacheOutcome, clock.now());
      if (random(4) === 0) clock.advance(random(5));
      const sweeps = random(10) === 0;
      if (sweeps) {
        await cache.sweep();
        model.sweep(clock.now());
      }
      if (random(50) === 0) {
        const prefix = anyKey().slice(0, 1);
        const wanted = [...model.items.keys()].filter((key) => key.startsWith(prefix));
        assert.equal(
          await cache.clear(app, prefix),
          wanted.filter((key) => model.live(key, clock.now())).length,
        );
        for (const key of wanted) model.items.delete(key);
      }
      if (done % 1000 === 0) await compareAll(cache, app, model, clock.now());
    }
    await compareAll(cache, app, model, clock.now());
    assert.ok(model.evictions > 100, 'The steps should reach the bound.');
  });
}

async function compareAll(cache: Cache, app: string, model: Model, now: number): Promise<void> {
  const { items } = await cache.list(app, { prefix: '', limit: 1000, total: false });
  const wanted = [...model.items.keys()].filter((key) => model.live(key, now));
  wanted.sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
  assert.deepEqual(
    items.map(({ key }) => key),
    wanted,
  );
  for (const key of wanted) {
    const item = await cache.get(app, key);
    assert.deepEqual(shown({ item }), model.items.get(key));
  }
  const usage = await cache.usage(app);
  assert.ok(usage.bytes <= applicationBytes);
  assert.deepEqual(
    { items: usage.items, bytes: usage.bytes, evictions: usage.evictions },
    { items: model.items.size, bytes: model.bytes(), evictions: model.evictions },
  );
}
