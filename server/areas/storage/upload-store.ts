import { countRows, type Db, type Tx } from '#core/db.ts';
import { afterPrefix } from './names.ts';

/** `pending`: nothing arrived yet. `ready`: bytes have arrived. */
type UploadState = 'pending' | 'ready' | 'completed' | 'failed' | 'expired';

interface UploadTable {
  /** Also the `content_id` of its pieces. */
  id: string;
  bucket_id: string;
  key: string;
  kind: 'tus' | 'multipart';
  state: UploadState;
  content_type: string | null;
  content_length: number | null;
  checksum_sha1: string | null;
  checksum_sha256: string | null;
  checksum_md5: string | null;
  received: number;
  encrypted: number;
  /** JSON of `ObjectAttributes`. */
  attributes: string;
  object_id: string | null;
  expires_at: number;
  uploaded_at: number | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    storage_uploads: UploadTable;
  }
}

export type UploadRow = UploadTable;

export function findUpload(db: Db | Tx, id: string): Promise<UploadRow | undefined> {
  return db.selectFrom('storage_uploads').selectAll().where('id', '=', id).executeTakeFirst();
}

/** Newest first. */
export function listUploads(
  db: Db,
  bucketId: string,
  page: { limit: number; before: string | undefined },
): Promise<UploadRow[]> {
  return db
    .selectFrom('storage_uploads')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('kind', '=', 'tus')
    .$if(page.before !== undefined, (q) => q.where('id', '<', page.before as string))
    .orderBy('id', 'desc')
    .limit(page.limit)
    .execute();
}

/** Open multipart uploads by key and id, behind a place. */
export function listMultipart(
  db: Db,
  bucketId: string,
  page: { prefix: string; after: { key: string; id: string } | undefined; limit: number },
): Promise<UploadRow[]> {
  const { prefix, after, limit } = page;
  const end = afterPrefix(prefix);
  return db
    .selectFrom('storage_uploads')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('kind', '=', 'multipart')
    .where('state', 'in', ['pending', 'ready'])
    .where('key', '>=', prefix)
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .$if(after !== undefined, (q) =>
      q.where((e) =>
        e.or([
          e('key', '>', after?.key ?? ''),
          ...(after?.id ? [e.and([e('key', '=', after.key), e('id', '>', after.id)])] : []),
        ]),
      ),
    )
    .orderBy('key')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function countUploads(db: Db | Tx, bucketId: string, limit: number): Promise<number> {
  const some = db
    .selectFrom('storage_uploads')
    .select('id')
    .where('bucket_id', '=', bucketId)
    .where('kind', '=', 'tus')
    .limit(limit);
  return countRows(db.selectFrom(some.as('some')));
}

export async function insertUpload(tx: Tx, row: UploadRow): Promise<void> {
  await tx.insertInto('storage_uploads').values(row).execute();
}

export async function updateUpload(tx: Tx, id: string, changes: Partial<UploadRow>): Promise<void> {
  await tx.updateTable('storage_uploads').set(changes).where('id', '=', id).execute();
}

export async function removeUpload(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('storage_uploads').where('id', '=', id).execute();
}

/** Of a bucket that is being removed. */
export function anyUploads(db: Db | Tx, bucketId: string, limit: number): Promise<UploadRow[]> {
  return db
    .selectFrom('storage_uploads')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .limit(limit)
    .execute();
}

export function listExpired(
  db: Db,
  states: readonly UploadState[],
  before: number,
  limit: number,
): Promise<UploadRow[]> {
  return db
    .selectFrom('storage_uploads')
    .selectAll()
    .where('state', 'in', states)
    .where('expires_at', '<', before)
    .limit(limit)
    .execute();
}

/** Open ones of a bucket that were begun before that moment. */
export function listOpenSince(db: Db, bucketId: string, before: number, limit: number): Promise<UploadRow[]> {
  return db
    .selectFrom('storage_uploads')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', 'in', ['pending', 'ready'])
    .where('created_at', '<', before)
    .limit(limit)
    .execute();
}
