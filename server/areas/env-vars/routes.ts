import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import { actorTypes } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { sendJson } from '#http/json.ts';
import { listPage } from '#http/paging.ts';
import { OrganizationPath } from '#http/schema.ts';
import { resolved, toEnvVar } from './render.ts';
import { ChangeEnvVar, CreateEnvVar, EnvVar, EnvVarList, EnvVarPath, ListEnvVarsQuery } from './schema.ts';
import {
  changeVariable,
  checkKey,
  checkValue,
  createVariable,
  type Deps,
  deleteVariable,
  envVarsTopic,
  ofOrganization,
  variableOf,
} from './service.ts';
import { count, list } from './store.ts';

const product = 'env-vars';
export const readers = {
  scope: 'network:env_vars:read',
  actors: actorTypes,
  role: 'MEMBER',
  product,
} as const;
export const writers = {
  scope: 'network:env_vars:write',
  actors: actorTypes,
  role: 'ADMIN',
  product,
} as const;
export const deleters = {
  scope: 'network:env_vars:delete',
  actors: actorTypes,
  role: 'OWNER',
  product,
} as const;
export const tags = ['Environment variables'];

/** Room for a value of 64 KiB in any spelling of JSON or a form. */
export const bodyLimit = 512 * 1024;
/** For the lists that are kept as text, of all organizations together. */
const listBytes = 32 * 1024 * 1024;

export function envVarRoutes(deps: Deps & { once: Once }): FastifyPluginAsyncTypebox {
  const { db, once, values } = deps;
  // The whole list of an organization as it is sent: programs read it at every start, and it rarely changes.
  const lists = new Cached<string>({
    notifications: db.notifications,
    max: listBytes,
    sizeOf: (text) => text.length * 2,
    topics: [envVarsTopic],
    load: async (organizationId) => {
      const items = (await list(db, ofOrganization(organizationId))).map((row) => toEnvVar(row, values));
      return JSON.stringify({ items, total: items.length });
    },
  });

  return async (app) => {
    app.get(
      '/organizations/:organizationId/env-vars',
      {
        config: readers,
        schema: {
          operationId: 'listOrganizationEnvVars',
          summary: 'List the variables of an organization',
          tags,
          params: OrganizationPath,
          querystring: ListEnvVarsQuery,
          response: { 200: EnvVarList },
        },
      },
      async ({ organizationId, query }, reply) => {
        const whole = query.limit === undefined && query.cursor === undefined && !query.resolve;
        if (whole) return sendJson(reply, lists.get(organizationId));
        const place = ofOrganization(organizationId);
        const shown = query.resolve ? resolved(await list(db, place), values) : undefined;
        return listPage(query, {
          rows: (page) => list(db, place, page),
          count: () => count(db, place),
          sortKey: (row) => row.key,
          isSortKey: (text) => text.length <= 255,
          item: (row) => toEnvVar(row, values, { shown }),
        });
      },
    );

    app.post(
      '/organizations/:organizationId/env-vars',
      {
        bodyLimit,
        config: { errors: [409], ...writers, forms: true, once: true },
        schema: {
          operationId: 'createOrganizationEnvVar',
          summary: 'Create a variable',
          tags,
          params: OrganizationPath,
          body: CreateEnvVar,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        const { key, value, sensitive = false } = body;
        checkKey(key);
        checkValue(value);
        return once(request, async (tx) => {
          const variable = { key, value, sensitive };
          const place = ofOrganization(organizationId);
          const row = await createVariable(tx, deps, requestSource(request), place, variable);
          return toEnvVar(row, values);
        });
      },
    );

    app.patch(
      '/organizations/:organizationId/env-vars/:envVarId',
      {
        bodyLimit,
        config: { errors: [409, 412], ...writers, forms: true },
        schema: {
          operationId: 'updateOrganizationEnvVar',
          summary: 'Update a variable',
          tags,
          params: EnvVarPath,
          body: ChangeEnvVar,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { organizationId, params, body } = request;
        if (body.key !== undefined) checkKey(body.key);
        if (body.value !== undefined) checkValue(body.value);
        const row = await db.write(async (tx) => {
          const before = await variableOf(tx, ofOrganization(organizationId), params.envVarId);
          return changeVariable(tx, deps, requestSource(request), before, body);
        });
        return toEnvVar(row, values);
      },
    );

    app.delete(
      '/organizations/:organizationId/env-vars/:envVarId',
      {
        config: deleters,
        schema: {
          operationId: 'deleteOrganizationEnvVar',
          summary: 'Delete a variable',
          tags,
          params: EnvVarPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        await db.write(async (tx) => {
          const row = await variableOf(tx, ofOrganization(request.organizationId), request.params.envVarId);
          await deleteVariable(tx, requestSource(request), row);
        });
        return reply.code(204).send(null);
      },
    );
  };
}
