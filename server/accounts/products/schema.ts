import { Type } from 'typebox';
import { Body, Id, Nullable, OneOf, Time } from '#http/schema.ts';
import { entitlementStatuses, subscriptionStatuses } from './store.ts';

const Product = Type.Object(
  {
    slug: Type.String(),
    displayName: Type.String(),
    accessMode: OneOf(['organization', 'user']),
    defaultAccessPolicy: OneOf(['granted', 'explicit_entitlement_required'], {
      description: 'Applies when no explicit override exists.',
    }),
    plans: Type.Array(
      Type.Object({ slug: Type.String(), displayName: Type.String(), description: Type.String() }),
    ),
  },
  { title: 'Product' },
);

const ExplicitEntitlement = Type.Object(
  {
    id: Id,
    product: Type.String(),
    status: OneOf(entitlementStatuses),
    grantedByUserId: Nullable(Id),
    revokedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'ExplicitEntitlement' },
);

const Subscription = Type.Object(
  {
    id: Id,
    product: Type.String(),
    plan: Type.String(),
    status: OneOf(subscriptionStatuses),
    activatedByUserId: Nullable(Id),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'Subscription' },
);

export const ProductAccess = Type.Object(
  {
    product: Product,
    hasAccess: Type.Boolean({ description: 'Effective access.' }),
    resolutionSource: OneOf(['explicit', 'default'], {
      description: 'Whether an explicit override decided, or the default policy of the product.',
    }),
    explicitEntitlement: Nullable(ExplicitEntitlement),
    subscription: Nullable(Subscription),
  },
  { title: 'ProductAccess' },
);

export const EntitlementCheck = Type.Object(
  { organizationId: Id, product: Type.String(), hasAccess: Type.Boolean() },
  { title: 'EntitlementCheck' },
);

export const ProductPath = Type.Object({ organizationId: Id, product: Type.String({ maxLength: 64 }) });

/** Operators name organizations that they do not belong to: not `organizationId`, which means one's own. */
export const AdminOrganizationPath = Type.Object({ adminOrganizationId: Id });
export const AdminProductPath = Type.Object({
  adminOrganizationId: Id,
  product: Type.String({ maxLength: 64 }),
});
export const SetEntitlement = Body({ status: OneOf(['ACTIVE', 'SUSPENDED', 'REVOKED']) });
export const SetSubscription = Body({
  plan: Type.String({ maxLength: 64, description: 'The slug of a plan of the product.' }),
  status: Type.Optional(
    Type.Unsafe<'ACTIVE' | 'CANCELED'>({ ...OneOf(['ACTIVE', 'CANCELED']), default: 'ACTIVE' }),
  ),
});
