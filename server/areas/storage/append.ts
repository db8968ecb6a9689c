import { createHash, type Hash } from 'node:crypto';
import { UniqueViolation } from '#core/db.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { Problem } from '#core/problem.ts';
import {
  insertGarbage,
  insertPieces,
  listPieces,
  type PieceRow,
  piecesFrom,
  removePiece,
} from './blob-store.ts';
import { bucketGone, type StorageDeps } from './rules.ts';
import type { BucketRow } from './store.ts';
import { type Running, RunningHashes } from './upload-hashes.ts';
import { findUpload, type UploadRow, updateUpload } from './upload-store.ts';
import { completeUpload, isOpen } from './uploads.ts';

/** What one blob of an upload holds at most: what is lost of a process that is killed. */
const pieceBytes = 16 * 1024 * 1024;
/** A client that sends little at a time makes small pieces: after so many of them they become larger ones. */
const smallBytes = 256 * 1024;
const compactAfter = 64;

/** The bytes that came are not those that their checksum names: nothing of them is kept. */
export class ChecksumMismatch extends Error {
  override name = 'ChecksumMismatch';
}

/** Another request has moved the session on. */
export function offsetConflict(received: number): Problem {
  return new Problem(
    'conflict',
    `The upload continues at offset ${received}. Get the offset with HEAD and resume from there.`,
  );
}

function sentInParts(): Problem {
  return new Problem('conflict', 'Parts of this upload have come by PUT: send the missing ones so, too.');
}

export interface Arriving {
  offset: number;
  content: AsyncIterable<Uint8Array>;
  /** Of this request's bytes: they are kept together or not at all. */
  checksum?: { algorithm: 'sha1' | 'sha256' | 'md5'; digest: string } | undefined;
}

/**
 * Takes bytes of a session in, a piece at a time, each committed once it is durable: a process that is killed loses one
 * piece, and any node continues from there. When the content just ends, what came of it is kept.
 */
export class Appender {
  readonly #deps: StorageDeps;
  readonly #running = new RunningHashes();
  /** Small requests of a session since its pieces were made larger. */
  readonly #small = new LazyLru<string, number>({ max: 20_000 });

  constructor(deps: StorageDeps) {
    this.#deps = deps;
  }

  /** Returns the session as it is then: completed or failed when its last byte has come. */
  async append(bucket: BucketRow, begun: UploadRow, arriving: Arriving): Promise<UploadRow> {
    if (arriving.offset !== begun.received) throw offsetConflict(begun.received);
    const slices = new Slices(arriving.content);
    const check = arriving.checksum ? createHash(arriving.checksum.algorithm) : undefined;
    let row = begun;
    let running = this.#running.get(row);
    if (arriving.checksum && check) {
      const step = await this.#keepTogether(bucket, row, slices, { ...arriving.checksum, hash: check });
      ({ row, running } = step);
    } else {
      while (await slices.more()) {
        const step = await this.#piece(bucket, row, running, slices);
        ({ row, running } = step);
      }
    }
    if (running) this.#running.set(row.id, running);
    if (row.received !== row.content_length) {
      await this.#compactSometimes(bucket, begun, row);
      return row;
    }
    this.#running.forget(row.id);
    return completeUpload(this.#deps, bucket, row, running?.digests());
  }

  async #compactSometimes(bucket: BucketRow, before: UploadRow, after: UploadRow): Promise<void> {
    if (after.received - before.received > smallBytes) return;
    const small = (this.#small.get(after.id) ?? 0) + 1;
    this.#small.set(after.id, small % compactAfter);
    if (small === compactAfter) await this.#compact(bucket, after);
  }

  async #piece(
    bucket: BucketRow,
    row: UploadRow,
    running: Running | undefined,
    slices: Slices,
  ): Promise<{ row: UploadRow; running: Running | undefined }> {
    const fork = running?.fork();
    const room = (row.content_length ?? Number.MAX_SAFE_INTEGER) - row.received;
    const written = await this.#write(bucket, row, slices.take(pieceBytes), room, fork?.update);
    const after = await this.#commit(row, [written]);
    return { row: after, running: fork?.at(after.received) };
  }

  /** Pieces that are committed at once, when the checksum of all of them holds. */
  async #keepTogether(
    bucket: BucketRow,
    row: UploadRow,
    slices: Slices,
    checksum: { digest: string; hash: Hash },
  ): Promise<{ row: UploadRow; running: Running | undefined }> {
    const fork = this.#running.get(row)?.fork();
    const written: { blob: string; size: number }[] = [];
    let room = (row.content_length ?? Number.MAX_SAFE_INTEGER) - row.received;
    while (await slices.more()) {
      const piece = await this.#write(bucket, row, slices.take(pieceBytes), room, (chunk) => {
        checksum.hash.update(chunk);
        fork?.update(chunk);
      });
      room -= piece.size;
      written.push(piece);
    }
    if (checksum.hash.digest('base64') !== checksum.digest) {
      await this.#discard(written);
      throw new ChecksumMismatch();
    }
    const after = await this.#commit(row, written);
    return { row: after, running: fork?.at(after.received) };
  }

  async #write(
    bucket: BucketRow,
    row: UploadRow,
    content: AsyncIterable<Uint8Array>,
    room: number,
    see: ((chunk: Uint8Array) => void) | undefined,
  ): Promise<{ blob: string; size: number }> {
    async function* seen() {
      for await (const chunk of content) {
        see?.(chunk);
        yield chunk;
      }
    }
    const { blob, size } = await this.#deps.contents.write(bucket, seen(), {
      hashes: [],
      maxBytes: room,
      encrypted: row.encrypted === 1,
    });
    return { blob: blob ?? '', size };
  }

  async #commit(row: UploadRow, written: readonly { blob: string; size: number }[]): Promise<UploadRow> {
    const kept = written.filter(({ size }) => size > 0);
    if (kept.length === 0) return row;
    const { db, clock } = this.#deps;
    try {
      return await db.write(async (tx) => {
        const present = await findUpload(tx, row.id);
        if (!present) throw bucketGone();
        if (!isOpen(present) || present.received !== row.received) throw offsetConflict(present.received);
        // A part that lies there already would be covered by halves.
        if ((await piecesFrom(tx, row.id, present.received, 1)).length > 0) throw sentInParts();
        const now = clock.now();
        let start = present.received;
        const pieces: PieceRow[] = kept.map(({ blob, size }) => {
          start += size;
          const place = { content_id: row.id, number: start - size, start: start - size };
          return { ...place, blob, size, details: '{}', created_at: now };
        });
        await insertPieces(tx, pieces);
        const changes = { received: start, state: 'ready' as const, updated_at: now };
        await updateUpload(tx, row.id, changes);
        return { ...present, ...changes };
      });
    } catch (error) {
      await this.#discard(kept);
      // Another request has committed a piece at this place at the same moment.
      if (error instanceof UniqueViolation)
        throw offsetConflict((await findUpload(db, row.id))?.received ?? 0);
      throw error;
    }
  }

  /** Hands blobs that no row will name to the sweeper, at once: nobody reads them. */
  async #discard(written: readonly { blob: string; size: number }[]): Promise<void> {
    const blobs = written.filter(({ size }) => size > 0).map(({ blob }) => blob);
    const { db, clock } = this.#deps;
    await db.write((tx) => insertGarbage(tx, blobs, clock.now()));
  }

  /** Makes one piece of the small ones at the end, so that a session of many small requests stays readable. */
  async #compact(bucket: BucketRow, row: UploadRow): Promise<void> {
    const { db, clock, contents } = this.#deps;
    const from = Math.max(0, row.received - pieceBytes);
    const pieces = await listPieces(db, row.id, { start: from, end: row.received });
    const tail: PieceRow[] = [];
    let size = 0;
    // Those that are not larger than what follows them: each byte is written again a logarithmic number of times.
    for (const piece of pieces.toReversed()) {
      if (piece.size > Math.max(size * 2, smallBytes) || size + piece.size > pieceBytes) break;
      size += piece.size;
      tail.unshift(piece);
    }
    const [first] = tail;
    if (!first || tail.length < 2) return;
    const content = {
      blob: null,
      content_id: row.id,
      content_length: row.received,
      encrypted: row.encrypted,
    };
    const bytes = await contents.open(bucket, content, { start: first.start, end: first.start + size });
    const { blob } = await this.#write(bucket, row, bytes, size, undefined);
    await db.write(async (tx) => {
      const now = clock.now();
      const present = await listPieces(tx, row.id, { start: first.start, end: first.start + size });
      const same = present.map((piece) => piece.blob).join() === tail.map((piece) => piece.blob).join();
      if (!same) return insertGarbage(tx, [blob], now);
      for (const { number } of tail) await removePiece(tx, row.id, number);
      await insertPieces(tx, [{ ...first, blob, size, created_at: now }]);
      const dueAt = now + this.#deps.limits.garbageSeconds * 1000;
      await insertGarbage(
        tx,
        tail.map((piece) => piece.blob),
        dueAt,
      );
    });
  }
}

/** A stream of bytes, cut into shorter ones without keeping any of them. */
class Slices {
  readonly #content: AsyncIterator<Uint8Array>;
  #waiting: Uint8Array | undefined;

  constructor(content: AsyncIterable<Uint8Array>) {
    this.#content = content[Symbol.asyncIterator]();
  }

  /** Whether a byte is left; waits for it. */
  async more(): Promise<boolean> {
    while (this.#waiting === undefined || this.#waiting.length === 0) {
      const next = await this.#content.next();
      if (next.done) return false;
      this.#waiting = next.value;
    }
    return true;
  }

  async *take(bytes: number): AsyncGenerator<Uint8Array> {
    for (let left = bytes; left > 0 && (await this.more()); ) {
      const chunk = this.#waiting as Uint8Array;
      const taken = chunk.subarray(0, left);
      this.#waiting = chunk.subarray(taken.length);
      left -= taken.length;
      yield taken;
    }
  }
}
