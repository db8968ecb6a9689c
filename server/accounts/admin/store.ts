import { sql } from 'kysely';
import { countRows, type Db, type Tx } from '#core/db.ts';
import { isId } from '#core/ids.ts';
import type { Page } from '#http/paging.ts';

/** What operators see across all tenants. */

export interface AdminUserRow {
  id: string;
  email: string;
  name: string;
  is_operator: number;
  admitted_at: number | null;
  suspended_at: number | null;
  has_payment_method: number;
  organizations: number;
  created_at: number;
  updated_at: number;
}

/** A part of a text, whatever its case, with the wildcards of LIKE taken literally. */
function containing(search: string): string {
  return `%${search.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
}

/** PostgreSQL refuses to compare an id with a text that is none. */
function idIn(search: string | undefined): string | null {
  return search !== undefined && isId(search) ? search.toLowerCase() : null;
}

function users(db: Db | Tx, { search, waitlist }: { search: string | undefined; waitlist: boolean }) {
  const pattern = search === undefined ? undefined : containing(search);
  return db
    .selectFrom('users as u')
    .$if(waitlist, (query) => query.where('u.admitted_at', 'is', null).where('u.is_operator', '=', 0))
    .$if(pattern !== undefined, (query) =>
      query.where(
        sql<boolean>`(lower(u.email) like ${pattern} escape '\\' or lower(u.name) like ${pattern} escape '\\' or u.id = ${idIn(search)})`,
      ),
    );
}

export async function listUsers(
  db: Db,
  filter: { search: string | undefined; waitlist: boolean },
  { limit, after }: Page,
): Promise<AdminUserRow[]> {
  return users(db, filter)
    .select(userColumns)
    .$if(after !== undefined, (query) => query.where('u.id', '>', after as string))
    .orderBy('u.id')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute();
}

const userColumns = [
  'u.id',
  'u.email',
  'u.name',
  'u.is_operator',
  'u.admitted_at',
  'u.suspended_at',
  'u.has_payment_method',
  'u.created_at',
  'u.updated_at',
  sql<number>`(select count(*) from memberships where user_id = u.id)`.as('organizations'),
] as const;

export async function countUsers(
  db: Db,
  filter: { search: string | undefined; waitlist: boolean },
): Promise<number> {
  return countRows(users(db, filter));
}

export function findUser(db: Db | Tx, id: string): Promise<AdminUserRow | undefined> {
  return db.selectFrom('users as u').select(userColumns).where('u.id', '=', id).executeTakeFirst();
}

export async function updateUser(
  tx: Tx,
  id: string,
  changes: {
    is_operator?: number;
    admitted_at?: number | null;
    suspended_at?: number | null;
    has_payment_method?: number;
    updated_at: number;
  },
): Promise<void> {
  await tx.updateTable('users').set(changes).where('id', '=', id).execute();
}

/** Operators who can act: not suspended. */
export async function countOperators(tx: Tx): Promise<number> {
  const query = tx.selectFrom('users').where('is_operator', '=', 1).where('suspended_at', 'is', null);
  return countRows(query);
}

export interface AdminOrganizationRow {
  id: string;
  name: string;
  slug: string;
  image_url: string | null;
  suspended_at: number | null;
  deleted_at: number | null;
  created_by_user_id: string | null;
  created_at: number;
  updated_at: number;
  members: number;
}

function organizations(db: Db, search: string | undefined) {
  const pattern = search === undefined ? undefined : containing(search);
  return db
    .selectFrom('organizations as o')
    .$if(pattern !== undefined, (query) =>
      query.where(
        sql<boolean>`(lower(o.name) like ${pattern} escape '\\' or o.slug like ${pattern} escape '\\' or o.id = ${idIn(search)})`,
      ),
    );
}

export async function listOrganizations(
  db: Db,
  search: string | undefined,
  { limit, after }: Page,
): Promise<AdminOrganizationRow[]> {
  return organizations(db, search)
    .selectAll('o')
    .select(sql<number>`(select count(*) from memberships where organization_id = o.id)`.as('members'))
    .$if(after !== undefined, (query) => query.where('o.id', '>', after as string))
    .orderBy('o.id')
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .execute();
}

export async function countOrganizations(db: Db, search: string | undefined): Promise<number> {
  return countRows(organizations(db, search));
}

export async function countMembers(db: Db | Tx, organizationId: string): Promise<number> {
  const query = db.selectFrom('memberships').where('organization_id', '=', organizationId);
  return countRows(query);
}

export async function countApiKeys(db: Db): Promise<number> {
  return countRows(db.selectFrom('api_keys').where('revoked_at', 'is', null));
}
