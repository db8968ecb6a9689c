import { type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { Product, ProductRegistry } from './registry.ts';
import {
  deleteEntitlement,
  type EntitlementRow,
  type EntitlementStatus,
  entitlementsOf,
  putEntitlement,
  putSubscription,
  type SubscriptionRow,
  type SubscriptionStatus,
  subscriptionsOf,
} from './store.ts';

export { type Product, type ProductRegistry, readRegistry } from './registry.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id. */
    entitlements: true;
  }
}

/** Notification of a change of what an organization may use; the key is the organization's id. */
const topic = 'entitlements';

/** Answers whether an organization may use a product: the one function that every product area asks. */
export class Entitlements {
  readonly #registry: ProductRegistry;
  /** By organization: what its overrides say, by product. */
  readonly #overrides: Cached<ReadonlyMap<string, EntitlementStatus>>;

  constructor({ db, registry, max }: { db: Db; registry: ProductRegistry; max: number }) {
    this.#registry = registry;
    this.#overrides = new Cached<ReadonlyMap<string, EntitlementStatus>>({
      notifications: db.notifications,
      max,
      topics: [topic],
      load: async (organizationId) => {
        const rows = await entitlementsOf(db, organizationId);
        return new Map(rows.map((row) => [row.product, row.status]));
      },
    });
  }

  /** Null: a user who acts in no organization, for whom the default policy decides. */
  hasAccess(organizationId: string | null, slug: string): Maybe<boolean> {
    const product = this.#registry.get(slug);
    if (!product) throw new Error(`There is no product "${slug}".`);
    if (organizationId === null) return isGranted(product, undefined);
    return andThen(this.#overrides.get(organizationId), (overrides) =>
      isGranted(product, overrides.get(slug)),
    );
  }
}

/** An override decides where there is one, else the product's default policy. */
function isGranted(product: Product, override: EntitlementStatus | undefined): boolean {
  return override ? override === 'ACTIVE' : product.defaultAccessPolicy === 'granted';
}

/** A product that organizations can have; a slug that nobody knows is a 404, a product of users a 400. */
export function organizationProduct(registry: ProductRegistry, slug: string): Product {
  const product = registry.get(slug);
  if (!product) throw new Problem('not_found', `There is no product "${slug.slice(0, 64)}".`);
  if (product.accessMode === 'user') {
    throw new Problem(
      'invalid_request',
      `"${slug}" is a product of users; organizations have no entitlement to it.`,
    );
  }
  return product;
}

export function organizationProducts(registry: ProductRegistry): Product[] {
  return [...registry.values()].filter((product) => product.accessMode === 'organization');
}

export interface ProductAccess {
  product: Product;
  hasAccess: boolean;
  resolutionSource: 'explicit' | 'default';
  entitlement: EntitlementRow | null;
  subscription: SubscriptionRow | null;
}

/** What an organization may use and why, product by product. */
export async function accessOf(
  db: Db,
  organizationId: string,
  products: readonly Product[],
): Promise<ProductAccess[]> {
  const [entitlements, subscriptions] = await Promise.all([
    entitlementsOf(db, organizationId),
    subscriptionsOf(db, organizationId),
  ]);
  return products.map((product) => {
    const entitlement = entitlements.find((row) => row.product === product.slug) ?? null;
    const subscription = subscriptions.find((row) => row.product === product.slug) ?? null;
    return {
      product,
      hasAccess: isGranted(product, entitlement?.status),
      resolutionSource: entitlement ? 'explicit' : 'default',
      entitlement,
      subscription,
    };
  });
}

const transitions: Record<EntitlementStatus, readonly EntitlementStatus[]> = {
  ACTIVE: ['SUSPENDED', 'REVOKED'],
  SUSPENDED: ['ACTIVE', 'REVOKED'],
  REVOKED: ['ACTIVE'],
};

interface Change {
  organizationId: string;
  product: string;
  userId: string;
  source: AuditSource;
}

/** Sets an operator's override. Setting what is set already changes nothing; a transition that does not exist is 409. */
export async function setEntitlement(
  tx: Tx,
  { clock }: { db: Db; clock: Clock },
  { organizationId, product, userId, source }: Change,
  status: EntitlementStatus,
): Promise<void> {
  const before = (await entitlementsOf(tx, organizationId)).find((row) => row.product === product);
  if (before?.status === status) return;
  if (before && !transitions[before.status].includes(status)) {
    const next = transitions[before.status].join(' or ');
    throw new Problem('conflict', `The override is ${before.status}; it can become ${next}, not ${status}.`);
  }
  const now = clock.now();
  await putEntitlement(tx, {
    id: before?.id ?? newId(now),
    organization_id: organizationId,
    product,
    status,
    granted_by_user_id: status === 'ACTIVE' ? userId : (before?.granted_by_user_id ?? userId),
    revoked_at: status === 'REVOKED' ? now : null,
    created_at: before?.created_at ?? now,
    updated_at: now,
  });
  const details = { product, from: before?.status ?? null, to: status };
  await audit(tx, source, {
    organizationId,
    action: 'entitlement.updated',
    targetType: 'product',
    targetId: product,
    details,
  });
  announce(tx, topic, organizationId);
}

/** Removes the override: the product's default policy decides again. */
export async function removeEntitlement(tx: Tx, { organizationId, product, source }: Change): Promise<void> {
  const before = (await entitlementsOf(tx, organizationId)).find((row) => row.product === product);
  if (!before) throw new Problem('not_found', 'The organization has no override for this product.');
  await deleteEntitlement(tx, organizationId, product);
  const details = { product, from: before.status, to: null };
  await audit(tx, source, {
    organizationId,
    action: 'entitlement.deleted',
    targetType: 'product',
    targetId: product,
    details,
  });
  announce(tx, topic, organizationId);
}

/** Sets the plan of an organization, or cancels it. A canceled subscription may be activated again. */
export async function setSubscription(
  tx: Tx,
  clock: Clock,
  { organizationId, product, userId, source }: Change,
  wanted: { plan: string; status: SubscriptionStatus },
): Promise<void> {
  const before = (await subscriptionsOf(tx, organizationId)).find((row) => row.product === product);
  if (!before && wanted.status === 'CANCELED') {
    throw new Problem('conflict', 'There is no subscription to cancel.');
  }
  if (before?.plan === wanted.plan && before.status === wanted.status) return;
  const now = clock.now();
  await putSubscription(tx, {
    id: before?.id ?? newId(now),
    organization_id: organizationId,
    product,
    plan: wanted.plan,
    status: wanted.status,
    activated_by_user_id: wanted.status === 'ACTIVE' ? userId : (before?.activated_by_user_id ?? null),
    created_at: before?.created_at ?? now,
    updated_at: now,
  });
  const details = { product, from: before ? { plan: before.plan, status: before.status } : null, to: wanted };
  await audit(tx, source, {
    organizationId,
    action: 'subscription.updated',
    targetType: 'product',
    targetId: product,
    details,
  });
}
