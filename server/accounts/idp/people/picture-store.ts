import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';

interface PictureTable {
  id: string;
  user_id: string;
  content_type: string;
  content: Uint8Array;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    user_pictures: PictureTable;
  }
}

/** Replaces the picture of the person and returns the new one's id: under an address a picture never changes. */
export async function storePicture(tx: Tx, userId: string, content: Buffer, now: number): Promise<string> {
  await removePicture(tx, userId);
  const id = newId(now);
  const row = { id, user_id: userId, content_type: 'image/webp', content, created_at: now };
  await tx.insertInto('user_pictures').values(row).execute();
  return id;
}

export async function removePicture(tx: Tx, userId: string): Promise<void> {
  await tx.deleteFrom('user_pictures').where('user_id', '=', userId).execute();
}

export function findPicture(db: Db, id: string): Promise<PictureTable | undefined> {
  return db.selectFrom('user_pictures').selectAll().where('id', '=', id).executeTakeFirst();
}
