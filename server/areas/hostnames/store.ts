import { countRows, type Db, type Tx } from '#core/db.ts';

type DomainState = 'pending' | 'verified' | 'failed';

interface DomainTable {
  id: string;
  application_id: string;
  domain: string;
  state: DomainState;
  token: string;
  /** JSON: what the last check found, and the sentence about it. */
  found: string;
  verified_at: number | null;
  failing_since: number | null;
  checked_at: number | null;
  next_check_at: number;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    domains: DomainTable;
  }
}

export type DomainRow = DomainTable;

export async function insert(tx: Tx, row: DomainRow): Promise<void> {
  await tx.insertInto('domains').values(row).execute();
}

export async function update(
  tx: Tx,
  id: string,
  changes: Partial<Omit<DomainRow, 'id' | 'created_at'>>,
): Promise<void> {
  await tx.updateTable('domains').set(changes).where('id', '=', id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('domains').where('id', '=', id).execute();
}

export function find(db: Db | Tx, applicationId: string, id: string): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('id', '=', id)
    .executeTakeFirst();
}

export function findByName(
  db: Db | Tx,
  applicationId: string,
  domain: string,
): Promise<DomainRow | undefined> {
  return db
    .selectFrom('domains')
    .selectAll()
    .where('application_id', '=', applicationId)
    .where('domain', '=', domain)
    .executeTakeFirst();
}

export function list(
  db: Db | Tx,
  applicationId: string,
  page: { limit: number | undefined; after: string | undefined },
): Promise<DomainRow[]> {
  const { limit, after } = page;
  return db
    .selectFrom('domains')
    .selectAll()
    .where('application_id', '=', applicationId)
    .$if(after !== undefined, (query) => query.where('id', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('id')
    .execute();
}

export function count(db: Db | Tx, applicationId: string): Promise<number> {
  return countRows(db.selectFrom('domains').where('application_id', '=', applicationId));
}

interface OfOrganization {
  organizationId: string;
  state: DomainState | undefined;
}

function ofOrganization(db: Db | Tx, { organizationId, state }: OfOrganization) {
  return db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    .where('a.organization_id', '=', organizationId)
    .where('a.deleted_at', 'is', null)
    .$if(state !== undefined, (query) => query.where('d.state', '=', state as DomainState));
}

/** Of every application of an organization. */
export function listOfOrganization(
  db: Db,
  of: OfOrganization,
  page: { limit: number | undefined; after: string | undefined },
): Promise<DomainRow[]> {
  const { limit, after } = page;
  return ofOrganization(db, of)
    .selectAll('d')
    .$if(after !== undefined, (query) => query.where('d.id', '>', after as string))
    .$if(limit !== undefined, (query) => query.limit(limit as number))
    .orderBy('d.id')
    .execute();
}

export function countOfOrganization(db: Db | Tx, of: OfOrganization): Promise<number> {
  return countRows(ofOrganization(db, of));
}

/** Those of applications that are not deleted, the longest overdue first. */
export function listDue(db: Db, now: number, limit: number): Promise<DomainRow[]> {
  return db
    .selectFrom('domains as d')
    .innerJoin('applications as a', 'a.id', 'd.application_id')
    .selectAll('d')
    .where('d.next_check_at', '<=', now)
    .where('a.deleted_at', 'is', null)
    .orderBy('d.next_check_at')
    .limit(limit)
    .execute();
}

/** Whether this caller got the check: of two nodes one does. */
export async function claim(tx: Tx, row: DomainRow, nextCheckAt: number): Promise<boolean> {
  const result = await tx
    .updateTable('domains')
    .set({ next_check_at: nextCheckAt })
    .where('id', '=', row.id)
    .where('next_check_at', '=', row.next_check_at)
    .executeTakeFirst();
  return result.numUpdatedRows > 0n;
}
