import { createHash, type Hash } from 'node:crypto';
import { type BlobContent, BlobMissing, type BlobRange, type Blobs, newBlobName } from '#core/blobs.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { Problem } from '#core/problem.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import { listPieces } from './blob-store.ts';
import { decrypt, decryptSmall, encrypt, encryptSmall, sealedRange } from './cipher.ts';
import { findInline, findObject, isInline, type ObjectRow, type ReadableRow } from './object-store.ts';
import type { BucketRow } from './store.ts';

const keyContext = (id: string) => `storage_buckets.data_key:${id}`;
const webhookContext = (id: string) => `storage_buckets.webhook_secret:${id}`;

export const sealedStorage: readonly SealedColumn[] = [
  { table: 'storage_buckets', column: 'data_key', key: ['id'], context: ({ id = '' }) => keyContext(id) },
  {
    table: 'storage_buckets',
    column: 'webhook_secret',
    key: ['id'],
    context: ({ id = '' }) => webhookContext(id),
  },
];

export type HashName = 'md5' | 'sha1' | 'sha256';

/** Content that no row names yet: in a blob, or, of a small object, still in memory. */
export interface Written {
  /** Null: there are no bytes, or they are in `inline`. */
  blob: string | null;
  /** To be stored with the row of the object, and not encrypted yet. */
  inline: Buffer | null;
  size: number;
  encrypted: number;
  /** Hexadecimal; those that were asked for. */
  digests: Partial<Record<HashName, string>>;
  /** The first bytes, for sniffing. */
  head: Buffer;
}

const headBytes = 64;
/** In the column `encrypted`: the key is not ours (SSE-C). */
const underCustomerKey = 2;

/** Objects up to this size are kept in memory for a while: opening a file costs more than the rest of an answer. */
const keptBytes = 32 * 1024;
const allKeptBytes = 8 * 1024 * 1024;
/** What was fixed by hand on the disk is seen after so long. */
const keptMilliseconds = 60_000;

type Stored = Pick<ObjectRow, 'blob' | 'content_id' | 'content_length' | 'encrypted'> &
  Partial<Pick<ReadableRow, 'id' | 'inline'>>;

/** Writes content of buckets into blobs and reads it back, encrypted where it is. */
export class Contents {
  readonly #db: Db;
  readonly #blobs: Blobs;
  readonly #vault: Vault;
  readonly #clock: Clock;
  readonly #keys = new LazyLru<string, Buffer>({ max: 1000 });
  /** By blob. A blob never changes and its name is never used again: nothing here is ever wrong. */
  readonly #kept = new LazyLru<string, Buffer>({
    ...{ maxSize: allKeptBytes, sizeCalculation: (bytes: Buffer) => bytes.length + 256 },
    ...{ ttl: keptMilliseconds, ttlResolution: 1000 },
  });
  /** Whether new content is encrypted. */
  readonly encrypts: boolean;
  /** Content of objects up to this size stays with their row. */
  readonly #inlineBytes: number;

  constructor(deps: {
    db: Db;
    blobs: Blobs;
    vault: Vault;
    clock: Clock;
    encrypts: boolean;
    inlineBytes: number;
  }) {
    this.#db = deps.db;
    this.#blobs = deps.blobs;
    this.#vault = deps.vault;
    this.#clock = deps.clock;
    this.encrypts = deps.encrypts;
    this.#inlineBytes = deps.inlineBytes;
  }

  sealKey(bucketId: string, key: Buffer): Buffer {
    return this.#vault.encrypt(keyContext(bucketId), key);
  }

  sealWebhookSecret(bucketId: string, secret: string): Buffer {
    return this.#vault.encrypt(webhookContext(bucketId), secret);
  }

  openWebhookSecret({ id, webhook_secret }: BucketRow): string {
    return this.#vault.decryptText(webhookContext(id), webhook_secret ?? new Uint8Array());
  }

  /**
   * Stores content durably under a new blob. The caller commits a row that names it, or leaves it to the sweeper.
   * With `mayInline`, small content is handed back instead, for the row to bring it along: see `sealInline`.
   * Throws `Problem('too_large')` past `maxBytes`, and whatever the content throws; nothing is stored then.
   */
  async write(
    bucket: BucketRow,
    content: BlobContent,
    options: {
      hashes: readonly HashName[];
      maxBytes?: number;
      encrypted?: boolean;
      /** Encrypts under a key that only the customer has. */
      customerKey?: Buffer | undefined;
      mayInline?: boolean;
    },
  ): Promise<Written> {
    const watch = new Watch(options.hashes.map(newHash), options.maxBytes ?? Number.MAX_SAFE_INTEGER);
    const { customerKey, encrypted = this.encrypts, mayInline = false } = options;
    const { inline, rest } = await watch.begin(content, mayInline && !customerKey ? this.#inlineBytes : 0);
    const blob = rest ? newBlobName(this.#clock.now()) : null;
    if (rest && blob !== null) {
      if (customerKey) await this.#blobs.put(blob, encrypt(customerKey, blob, rest));
      else await this.put(bucket, blob, rest, encrypted);
    }
    return {
      ...{ blob, inline, size: watch.size },
      encrypted: customerKey ? underCustomerKey : encrypted ? 1 : 0,
      digests: watch.digests(),
      head: watch.head,
    };
  }

  /** Bytes of a small object as they are stored with its row. */
  sealInline(bucket: BucketRow, row: Pick<ObjectRow, 'id' | 'encrypted'>, bytes: Buffer): Buffer {
    return row.encrypted ? encryptSmall(this.#keyOf(bucket), row.id, bytes) : bytes;
  }

  /** Bytes of a small object, for whoever has read its row: `db` is what it was read through. */
  async readInline(db: Db | Tx, bucket: BucketRow, object: Stored): Promise<Buffer> {
    const { id = '', encrypted } = object;
    const stored = object.inline ?? (await findInline(db, id));
    if (!stored) throw new BlobMissing(id);
    if (encrypted) return decryptSmall(this.#keyOf(bucket), id, stored);
    return Buffer.from(stored.buffer, stored.byteOffset, stored.length);
  }

  /** Stores one blob as new content is stored, and no more. */
  put(bucket: BucketRow, blob: string, content: BlobContent, encrypted = this.encrypts): Promise<number> {
    const stored = encrypted ? encrypt(this.#keyOf(bucket), blob, content) : content;
    return this.#blobs.put(blob, stored);
  }

  /** A blob without bytes, where a row has to name one. */
  putEmpty(blob: string): Promise<number> {
    return this.#blobs.put(blob, new Uint8Array());
  }

  /** The bytes of a range, opened before this resolves. */
  async open(
    bucket: BucketRow,
    object: Stored,
    range: BlobRange,
    customerKey?: Buffer,
  ): Promise<AsyncIterable<Buffer>> {
    if (isInline(object))
      return once((await this.#inlineOf(bucket, object)).subarray(range.start, range.end));
    const { blob, content_id, content_length: size, encrypted } = object;
    const key = encrypted ? this.#keyFor(bucket, encrypted, customerKey) : undefined;
    if (blob !== null) return this.#openBlob(key, { blob, size }, range);
    if (content_id === null || range.end <= range.start) return nothing();
    const pieces = await listPieces(this.#db, content_id, range);
    const open = ({ blob: piece, start, size: length }: (typeof pieces)[number]) =>
      this.#openBlob(
        key,
        { blob: piece, size: length },
        { start: Math.max(0, range.start - start), end: Math.min(length, range.end - start) },
      );
    const [first, ...others] = pieces;
    if (!first) throw new Error(`The content ${content_id} has no pieces.`);
    const opened = await open(first);
    return (async function* () {
      yield* opened;
      for (const piece of others) yield* await open(piece);
    })();
  }

  /** The same, all at once: for ranges that fit in memory. */
  async read(bucket: BucketRow, object: Stored, range: BlobRange, customerKey?: Buffer): Promise<Buffer> {
    if (isInline(object)) return (await this.#inlineOf(bucket, object)).subarray(range.start, range.end);
    const { blob, encrypted, content_length: size } = object;
    if (blob !== null && !encrypted)
      return size <= keptBytes ? this.#readKept(blob, size, range) : this.#blobs.read(blob, range);
    return Buffer.concat(await Array.fromAsync(await this.open(bucket, object, range, customerKey)));
  }

  async #inlineOf(bucket: BucketRow, object: Stored): Promise<Buffer> {
    try {
      return await this.readInline(this.#db, bucket, object);
    } catch (error) {
      // It went with its row, which somebody has replaced or removed since it was read.
      const isGone =
        error instanceof BlobMissing && !(await findObject(this.#db, bucket.id, object.id ?? ''));
      if (!isGone) throw error;
      const sentence = 'The object was replaced or removed while it was read. Try again.';
      throw new Problem('unavailable', sentence, { cause: error, retryAfterSeconds: 1 });
    }
  }

  async #readKept(blob: string, size: number, { start, end }: BlobRange): Promise<Buffer> {
    let bytes = this.#kept.get(blob);
    if (!bytes) {
      const read = await this.#blobs.read(blob, { start: 0, end: size });
      // In memory of its own: small buffers are parts of large ones, which would be kept with them.
      bytes = Buffer.allocUnsafeSlow(read.length);
      read.copy(bytes);
      if (read.length === size) this.#kept.set(blob, bytes);
    }
    return bytes.subarray(start, end);
  }

  async #openBlob(
    key: Buffer | undefined,
    { blob, size }: { blob: string; size: number },
    range: BlobRange,
  ): Promise<AsyncIterable<Buffer>> {
    if (!key) return this.#blobs.stream(blob, range);
    const stored = await this.#blobs.stream(blob, sealedRange(range, size));
    return decrypt(key, blob, stored, range);
  }

  #keyFor(bucket: BucketRow, encrypted: number, customerKey: Buffer | undefined): Buffer {
    if (encrypted !== underCustomerKey) return this.#keyOf(bucket);
    if (customerKey) return customerKey;
    const sentence = 'The object is encrypted with a customer-provided key. Get it over S3 with that key.';
    throw new Problem('forbidden', sentence);
  }

  #keyOf({ id, data_key }: BucketRow): Buffer {
    const known = this.#keys.get(id);
    if (known) return known;
    if (!data_key) throw new Error(`The bucket ${id} has no key.`);
    const key = this.#vault.decrypt(keyContext(id), data_key);
    this.#keys.set(id, key);
    return key;
  }
}

async function* nothing(): AsyncGenerator<Buffer> {}

async function* once(bytes: Buffer): AsyncGenerator<Buffer> {
  if (bytes.length > 0) yield bytes;
}

function newHash(name: HashName): readonly [HashName, Hash] {
  return [name, createHash(name)];
}

/** Counts, hashes and bounds content on its way. */
class Watch {
  size = 0;
  head = Buffer.alloc(0);
  readonly #hashes: readonly (readonly [HashName, Hash])[];
  readonly #maxBytes: number;

  constructor(hashes: readonly (readonly [HashName, Hash])[], maxBytes: number) {
    this.#hashes = hashes;
    this.#maxBytes = maxBytes;
  }

  /** Content up to `small` bytes as a whole, larger content as what is to be stored; neither when it is empty. */
  async begin(
    content: BlobContent,
    small: number,
  ): Promise<{ inline: Buffer | null; rest: BlobContent | undefined }> {
    if (content instanceof Uint8Array) {
      this.#see(content);
      if (content.length > small) return { inline: null, rest: content };
      return { inline: content.length > 0 ? Buffer.from(content) : null, rest: undefined };
    }
    const iterator = content[Symbol.asyncIterator]();
    const gathered: Uint8Array[] = [];
    try {
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        this.#see(next.value);
        if (this.size > small) return { inline: null, rest: this.#rest([...gathered, next.value], iterator) };
        // Whoever yielded it may use its memory again.
        if (next.value.length > 0) gathered.push(Uint8Array.from(next.value));
      }
    } catch (error) {
      await iterator.return?.();
      throw error;
    }
    return { inline: this.size > 0 ? Buffer.concat(gathered) : null, rest: undefined };
  }

  async *#rest(seen: readonly Uint8Array[], iterator: AsyncIterator<Uint8Array>): AsyncGenerator<Uint8Array> {
    try {
      yield* seen;
      for (let next = await iterator.next(); !next.done; next = await iterator.next()) {
        this.#see(next.value);
        yield next.value;
      }
    } finally {
      await iterator.return?.();
    }
  }

  #see(chunk: Uint8Array): void {
    if (this.size + chunk.length > this.#maxBytes) {
      throw new Problem('too_large', `The content is larger than the ${this.#maxBytes} bytes allowed here.`);
    }
    if (this.head.length < headBytes)
      this.head = Buffer.concat([this.head, chunk.subarray(0, headBytes - this.head.length)]);
    this.size += chunk.length;
    for (const [, hash] of this.#hashes) hash.update(chunk);
  }

  digests(): Partial<Record<HashName, string>> {
    return Object.fromEntries(this.#hashes.map(([name, hash]) => [name, hash.digest('hex')]));
  }
}
