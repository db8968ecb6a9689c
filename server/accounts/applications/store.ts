import { type ExpressionBuilder, sql } from 'kysely';
import { countRows, type Db, type Tables, type Tx } from '#core/db.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: application id: it was deleted, restored, moved or purged. */
    application: true;
    /** Key: application id: it is new or looks different. */
    application_profile: true;
    /** Key: application id, whose environments changed. */
    environments: true;
  }
}

interface ApplicationTable {
  id: string;
  organization_id: string;
  name: string;
  slug: string;
  /** Null: the avatar that we draw. */
  image_url: string | null;
  root_directory: string | null;
  default_environment_slug: string;
  created_by_user_id: string | null;
  deleted_at: number | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    applications: ApplicationTable;
  }
}

export type ApplicationRow = ApplicationTable;

export interface Owner {
  organizationId: string;
  deleted: boolean;
}

/** The organization of an application that exists, deleted or not; null when there is none. */
export async function ownerOf(db: Db | Tx, applicationId: string): Promise<Owner | null> {
  const row = await db
    .selectFrom('applications')
    .select(['organization_id', 'deleted_at'])
    .where('id', '=', applicationId)
    .executeTakeFirst();
  return row ? { organizationId: row.organization_id, deleted: row.deleted_at !== null } : null;
}

export function find(db: Db | Tx, id: string): Promise<ApplicationRow | undefined> {
  return db.selectFrom('applications').selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insert(tx: Tx, row: ApplicationRow): Promise<void> {
  await tx.insertInto('applications').values(row).execute();
}

export async function update(
  tx: Tx,
  id: string,
  changes: Partial<Omit<ApplicationRow, 'id' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('applications').set(changes).where('id', '=', id).execute();
}

/** By an application that is deleted and may still be restored, too. */
export async function isSlugTaken(tx: Tx, organizationId: string, slug: string): Promise<boolean> {
  const query = tx
    .selectFrom('applications')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('slug', '=', slug);
  return (await query.executeTakeFirst()) !== undefined;
}

export function byName(
  db: Db | Tx,
  organizationId: string,
  name: string,
): Promise<ApplicationRow | undefined> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .where('name', '=', name)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst();
}

export function countOf(db: Db | Tx, organizationId: string): Promise<number> {
  const query = db
    .selectFrom('applications')
    .where('organization_id', '=', organizationId)
    .where('deleted_at', 'is', null);
  return countRows(query);
}

/** When those applications of the organization that were created since that moment were, oldest first. */
export async function creationsSince(tx: Tx, organizationId: string, since: number): Promise<number[]> {
  const query = tx
    .selectFrom('applications')
    .select('created_at')
    .where('organization_id', '=', organizationId)
    .where('created_at', '>', since)
    .orderBy('created_at');
  return (await query.execute()).map((row) => row.created_at);
}

/** The organization goes with all that it keeps of the application: its keys, and the keys' tokens with them. */
export async function moveKeys(tx: Tx, applicationId: string, organizationId: string): Promise<void> {
  await tx
    .updateTable('api_keys')
    .set({ organization_id: organizationId })
    .where('application_id', '=', applicationId)
    .execute();
}

/** What is deleted, or whose organization is, for longer than its grace. */
export async function listPurgeable(
  db: Db,
  before: { applications: number; organizations: number },
): Promise<{ id: string; organization_id: string; name: string }[]> {
  return db
    .selectFrom('applications as a')
    .innerJoin('organizations as o', 'o.id', 'a.organization_id')
    .select(['a.id', 'a.organization_id', 'a.name'])
    .where((eb) =>
      eb.or([eb('a.deleted_at', '<', before.applications), eb('o.deleted_at', '<', before.organizations)]),
    )
    .orderBy('a.id')
    .limit(100)
    .execute();
}

/** With what refers to it: environments, keys, hostnames, domains, its picture. */
export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('applications').where('id', '=', id).execute();
}

/** Which applications a list shows. */
export interface Wanted {
  /** Of every organization of this user; else of the one that is named. */
  userId: string | null;
  organizationId: string | undefined;
  /** The only one that may be seen. */
  applicationId: string | null;
  /** Part of a name or slug. */
  query: string;
  deleted: boolean;
}

export function listWanted(
  db: Db,
  wanted: Wanted,
  { limit, after }: { limit: number; after: string | undefined },
): Promise<ApplicationRow[]> {
  return db
    .selectFrom('applications')
    .selectAll()
    .where(matching(wanted))
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .orderBy('id')
    .limit(limit)
    .execute();
}

export function countWanted(db: Db, wanted: Wanted): Promise<number> {
  return countRows(db.selectFrom('applications').where(matching(wanted)));
}

function matching({ organizationId, userId, applicationId, query, deleted }: Wanted) {
  return (eb: ExpressionBuilder<Tables, 'applications'>) => {
    const ofUser = eb
      .selectFrom('memberships as m')
      .innerJoin('organizations as o', 'o.id', 'm.organization_id')
      .select('m.organization_id')
      .where('m.user_id', '=', userId as string)
      .where('o.deleted_at', 'is', null)
      .where('o.suspended_at', 'is', null);
    const pattern = `%${query.toLowerCase().replace(/[\\%_]/g, '\\$&')}%`;
    return eb.and([
      userId === null
        ? eb('organization_id', '=', organizationId as string)
        : eb('organization_id', 'in', ofUser),
      eb('deleted_at', deleted ? 'is not' : 'is', null),
      ...(applicationId === null ? [] : [eb('id', '=', applicationId)]),
      ...(query === ''
        ? []
        : [sql<boolean>`(lower(name) like ${pattern} escape '\\' or slug like ${pattern} escape '\\')`]),
    ]);
  };
}
