import type { Db } from '#core/db.ts';
import { findNullVersion, type ObjectRow } from './object-store.ts';

export interface VersionQuery {
  /** Keys at or above this text, and below `end`. */
  start: string;
  end: string | undefined;
  /** Before those: the versions of this key that are older than this one. */
  within: { key: string; id: string } | undefined;
  limit: number;
}

/** Versions and delete markers by key, the current one first and then the newest; never the trash. */
export async function listAllVersions(db: Db, bucketId: string, query: VersionQuery): Promise<ObjectRow[]> {
  const { start, end, within, limit } = query;
  const older = within ? await listOlder(db, bucketId, within, limit) : [];
  if (older.length >= limit) return older;
  const left = limit - older.length;
  const of = (state: 'live' | 'marker' | 'old') =>
    db
      .selectFrom('storage_objects')
      .selectAll()
      .where('bucket_id', '=', bucketId)
      .where('state', '=', state)
      .where('key', '>=', start)
      .$if(end !== undefined, (q) => q.where('key', '<', end as string))
      .orderBy('key')
      .$if(state === 'old', (q) => q.orderBy('id', 'desc'))
      .limit(left)
      .execute();
  const [live, markers, old] = await Promise.all([of('live'), of('marker'), of('old')]);
  const bytes = new Map<string, Buffer>();
  const bytesOf = (key: string) => {
    let found = bytes.get(key);
    if (!found) {
      found = Buffer.from(key);
      bytes.set(key, found);
    }
    return found;
  };
  const rank = (row: ObjectRow) => (row.state === 'old' ? 1 : 0);
  const sorted = [...live, ...markers, ...old].sort(
    (a, b) =>
      Buffer.compare(bytesOf(a.key), bytesOf(b.key)) ||
      rank(a) - rank(b) ||
      (a.id < b.id ? 1 : a.id > b.id ? -1 : 0),
  );
  return [...older, ...sorted.slice(0, left)];
}

async function listOlder(
  db: Db,
  bucketId: string,
  { key, id }: { key: string; id: string },
  limit: number,
): Promise<ObjectRow[]> {
  const shown = id === 'null' ? await findNullVersion(db, bucketId, key) : undefined;
  if (id === 'null' && !shown) return [];
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'old')
    .where('key', '=', key)
    .where('id', '<', shown?.id ?? id)
    .orderBy('id', 'desc')
    .limit(limit)
    .execute();
}
