import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { toEnvVar, toVersion } from './render.ts';
import { readers, tags, writers } from './routes.ts';
import { EnvVar, EnvVarPath, VersionList, VersionPath } from './schema.ts';
import { type Deps, ofOrganization, restoreVersion, variableOf } from './service.ts';
import { listVersions } from './store.ts';

export function envVarHistoryRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { db, values } = deps;

  return async (app) => {
    app.get(
      '/organizations/:organizationId/env-vars/:envVarId/versions',
      {
        config: readers,
        schema: {
          operationId: 'listOrganizationEnvVarVersions',
          summary: 'List the versions of a variable',
          tags,
          params: EnvVarPath,
          response: { 200: VersionList },
        },
      },
      async ({ organizationId, params }) => {
        const row = await variableOf(db, ofOrganization(organizationId), params.envVarId);
        const items = (await listVersions(db, row.id)).map((version) => toVersion(version, row, values));
        return { items, total: items.length };
      },
    );

    app.post(
      '/organizations/:organizationId/env-vars/:envVarId/versions/:version/restore',
      {
        config: writers,
        schema: {
          operationId: 'restoreOrganizationEnvVarVersion',
          summary: 'Restore a version of a variable',
          tags,
          params: VersionPath,
          response: { 200: EnvVar },
        },
      },
      async (request) => {
        const { organizationId, params } = request;
        const row = await db.write(async (tx) => {
          const before = await variableOf(tx, ofOrganization(organizationId), params.envVarId);
          return restoreVersion(tx, deps, requestSource(request), before, params.version);
        });
        return toEnvVar(row, values);
      },
    );
  };
}
