import { createHash } from 'node:crypto';
import { Problem } from '#core/problem.ts';
import { type Arriving, ChecksumMismatch } from './append.ts';
import { findPiece, insertGarbage, insertPieces, piecesFrom } from './blob-store.ts';
import { bucketGone, type StorageDeps } from './rules.ts';
import type { BucketRow } from './store.ts';
import { findUpload, type UploadRow, updateUpload } from './upload-store.ts';
import { completeUpload, isOpen } from './uploads.ts';

/** What every part holds but the last: where the blobs are an S3 engine's, one PUT. */
export const partBytes = 8 * 1024 * 1024;
/** How many parts may lie behind one that is missing still: 32 GiB. */
const aheadAtMost = 4096;
/** Each is a few characters of a header. */
const rangesAtMost = 500;

/**
 * Takes one part of a session in, in any order and several at once. A part is there whole or not at all, and sending it
 * again changes nothing. Returns the session as it is then: completed or failed when the last missing part has come.
 */
export async function writePart(
  deps: StorageDeps,
  bucket: BucketRow,
  begun: UploadRow,
  { offset, content, checksum }: Arriving,
): Promise<UploadRow> {
  const size = partSize(begun, offset);
  const hash = checksum ? createHash(checksum.algorithm) : undefined;
  let seen = 0;
  async function* watched() {
    for await (const chunk of content) {
      seen += chunk.length;
      hash?.update(chunk);
      yield chunk;
    }
  }
  const written = await deps.contents.write(bucket, watched(), {
    hashes: [],
    maxBytes: size,
    encrypted: begun.encrypted === 1,
  });
  const blob = written.blob ?? '';
  const discard = () => deps.db.write((tx) => insertGarbage(tx, blob === '' ? [] : [blob], deps.clock.now()));
  if (seen !== size) {
    await discard();
    throw new Problem('invalid_request', `The part has to have ${size} bytes, and ${seen} came.`);
  }
  if (checksum && hash?.digest('base64') !== checksum.digest) {
    await discard();
    throw new ChecksumMismatch();
  }
  let kept: { row: UploadRow; isNew: boolean };
  try {
    kept = await commit(deps, begun.id, { offset, blob, size });
  } catch (error) {
    await discard();
    throw error;
  }
  if (!kept.isNew) await discard();
  return completeUpload(deps, bucket, kept.row);
}

/** What the part at this place has to hold. */
export function partSize(row: UploadRow, offset: number): number {
  const total = row.content_length ?? 0;
  if (offset % partBytes !== 0 || offset >= total)
    throw new Problem('invalid_request', `Parts begin at multiples of ${partBytes}, below ${total}.`);
  return Math.min(partBytes, total - offset);
}

/** Writes the piece down, once, and moves the offset of the session over all that are there without a gap. */
function commit(
  { db, clock }: StorageDeps,
  id: string,
  { offset, blob, size }: { offset: number; blob: string; size: number },
): Promise<{ row: UploadRow; isNew: boolean }> {
  return db.write(
    async (tx) => {
      const row = await findUpload(tx, id);
      if (!row) throw bucketGone();
      // Sent again, since its answer was lost.
      if (offset + size <= row.received || !isOpen(row)) return { row, isNew: false };
      if (row.received % partBytes !== 0)
        throw new Problem(
          'conflict',
          `The upload is sent by PATCH, and continues at offset ${row.received}.`,
        );
      if (await findPiece(tx, id, offset)) return { row, isNew: false };
      if (offset - row.received > aheadAtMost * partBytes)
        throw new Problem('conflict', `Send the part at ${row.received} first: too many lie behind it.`);
      const now = clock.now();
      await insertPieces(tx, [
        { content_id: id, number: offset, start: offset, blob, size, details: '{}', created_at: now },
      ]);
      let { received } = row;
      for (const piece of await piecesFrom(tx, id, received, aheadAtMost + 2)) {
        if (piece.start !== received) break;
        received += piece.size;
      }
      const changes = { received, state: 'ready' as const, updated_at: now };
      await updateUpload(tx, id, changes);
      return { row: { ...row, ...changes }, isNew: true };
    },
    // Parts of one session come together, and each moves the same row.
    { queue: `upload:${id}` },
  );
}

/** Which parts lie behind the first missing one, as `3,5-9`; those that are not named may be sent again. */
export async function partsAhead({ db }: StorageDeps, row: UploadRow): Promise<string> {
  const ranges: { first: number; last: number }[] = [];
  for (const { start } of await piecesFrom(db, row.id, row.received, aheadAtMost + 2)) {
    const number = start / partBytes;
    const last = ranges.at(-1);
    if (last?.last === number - 1) last.last = number;
    else ranges.push({ first: number, last: number });
  }
  return ranges
    .slice(0, rangesAtMost)
    .map(({ first, last }) => (first === last ? `${first}` : `${first}-${last}`))
    .join(',');
}
