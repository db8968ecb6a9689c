import { type RawBuilder, type SelectQueryBuilder, sql } from 'kysely';
import { countRows, type Db, type Tables, type Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { afterPrefix } from './names.ts';
import type { ObjectRow } from './object-store.ts';

/** Lists of keys, in the order of their UTF-8 bytes. The work depends on what is shown, not on what is stored. */

export interface ListQuery {
  prefix: string;
  /** Empty: every key. */
  delimiter: string;
  /** Only keys at or above this text. */
  start: string;
  /** Objects and common prefixes together. */
  limit: number;
}

/** An object, or what a group of keys have in common up to and with the delimiter. */
type ListEntry = { object: ObjectRow } | { prefix: string };

export interface ListResult {
  entries: ListEntry[];
  /** The `start` of what follows; undefined at the end. */
  next: string | undefined;
}

/** The least text above a key: keys hold no NUL. */
function afterKey(key: string): string {
  return `${key}\u0001`;
}

export async function listObjects(db: Db, bucketId: string, query: ListQuery): Promise<ListResult> {
  const { prefix, delimiter, limit } = query;
  const end = afterPrefix(prefix);
  const start = isAbove(query.start, prefix) ? query.start : prefix;
  if (limit === 0) return { entries: [], next: undefined };
  const entries =
    delimiter === ''
      ? await listPlain(db, bucketId, { start, end, limit: limit + 1 })
      : await listGrouped(db, bucketId, { prefix, delimiter, start, end, limit: limit + 1 });
  if (entries.length <= limit) return { entries, next: undefined };
  const kept = entries.slice(0, limit);
  const last = kept.at(-1) as ListEntry;
  return { entries: kept, next: 'object' in last ? afterKey(last.object.key) : afterPrefix(last.prefix) };
}

/** In the order of UTF-8 bytes, which UTF-16 does not keep. */
function isAbove(a: string, b: string): boolean {
  return Buffer.compare(Buffer.from(a), Buffer.from(b)) > 0;
}

interface Bounds {
  start: string;
  end: string | undefined;
  limit: number;
}

async function listPlain(db: Db, bucketId: string, { start, end, limit }: Bounds): Promise<ListEntry[]> {
  const rows = await db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'live')
    .where('key', '>=', start)
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .orderBy('key')
    .limit(limit)
    .execute();
  return rows.map((object) => ({ object }));
}

/**
 * Steps from entry to entry through the index: behind a common prefix it continues at the first key that does not have
 * it, however many have.
 */
async function listGrouped(
  db: Db,
  bucketId: string,
  { prefix, delimiter, start, end, limit }: Bounds & { prefix: string; delimiter: string },
): Promise<ListEntry[]> {
  const behind = afterPrefix(delimiter);
  if (behind === undefined) {
    throw new Problem('invalid_request', 'The query parameter "delimiter" is not supported.');
  }
  const skipped = [...prefix].length;
  const find = sql.raw(db.engine === 'postgres' ? 'strpos' : 'instr');
  const rest = (key: RawBuilder<unknown>) => sql`substr(${key}, cast(${skipped + 1} as integer))`;
  const at = (key: RawBuilder<unknown>) => sql`${find}(${rest(key)}, ${delimiter})`;
  const last = sql`walk.key`;
  const group = sql`substr(${last}, 1, cast(${skipped} as integer) + ${at(last)} - 1)`;
  const next = sql`case when ${at(last)} = 0 then ${last} || ${'\u0001'} else ${group} || ${behind} end`;
  const below = end === undefined ? sql`` : sql`and o.key < ${end}`;
  const seek = (from: RawBuilder<unknown>) => sql`(
    select o.key from storage_objects o
    where o.bucket_id = ${bucketId} and o.state = 'live' and o.key >= ${from} ${below}
    order by o.key limit 1)`;
  // Inside a select of the builder, or SQLite's writer would be asked, whom commits keep busy.
  const page = sql<ObjectRow & { walked: string; position: number; n: number }>`(
    with recursive walk(key, n) as (
      select ${seek(sql`${start}`)}, 1
      union all
      select ${seek(next)}, walk.n + 1 from walk where walk.key is not null and walk.n < ${limit}
    )
    select walk.key as walked, ${at(last)} as position, walk.n, found.*
    from walk left join storage_objects found
      on found.bucket_id = ${bucketId} and found.state = 'live' and found.key = walk.key
    where walk.key is not null)`;
  const rows = await db.selectFrom(page.as('page')).selectAll().orderBy('n').execute();
  return rows.map(({ walked, position, n: _, ...object }) => {
    if (Number(position) === 0) return { object };
    const characters = [...walked.slice(prefix.length)].slice(0, Number(position) - 1).join('');
    return { prefix: prefix + characters + delimiter };
  });
}

/** What keys with the prefix hold, by key, above that one. */
export function listLive(
  db: Db | Tx,
  bucketId: string,
  { prefix, after, limit }: { prefix: string; after: string | undefined; limit: number },
): Promise<ObjectRow[]> {
  const end = afterPrefix(prefix);
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'live')
    .$if(after === undefined, (q) => q.where('key', '>=', prefix))
    .$if(after !== undefined, (q) => q.where('key', '>', after as string))
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .orderBy('key')
    .limit(limit)
    .execute();
}

/** Lists whose length is counted no further than this. */
export const countedUpTo = 10_000;

/** How many live keys have the prefix, counted up to one more than `countedUpTo`. */
export async function countKeys(db: Db, bucketId: string, prefix: string): Promise<number> {
  const end = afterPrefix(prefix);
  const some = db
    .selectFrom('storage_objects')
    .select('key')
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'live')
    .where('key', '>=', prefix)
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .limit(countedUpTo + 1);
  return countRows(db.selectFrom(some.as('some')));
}

/** `total` of a long list, as it is shown. */
export function cappedTotal(counted: number): { total: number; totalCapped?: true } {
  return counted > countedUpTo ? { total: countedUpTo, totalCapped: true } : { total: counted };
}

export interface TrashPage {
  prefix: string;
  after: { key: string; id: string } | undefined;
  limit: number;
}

/** By key, then by id. */
export function listTrash(
  db: Db | Tx,
  bucketId: string,
  { prefix, after, limit }: TrashPage,
): Promise<ObjectRow[]> {
  const end = afterPrefix(prefix);
  const start = after?.key ?? prefix;
  return db
    .selectFrom('storage_objects')
    .selectAll()
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'trash')
    .where('key', '>=', start)
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .$if(after !== undefined, (q) =>
      q.where((e) => e.or([e('key', '>', after?.key ?? ''), e('id', '>', after?.id ?? '')])),
    )
    .orderBy('key')
    .orderBy('id')
    .limit(limit)
    .execute();
}

export async function countTrash(db: Db, bucketId: string, prefix: string): Promise<number> {
  const end = afterPrefix(prefix);
  const some = db
    .selectFrom('storage_objects')
    .select('id')
    .where('bucket_id', '=', bucketId)
    .where('state', '=', 'trash')
    .where('key', '>=', prefix)
    .$if(end !== undefined, (q) => q.where('key', '<', end as string))
    .limit(countedUpTo + 1);
  return countRows(db.selectFrom(some.as('some')));
}

const versionStates = ['live', 'marker', 'old'] as const;

/** Of a key, newest first, older than `before`: what it holds, or its delete marker, and the old ones. */
export function listVersions(
  db: Db,
  bucketId: string,
  key: string,
  { before, limit }: { before: string | undefined; limit: number },
): Promise<ObjectRow[]> {
  const [live, marker, old] = versionStates.map((state) =>
    db
      .selectFrom('storage_objects')
      .selectAll()
      .where('bucket_id', '=', bucketId)
      .where('key', '=', key)
      .where('state', '=', state)
      .$if(before !== undefined, (q) => q.where('id', '<', before as string)),
  ) as [VersionQuery, VersionQuery, VersionQuery];
  return live.unionAll(marker).unionAll(old).orderBy('id', 'desc').limit(limit).execute();
}

type VersionQuery = SelectQueryBuilder<Tables, 'storage_objects', ObjectRow>;

export function countVersions(db: Db, bucketId: string, key: string): Promise<number> {
  const [live, marker, old] = versionStates.map((state) =>
    db
      .selectFrom('storage_objects')
      .select('id')
      .where('bucket_id', '=', bucketId)
      .where('key', '=', key)
      .where('state', '=', state),
  ) as [IdQuery, IdQuery, IdQuery];
  const some = live
    .unionAll(marker)
    .unionAll(old)
    .limit(countedUpTo + 1);
  return countRows(db.selectFrom(some.as('some')));
}

type IdQuery = SelectQueryBuilder<Tables, 'storage_objects', { id: string }>;
