import type { Db, Tx } from '#core/db.ts';
import type { Status } from './statuses.ts';

interface OverrideTable {
  id: string;
  /** Null: the operators', for everybody. */
  organization_id: string | null;
  /** Lower-case ASCII. It covers what is below it. */
  domain: string;
  action: 'block' | 'allow';
  status: Status;
  note: string | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    reputation_overrides: OverrideTable;
  }
}

export type OverrideRow = OverrideTable;

/** Whose overrides: an organization's, or with null the operators'. */
export type Owner = string | null;

function ofOwner(db: Db | Tx, owner: Owner) {
  const query = db.selectFrom('reputation_overrides');
  return owner === null
    ? query.where('organization_id', 'is', null)
    : query.where('organization_id', '=', owner);
}

/** In the order of their domains. */
export function list(
  db: Db | Tx,
  owner: Owner,
  page: { limit: number | undefined; after: string | undefined },
): Promise<OverrideRow[]> {
  let query = ofOwner(db, owner).selectAll().orderBy('domain');
  if (page.after !== undefined) query = query.where('domain', '>', page.after);
  if (page.limit !== undefined) query = query.limit(page.limit);
  return query.execute();
}

export async function count(db: Db | Tx, owner: Owner): Promise<number> {
  const query = ofOwner(db, owner).select((eb) => eb.fn.countAll<number>().as('n'));
  return Number((await query.executeTakeFirstOrThrow()).n);
}

export function find(db: Db | Tx, owner: Owner, id: string): Promise<OverrideRow | undefined> {
  return ofOwner(db, owner).selectAll().where('id', '=', id).executeTakeFirst();
}

export async function insert(tx: Tx, row: OverrideRow): Promise<void> {
  await tx.insertInto('reputation_overrides').values(row).execute();
}

export async function update(
  tx: Tx,
  id: string,
  change: Pick<OverrideRow, 'action' | 'status' | 'note' | 'updated_at'>,
): Promise<void> {
  await tx.updateTable('reputation_overrides').set(change).where('id', '=', id).execute();
}

export async function remove(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('reputation_overrides').where('id', '=', id).execute();
}
