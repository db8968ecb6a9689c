import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Instance } from '#accounts/instance/service.ts';
import { findUser } from '#accounts/users/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { andThen } from '#core/maybe.ts';
import { displayName } from '#core/names.ts';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { sendJson } from '#http/json.ts';
import { rateHeaders } from '#http/rate-limit.ts';
import { OrganizationPath } from '#http/schema.ts';
import { demandMayCreate } from './limits.ts';
import type { Organizations } from './listing.ts';
import { toOrganization } from './render.ts';
import {
  ChangeOrganization,
  CreateOrganization,
  ListOrganizationsQuery,
  Organization,
  OrganizationList,
} from './schema.ts';
import {
  changeOrganization,
  createOrganization,
  deleteOrganization,
  restoreOrganization,
} from './service.ts';
import { find } from './store.ts';

export interface OrganizationDeps {
  db: Db;
  clock: Clock;
  once: Once;
  instance: Instance;
  baseUrl: string;
  organizations: Organizations;
}

const read = { scope: 'platform:organizations:read', actors: actorTypes } as const;
const ownerWrites = { scope: 'platform:organizations:write', actors: ['user'], role: 'OWNER' } as const;
const tags = ['Organizations'];

export function organizationRoutes(deps: OrganizationDeps): FastifyPluginAsyncTypebox {
  const { db, clock, once, instance, baseUrl, organizations } = deps;

  return async (app) => {
    app.get(
      '/organizations',
      {
        config: read,
        schema: {
          operationId: 'listOrganizations',
          summary: 'List organizations',
          tags,
          querystring: ListOrganizationsQuery,
          response: { 200: OrganizationList },
        },
      },
      ({ auth, query }, reply) => {
        const { actor } = auth;
        const page = { from: (query.cursor ?? query.from)?.toLowerCase(), limit: query.limit };
        if (actor.type !== 'user') {
          // A machine sees the organization that it belongs to.
          return sendJson(reply, organizations.alone(actor.organizationId ?? '', page));
        }
        const list = query.deleted
          ? organizations.deletedOfUser(actor.id, page)
          : organizations.ofUser(actor.id, page);
        return sendJson(reply, list);
      },
    );

    app.post(
      '/organizations',
      {
        config: {
          errors: [409],
          scope: 'platform:organizations:write',
          actors: ['user'],
          forms: true,
          once: true,
        },
        schema: {
          operationId: 'createOrganization',
          summary: 'Create an organization',
          tags,
          body: CreateOrganization,
          response: { 200: Organization },
        },
      },
      async (request, reply) => {
        const name = displayName(request.body.name, 'name');
        const { slug } = request.body;
        const userId = request.auth.actor.id;
        const settings = await instance.settings();
        const work = async (tx: Tx) => {
          const now = clock.now();
          const user = await findUser(tx, userId);
          if (!user) throw new Problem('forbidden', 'The user of this token no longer exists.');
          reply.headers(rateHeaders(await demandMayCreate(tx, settings, user, now)));
          const row = await createOrganization(tx, requestSource(request), {
            name,
            slug,
            ownerId: userId,
            now,
          });
          return toOrganization(row, baseUrl);
        };
        return once(request, work, { queue: `organizations-of:${userId}` });
      },
    );

    app.get(
      '/organizations/:organizationId',
      {
        config: { ...read, role: 'MEMBER' },
        schema: {
          operationId: 'getOrganization',
          summary: 'Get an organization',
          tags,
          params: OrganizationPath,
          response: { 200: Organization },
        },
      },
      ({ organizationId }, reply) => sendJson(reply, andThen(organizations.one(organizationId), present)),
    );

    app.patch(
      '/organizations/:organizationId',
      {
        config: { errors: [409], ...ownerWrites, forms: true },
        schema: {
          operationId: 'updateOrganization',
          summary: 'Update an organization',
          tags,
          params: OrganizationPath,
          body: ChangeOrganization,
          response: { 200: Organization },
        },
      },
      async (request) => {
        const { name, slug } = request.body;
        const wanted = { name: name === undefined ? undefined : displayName(name, 'name'), slug };
        const row = await db.write(async (tx) => {
          const before = present(await find(tx, request.organizationId));
          return changeOrganization(tx, requestSource(request), before, { ...wanted, now: clock.now() });
        });
        return toOrganization(row, baseUrl);
      },
    );

    app.delete(
      '/organizations/:organizationId',
      {
        config: ownerWrites,
        schema: {
          operationId: 'deleteOrganization',
          summary: 'Delete an organization',
          description: 'It can be restored for a limited time.',
          tags,
          params: OrganizationPath,
          response: { 204: { type: 'null', description: 'Deleted, with its keys and tokens.' } },
        },
      },
      async (request, reply) => {
        await db.write(async (tx) => {
          const row = present(await find(tx, request.organizationId));
          await deleteOrganization(tx, requestSource(request), row, clock.now());
        });
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/organizations/:organizationId/restore',
      {
        config: { errors: [409], ...ownerWrites, whileDeleted: true },
        schema: {
          operationId: 'restoreOrganization',
          summary: 'Restore a deleted organization',
          tags,
          params: OrganizationPath,
          response: { 200: Organization },
        },
      },
      async (request) => {
        const row = await db.write(async (tx) => {
          const before = present(await find(tx, request.organizationId));
          return restoreOrganization(tx, requestSource(request), before, clock.now());
        });
        return toOrganization(row, baseUrl);
      },
    );
  };
}

/** It was there when the access was checked; it may have been purged since. */
function present<T>(row: T | null | undefined): T {
  if (!row) throw new Problem('not_found', 'No organization with this id is visible to this token.');
  return row;
}
