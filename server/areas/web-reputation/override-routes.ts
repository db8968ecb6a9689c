import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Once } from '#http/idempotency.ts';
import { operatorReads, operatorTags, operatorWrites } from '#http/operators.ts';
import { type CursorQuery, listPage } from '#http/paging.ts';
import { OrganizationPath } from '#http/schema.ts';
import type { FeedData } from './feeds/data.ts';
import {
  changeOverride,
  createOverride,
  deleteOverride,
  type OverrideDeps,
  overrideOf,
} from './overrides.ts';
import { toOverride } from './render.ts';
import { tags } from './routes.ts';
import {
  AdminOverridePath,
  ChangeOverride,
  CreateOverride,
  ListOverridesQuery,
  OverridePath,
  ReputationOverride,
  ReputationOverrideList,
} from './schema.ts';
import { count, list, type Owner } from './store.ts';

const account = { actors: ['user', 'organization'], product: 'web-reputation' } as const;
const readers = { ...account, scope: 'platform:organizations:read', role: 'MEMBER' } as const;
const writers = { ...account, scope: 'platform:organizations:write', role: 'ADMIN' } as const;

type Deps = OverrideDeps & { once: Once };

/** What an organization says of domains, for itself. */
export function overrideRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { db, once } = deps;

  return async (app) => {
    app.get(
      '/organizations/:organizationId/web-reputation/overrides',
      {
        config: readers,
        schema: {
          operationId: 'listReputationOverrides',
          summary: 'List reputation overrides',
          tags,
          params: OrganizationPath,
          querystring: ListOverridesQuery,
          response: { 200: ReputationOverrideList },
        },
      },
      ({ organizationId, query }) => page(deps, organizationId, query),
    );

    app.post(
      '/organizations/:organizationId/web-reputation/overrides',
      {
        config: { errors: [409], ...writers, once: true },
        schema: {
          operationId: 'createReputationOverride',
          summary: 'Create a reputation override',
          tags,
          params: OrganizationPath,
          body: CreateOverride,
          response: { 200: ReputationOverride },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        return once(request, async (tx) =>
          toOverride(await createOverride(tx, deps, requestSource(request), organizationId, body)),
        );
      },
    );

    app.patch(
      '/organizations/:organizationId/web-reputation/overrides/:overrideId',
      {
        config: writers,
        schema: {
          operationId: 'updateReputationOverride',
          summary: 'Update a reputation override',
          tags,
          params: OverridePath,
          body: ChangeOverride,
          response: { 200: ReputationOverride },
        },
      },
      async (request) => {
        const { organizationId, params, body } = request;
        const row = await db.write(async (tx) => {
          const before = await overrideOf(tx, organizationId, params.overrideId);
          return changeOverride(tx, deps, requestSource(request), before, body);
        });
        return toOverride(row);
      },
    );

    app.delete(
      '/organizations/:organizationId/web-reputation/overrides/:overrideId',
      {
        config: writers,
        schema: {
          operationId: 'deleteReputationOverride',
          summary: 'Delete a reputation override',
          tags,
          params: OverridePath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { organizationId, params } = request;
        await db.write(async (tx) => {
          const row = await overrideOf(tx, organizationId, params.overrideId);
          await deleteOverride(tx, requestSource(request), row);
        });
        return reply.code(204).send(null);
      },
    );
  };
}

const everybody: Owner = null;

/** What operators say of domains, for everybody; and the refresh of the lists. */
export function adminReputationRoutes(deps: Deps & { feeds: FeedData }): FastifyPluginAsyncTypebox {
  const { db, once, feeds } = deps;

  return async (app) => {
    app.get(
      '/admin/web-reputation/overrides',
      {
        config: operatorReads,
        schema: {
          operationId: 'listInstanceReputationOverrides',
          summary: 'List the reputation overrides of the instance',
          tags: operatorTags,
          querystring: ListOverridesQuery,
          response: { 200: ReputationOverrideList },
        },
      },
      ({ query }) => page(deps, everybody, query),
    );

    app.post(
      '/admin/web-reputation/overrides',
      {
        config: { errors: [409], ...operatorWrites, once: true },
        schema: {
          operationId: 'createInstanceReputationOverride',
          summary: 'Create a reputation override for the instance',
          tags: operatorTags,
          body: CreateOverride,
          response: { 200: ReputationOverride },
        },
      },
      async (request) =>
        once(request, async (tx) =>
          toOverride(await createOverride(tx, deps, requestSource(request), everybody, request.body)),
        ),
    );

    app.patch(
      '/admin/web-reputation/overrides/:overrideId',
      {
        config: operatorWrites,
        schema: {
          operationId: 'updateInstanceReputationOverride',
          summary: 'Update a reputation override of the instance',
          tags: operatorTags,
          params: AdminOverridePath,
          body: ChangeOverride,
          response: { 200: ReputationOverride },
        },
      },
      async (request) => {
        const row = await db.write(async (tx) => {
          const before = await overrideOf(tx, everybody, request.params.overrideId);
          return changeOverride(tx, deps, requestSource(request), before, request.body);
        });
        return toOverride(row);
      },
    );

    app.delete(
      '/admin/web-reputation/overrides/:overrideId',
      {
        config: operatorWrites,
        schema: {
          operationId: 'deleteInstanceReputationOverride',
          summary: 'Delete a reputation override of the instance',
          tags: operatorTags,
          params: AdminOverridePath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        await db.write(async (tx) => {
          const row = await overrideOf(tx, everybody, request.params.overrideId);
          await deleteOverride(tx, requestSource(request), row);
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/admin/web-reputation/refresh',
      {
        config: operatorWrites,
        schema: {
          operationId: 'refreshReputationFeeds',
          summary: 'Refresh all threat feeds',
          description:
            'Runs on the node that receives the request. GET /web-reputation/feeds shows the result.',
          tags: operatorTags,
          response: { 202: { type: 'null', description: 'Begun.' } },
        },
      },
      async (_request, reply) => {
        void feeds.refresh({ force: true });
        return reply.code(202).send(null);
      },
    );
  };
}

function page({ db }: Deps, owner: Owner, query: CursorQuery) {
  return listPage(query, {
    rows: (wanted) => list(db, owner, wanted),
    count: () => count(db, owner),
    sortKey: (row) => row.domain,
    isSortKey: (text) => text.length <= 255,
    item: toOverride,
  });
}
