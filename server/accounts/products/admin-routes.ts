import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { findOrganization } from '#accounts/organizations/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import { ListOf } from '#http/schema.ts';
import { toProductAccess } from './render.ts';
import {
  AdminOrganizationPath,
  AdminProductPath,
  ProductAccess,
  SetEntitlement,
  SetSubscription,
} from './schema.ts';
import {
  accessOf,
  organizationProduct,
  organizationProducts,
  type Product,
  type ProductRegistry,
  removeEntitlement,
  setEntitlement,
  setSubscription,
} from './service.ts';

/** What operators grant and take: overrides of the default policy, and subscriptions to plans. */
export function adminProductRoutes(deps: {
  db: Db;
  clock: Clock;
  registry: ProductRegistry;
}): FastifyPluginAsyncTypebox {
  const { db, clock, registry } = deps;
  const one = async (organizationId: string, product: Product) => {
    const [access] = await accessOf(db, organizationId, [product]);
    return toProductAccess(access as NonNullable<typeof access>);
  };
  const demandOrganization = async (id: string) => {
    if (!(await findOrganization(db, id)))
      throw new Problem('not_found', 'There is no organization with this id.');
  };

  return async (app) => {
    app.get(
      '/admin/organizations/:adminOrganizationId/products',
      {
        config: operatorReads,
        schema: {
          operationId: 'listProductsOfAnyOrganization',
          summary: 'List the products of any organization',
          tags,
          params: AdminOrganizationPath,
          response: { 200: ListOf(ProductAccess) },
        },
      },
      async ({ params }) => {
        await demandOrganization(params.adminOrganizationId);
        const all = await accessOf(db, params.adminOrganizationId, organizationProducts(registry));
        return { items: all.map(toProductAccess), total: all.length };
      },
    );

    app.put(
      '/admin/organizations/:adminOrganizationId/products/:product/entitlement',
      {
        config: { ...operatorWrites, errors: [409] },
        schema: {
          operationId: 'setEntitlement',
          summary: 'Set the entitlement of an organization to a product',
          description:
            'Allowed transitions: ACTIVE to SUSPENDED and back, both to REVOKED, and REVOKED to ACTIVE.',
          tags,
          params: AdminProductPath,
          body: SetEntitlement,
          response: { 200: ProductAccess },
        },
      },
      async (request) => {
        const { adminOrganizationId: organizationId } = request.params;
        const product = organizationProduct(registry, request.params.product);
        await demandOrganization(organizationId);
        const source = requestSource(request);
        const change = { organizationId, product: product.slug, userId: request.auth.actor.id, source };
        await db.write((tx) => setEntitlement(tx, { db, clock }, change, request.body.status));
        return one(organizationId, product);
      },
    );

    app.delete(
      '/admin/organizations/:adminOrganizationId/products/:product/entitlement',
      {
        config: operatorWrites,
        schema: {
          operationId: 'deleteEntitlement',
          summary: 'Remove the entitlement override of an organization',
          tags,
          params: AdminProductPath,
          response: { 200: ProductAccess },
        },
      },
      async (request) => {
        const { adminOrganizationId: organizationId } = request.params;
        const product = organizationProduct(registry, request.params.product);
        const source = requestSource(request);
        const change = { organizationId, product: product.slug, userId: request.auth.actor.id, source };
        await db.write((tx) => removeEntitlement(tx, change));
        return one(organizationId, product);
      },
    );

    app.put(
      '/admin/organizations/:adminOrganizationId/products/:product/subscription',
      {
        config: { ...operatorWrites, errors: [409] },
        schema: {
          operationId: 'setSubscription',
          summary: 'Set the plan of an organization',
          tags,
          params: AdminProductPath,
          body: SetSubscription,
          response: { 200: ProductAccess },
        },
      },
      async (request) => {
        const { adminOrganizationId: organizationId } = request.params;
        const { plan, status = 'ACTIVE' } = request.body;
        const product = organizationProduct(registry, request.params.product);
        if (!product.plans.some(({ slug }) => slug === plan)) {
          const known = product.plans.map(({ slug }) => slug).join(', ') || 'none';
          throw new Problem('invalid_request', `"${product.slug}" has no plan "${plan}". It has: ${known}.`);
        }
        await demandOrganization(organizationId);
        const source = requestSource(request);
        const change = { organizationId, product: product.slug, userId: request.auth.actor.id, source };
        await db.write((tx) => setSubscription(tx, clock, change, { plan, status }));
        return one(organizationId, product);
      },
    );
  };
}
