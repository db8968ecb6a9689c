import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Db } from '#core/db.ts';
import { actorTypes } from '#core/scopes.ts';
import { ListOf, OrganizationPath } from '#http/schema.ts';
import { toProductAccess } from './render.ts';
import { EntitlementCheck, ProductAccess, ProductPath } from './schema.ts';
import {
  accessOf,
  type Entitlements,
  organizationProduct,
  organizationProducts,
  type ProductRegistry,
} from './service.ts';

const config = {
  scope: 'platform:organizations:read',
  actors: actorTypes,
  role: 'MEMBER',
} as const;
const tags = ['Products'];

export function productRoutes(deps: {
  db: Db;
  registry: ProductRegistry;
  entitlements: Entitlements;
}): FastifyPluginAsyncTypebox {
  const { db, registry, entitlements } = deps;
  const listed = organizationProducts(registry);

  return async (app) => {
    app.get(
      '/organizations/:organizationId/products',
      {
        config,
        schema: {
          operationId: 'listOrganizationProducts',
          summary: 'List the products of an organization',
          tags,
          params: OrganizationPath,
          response: { 200: ListOf(ProductAccess) },
        },
      },
      async ({ organizationId }) => {
        const items = (await accessOf(db, organizationId, listed)).map(toProductAccess);
        return { items, total: items.length };
      },
    );

    app.get(
      '/organizations/:organizationId/products/:product',
      {
        config: { ...config, errors: [400] },
        schema: {
          operationId: 'getOrganizationProduct',
          summary: "Get an organization's access to a product",
          tags,
          params: ProductPath,
          response: { 200: ProductAccess },
        },
      },
      async ({ organizationId, params }) => {
        const product = organizationProduct(registry, params.product);
        const [access] = await accessOf(db, organizationId, [product]);
        return toProductAccess(access as NonNullable<typeof access>);
      },
    );

    app.get(
      '/organizations/:organizationId/products/:product/entitlement',
      {
        config: { ...config, errors: [400] },
        schema: {
          operationId: 'checkOrganizationProductEntitlement',
          summary: "Check an organization's access to a product",
          tags,
          params: ProductPath,
          response: { 200: EntitlementCheck },
        },
      },
      async ({ organizationId, params }) => {
        const { slug } = organizationProduct(registry, params.product);
        return {
          organizationId,
          product: slug,
          hasAccess: await entitlements.hasAccess(organizationId, slug),
        };
      },
    );
  };
}
