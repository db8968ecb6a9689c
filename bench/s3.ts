import { createHash, randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { freePort } from '../scripts/postgres.ts';
import { sign } from '../server/areas/s3/testing/sign.ts';
import { newId } from '../server/core/ids.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { aws, makeS3Keys, newS3Client } from '../server/testing/s3-client.ts';
import type { Contestant } from './lib/contestant.ts';
import { measure, type Request } from './lib/load.ts';
import { startMainstay, startScript } from './lib/mainstay.ts';
import { startNginx } from './lib/nginx.ts';

/**
 * The S3 endpoint against nginx and a bare Node server that serve the same bytes from files, in one run: CPU milliseconds of
 * the server a request, beside what issue 15 asks. `--keys N`: how many keys the list is of (1 000 000 when nothing is said).
 */

const keyCount = Number(process.argv[process.argv.indexOf('--keys') + 1]) || 1_000_000;
const load = { seconds: 4, connections: 16 };
const Bucket = 'bench';
const partCount = 1000;

const sha256 = (bytes: Uint8Array | string) => createHash('sha256').update(bytes).digest('hex');
const rows: [name: string, milliseconds: number, goal: number | undefined][] = [];

const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const settings = { MAINSTAY_DATA_DIR: path.join(folder, 'data') };
  const { keys, application } = await bootstrapCommand(settings);
  const port = await freePort();
  await using server = await startMainstay({ ...settings, MAINSTAY_S3_PORT: String(port) });
  const endpoint = `http://127.0.0.1:${port}`;
  const credential = await makeS3Keys(server.url, keys.application, application.id);
  const client = newS3Client(endpoint, credential);
  await client.send(new aws.CreateBucketCommand({ Bucket }));

  const small = 'x'.repeat(4096);
  await client.send(new aws.PutObjectCommand({ Bucket, Key: 'file', Body: small }));
  const host: Contestant = { ...server, url: endpoint, [Symbol.asyncDispose]: async () => undefined };
  const signed = (method: Request['method'], at: string, body = ''): Request => {
    const address = `/${Bucket}/${at}`;
    const target = { host: `127.0.0.1:${port}`, method, path: address, payload: sha256(body) };
    return {
      ...{ method, path: address, headers: sign({ ...credential, ...target }) },
      ...(body === '' ? {} : { body }),
    };
  };
  const flood = async (name: string, contestant: Contestant, requests: Request[], goal?: number) => {
    await measure(contestant, requests, { ...load, seconds: 2 });
    const { cpuMicros } = await measure(contestant, requests, load);
    rows.push([name, cpuMicros / 1000, goal]);
  };
  await flood('GET 4 KiB', host, [signed('GET', 'file')], 0.5);
  const puts = Array.from({ length: 100 }, (_, at) => signed('PUT', `put-${at}`, small));
  await flood('PUT 4 KiB, durable', host, puts, 0.8);

  /** CPU of the server for each of so many, one after the other. */
  const timed = async (name: string, count: number, goal: number, work: (at: number) => Promise<unknown>) => {
    await work(0);
    const before = await server.cpuSeconds();
    for (let at = 1; at <= count; at++) await work(at);
    rows.push([name, (((await server.cpuSeconds()) - before) * 1000) / count, goal]);
  };
  const large = randomBytes(16 * 1024 * 1024);
  const checked = { ContentMD5: createHash('md5').update(large).digest('base64') };
  const ChecksumSHA256 = createHash('sha256').update(large).digest('base64');
  await timed('PUT 16 MiB, MD5 and SHA-256', 12, 80, (at) =>
    client.send(
      new aws.PutObjectCommand({ Bucket, Key: `large-${at}`, Body: large, ...checked, ChecksumSHA256 }),
    ),
  );

  const uploads: { Key: string; UploadId: string | undefined; Parts: aws.CompletedPart[] }[] = [];
  for (let upload = 0; upload < 13; upload++) {
    const Key = `parts-${upload}`;
    const { UploadId } = await client.send(new aws.CreateMultipartUploadCommand({ Bucket, Key }));
    const { ETag } = await client.send(
      new aws.UploadPartCommand({ Bucket, Key, UploadId, PartNumber: 1, Body: 'x' }),
    );
    const Parts = Array.from({ length: partCount }, (_, at) => ({ PartNumber: at + 1, ETag }));
    uploads.push({ Key, UploadId, Parts });
  }
  fillParts(path.join(folder, 'data/mainstay.db'));
  await timed(`complete of ${partCount} parts`, uploads.length - 1, 50, (at) => {
    const { Key, UploadId, Parts } = uploads[at] as (typeof uploads)[number];
    const complete = { Bucket, Key, UploadId, MultipartUpload: { Parts } };
    return client.send(new aws.CompleteMultipartUploadCommand(complete));
  });

  await client.send(new aws.CreateBucketCommand({ Bucket: 'many' }));
  fillKeys(path.join(folder, 'data/mainstay.db'));
  let ContinuationToken: string | undefined;
  await timed(`list 1000 of ${keyCount}`, 50, 15, async () => {
    const more = ContinuationToken === undefined ? {} : { ContinuationToken };
    const listed = await client.send(new aws.ListObjectsV2Command({ Bucket: 'many', ...more }));
    ContinuationToken = listed.NextContinuationToken;
  });
  client.destroy();

  await writeFile(path.join(folder, 'plain-file'), small);
  {
    await using floor = await startScript('floor-files.ts', [folder]);
    await flood('bare Node: GET 4 KiB', floor, [{ method: 'GET', path: '/plain-file' }]);
    const put = { method: 'PUT' as const, path: '/put', body: small };
    await flood('bare Node: PUT 4 KiB, not durable', floor, [put]);
    await flood('bare Node: PUT 4 KiB, durable', floor, [{ ...put, headers: { 'x-durable': 'yes' } }]);
  }
  await using nginx = await startNginx(folder);
  if (nginx) await flood('nginx: GET 4 KiB', nginx, [{ method: 'GET', path: '/plain-file' }]);
  else console.log('nginx is not installed: apt-get install nginx-light');
  console.log(
    's3rver is no part of this run: it is built on koa 2 and busboy 0.3, and is no dependency of ours.',
  );
  console.log('CPU of the server a request, in milliseconds');
  for (const [name, milliseconds, goal] of rows) {
    const verdict = goal === undefined ? '' : `goal ${goal}${milliseconds <= goal ? '' : ', MISSED'}`;
    console.log(`  ${name.padEnd(34)} ${milliseconds.toFixed(3).padStart(9)} ms  ${verdict}`);
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** Parts of the smallest size that may stand before others, without their bytes: a complete reads none of them. */
function fillParts(file: string): void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  db.exec(`
    create temp table firsts as select * from storage_pieces where number = 1 and content_id in
      (select id from storage_uploads where kind = 'multipart' and key like 'parts-%');
    with recursive n(n) as (select 2 union all select n + 1 from n where n < ${partCount})
    insert into storage_pieces (content_id, number, blob, start, size, details, created_at)
    select content_id, n, blob || '-' || n, 0, 5242880, details, created_at from firsts, n;
    update storage_pieces set size = 5242880 where content_id in (select content_id from firsts);
  `);
  db.close();
}

function fillKeys(file: string): void {
  const db = new DatabaseSync(file, { timeout: 60_000 });
  const { id } = db.prepare("select id from storage_buckets where slug = 'many'").get() as { id: string };
  const now = Date.now();
  db.exec('pragma synchronous = off; pragma cache_size = -200000');
  db.exec(`
    with recursive n(n) as (select 0 union all select n + 1 from n where n + 1 < ${keyCount})
    insert into storage_objects (id, key, bucket_id, state, delete_marker, null_version, content_length, etag, encrypted,
      attributes, legal_hold, uploaded_at, created_at, updated_at)
    select printf('${newId().slice(0, 14)}7000-8000-%012x', n), printf('folder-%07d/file-%d', n / 100, n),
      '${id}', 'live', 0, 1, 0, 'x', 0, '{}', 0, ${now}, ${now}, ${now} from n`);
  db.close();
}
