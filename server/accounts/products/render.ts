import { isoTime } from '#core/clock.ts';
import type { ProductAccess } from './service.ts';
import type { EntitlementRow, SubscriptionRow } from './store.ts';

/** The product access record of the specification. */
export function toProductAccess({
  product,
  hasAccess,
  resolutionSource,
  entitlement,
  subscription,
}: ProductAccess) {
  return {
    product: { ...product, plans: [...product.plans] },
    hasAccess,
    resolutionSource,
    explicitEntitlement: entitlement && toEntitlement(entitlement),
    subscription: subscription && toSubscription(subscription),
  };
}

function toEntitlement(row: EntitlementRow) {
  return {
    id: row.id,
    product: row.product,
    status: row.status,
    grantedByUserId: row.granted_by_user_id,
    revokedAt: row.revoked_at === null ? null : isoTime(row.revoked_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}

function toSubscription(row: SubscriptionRow) {
  return {
    id: row.id,
    product: row.product,
    plan: row.plan,
    status: row.status,
    activatedByUserId: row.activated_by_user_id,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
