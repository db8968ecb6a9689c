import {
  AbortMultipartUploadCommand,
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectsCommand,
  GetObjectCommand,
  HeadBucketCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  S3Client,
  S3ServiceException,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { type BlobContent, BlobMissing, type BlobRange, type Blobs } from '#core/blobs.ts';
import { Problem } from '#core/problem.ts';

/** What a stream holds in memory at once; S3 accepts parts from 5 MiB on. */
const partBytes = 8 * 1024 * 1024;
/** Of one DeleteObjects. */
const deletedAtOnce = 1000;

/**
 * Blobs as objects of a bucket of any engine that speaks S3: `s3://KEY:SECRET@bucket/prefix?endpoint=…&region=…`.
 * Without a key in the address the usual places of AWS are asked. The bucket is made when it is not there.
 */
export async function openS3Blobs(address: URL, space: string): Promise<Blobs> {
  const bucket = decodeURIComponent(address.hostname);
  const folder = decodeURIComponent(address.pathname).replace(/^\/+|\/+$/g, '');
  const prefix = `${folder === '' ? '' : `${folder}/`}${space}/`;
  const client = connect(address);
  const keyOf = (name: string) => `${prefix}${name}`;
  await ensureBucket(client, bucket);

  async function send<T>(work: () => Promise<T>, name = ''): Promise<T> {
    try {
      return await work();
    } catch (error) {
      if (error instanceof S3ServiceException && error.name === 'NoSuchKey') throw new BlobMissing(name);
      throw toProblem(error);
    }
  }

  async function putLarge(name: string, parts: AsyncIterator<Buffer>, first: Buffer, second: Buffer) {
    const target = { Bucket: bucket, Key: keyOf(name) };
    const { UploadId } = await client.send(new CreateMultipartUploadCommand(target));
    const done: { ETag: string | undefined; PartNumber: number }[] = [];
    let size = 0;
    try {
      const upload = async (body: Buffer) => {
        const PartNumber = done.length + 1;
        const part = { ...target, UploadId, PartNumber, Body: body, ContentLength: body.length };
        const { ETag } = await client.send(new UploadPartCommand(part));
        done.push({ ETag, PartNumber });
        size += body.length;
      };
      await upload(first);
      await upload(second);
      for (let next = await parts.next(); !next.done; next = await parts.next()) await upload(next.value);
      const MultipartUpload = { Parts: done };
      await client.send(new CompleteMultipartUploadCommand({ ...target, UploadId, MultipartUpload }));
      return size;
    } catch (error) {
      await client.send(new AbortMultipartUploadCommand({ ...target, UploadId })).catch(() => undefined);
      throw error;
    }
  }

  async function getBody(name: string, { start, end }: BlobRange): Promise<AsyncIterable<Buffer>> {
    if (end <= start) return empty();
    const Range = `bytes=${start}-${end - 1}`;
    try {
      const { Body } = await client.send(new GetObjectCommand({ Bucket: bucket, Key: keyOf(name), Range }));
      return Body as unknown as AsyncIterable<Buffer>;
    } catch (error) {
      // A range behind the end, such as any of an empty blob.
      if (error instanceof S3ServiceException && error.name === 'InvalidRange') return empty();
      throw error;
    }
  }

  return {
    engine: 's3',

    put(name, content) {
      return send(async () => {
        const parts = inParts(content)[Symbol.asyncIterator]();
        const first = await parts.next();
        const body = first.done ? Buffer.alloc(0) : first.value;
        const second = first.done ? first : await parts.next();
        if (!second.done) return putLarge(name, parts, body, second.value);
        const target = { Bucket: bucket, Key: keyOf(name) };
        await client.send(new PutObjectCommand({ ...target, Body: body, ContentLength: body.length }));
        return body.length;
      });
    },

    read(name, range) {
      return send(async () => Buffer.concat(await Array.fromAsync(await getBody(name, range))), name);
    },

    async stream(name, range) {
      const body = await send(() => getBody(name, range), name);
      return failingAsProblems(body);
    },

    async delete(names) {
      for (let at = 0; at < names.length; at += deletedAtOnce) {
        const Objects = names.slice(at, at + deletedAtOnce).map((name) => ({ Key: keyOf(name) }));
        await send(() =>
          client.send(new DeleteObjectsCommand({ Bucket: bucket, Delete: { Objects, Quiet: true } })),
        );
      }
    },

    async list({ after, limit }) {
      const found = [];
      for (let token: string | undefined; ; ) {
        const page = await send(() =>
          client.send(
            new ListObjectsV2Command({
              ...{ Bucket: bucket, Prefix: prefix, MaxKeys: Math.min(1000, limit - found.length) },
              ...(token === undefined ? { StartAfter: keyOf(after) } : { ContinuationToken: token }),
            }),
          ),
        );
        for (const { Key = '', Size = 0, LastModified } of page.Contents ?? []) {
          const name = Key.slice(prefix.length);
          found.push({ name, size: Size, writtenAt: LastModified?.getTime() ?? 0 });
        }
        token = page.NextContinuationToken;
        if (!page.IsTruncated || token === undefined || found.length >= limit) return found;
      }
    },

    async [Symbol.asyncDispose]() {
      client.destroy();
    },
  };
}

function connect(address: URL): S3Client {
  const query = address.searchParams;
  const endpoint = query.get('endpoint');
  const { username, password } = address;
  const credentials = {
    accessKeyId: decodeURIComponent(username),
    secretAccessKey: decodeURIComponent(password),
  };
  return new S3Client({
    region: query.get('region') ?? 'us-east-1',
    forcePathStyle: query.get('pathStyle') !== 'false' && endpoint !== null,
    // Engines other than Amazon's do not all know the newer checksums; ours are in the database.
    requestChecksumCalculation: 'WHEN_REQUIRED',
    responseChecksumValidation: 'WHEN_REQUIRED',
    ...(endpoint === null ? {} : { endpoint }),
    ...(username === '' ? {} : { credentials }),
  });
}

async function ensureBucket(client: S3Client, bucket: string): Promise<void> {
  try {
    await client.send(new HeadBucketCommand({ Bucket: bucket }));
  } catch (error) {
    if (!(error instanceof S3ServiceException) || error.$metadata.httpStatusCode !== 404) throw error;
    await client.send(new CreateBucketCommand({ Bucket: bucket })).catch((failure) => {
      // Another node was quicker.
      if (failure?.name !== 'BucketAlreadyOwnedByYou') throw failure;
    });
  }
}

/** The content in buffers of `partBytes`, the last one smaller. */
async function* inParts(content: BlobContent): AsyncGenerator<Buffer> {
  if (content instanceof Uint8Array) {
    const whole = Buffer.from(content.buffer, content.byteOffset, content.length);
    for (let at = 0; at < whole.length; at += partBytes) yield whole.subarray(at, at + partBytes);
    return;
  }
  let waiting: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of content) {
    for (let at = 0; at < chunk.length; ) {
      const taken = chunk.subarray(at, at + partBytes - length);
      // A copy: the chunk's owner may use it again.
      waiting.push(Uint8Array.prototype.slice.call(taken));
      length += taken.length;
      at += taken.length;
      if (length < partBytes) continue;
      yield Buffer.concat(waiting, length);
      waiting = [];
      length = 0;
    }
  }
  if (length > 0) yield Buffer.concat(waiting, length);
}

async function* empty(): AsyncGenerator<Buffer> {}

async function* failingAsProblems(body: AsyncIterable<Buffer>): AsyncGenerator<Buffer> {
  try {
    yield* body;
  } catch (error) {
    throw toProblem(error);
  }
}

const networkCodes: ReadonlySet<string | undefined> = new Set([
  ...['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ETIMEDOUT', 'ENOTFOUND', 'EAI_AGAIN', 'EHOSTUNREACH'],
]);
const fullNames: ReadonlySet<string> = new Set(['QuotaExceeded', 'XMinioStorageFull', 'InsufficientStorage']);

/** What is the engine's fault becomes 503 or 507; what the content threw stays as it is. */
function toProblem(error: unknown): unknown {
  const isOfEngine = error instanceof S3ServiceException;
  const { code, name } = error as NodeJS.ErrnoException;
  if (isOfEngine && fullNames.has(error.name))
    return new Problem('storage_full', 'The storage is full. Nothing was stored.', { cause: error });
  if (isOfEngine || networkCodes.has(code) || name === 'TimeoutError') {
    const sentence = 'The storage cannot be reached just now. Try again shortly.';
    return new Problem('unavailable', sentence, { cause: error, retryAfterSeconds: 5 });
  }
  return error;
}
