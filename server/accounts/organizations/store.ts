import type { ExpressionBuilder } from 'kysely';
import type { Role } from '#core/actor.ts';
import { countRows, type Db, type Tables, type Tx } from '#core/db.ts';

interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  /** Null: the avatar that we draw. */
  image_url: string | null;
  suspended_at: number | null;
  deleted_at: number | null;
  created_by_user_id: string | null;
  created_at: number;
  updated_at: number;
}

interface MembershipTable {
  id: string;
  organization_id: string;
  user_id: string;
  role: Role;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    organizations: OrganizationTable;
    memberships: MembershipTable;
  }
}

export type OrganizationRow = OrganizationTable;
export type MembershipRow = MembershipTable;

export interface Standing {
  role: Role;
  deleted: boolean;
  suspended: boolean;
}

export async function standingOf(
  db: Db | Tx,
  userId: string,
  organizationId: string,
): Promise<Standing | null> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select(['m.role', 'o.deleted_at', 'o.suspended_at'])
    .where('m.user_id', '=', userId)
    .where('m.organization_id', '=', organizationId)
    .executeTakeFirst();
  return row
    ? { role: row.role, deleted: row.deleted_at !== null, suspended: row.suspended_at !== null }
    : null;
}

export async function insert(tx: Tx, row: OrganizationRow): Promise<void> {
  await tx.insertInto('organizations').values(row).execute();
}

export async function insertMember(tx: Tx, row: MembershipRow): Promise<void> {
  await tx.insertInto('memberships').values(row).execute();
}

export async function update(
  tx: Tx,
  id: string,
  changes: Partial<Omit<OrganizationRow, 'id' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('organizations').set(changes).where('id', '=', id).execute();
}

export function find(db: Db | Tx, id: string): Promise<OrganizationRow | undefined> {
  return db.selectFrom('organizations').selectAll().where('id', '=', id).executeTakeFirst();
}

function mine(db: Db, userId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .where('m.user_id', '=', userId)
    .where('o.deleted_at', 'is', null);
}

/** The ids of the user's organizations, in order; one more than `limit` at most. */
export async function idsOfUser(db: Db, userId: string, limit: number): Promise<string[]> {
  const query = mine(db, userId)
    .select('o.id')
    .orderBy('m.organization_id')
    .limit(limit + 1);
  return (await query.execute()).map((row) => row.id);
}

interface Page {
  /** Ids after this one. */
  from: string | undefined;
  limit: number;
}

/** A page of the user's organizations, with one more than `limit` while more remain, and how many there are in all. */
export async function listOfUser(db: Db, userId: string, { from, limit }: Page) {
  const rows = await mine(db, userId)
    .selectAll('o')
    .$if(from !== undefined, (query) => query.where('m.organization_id', '>', from as string))
    .orderBy('m.organization_id')
    .limit(limit + 1)
    .execute();
  return { rows, total: await countRows(mine(db, userId)) };
}

/** The deleted organizations that the user owns, and so may restore. */
export async function listDeletedOfUser(db: Db, userId: string, { from, limit }: Page) {
  const deleted = db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'OWNER')
    .where('o.deleted_at', 'is not', null);
  const rows = await deleted
    .selectAll('o')
    .$if(from !== undefined, (query) => query.where('m.organization_id', '>', from as string))
    .orderBy('m.organization_id')
    .limit(limit + 1)
    .execute();
  return { rows, total: await countRows(deleted) };
}

export async function isSlugTaken(tx: Tx, slug: string): Promise<boolean> {
  const query = tx.selectFrom('organizations').select('id').where('slug', '=', slug);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function countOwned(tx: Tx, userId: string): Promise<number> {
  const query = tx
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'OWNER')
    .where('o.deleted_at', 'is', null);
  return countRows(query);
}

/** When the organizations that this user created since that moment were created, oldest first. */
export async function creationsSince(tx: Tx, userId: string, since: number): Promise<number[]> {
  const query = tx
    .selectFrom('organizations')
    .select('created_at')
    .where('created_by_user_id', '=', userId)
    .where('created_at', '>', since)
    .orderBy('created_at');
  return (await query.execute()).map((row) => row.created_at);
}

/** The oldest organization of that name that the user owns. */
export function ownedByName(db: Db | Tx, userId: string, name: string): Promise<OrganizationRow | undefined> {
  return db
    .selectFrom('organizations as o')
    .innerJoin('memberships as m', 'm.organization_id', 'o.id')
    .selectAll('o')
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'OWNER')
    .where('o.name', '=', name)
    .where('o.deleted_at', 'is', null)
    .orderBy('o.id')
    .executeTakeFirst();
}

/**
 * Permanently deletes what was deleted before that moment, and by reference all that it owns. Its applications are purged
 * first: one that is still there keeps it.
 */
export async function purgeDeleted(tx: Tx, before: number): Promise<string[]> {
  const gone = (eb: ExpressionBuilder<Tables, 'organizations'>) =>
    eb.and([
      eb('deleted_at', '<', before),
      eb.not(
        eb.exists(
          eb
            .selectFrom('applications')
            .select('applications.id')
            .whereRef('applications.organization_id', '=', 'organizations.id'),
        ),
      ),
    ]);
  const rows = await tx.selectFrom('organizations').select('id').where(gone).execute();
  await tx.deleteFrom('organizations').where(gone).execute();
  return rows.map((row) => row.id);
}
