import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';

interface ImageTable {
  id: string;
  organization_id: string;
  content_type: string;
  content: Uint8Array;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    images: ImageTable;
  }
}

/** Replaces the picture of the organization and returns the new one's id. */
export async function storeImage(
  tx: Tx,
  organizationId: string,
  content: Buffer,
  now: number,
): Promise<string> {
  await removeImages(tx, organizationId);
  const id = newId(now);
  const row = { id, organization_id: organizationId, content_type: 'image/webp', content, created_at: now };
  await tx.insertInto('images').values(row).execute();
  return id;
}

export async function removeImages(tx: Tx, organizationId: string): Promise<void> {
  await tx.deleteFrom('images').where('organization_id', '=', organizationId).execute();
}

export function findImage(db: Db, id: string): Promise<ImageTable | undefined> {
  return db.selectFrom('images').selectAll().where('id', '=', id).executeTakeFirst();
}
