import type { Role } from '#core/actor.ts';
import { countRows, type Db, type Tx } from '#core/db.ts';

interface InvitationTable {
  id: string;
  organization_id: string;
  /** Lower case. */
  email: string;
  role: Role;
  token_digest: Uint8Array;
  hash_version: number;
  invited_by_user_id: string | null;
  expires_at: number;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    invitations: InvitationTable;
  }
}

export type InvitationRow = InvitationTable;

export interface MemberRow {
  membership_id: string;
  organization_id: string;
  user_id: string;
  email: string;
  name: string;
  given_name: string | null;
  family_name: string | null;
  image_url: string | null;
  role: Role;
  joined_at: number;
}

interface Page {
  limit: number | undefined;
  after: string | undefined;
}

function members(db: Db | Tx, organizationId: string) {
  return db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .where('m.organization_id', '=', organizationId);
}

export function listMembers(
  db: Db | Tx,
  organizationId: string,
  { limit, after }: Page,
): Promise<MemberRow[]> {
  return members(db, organizationId)
    .select([
      'm.id as membership_id',
      'm.organization_id',
      'm.user_id',
      'u.email',
      'u.name',
      'u.given_name',
      'u.family_name',
      'u.image_url',
      'm.role',
      'm.created_at as joined_at',
    ])
    .$if(after !== undefined, (query) => query.where('m.id', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('m.id')
    .execute();
}

/** The e-mail addresses of those who may change things. */
export async function adminAddresses(db: Db, organizationId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('memberships as m')
    .innerJoin('users as u', 'u.id', 'm.user_id')
    .select('u.email')
    .where('m.organization_id', '=', organizationId)
    .where('m.role', 'in', ['OWNER', 'ADMIN'])
    .execute();
  return rows.map(({ email }) => email);
}

export async function countMembers(db: Db | Tx, organizationId: string): Promise<number> {
  return countRows(members(db, organizationId));
}

export async function countOwners(tx: Tx, organizationId: string): Promise<number> {
  return countRows(members(tx, organizationId).where('m.role', '=', 'OWNER'));
}

export async function findMember(
  tx: Db | Tx,
  organizationId: string,
  membershipId: string,
): Promise<MemberRow | undefined> {
  const [row] = await members(tx, organizationId)
    .where('m.id', '=', membershipId)
    .select([
      'm.id as membership_id',
      'm.organization_id',
      'm.user_id',
      'u.email',
      'u.name',
      'u.given_name',
      'u.family_name',
      'u.image_url',
      'm.role',
      'm.created_at as joined_at',
    ])
    .execute();
  return row;
}

export async function isMember(tx: Tx, organizationId: string, email: string): Promise<boolean> {
  const query = members(tx, organizationId).where('u.email', '=', email).select('m.id');
  return (await query.executeTakeFirst()) !== undefined;
}

export async function setRole(tx: Tx, membershipId: string, role: Role): Promise<void> {
  await tx.updateTable('memberships').set({ role }).where('id', '=', membershipId).execute();
}

export async function removeMember(tx: Tx, membershipId: string): Promise<void> {
  await tx.deleteFrom('memberships').where('id', '=', membershipId).execute();
}

/** Replaces an earlier invitation of the same address. */
export async function putInvitation(tx: Tx, row: InvitationRow): Promise<void> {
  await tx
    .deleteFrom('invitations')
    .where('organization_id', '=', row.organization_id)
    .where('email', '=', row.email)
    .execute();
  await tx.insertInto('invitations').values(row).execute();
}

export function findInvitation(db: Db | Tx, id: string): Promise<InvitationRow | undefined> {
  return db.selectFrom('invitations').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function removeInvitation(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('invitations').where('id', '=', id).execute();
}

function open(db: Db, organizationId: string, now: number) {
  return db
    .selectFrom('invitations')
    .where('organization_id', '=', organizationId)
    .where('expires_at', '>', now);
}

export function listInvitations(
  db: Db,
  organizationId: string,
  now: number,
  page: Page,
): Promise<InvitationRow[]> {
  const { limit, after } = page;
  return open(db, organizationId, now)
    .selectAll()
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('id')
    .execute();
}

export async function countInvitations(db: Db, organizationId: string, now: number): Promise<number> {
  return countRows(open(db, organizationId, now));
}

export async function sweepInvitations(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx.deleteFrom('invitations').where('expires_at', '<=', now).execute();
  });
}

/** Whether an organization waits for somebody with this address. */
export async function isInvited(db: Db | Tx, email: string, now: number): Promise<boolean> {
  const query = db.selectFrom('invitations').select('id').where('email', '=', email);
  return (await query.where('expires_at', '>', now).executeTakeFirst()) !== undefined;
}

/** The names of organizations that would have no owner without this user. Deleted ones do not count. */
export async function soleOwnerships(tx: Tx, userId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('memberships as m')
    .innerJoin('organizations as o', 'o.id', 'm.organization_id')
    .select('o.name')
    .where('m.user_id', '=', userId)
    .where('m.role', '=', 'OWNER')
    .where('o.deleted_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('memberships as other')
            .select('other.id')
            .whereRef('other.organization_id', '=', 'm.organization_id')
            .where('other.role', '=', 'OWNER')
            .where('other.user_id', '!=', userId),
        ),
      ),
    )
    .orderBy('o.name')
    .execute();
  return rows.map(({ name }) => name);
}

/** Every membership of the user; returns what was there. */
export async function deleteMemberships(
  tx: Tx,
  userId: string,
): Promise<{ id: string; organization_id: string; role: Role }[]> {
  const query = tx.deleteFrom('memberships').where('user_id', '=', userId);
  return query.returning(['id', 'organization_id', 'role']).execute();
}
