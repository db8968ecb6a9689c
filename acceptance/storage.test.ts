import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { Readable } from 'node:stream';
import { after, before, describe, test } from 'node:test';
import {
  type Client,
  ConnectionError,
  createClient,
  downloadObject,
  type OpenUpload,
  uploadObject,
} from '../sdk/index.ts';
import { startTcpProxy } from '../server/testing/tcp-proxy.ts';
import { clientOf, refusal } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

const manual = path.join(import.meta.dirname, '../docs/storage.md');
const files = 500;
/** Each is a process or three. */
const shellFiles = 200;

/** The lines for a shell below a heading of the manual. */
async function linesOf(heading: string): Promise<string> {
  const text = `\n${await readFile(manual, 'utf8')}`;
  const start = text.indexOf(`\n${heading}\n`);
  assert.ok(start >= 0, `${heading} is in the manual`);
  const section = text.slice(start + 1).split(/\n## /)[0] ?? '';
  return [...section.matchAll(/^```sh\n(.*?)^```$/gms)].map(([, lines]) => lines).join('\n');
}

for (const name of targetNames) {
  describe(`storage on ${name}`, () => {
    const bucket = `acceptance-${randomUUID().slice(0, 8)}`;
    let target: Target & AsyncDisposable;
    let client: Client;
    let applicationId: string;
    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'application');
      const { items } = await client.applications.list();
      applicationId = items[0]?.id ?? '';
      await client.storage.createBucket(applicationId, { name: bucket });
    });
    after(async () => {
      await client.storage.deleteBucket(applicationId, bucket);
      await target[Symbol.asyncDispose]();
    });

    test('a small object is stored, read, deleted and restored', async () => {
      const body = new Blob(['hello'], { type: 'text/plain' });
      const object = await client.storage.putObject(applicationId, bucket, 'notes/hello.txt', body);
      assert.deepEqual([object.contentLength, object.contentType], [5, 'text/plain']);
      const place = { applicationId, bucket, objectId: object.id };
      assert.equal(await (await downloadObject(client, place)).text(), 'hello');
      const part = await downloadObject(client, { ...place, range: { start: 1, end: 3 } });
      assert.equal(await part.text(), 'el');
      const folders = await client.storage.listObjects(applicationId, bucket);
      assert.deepEqual(folders.commonPrefixes, ['notes/']);
      await client.storage.deleteObject(applicationId, bucket, object.id);
      await refusal(404, client.storage.getObject(applicationId, bucket, object.id));
      const { items } = await client.storage.listTrash(applicationId, bucket);
      assert.deepEqual(
        items.map(({ id }) => id),
        [object.id],
      );
      const restored = await client.storage.restoreObject(applicationId, bucket, object.id);
      assert.equal(restored.id, object.id);
    });

    test('a large object is uploaded, given up, and gone on with', async () => {
      const content = new Blob([randomBytes(3_000_000)]);
      let open: OpenUpload | undefined;
      const giveUp = new AbortController();
      const options = { applicationId, bucket, key: 'large.bin', content, chunkBytes: 500_000 };
      const first = uploadObject(client, {
        ...options,
        signal: giveUp.signal,
        onOpen: (upload) => {
          open = upload;
        },
        onProgress: ({ phase, bytes }) => {
          if (phase === 'upload' && bytes >= 1_000_000) giveUp.abort(new Error('stopped'));
        },
      });
      await assert.rejects(first, /stopped/);
      const seen: number[] = [];
      const { uploadId } = await uploadObject(client, {
        ...options,
        resume: open,
        onProgress: ({ phase, bytes }) => {
          if (phase === 'upload') seen.push(bytes);
        },
      });
      assert.equal(uploadId, open?.id);
      assert.ok((seen[0] ?? 0) >= 1_000_000, 'not from the start');
      const session = await client.storage.getUpload(applicationId, bucket, uploadId);
      assert.equal(session.state, 'completed');
      const { items } = await client.storage.listObjects(applicationId, bucket, { prefix: 'large.bin' });
      const response = await downloadObject(client, { applicationId, bucket, objectId: items[0]?.id ?? '' });
      const bytes = Buffer.from(await response.arrayBuffer());
      assert.ok(bytes.equals(Buffer.from(await content.arrayBuffer())));
    });

    test('a stream is uploaded, the web’s own or one of Node', async () => {
      const bytes = randomBytes(300_000);
      const streams = {
        'web.bin': new Blob([bytes]).stream(),
        'node.bin': Readable.from([bytes.subarray(0, 100_000), bytes.subarray(100_000)]),
      };
      for (const [key, content] of Object.entries(streams)) {
        await uploadObject(client, { applicationId, bucket, key, content, chunkBytes: 100_000 });
        const { items } = await client.storage.listObjects(applicationId, bucket, { prefix: key });
        const objectId = items[0]?.id ?? '';
        const response = await downloadObject(client, { applicationId, bucket, objectId });
        assert.ok(Buffer.from(await response.arrayBuffer()).equals(bytes), key);
      }
    });

    test('all objects of a bucket are walked through', async () => {
      for (let count = 0; count < 5; count++)
        await client.storage.putObject(applicationId, bucket, `walk/${count}`, new Blob([String(count)]));
      const keys: string[] = [];
      const query = { prefix: 'walk/', delimiter: '', limit: 2 };
      for await (const { key } of client.storage.listObjects(applicationId, bucket, query)) keys.push(key);
      assert.deepEqual(keys, ['walk/0', 'walk/1', 'walk/2', 'walk/3', 'walk/4']);
    });

    test('a folder of 500 files arrives although the network is cut, and one is shared, deleted and restored', async (t) => {
      const { protocol, hostname, port } = new URL(target.url);
      if (protocol !== 'http:') return t.skip('What is encrypted cannot be passed on.');
      await using network = await startTcpProxy({ host: hostname, port: Number(port || 80) });
      const { id: clientId, secret: clientSecret } = target.keys.application;
      const baseUrl = `http://127.0.0.1:${network.port}`;
      const far = createClient({ baseUrl, clientId, clientSecret, retries: 1 });
      const keys = Array.from({ length: files }, (_, at) => `album/${Math.floor(at / 50)}/picture ${at}.txt`);
      const isThere = async () => {
        const found = new Set<string>();
        const query = { prefix: 'album/', delimiter: '', limit: 1000 };
        for await (const { key } of client.storage.listObjects(applicationId, bucket, query)) found.add(key);
        return found;
      };
      let stored = 0;
      const drop = async (wanted: readonly string[], cutAt: number) => {
        const queue = [...wanted];
        const worker = async () => {
          for (let key = queue.shift(); key !== undefined; key = queue.shift()) {
            await far.storage.putObject(applicationId, bucket, key, new Blob([`content of ${key}`]));
            stored += 1;
            if (stored === cutAt) network.refuse();
          }
        };
        const ended = await Promise.allSettled(Array.from({ length: 8 }, worker));
        return ended.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
      };
      const failures = await drop(keys, 200);
      assert.ok(failures.length > 0);
      for (const failure of failures) assert.ok(failure instanceof ConnectionError, String(failure));
      const before = await isThere();
      assert.ok(before.size >= 200 && before.size < files, `${before.size}`);
      await network.accept();
      const missing = keys.filter((key) => !before.has(key));
      assert.deepEqual(await drop(missing, Number.POSITIVE_INFINITY), []);
      assert.deepEqual(await isThere(), new Set(keys));

      const { items } = await client.storage.listObjects(applicationId, bucket, {
        prefix: 'album/3/',
        limit: 1,
      });
      const [shared] = items;
      assert.ok(shared);
      const link = await client.storage.accessUrl(applicationId, bucket, shared.id, {
        expiresInSeconds: 3600,
      });
      assert.equal(await (await fetch(link.url)).text(), `content of ${shared.key}`);
      await client.storage.deleteObject(applicationId, bucket, shared.id);
      assert.equal((await fetch(link.url)).status, 404);
      await client.storage.restoreObject(applicationId, bucket, shared.id);
      assert.equal(await (await fetch(link.url)).text(), `content of ${shared.key}`);
    });

    test('the lines of the manual do the same in a shell', async () => {
      const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-storage-'));
      const own = `${bucket}-shell`;
      const { id: KEY_ID, secret: KEY_SECRET } = target.keys.application;
      const env = { PATH: process.env['PATH'] ?? '', KEY_ID, KEY_SECRET, APPLICATION_ID: applicationId };
      // What the API refuses ends the script, with its answer.
      const strict = 'set -eo pipefail\ncurl() { command curl --fail-with-body -sS "$@"; }\n';
      const of = async (heading: string) =>
        (await linesOf(heading))
          .replaceAll('http://localhost:4000', target.url)
          .replaceAll(/\/photos\b/g, `/${own}`)
          .replaceAll('"photos"', `"${own}"`);
      const run = async (script: string, { cutAfter }: { cutAfter?: number } = {}) => {
        const child = spawn('bash', ['--norc', '-c', strict + script], {
          ...{ cwd: folder, env, detached: true },
          stdio: ['ignore', 'pipe', 'pipe'],
        });
        let output = '';
        let lines = 0;
        const heard = (chunk: Buffer) => {
          output += chunk;
          lines = output.split('\n').length;
          // The terminal is closed: everything in it ends.
          if (cutAfter !== undefined && lines > cutAfter && child.pid) process.kill(-child.pid, 'SIGKILL');
        };
        child.stdout.on('data', heard);
        child.stderr.on('data', heard);
        const code = await new Promise<number | null>((resolve) => child.on('close', resolve));
        return { code, output };
      };
      const setup = await of('# Storage');
      try {
        const walk = [...['## Store, list, share', '## Large files', '## Trash, versions, rules'].map(of)];
        const walked = await run([setup, ...(await Promise.all(walk))].join('\n'));
        assert.equal(walked.code, 0, walked.output);
        assert.match(walked.output, /hello$/m);
        assert.match(walked.output, /upload-offset: 5000000/i);

        const folderLines = await of('## A folder, from a shell');
        const made = `mkdir album; for n in $(seq ${shellFiles}); do echo "picture $n" > "album/picture $n.txt"; done`;
        assert.equal((await run(made)).code, 0);
        const cut = await run(`${setup}\n${folderLines}`, { cutAfter: 60 });
        assert.equal(cut.code, null);
        const listed = async () => {
          const query = { prefix: 'album/', delimiter: '', limit: 1000 };
          return (await client.storage.listObjects(applicationId, own, query)).items.length;
        };
        const before = await listed();
        assert.ok(before >= 40 && before < shellFiles, `${before}`);
        const again = await run(`${setup}\n${folderLines}`);
        assert.equal(again.code, 0, again.output);
        assert.equal(await listed(), shellFiles);
      } finally {
        await client.storage.deleteBucket(applicationId, own).catch(() => {});
        await rm(folder, { recursive: true, force: true });
      }
    });
  });
}
