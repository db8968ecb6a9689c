import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { freePort } from '../scripts/postgres.ts';
import { openSqlite } from '../server/adapters/sqlite/open.ts';
import { newId } from '../server/core/ids.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import type { Contestant } from './lib/contestant.ts';
import { type Figures, measure, type Request } from './lib/load.ts';
import { bearer, startMainstay, startScript } from './lib/mainstay.ts';
import { startNginx } from './lib/nginx.ts';

/**
 * Storage on files against a bare Node server that streams files, and against nginx where it is installed, on the same
 * disk in one run. CPU milliseconds of the server a request. `--keys N` fills a bucket with so many keys for the list;
 * `--parallel` uploads 64 objects of 64 MiB at once and looks at the memory.
 */

const keyCount = Number(process.argv[process.argv.indexOf('--keys') + 1]) || 200_000;
const load = { seconds: 4, connections: 16 };

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const settings = { MAINSTAY_DATA_DIR: path.join(folder, 'data') };
  const { keys, application } = await bootstrapCommand(settings);
  const filesPort = await freePort();
  const files = `http://127.0.0.1:${filesPort}`;
  await using server = await startMainstay({ ...settings, MAINSTAY_FILES_PORT: String(filesPort) });
  const headers = await bearer(server.url, keys.application);
  const buckets = `/applications/${application.id}/storage/buckets`;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  const call = async (method: string, at: string, body?: unknown): Promise<any> => {
    const response = await fetch(`${server.url}${buckets}${at}`, {
      method,
      headers: { ...headers, ...(body ? { 'content-type': 'application/json' } : {}) },
      ...(body ? { body: JSON.stringify(body) } : {}),
    });
    if (!response.ok) throw new Error(`${method} ${at}: ${await response.text()}`);
    return response.json();
  };
  const content = 'x'.repeat(4096);
  const { id: openId } = await call('POST', '', { name: 'open', visibility: 'public' });
  await call('POST', '', { name: 'closed' });
  for (const bucket of ['open', 'closed']) await call('PUT', `/${bucket}/objects?key=file`, content.slice(2));
  const { items } = await call('GET', '/closed/objects');
  const { url: signed } = await call(
    'GET',
    `/closed/objects/${items[0].id}/access-url?expiresInSeconds=86400`,
  );
  const plain = path.join(folder, 'plain');
  await writeFile(`${plain}-file`, content);

  const host: Contestant = { ...server, url: files, [Symbol.asyncDispose]: async () => undefined };
  const results: [string, Figures][] = [];
  const run = async (name: string, contestant: Contestant, requests: Request[]) => {
    await measure(contestant, requests, { ...load, seconds: 2 });
    results.push([name, await measure(contestant, requests, load)]);
  };
  await run('public GET 4 KiB', host, [{ method: 'GET', path: '/public/open/file' }]);
  const { pathname, search } = new URL(signed);
  await run('signed GET 4 KiB', host, [{ method: 'GET', path: `${pathname}${search}` }]);
  const puts = Array.from({ length: 100 }, (_, at): Request => {
    return { method: 'PUT', path: `${buckets}/closed/objects?key=put-${at}`, headers, body: content };
  });
  await run('PUT 4 KiB, durable', server, puts);

  {
    await using floor = await startScript('floor-files.ts', [folder]);
    await run('floor: GET 4 KiB', floor, [{ method: 'GET', path: '/plain-file' }]);
  }
  await using nginx = await startNginx(folder);
  if (nginx) await run('nginx: GET 4 KiB', nginx, [{ method: 'GET', path: '/plain-file' }]);
  else console.log('nginx is not installed: apt-get install nginx-light');
  console.log('CPU of the server a request, in milliseconds');
  for (const [name, { cpuMicros, requestsPerSecond, p99 }] of results) {
    const figures = `${(cpuMicros / 1000).toFixed(3).padStart(8)} ms, ${requestsPerSecond.toFixed(0)}/s, p99 ${p99} ms`;
    console.log(`  ${name.padEnd(22)} ${figures}`);
  }

  await measureUploads(16 * 1024 * 1024, 20, 1);
  if (process.argv.includes('--parallel')) await measureUploads(64 * 1024 * 1024, 64, 64);
  await measureList();

  async function measureUploads(size: number, count: number, atOnce: number): Promise<void> {
    const bytes = randomBytes(size);
    const checksumSha256 = createHash('sha256').update(bytes).digest('hex');
    const urls: string[] = [];
    for (let at = 0; at < count; at++) {
      const body = { key: `upload-${size}-${at}`, contentLength: size, checksumSha256 };
      const { upload } = await call('POST', '/closed/uploads', body);
      urls.push(`${files}${new URL(upload.url).pathname}`);
    }
    const before = await server.cpuSeconds();
    let most = 0;
    const watch = setInterval(() => {
      server.residentBytes().then((resident) => {
        most = Math.max(most, resident);
      }, console.error);
    }, 50);
    const worker = async () => {
      for (let url = urls.pop(); url; url = urls.pop()) {
        const response = await fetch(url, {
          method: 'PATCH',
          headers: { 'upload-offset': '0', 'content-type': 'application/offset+octet-stream' },
          body: bytes,
        });
        if (response.status !== 204) throw new Error(`PATCH: ${response.status} ${await response.text()}`);
      }
    };
    await Promise.all(Array.from({ length: atOnce }, worker));
    clearInterval(watch);
    const cpu = (((await server.cpuSeconds()) - before) / count) * 1000;
    const mib = size / 1024 ** 2;
    console.log(
      `tus PATCH of ${mib} MiB, ${atOnce} at once: ${cpu.toFixed(1)} ms of CPU each, ${(most / 1024 ** 2).toFixed(0)} MiB resident at most`,
    );
  }

  async function measureList(): Promise<void> {
    await fill(path.join(folder, 'data/mainstay.db'), openId, keyCount);
    for (const [name, query] of [
      ['every key', 'delimiter=&limit=1000'],
      ['by folder', 'limit=1000'],
    ] as const) {
      const times: number[] = [];
      let cursor = '';
      for (let count = 0; count < 100; count++) {
        const begun = performance.now();
        const { nextCursor } = await call('GET', `/open/objects?${query}${cursor}`);
        times.push(performance.now() - begun);
        cursor = nextCursor ? `&cursor=${nextCursor}` : '';
      }
      times.sort((a, b) => a - b);
      const [median = 0, p95 = 0] = [times[50], times[95]];
      console.log(
        `list of 1000 of ${keyCount} keys, ${name}: median ${median.toFixed(1)} ms, p95 ${p95.toFixed(1)} ms, client included`,
      );
    }
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Rows of objects of no bytes, in folders of a hundred. */
async function fill(file: string, bucketId: string, count: number): Promise<void> {
  const db = await openSqlite(file, { retrySeconds: 60 });
  const now = Date.now();
  const common = {
    ...{ bucket_id: bucketId, state: 'live' as const, delete_marker: 0, null_version: 1, content_type: null },
    ...{ content_length: 0, etag: 'x', checksum_sha1: null, checksum_sha256: null, checksum_md5: null },
    ...{ blob: null, content_id: null, encrypted: 0, attributes: '{}', retain_until: null },
    ...{ retention_mode: null, legal_hold: 0, upload_session_id: null },
    ...{ uploaded_at: now, created_at: now, updated_at: now, deleted_at: null },
  };
  for (let at = 0; at < count; at += 1000) {
    await db.write(async (tx) => {
      const rows = Array.from({ length: Math.min(1000, count - at) }, (_, offset) => {
        const number = at + offset;
        const key = `folder-${String(Math.floor(number / 100)).padStart(7, '0')}/file-${number}`;
        return { id: newId(), key, ...common };
      });
      await tx.insertInto('storage_objects').values(rows).execute();
    });
  }
  await db.close();
}
