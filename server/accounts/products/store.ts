import type { Db, Tx } from '#core/db.ts';

export const entitlementStatuses = ['ACTIVE', 'SUSPENDED', 'REVOKED'] as const;
export type EntitlementStatus = (typeof entitlementStatuses)[number];

export const subscriptionStatuses = ['ACTIVE', 'CANCELED'] as const;
export type SubscriptionStatus = (typeof subscriptionStatuses)[number];

interface EntitlementTable {
  id: string;
  organization_id: string;
  product: string;
  status: EntitlementStatus;
  granted_by_user_id: string | null;
  revoked_at: number | null;
  created_at: number;
  updated_at: number;
}

interface SubscriptionTable {
  id: string;
  organization_id: string;
  product: string;
  plan: string;
  status: SubscriptionStatus;
  activated_by_user_id: string | null;
  created_at: number;
  updated_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    entitlements: EntitlementTable;
    subscriptions: SubscriptionTable;
  }
}

export type EntitlementRow = EntitlementTable;
export type SubscriptionRow = SubscriptionTable;

export function entitlementsOf(db: Db | Tx, organizationId: string): Promise<EntitlementRow[]> {
  return db.selectFrom('entitlements').selectAll().where('organization_id', '=', organizationId).execute();
}

export function subscriptionsOf(db: Db | Tx, organizationId: string): Promise<SubscriptionRow[]> {
  return db.selectFrom('subscriptions').selectAll().where('organization_id', '=', organizationId).execute();
}

export async function putEntitlement(tx: Tx, row: EntitlementRow): Promise<void> {
  const { status, granted_by_user_id, revoked_at, updated_at } = row;
  await tx
    .insertInto('entitlements')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'product'])
        .doUpdateSet({ status, granted_by_user_id, revoked_at, updated_at }),
    )
    .execute();
}

export async function deleteEntitlement(tx: Tx, organizationId: string, product: string): Promise<void> {
  await tx
    .deleteFrom('entitlements')
    .where('organization_id', '=', organizationId)
    .where('product', '=', product)
    .execute();
}

export async function putSubscription(tx: Tx, row: SubscriptionRow): Promise<void> {
  const { plan, status, activated_by_user_id, updated_at } = row;
  await tx
    .insertInto('subscriptions')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'product'])
        .doUpdateSet({ plan, status, activated_by_user_id, updated_at }),
    )
    .execute();
}
