import assert from 'node:assert/strict';
import { createHash, type Hash, randomBytes } from 'node:crypto';
import { readFile, writeFile } from 'node:fs/promises';
import { get, request } from 'node:http';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { fileURLToPath } from 'node:url';
import { findGroups } from '../../server/adapters/process/cgroup.ts';
import { serverEntry } from '../../server/bin/entry.js';
import { testHome } from '../../server/testing/engines.ts';
import { fetchToken } from '../../server/testing/instance.ts';
import { bootstrapCommand, type ServerProcess, startProcess } from '../../server/testing/process.ts';
import { patchUpload } from '../../server/testing/storage.ts';
import { freePort } from '../postgres.ts';
import { after, type Campaign } from './campaign.ts';

/** Uploads that are large, or many, against what the server may use of memory. */

const mebibyte = 1024 ** 2;
const blockBytes = mebibyte;
const tokenMilliseconds = 120_000;

interface Bench extends AsyncDisposable {
  server: ServerProcess;
  /** Of the storage host. */
  files: string;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape.
  call(method: string, path: string, body?: unknown): Promise<any>;
  /** Resolves once the index of names is there, which a server makes in a thread of its own within its first minutes. */
  makeNameIndex(): Promise<void>;
  /** Resolves with the path of the upload's address. */
  begin(key: string, size: number, sha256: string): Promise<string>;
  restart(): Promise<void>;
}

/** A server with one public bucket. `command`: another way to start it. */
async function startBench(command?: readonly string[]): Promise<Bench> {
  const stack = new AsyncDisposableStack();
  const home = stack.use(await testHome('sqlite'));
  const [port, adminPort, filesPort] = [await freePort(), await freePort(), await freePort()];
  const settings = {
    ...home.settings,
    MAINSTAY_BASE_URL: 'http://mainstay.test',
    MAINSTAY_FILES_PORT: String(filesPort),
    MAINSTAY_LOG_LEVEL: 'error',
    MAINSTAY_REQUESTS_PER_MINUTE: '0',
  };
  const { keys, application } = await bootstrapCommand(settings);
  const start = () => startProcess(settings, { port, adminPort, ...(command ? { command } : {}) });
  let server = await start();
  stack.defer(async () => void (await server.end('SIGKILL')));
  let token: { text: string; until: number } | undefined;
  const bearer = async () => {
    if (!token || Date.now() > token.until)
      token = {
        text: await fetchToken(server.url, keys.application),
        until: Date.now() + tokenMilliseconds,
      };
    return token.text;
  };
  const call: Bench['call'] = async (method, path, body) => {
    const response = await fetch(`${server.url}/applications/${application.id}/storage/buckets${path}`, {
      method,
      headers: { authorization: `Bearer ${await bearer()}`, 'content-type': 'application/json' },
      ...(body === undefined ? {} : { body: JSON.stringify(body) }),
    });
    assert.ok(response.ok, `${method} ${path}: ${response.status} ${await response.clone().text()}`);
    return response.json();
  };
  await call('POST', '', { name: 'big', visibility: 'public' });
  return {
    get server() {
      return server;
    },
    files: `http://127.0.0.1:${filesPort}`,
    call,
    async makeNameIndex() {
      const headers = { authorization: `Bearer ${await bearer()}` };
      const response = await fetch(`${server.url}/web-reputation/domain?domain=example.com`, { headers });
      assert.equal(response.status, 200, await response.text());
    },
    async begin(key, contentLength, checksumSha256) {
      const { upload } = await call('POST', '/big/uploads', { key, contentLength, checksumSha256 });
      return new URL(upload.url).pathname;
    },
    async restart() {
      await server.end();
      server = await start();
    },
    [Symbol.asyncDispose]: () => stack.disposeAsync(),
  };
}

/** Blocks that differ, the same each time. */
async function* blocks(count: number): AsyncGenerator<Buffer> {
  const content = Buffer.alloc(blockBytes, 'some bytes of a block, ');
  for (let number = 0; number < count; number++) {
    const block = Buffer.from(content);
    block.writeUInt32BE(number);
    yield block;
  }
}

async function digestOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const hash: Hash = createHash('sha256');
  for await (const chunk of content) hash.update(chunk);
  return hash.digest('hex');
}

/** One PATCH with all of them. Resolves with its status. */
async function patchBlocks(url: string, count: number): Promise<number> {
  const sent = request(url, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': '0',
      'content-type': 'application/offset+octet-stream',
      'content-length': count * blockBytes,
    },
  });
  const { promise, resolve, reject } = Promise.withResolvers<number>();
  sent.on('error', reject);
  sent.on('response', (response) => {
    response.resume();
    resolve(response.statusCode ?? 0);
  });
  await pipeline(Readable.from(blocks(count), { highWaterMark: 1 }), sent);
  return promise;
}

async function download(url: string): Promise<string> {
  const { promise, resolve, reject } = Promise.withResolvers<AsyncIterable<Uint8Array>>();
  get(url, resolve).on('error', reject);
  return digestOf(await promise);
}

/** Kibibytes of a line of /proc, as bytes. */
async function memoryOf(pid: number, line: 'VmRSS' | 'VmHWM'): Promise<number> {
  const status = await readFile(`/proc/${pid}/status`, 'utf8');
  return Number(new RegExp(`^${line}:\\s+(\\d+)`, 'm').exec(status)?.[1]) * 1024;
}

const inMebibytes = (bytes: number) => `${Math.round(bytes / mebibyte)} MiB`;
const isLinux = () => (process.platform === 'linux' ? undefined : 'Linux');

/** `SOAK_GIB`: how large the object is. */
const oneLarge: Campaign = {
  name: 'storage: 5 GiB through a server of 256 MiB',
  seconds: 1800,
  missing: () => isLinux() ?? (process.getuid?.() === 0 ? undefined : 'the right to make control groups'),
  async run(seconds) {
    const count = Number(process.env['SOAK_GIB'] ?? 5) * 1024;
    const groups = await findGroups();
    assert.ok(groups, 'no control group can be made here');
    const limits = { memoryBytes: 256 * mebibyte, processes: 512, cpuPercent: 0, weight: 100 };
    await using group = await groups.open(limits);
    const join = `${group.joinFiles.map((file) => `echo $$ > '${file}'`).join(' && ')} && exec "$@"`;
    await using bench = await startBench([
      'sh',
      '-c',
      join,
      'sh',
      process.execPath,
      fileURLToPath(serverEntry()),
    ]);
    const expected = await digestOf(blocks(count));
    const isOver = after(seconds);
    let rounds = 0;
    do {
      const upload = await bench.begin('large', count * blockBytes, expected);
      assert.equal(await patchBlocks(`${bench.files}${upload}`, count), 204);
      assert.equal(await download(`${bench.files}/public/big/large`), expected);
      rounds++;
    } while (!isOver());
    assert.ok(!(await group.ranOutOfMemory()));
    const most = await memoryOf(bench.server.pid, 'VmHWM');
    return `${rounds} objects of ${count} MiB there and back, ${inMebibytes(most)} resident at most`;
  },
};

const atOnce = 64;
const eachBlocks = 64;
/** What 64 uploads may need beside the idle server. */
const parallelBytes = 200 * mebibyte;

const parallel: Campaign = {
  name: 'storage: 64 uploads of 64 MiB at once',
  missing: isLinux,
  async run(seconds) {
    await using bench = await startBench();
    const expected = await digestOf(blocks(eachBlocks));
    const idle = await memoryOf(bench.server.pid, 'VmRSS');
    const isOver = after(seconds);
    let rounds = 0;
    do {
      const one = async (number: number) => {
        const upload = await bench.begin(`k${number}`, eachBlocks * blockBytes, expected);
        assert.equal(await patchBlocks(`${bench.files}${upload}`, eachBlocks), 204);
      };
      await Promise.all(Array.from({ length: atOnce }, (_, number) => one(number)));
      const number = rounds % atOnce;
      assert.equal(await download(`${bench.files}/public/big/k${number}`), expected);
      rounds++;
    } while (!isOver());
    const most = await memoryOf(bench.server.pid, 'VmHWM');
    const report = `${rounds} times ${atOnce} uploads: ${inMebibytes(most)} resident at most, ${inMebibytes(idle)} idle`;
    assert.ok(most - idle <= parallelBytes, report);
    return report;
  },
};

const openCount = 10_000;
/** 10 KiB a session, beside a server that has made its name index: doing that takes more than all of them. */
const openBytes = openCount * 10 * 1024;

const manyOpen: Campaign = {
  name: 'storage: 10000 open uploads',
  seconds: 1800,
  missing: isLinux,
  async run() {
    await using bench = await startBench();
    const content = randomBytes(3000);
    const expected = createHash('sha256').update(content).digest('hex');
    const uploads: string[] = [];
    const each = async (numbers: readonly number[], work: (number: number) => Promise<void>) => {
      const queue = [...numbers];
      const worker = async () => {
        for (let next = queue.pop(); next !== undefined; next = queue.pop()) await work(next);
      };
      await Promise.all(Array.from({ length: 16 }, worker));
    };
    const all = Array.from({ length: openCount }, (_, number) => number);
    await bench.makeNameIndex();
    const idle = await memoryOf(bench.server.pid, 'VmRSS');
    // From here on VmHWM speaks of the uploads alone (proc(5), clear_refs).
    await writeFile(`/proc/${bench.server.pid}/clear_refs`, '5');
    await each(all, async (number) => {
      const upload = await bench.begin(`k${number}`, content.length, expected);
      uploads[number] = upload;
      const { status } = await patchUpload(`${bench.files}${upload}`, 0, content.subarray(0, 1000));
      assert.equal(status, 204);
    });
    const most = await memoryOf(bench.server.pid, 'VmHWM');
    assert.ok(most - idle <= openBytes, `${inMebibytes(idle)} idle, ${inMebibytes(most)} with open uploads`);
    assert.equal((await bench.call('GET', '/big/uploads?limit=1')).total, openCount);
    await bench.restart();
    const times: number[] = [];
    await each(
      all.filter((number) => number % 10 === 0),
      async (number) => {
        const url = `${bench.files}${uploads[number]}`;
        const begun = performance.now();
        const head = await fetch(url, { method: 'HEAD', headers: { 'tus-resumable': '1.0.0' } });
        times.push(performance.now() - begun);
        assert.equal(head.headers.get('upload-offset'), '1000');
        assert.equal((await patchUpload(url, 1000, content.subarray(1000))).status, 204);
      },
    );
    await each(
      all.filter((number) => number % 10 === 1),
      async (number) => {
        const url = `${bench.files}${uploads[number]}`;
        const ended = await fetch(url, { method: 'DELETE', headers: { 'tus-resumable': '1.0.0' } });
        assert.equal(ended.status, 204);
      },
    );
    const { usage } = await bench.call('GET', '/big/settings');
    const left = openCount * 0.8;
    assert.deepEqual([usage.openUploads, usage.objects], [left, openCount / 10]);
    times.sort((a, b) => a - b);
    return `${openCount} open, ${inMebibytes(most - idle)} more than idle, HEAD p95 ${times[Math.floor(times.length * 0.95)]?.toFixed(1)} ms`;
  },
};

export const uploadCampaigns: readonly Campaign[] = [oneLarge, parallel, manyOpen];
