import assert from 'node:assert/strict';
import { createHash, randomInt } from 'node:crypto';
import { test } from 'node:test';
import { engines, testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { startProcess } from '#testing/process.ts';
import { freePort } from '../../../scripts/postgres.ts';
import { randomOperations } from './model.ts';

/** The short share of `npm run soak -- 10 storage`. */
const operations = 250;
const kills = 1;

for (const engine of engines) {
  test(`random operations do what they do to a plain map, across restarts, on ${engine}`, async () => {
    await randomOperations(engine, operations);
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
