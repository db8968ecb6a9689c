import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Page } from 'playwright-core';
import { build } from 'vite';
import { launchChromium } from '../../scripts/chromium.ts';
import { startInstance } from '../../server/testing/instance.ts';
import { storageOf } from '../../server/testing/storage.ts';

const script = path.join(import.meta.dirname, '../../node_modules/tus-js-client/dist/tus.min.js');
const size = 3_000_000;

/** A page of an origin of its own. */
async function somewhere(stack: AsyncDisposableStack): Promise<Page> {
  const site = createServer((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/html' }).end('<!doctype html><title>Somewhere</title>');
  }).listen(0, '127.0.0.1');
  await once(site, 'listening');
  stack.defer(() => void site.close());
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const page = await browser.newPage();
  await page.goto(`http://127.0.0.1:${(site.address() as AddressInfo).port}/`);
  return page;
}

test('tus-js-client, as it is, uploads from a page of another origin, and continues after a reload', async () => {
  await using storage = storageOf(await startInstance('sqlite'));
  await using stack = new AsyncDisposableStack();
  const page = await somewhere(stack);
  const bucket = await storage.newBucket();
  const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251));
  const { id, url } = await storage.begin(bucket, 'from-a-page', bytes);

  /** Resolves with the bytes that the server has taken. */
  const send = async (stopAfter: number) => {
    await page.reload();
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

interface UppyFile {
  id: string;
  name: string;
}

/** What the page uses of Uppy; its own types would want those of a browser. */
interface UppyPage {
  Uppy: new (
    options: object,
  ) => {
    use(plugin: unknown, options: object): void;
    addFile(file: { name: string; type: string; data: Blob }): string;
    setFileState(id: string, state: object): void;
    on(
      event: 'upload-progress',
      listener: (file: UppyFile, progress: { bytesUploaded: number }) => void,
    ): void;
    on(event: 'upload-error', listener: (file: UppyFile, error: Error) => void): void;
    pauseAll(): void;
    resumeAll(): void;
    upload(): Promise<{ successful: UppyFile[]; failed: UppyFile[] }>;
  };
  Tus: unknown;
}

/** Uppy and its plugin as npm has them, in one script. */
async function uppyScript(): Promise<string> {
  const entry = fileURLToPath(new URL('./uppy-page.js', import.meta.url));
  const built = await build({
    ...{ configFile: false, logLevel: 'error', root: import.meta.dirname },
    build: { write: false, minify: false, lib: { entry, formats: ['iife'], name: 'uppy' } },
  });
  const outputs = Array.isArray(built) ? built : [];
  return outputs.flatMap(({ output }) => output.map((part) => ('code' in part ? part.code : ''))).join('\n');
}

test('Uppy, as it is, pauses and resumes several files from a page of another origin', async () => {
  await using storage = storageOf(await startInstance('sqlite'));
  await using stack = new AsyncDisposableStack();
  const page = await somewhere(stack);
  const bucket = await storage.newBucket();
  const bytes = Buffer.from(Uint8Array.from({ length: size }, (_, at) => (at * 31) % 251));
  const names = ['one.bin', 'two.bin', 'three.bin'];
  const urls: Record<string, string> = {};
  for (const name of names) urls[name] = (await storage.begin(bucket, name, bytes)).url;
  await page.addScriptTag({ content: await uppyScript() });
  const result = await page.evaluate(
    async (options) => {
      const content = Uint8Array.from({ length: options.size }, (_, at) => (at * 31) % 251);
      const { Uppy, Tus } = (globalThis as unknown as { uppy: UppyPage }).uppy;
      const uppy = new Uppy({});
      uppy.use(Tus, { endpoint: '', chunkSize: 500_000, retryDelays: [], limit: 2 });
      const errors: string[] = [];
      uppy.on('upload-error', (_file, error) => errors.push(error.message));
      for (const [name, uploadUrl] of Object.entries(options.urls)) {
        const id = uppy.addFile({ name, type: 'application/octet-stream', data: new Blob([content]) });
        uppy.setFileState(id, { tus: { uploadUrl } });
      }
      let pauses = 0;
      uppy.on('upload-progress', (_file, { bytesUploaded }) => {
        if (pauses > 0 || bytesUploaded < 1_000_000) return;
        pauses++;
        uppy.pauseAll();
        setTimeout(() => uppy.resumeAll(), 100);
      });
      const { successful, failed } = await uppy.upload();
      return { pauses, errors, successful: successful.map(({ name }) => name), failed: failed.length };
    },
    { size, urls },
  );
  assert.deepEqual(
    { ...result, successful: result.successful.sort() },
    { pauses: 1, errors: [], successful: [...names].sort(), failed: 0 },
  );
  const { items } = (await storage.call('GET', `${bucket}/objects`)).body;
  assert.deepEqual(items.map(({ key }: { key: string }) => key).sort(), [...names].sort());
  for (const { id } of items) assert.ok((await storage.contentOf(bucket, id)).equals(bytes));
});
