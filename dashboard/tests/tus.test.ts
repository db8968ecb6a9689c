import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { launchChromium } from '../../scripts/chromium.ts';
import { startInstance } from '../../server/testing/instance.ts';
import { storageOf } from '../../server/testing/storage.ts';

const script = path.join(import.meta.dirname, '../../node_modules/tus-js-client/dist/tus.min.js');
const size = 3_000_000;

test('tus-js-client, as it is, uploads from a page of another origin, and goes on after a reload', async () => {
  await using storage = storageOf(await startInstance('sqlite'));
  await using stack = new AsyncDisposableStack();
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Somewhere</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  stack.defer(() => void site.close());
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  const bucket = await storage.newBucket();
  const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251));
  const { id, url } = await storage.begin(bucket, 'from-a-page', bytes);

  /** Resolves with the bytes that the server has taken. */
  const send = async (stopAfter: number) => {
    await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
    await page.addScriptTag({ path: script });
    return page.evaluate(
      (options) =>
        new Promise<number>((resolve, reject) => {
          const content = Uint8Array.from({ length: options.size }, (_, at) => (at * 31) % 251);
          const { Upload } = (globalThis as unknown as { tus: typeof import('tus-js-client') }).tus;
          const client = new Upload(new Blob([content]), {
            uploadUrl: options.url,
            chunkSize: 500_000,
            retryDelays: [],
            storeFingerprintForResuming: false,
            onError: reject,
            onSuccess: () => resolve(options.size),
            onChunkComplete: (_size, accepted) => {
              if (accepted >= options.stopAfter) void client.abort().then(() => resolve(accepted));
            },
          });
          client.start();
        }),
      { url, size, stopAfter },
    );
  };
  const offsets: string[] = [];
  page.on('request', (request) => {
    if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
  });
  assert.equal(await send(1_000_000), 1_000_000);
  const before = offsets.length;
  assert.equal(await send(Number.MAX_SAFE_INTEGER), size);
  assert.ok(Number(offsets[before]) >= 1_000_000, offsets.join(' '));
  const { state } = (await storage.call('GET', `${bucket}/uploads/${id}`)).body;
  assert.equal(state, 'completed');
  const [object] = (await storage.call('GET', `${bucket}/objects`)).body.items;
  assert.ok((await storage.contentOf(bucket, object.id)).equals(bytes));
});
