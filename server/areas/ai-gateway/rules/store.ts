import type { Db, Tx } from '#core/db.ts';

interface BudgetTable {
  id: string;
  organization_id: string;
  /** Empty: none. The same of the other two. */
  application_id: string;
  user_id: string;
  api_key_id: string;
  period: 'day' | 'month';
  max_cost_micros: number | null;
  max_requests: number | null;
  max_tokens: number | null;
  max_request_cost_micros: number | null;
  enabled: number;
  created_at: number;
  updated_at: number;
}

interface PolicyTable {
  id: string;
  organization_id: string;
  application_id: string;
  api_key_id: string;
  /** JSON of `Rules`. */
  body: string;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    ai_budgets: BudgetTable;
    ai_policies: PolicyTable;
    ai_aliases: { organization_id: string; alias: string; models: string };
  }
}

export type BudgetRow = BudgetTable;
export type PolicyRow = PolicyTable;

export function listBudgets(db: Db | Tx, organizationId: string): Promise<BudgetRow[]> {
  return db
    .selectFrom('ai_budgets')
    .selectAll()
    .where('organization_id', '=', organizationId)
    .orderBy('id')
    .execute();
}

export async function putBudget(tx: Tx, { id, ...row }: BudgetRow): Promise<void> {
  await tx
    .insertInto('ai_budgets')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export async function deleteBudgets(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('ai_budgets').where('id', 'in', ids).execute();
}

export function findBudget(tx: Tx, id: string): Promise<BudgetRow | undefined> {
  return tx.selectFrom('ai_budgets').selectAll().where('id', '=', id).executeTakeFirst();
}

export function listPolicies(db: Db | Tx, organizationId: string): Promise<PolicyRow[]> {
  return db.selectFrom('ai_policies').selectAll().where('organization_id', '=', organizationId).execute();
}

export async function putPolicy(tx: Tx, { id, ...row }: PolicyRow): Promise<void> {
  await tx
    .insertInto('ai_policies')
    .values({ id, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

export function listAliases(
  db: Db | Tx,
  organizationId: string,
): Promise<{ alias: string; models: string }[]> {
  return db
    .selectFrom('ai_aliases')
    .select(['alias', 'models'])
    .where('organization_id', '=', organizationId)
    .orderBy('alias')
    .execute();
}

export async function replaceAliases(
  tx: Tx,
  organizationId: string,
  aliases: readonly { alias: string; models: readonly string[] }[],
): Promise<void> {
  await tx.deleteFrom('ai_aliases').where('organization_id', '=', organizationId).execute();
  const rows = aliases.map(({ alias, models }) => ({
    organization_id: organizationId,
    alias,
    models: JSON.stringify(models),
  }));
  if (rows.length > 0) await tx.insertInto('ai_aliases').values(rows).execute();
}
