import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';

interface PictureTable {
  id: string;
  application_id: string;
  content_type: string;
  content: Uint8Array;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    application_pictures: PictureTable;
  }
}

/** Replaces the picture of the application and returns the new one's id: under an address a picture never changes. */
export async function storePicture(
  tx: Tx,
  applicationId: string,
  content: Buffer,
  now: number,
): Promise<string> {
  await removePicture(tx, applicationId);
  const id = newId(now);
  const row = { id, application_id: applicationId, content_type: 'image/webp', content, created_at: now };
  await tx.insertInto('application_pictures').values(row).execute();
  return id;
}

export async function removePicture(tx: Tx, applicationId: string): Promise<void> {
  await tx.deleteFrom('application_pictures').where('application_id', '=', applicationId).execute();
}

export function findPicture(db: Db, id: string): Promise<PictureTable | undefined> {
  return db.selectFrom('application_pictures').selectAll().where('id', '=', id).executeTakeFirst();
}
