import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Environment, Environments } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Auth } from '#core/actor.ts';
import { Problem } from '#core/problem.ts';
import type { Once } from '#http/idempotency.ts';
import { readPage, toPage } from '#http/paging.ts';
import {
  ApplicationEnvVarPath,
  ApplicationPath,
  ApplicationVersionPath,
  ChangeApplicationEnvVar,
  CreateApplicationEnvVar,
  ListApplicationEnvVarsQuery,
} from './application-schema.ts';
import { toEnvVar, toVersion } from './render.ts';
import { bodyLimit, deleters, readers, tags, writers } from './routes.ts';
import { EnvVar, EnvVarList, VersionList } from './schema.ts';
import {
  changeVariable,
  checkKey,
  checkValue,
  createVariable,
  type Deps,
  deleteVariable,
  noVariable,
  restoreVersion,
  variableOf,
} from './service.ts';
import { countOfApplication, type EnvVarRow, listOfApplication, listVersions } from './store.ts';

export interface ApplicationDeps extends Deps {
  once: Once;
  environments: Environments;
}

interface Owner {
  organizationId: string;
  applicationId: string;
}

/** The environments that the token may see, and the names by which variables show them. */
async function visible(environments: Environments, auth: Auth, applicationId: string) {
  const all = await environments.visibleTo(auth, applicationId);
  const names = new Map(all.map(({ id, name }) => [id, name]));
  // A variable of the application itself is seen by every token of it.
  const sees = (row: EnvVarRow) => row.environment_id === '' || names.has(row.environment_id);
  return { names, sees, ids: ['', ...names.keys()] };
}

export function applicationEnvVarRoutes(deps: ApplicationDeps): FastifyPluginAsyncTypebox {
  const { db, once, values, environments } = deps;
  const ownerOf = (request: { organizationId: string; params: { applicationId: string } }): Owner => ({
    organizationId: request.organizationId,
    applicationId: request.params.applicationId,
  });

  return async (app) => {
    app.get(
      '/applications/:applicationId/env-vars',
      {
        config: readers,
        schema: {
          operationId: 'listApplicationEnvVars',
          summary: 'List the variables of an application and its environments, by key',
          tags,
          params: ApplicationPath,
          querystring: ListApplicationEnvVarsQuery,
          response: { 200: EnvVarList },
        },
      },
      async ({ auth, params, query }) => {
        const { applicationId } = params;
        const { limit, after } = readPage(query, (text) => position.test(text));
        const seen = await visible(environments, auth, applicationId);
        const wanted =
          query.environment === undefined
            ? undefined
            : await environments.resolve(auth, applicationId, query.environment);
        const environmentIds = (wanted ? [wanted.id] : seen.ids).filter(
          (id) => query.scope === undefined || (id === '') === (query.scope === 'application'),
        );
        const [, environmentId = '', key = ''] = position.exec(after ?? '') ?? [];
        const [rows, total] = await Promise.all([
          listOfApplication(db, applicationId, {
            environmentIds,
            limit: limit === undefined ? undefined : limit + 1,
            after: after === undefined ? undefined : { key, environmentId },
          }),
          countOfApplication(db, applicationId, environmentIds),
        ]);
        return toPage(rows, {
          limit,
          total,
          sortKey: (row) => `${row.environment_id}:${row.key}`,
          item: (row) => toEnvVar(row, values, { environments: seen.names }),
        });
      },
    );

    app.post(
      '/applications/:applicationId/env-vars',
      {
        bodyLimit,
        config: { errors: [409], ...writers, forms: true, once: true },
        schema: {
          operationId: 'createApplicationEnvVar',
          summary: 'Create a variable of an application, or of one of its environments',
          description: 'If `environmentId` is set, `scope` defaults to `environment`.',
          tags,
          params: ApplicationPath,
          body: CreateApplicationEnvVar,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { auth, body } = request;
        const { key, value, sensitive = false } = body;
        checkKey(key);
        checkValue(value);
        const owner = ownerOf(request);
        const environment = await environmentOf(environments, auth, owner.applicationId, body);
        return once(request, async (tx) => {
          if (environment) await environments.inTransaction(tx, auth, owner.applicationId, environment.id);
          const place = { ...owner, environmentId: environment?.id ?? '' };
          const variable = { key, value, sensitive };
          const row = await createVariable(tx, deps, requestSource(request), place, variable);
          return toEnvVar(row, values, { environments: namesOf(environment) });
        });
      },
    );

    app.patch(
      '/applications/:applicationId/env-vars/:envVarId',
      {
        bodyLimit,
        config: { ...writers, forms: true },
        schema: {
          operationId: 'updateApplicationEnvVar',
          summary: 'Update a variable of an application',
          description:
            'The scope cannot be changed: `scope` and `environmentId` are accepted only if they match.',
          tags,
          params: ApplicationEnvVarPath,
          body: ChangeApplicationEnvVar,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { auth, params, body } = request;
        const { key, value, sensitive } = body;
        if (key !== undefined) checkKey(key);
        if (value !== undefined) checkValue(value);
        const owner = ownerOf(request);
        const { names, sees } = await visible(environments, auth, owner.applicationId);
        const row = await db.write(async (tx) => {
          const before = await variableOf(tx, owner, params.envVarId);
          if (!sees(before)) throw noVariable(owner);
          demandSameScope(before, body);
          return changeVariable(tx, deps, requestSource(request), before, { key, value, sensitive });
        });
        return toEnvVar(row, values, { environments: names });
      },
    );

    app.delete(
      '/applications/:applicationId/env-vars/:envVarId',
      {
        config: deleters,
        schema: {
          operationId: 'deleteApplicationEnvVar',
          summary: 'Delete a variable of an application, with its history',
          tags,
          params: ApplicationEnvVarPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const owner = ownerOf(request);
        const { sees } = await visible(environments, request.auth, owner.applicationId);
        await db.write(async (tx) => {
          const row = await variableOf(tx, owner, request.params.envVarId);
          if (!sees(row)) throw noVariable(owner);
          await deleteVariable(tx, requestSource(request), row);
        });
        return reply.code(204).send(null);
      },
    );

    app.get(
      '/applications/:applicationId/env-vars/:envVarId/versions',
      {
        config: readers,
        schema: {
          operationId: 'listApplicationEnvVarVersions',
          summary: 'List the versions of a variable of an application, newest first',
          tags,
          params: ApplicationEnvVarPath,
          response: { 200: VersionList },
        },
      },
      async (request) => {
        const owner = ownerOf(request);
        const { sees } = await visible(environments, request.auth, owner.applicationId);
        const row = await variableOf(db, owner, request.params.envVarId);
        if (!sees(row)) throw noVariable(owner);
        const items = (await listVersions(db, row.id)).map((version) => toVersion(version, row, values));
        return { items, total: items.length };
      },
    );

    app.post(
      '/applications/:applicationId/env-vars/:envVarId/versions/:version/restore',
      {
        config: writers,
        schema: {
          operationId: 'restoreApplicationEnvVarVersion',
          summary: 'Restore an earlier version of a variable of an application',
          description: 'Creates a new version. A sensitive variable stays sensitive.',
          tags,
          params: ApplicationVersionPath,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { params } = request;
        const owner = ownerOf(request);
        const { names, sees } = await visible(environments, request.auth, owner.applicationId);
        const row = await db.write(async (tx) => {
          const before = await variableOf(tx, owner, params.envVarId);
          if (!sees(before)) throw noVariable(owner);
          return restoreVersion(tx, deps, requestSource(request), before, params.version);
        });
        return toEnvVar(row, values, { environments: names });
      },
    );
  };
}

/** What a cursor holds: the environment and the key of the last of the page. Ids have no colon. */
const position = /^([0-9a-f-]*):(.{1,255})$/su;

/** The environment that a body names; undefined for the application itself. */
async function environmentOf(
  environments: Environments,
  auth: Auth,
  applicationId: string,
  body: { scope?: 'application' | 'environment'; environmentId?: string | null },
): Promise<Environment | undefined> {
  const { scope, environmentId } = body;
  if (environmentId) {
    if (scope === 'application') {
      const sentence = 'The scope "application" has no environment: leave out "environmentId", or the scope.';
      throw new Problem('invalid_request', sentence);
    }
    return environments.resolve(auth, applicationId, environmentId);
  }
  if (scope === 'environment')
    throw new Problem('invalid_request', 'The scope "environment" needs "environmentId".');
  return undefined;
}

function demandSameScope(
  row: EnvVarRow,
  { scope, environmentId }: { scope?: string; environmentId?: string | null },
): void {
  const isOfEnvironment = row.environment_id !== '';
  const other =
    (scope !== undefined && (scope === 'environment') !== isOfEnvironment) ||
    (environmentId !== undefined && (environmentId?.toLowerCase() ?? '') !== row.environment_id);
  if (!other) return;
  const sentence = 'A variable does not change its scope. Create it in the other one, and delete this one.';
  throw new Problem('invalid_request', sentence);
}

function namesOf(environment: Environment | undefined): Map<string, string> {
  return new Map(environment ? [[environment.id, environment.name]] : []);
}
