import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import {
  CompleteMultipartUploadCommand,
  CreateBucketCommand,
  CreateMultipartUploadCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListObjectsV2Command,
  PutObjectCommand,
  type S3Client,
  UploadPartCommand,
} from '@aws-sdk/client-s3';
import { bytesOf, type S3Keys } from '#testing/s3-client.ts';

const Bucket = 'load';
const keysOfWriter = 8;
const digest = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Undefined: there is no object. */
type State = string | undefined;

/**
 * Writers of S3, each on keys of its own: what a key holds is one of the last acknowledged write and of those after it
 * whose answers never came.
 */
export class S3Load {
  readonly keys: S3Keys;
  acknowledged = 0;
  #unknown = 0;
  readonly #possible = new Map<string, Set<State>>();

  constructor(keys: S3Keys) {
    this.keys = keys;
  }

  async prepare(client: S3Client): Promise<void> {
    await client.send(new CreateBucketCommand({ Bucket }));
  }

  /** Never throws: a server may be killed meanwhile. `from`: the number of the first writer. */
  async run(
    client: S3Client,
    options: { writers: number; from?: number; isOver: () => boolean },
  ): Promise<void> {
    const { writers, from = 0 } = options;
    const writer = async (number: number) => {
      for (let at = 0; !options.isOver(); at++) {
        const Key = `writer-${number}/${at % keysOfWriter}`;
        const body = randomBytes(1 + ((at * 7919) % 40_000));
        const isDeletion = at % 5 === 4;
        const next = isDeletion ? undefined : digest(body);
        const possible = this.#possible.get(Key) ?? new Set<State>([undefined]);
        possible.add(next);
        this.#possible.set(Key, possible);
        try {
          if (isDeletion) await client.send(new DeleteObjectCommand({ Bucket, Key }));
          else if (at % 3 === 0) await putInParts(client, Key, body);
          else await client.send(new PutObjectCommand({ Bucket, Key, Body: body }));
          this.acknowledged++;
          this.#possible.set(Key, new Set([next]));
        } catch {
          this.#unknown++;
          await new Promise((resolve) => setTimeout(resolve, 5));
        }
      }
    };
    await Promise.all(Array.from({ length: writers }, (_, number) => writer(from + number)));
  }

  /** Reads every key and the list, which have to be what the writers know. */
  async verify(client: S3Client): Promise<string> {
    const listed = new Set<string>();
    const { Contents = [] } = await client.send(new ListObjectsV2Command({ Bucket }));
    for (const { Key } of Contents) listed.add(Key ?? '');
    for (const [Key, possible] of this.#possible) {
      const found = await client.send(new GetObjectCommand({ Bucket, Key })).then(
        async (answer) => digest(await bytesOf(answer)),
        (error: Error) => {
          if (error.name !== 'NoSuchKey') throw error;
          return undefined;
        },
      );
      assert.ok(possible.has(found), `${Key} holds what nobody wrote last`);
      assert.equal(listed.has(Key), found !== undefined, `${Key} in the list`);
      this.#possible.set(Key, new Set([found]));
    }
    return `${this.acknowledged} writes acknowledged, ${this.#unknown} unknown, ${listed.size} objects whole`;
  }
}

async function putInParts(client: S3Client, Key: string, Body: Buffer): Promise<void> {
  const { UploadId } = await client.send(new CreateMultipartUploadCommand({ Bucket, Key }));
  const part = { Bucket, Key, UploadId, PartNumber: 1 };
  const { ETag } = await client.send(new UploadPartCommand({ ...part, Body }));
  const MultipartUpload = { Parts: [{ PartNumber: 1, ETag }] };
  await client.send(new CompleteMultipartUploadCommand({ Bucket, Key, UploadId, MultipartUpload }));
}
