import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { systemClock } from '#core/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { startProcess } from '#testing/process.ts';
import { freePort } from '../../../scripts/postgres.ts';
import { checkBlobs } from './service.ts';
import { collectGarbage, sweepBuckets } from './sweep.ts';

/** More in a campaign: `STORAGE_OPERATIONS=100000 STORAGE_KILLS=50 npm test -- server/areas/storage/model.test.ts`. */
const operations = Number(process.env['STORAGE_OPERATIONS'] ?? 250);
const kills = Number(process.env['STORAGE_KILLS'] ?? 1);

const keys = ['a', 'a/b', 'a/c', 'b', 'é', '😀/x', 'dir/one', 'dir/two'];

for (const engine of engines) {
  test(`random operations do what they do to a plain map, across restarts, on ${engine}`, async () => {
    await using home = await testHome(engine);
    let instance: Instance = await startInstance(engine, { home });
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
        instance = await startInstance(engine, { home });
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
    const report = await checkBlobs(deps, { mend: false });
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
  });
}

test('a server that is killed in the middle of uploads loses nothing that it said it had', async () => {
  await using home = await testHome('sqlite');
  const instance = await startInstance('sqlite', { home });
  const base = `/applications/${instance.bootstrapped.application.id}/storage/buckets`;
  await instance.call('POST', base, { as: 'application', body: { name: 'killed', visibility: 'public' } });
  const [port, adminPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    ...home.settings,
    MAINSTAY_FILES_PORT: String(filesPort),
    MAINSTAY_S3_PORT: '0',
    MAINSTAY_LOG_LEVEL: 'error',
  };
  const files = `http://127.0.0.1:${filesPort}`;
  const done = new Map<string, string>();

  for (let round = 0; round < kills; round++) {
    const server = await startProcess(settings, { port, adminPort });
    const content = Buffer.alloc(3_000_000, `round ${round}`);
    const sha256 = createHash('sha256').update(content).digest('hex');
    const body = { key: `k${round}`, contentLength: content.length, checksumSha256: sha256 };
    // Another node opens the session; the one that is killed takes the bytes.
    const begun = await instance.call('POST', `${base}/killed/uploads`, { as: 'application', body });
    const path = new URL(begun.body.upload.url).pathname;
    const patch = (offset: number, part: Buffer) =>
      fetch(`${files}${path}`, {
        method: 'PATCH',
        headers: {
          ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
          'content-type': 'application/offset+octet-stream',
        },
        body: part as Buffer<ArrayBuffer>,
      });
    let told = 0;
    const killAt = randomInt(1, 6);
    for (let part = 0; part < killAt; part++) {
      const answer = await patch(told, content.subarray(told, told + 500_000));
      assert.equal(answer.status, 204);
      told = Number(answer.headers.get('upload-offset'));
    }
    const last = patch(told, content.subarray(told)).then(
      (answer) => answer.status,
      () => undefined,
    );
    await new Promise((resolve) => setTimeout(resolve, randomInt(40)));
    await server.end('SIGKILL');
    const status = await last;

    const again = await startProcess(settings, { port, adminPort });
    const head = await fetch(`${files}${path}`, { method: 'HEAD' });
    const offset = Number(head.headers.get('upload-offset'));
    assert.ok(offset >= told, `${offset} is less than the ${told} that were confirmed`);
    if (status === 204) assert.equal(offset, content.length);
    if (offset < content.length) assert.equal((await patch(offset, content.subarray(offset))).status, 204);
    done.set(`k${round}`, sha256);
    for (const [key, digest] of done) {
      const response = await fetch(`${files}/public/killed/${key}`);
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.equal(createHash('sha256').update(bytes).digest('hex'), digest, key);
    }
    await again.end('SIGKILL');
  }
  await instance[Symbol.asyncDispose]();
});
