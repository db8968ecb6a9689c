import sharp from 'sharp';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';

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

const side = 256;
const maxPixels = 50_000_000;
/** What browsers make pictures as. SVG is left out: it is a program. */
const formats: ReadonlySet<string> = new Set(['jpeg', 'png', 'webp', 'gif', 'avif', 'heif']);

/**
 * A picture as it may be served: decoded and drawn again as a square WebP of 256 pixels, so that nothing of what was
 * uploaded survives but what can be seen (no metadata, no trailing bytes, no second format). Decoding runs in libvips'
 * own threads. Throws `Problem('invalid_request')` for what is no picture.
 */
export async function redraw(upload: Buffer): Promise<Buffer> {
  try {
    const { format } = await sharp(upload, { limitInputPixels: maxPixels }).metadata();
    if (!formats.has(format ?? '')) throw new Error(`the format ${format} is not accepted`);
    return await sharp(upload, { limitInputPixels: maxPixels, failOn: 'error' })
      .rotate()
      .resize(side, side, { fit: 'cover' })
      .webp({ quality: 85 })
      .toBuffer();
  } catch (cause) {
    const sentence =
      'This is no picture that can be read. Send a JPEG, PNG, WebP, GIF or AVIF of at most 50 megapixels.';
    throw new Problem('invalid_request', sentence, { cause });
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
