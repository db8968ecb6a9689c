import type { Role } from '#core/actor.ts';
import type { Db, Tx } from '#core/db.ts';

interface OrganizationTable {
  id: string;
  name: string;
  slug: string;
  image_url: string | null;
  suspended_at: number | null;
  deleted_at: number | null;
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

/** The user's role in an organization that is not deleted. */
export async function roleOf(db: Db | Tx, userId: string, organizationId: string): Promise<Role | null> {
  const row = await db
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select('m.role')
    .where('m.user_id', '=', userId)
    .where('m.organization_id', '=', organizationId)
    .where('o.deleted_at', 'is', null)
    .executeTakeFirst();
  return row?.role ?? null;
}

export async function insert(tx: Tx, row: OrganizationRow): Promise<void> {
  await tx.insertInto('organizations').values(row).execute();
}

export async function insertMember(tx: Tx, row: MembershipTable): Promise<void> {
  await tx.insertInto('memberships').values(row).execute();
}

export async function isSlugTaken(tx: Tx, slug: string): Promise<boolean> {
  const query = tx.selectFrom('organizations').select('id').where('slug', '=', slug);
  return (await query.executeTakeFirst()) !== undefined;
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
