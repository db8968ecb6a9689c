import assert from 'node:assert/strict';
import { randomInt } from 'node:crypto';
import { systemClock } from '#core/clock.ts';
import { type EngineName, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { checkBlobs } from './blob-check.ts';
import { collectGarbage, sweepBuckets } from './sweep.ts';

const keys = ['a', 'a/b', 'a/c', 'b', 'é', '😀/x', 'dir/one', 'dir/two'];

/** Does random things to a bucket and to a plain map, with restarts between them, and compares what is left of both. */
export async function randomOperations(engine: EngineName, operations: number): Promise<void> {
  await using home = await testHome(engine);
  // Half of what is stored is larger.
  const settings = { MAINSTAY_STORAGE_INLINE: '1000' };
  let instance: Instance = await startInstance(engine, { home, settings });
  let base = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
  const call = (method: string, path: string, body?: unknown) =>
    instance.call(method, `${base}${path}`, { as: 'application', ...(body === undefined ? {} : { body }) });
  await call('POST', '', { name: 'model', visibility: 'public' });
  const live = new Map<string, { id: string; content: string }>();
  const trash = new Map<string, { key: string; content: string }>();
  const restartEvery = Math.max(50, Math.floor(operations / 3));

  for (let step = 1; step <= operations; step++) {
    const key = keys[randomInt(keys.length)] as string;
    const there = live.get(key);
    const kind = randomInt(10);
    if (kind < 4) {
      const content = JSON.stringify('x'.repeat(randomInt(2000)));
      const { status, body } = await call('PUT', `/model/objects?key=${encodeURIComponent(key)}`, content);
      assert.equal(status, 200);
      live.set(key, { id: body.id, content });
    } else if (kind === 4 && there) {
      await call('DELETE', `/model/objects/${there.id}`);
      live.delete(key);
      trash.set(there.id, { key, content: there.content });
    } else if (kind === 5 && trash.size > 0) {
      const [id, was] = [...trash][randomInt(trash.size)] as [string, { key: string; content: string }];
      const { status } = await call('POST', `/model/trash/${id}/restore`);
      assert.equal(status, live.has(was.key) ? 409 : 200);
      if (status === 200) {
        trash.delete(id);
        live.set(was.key, { id, content: was.content });
      }
    } else if (kind === 6 && there) {
      const to = keys[randomInt(keys.length)] as string;
      const { status, body } = await call('POST', `/model/objects/${there.id}/copy`, { key: to });
      assert.equal(status, 200, JSON.stringify(body));
      live.set(to, { id: body.id, content: there.content });
    } else if (kind === 7 && there) {
      const to = keys[randomInt(keys.length)] as string;
      assert.equal((await call('POST', `/model/objects/${there.id}/move`, { key: to })).status, 200);
      live.delete(key);
      live.set(to, there);
    } else if (kind === 8 && randomInt(20) === 0) {
      const { body } = await call('DELETE', '/model/trash');
      assert.deepEqual(body, { purgedCount: trash.size });
      trash.clear();
    } else if (kind === 9) {
      const url = `${instance.listeners.get('stored files')}/public/model/${encodeURIComponent(key)}`;
      const response = await fetch(url);
      assert.equal(response.status, there ? 200 : 404);
      if (there) assert.equal(await response.text(), there.content);
    }
    if (step % restartEvery === 0) {
      await instance[Symbol.asyncDispose]();
      instance = await startInstance(engine, { home, settings });
      base = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
    }
  }
  const { items } = (await call('GET', '/model/objects?delimiter=&limit=1000')).body;
  assert.deepEqual(
    new Map(items.map((item: { key: string; id: string }) => [item.key, item.id])),
    new Map(
      [...live]
        .toSorted(([a], [b]) => Buffer.compare(Buffer.from(a), Buffer.from(b)))
        .map(([key, { id }]) => [key, id]),
    ),
  );
  const size = (contents: Iterable<{ content: string }>) =>
    [...contents].reduce((sum, { content }) => sum + Buffer.byteLength(content), 0);
  const { usage } = (await call('GET', '/model/settings')).body;
  assert.deepEqual(
    [usage.objects, usage.bytes, usage.trashedObjects, usage.trashedBytes],
    [live.size, size(live.values()), trash.size, size(trash.values())],
  );
  const { platform } = instance;
  const deps = {
    db: platform.db,
    vault: platform.vault,
    clock: systemClock,
    blobs: platform.blobs.storage,
  };
  const report = await checkBlobs(deps, { fix: false });
  assert.deepEqual([report.missing, report.corrupt, report.objects], [[], [], live.size + trash.size]);

  // The bucket is deleted, and after the grace nothing is left of it, on the disk either.
  await call('DELETE', '/model');
  const later = { now: () => Date.now() + 3 * 3_600_000 };
  const limits = { garbageSeconds: 3600 };
  const rules = { db: platform.db, clock: systemClock, limits } as Parameters<typeof sweepBuckets>[0];
  await sweepBuckets(rules);
  await collectGarbage({ ...rules, clock: later }, platform.blobs.storage);
  assert.deepEqual(await platform.blobs.storage.list({ after: '', limit: 10 }), []);
  await instance[Symbol.asyncDispose]();
}
