import { type Blobs, blobNameAt } from '#core/blobs.ts';
import type { Db } from '#core/db.ts';
import { heldAmong } from './blob-store.ts';
import { waitingSince } from './queue-store.ts';
import { fail } from './service.ts';
import { find } from './store.ts';

/** Those that wait for an archive that nobody sends. */
export async function failForgotten(db: Db, now: number, waitMilliseconds: number): Promise<void> {
  for (const { id } of await waitingSince(db, now - waitMilliseconds)) {
    await db.write(async (tx) => {
      const row = await find(tx, id);
      if (row?.status === 'PENDING') await fail(tx, row, 'No archive was uploaded in time.', now);
    });
  }
}

/** A blob is written before its row: what is younger may still get one. */
const graceMilliseconds = 24 * 3600 * 1000;
const batch = 500;

/** Deletes blobs that no deployment and no upload holds. */
export async function sweepBlobs(db: Db, blobs: Blobs, now: number): Promise<void> {
  const end = blobNameAt(now - graceMilliseconds);
  for (let after = ''; ; ) {
    const entries = await blobs.list({ after, limit: batch });
    const old = entries.map(({ name }) => name).filter((name) => name < end);
    const held = await heldAmong(db, old);
    await blobs.delete(old.filter((name) => !held.has(name)));
    const last = entries.at(-1)?.name;
    if (entries.length < batch || last === undefined || last >= end) return;
    after = last;
  }
}
