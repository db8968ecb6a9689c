import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import { OrganizationPath } from '#http/schema.ts';
import { resolved } from './render.ts';
import { readers, tags, writers } from './routes.ts';
import { ImportEnvVars, ImportResult, ResolvedList } from './schema.ts';
import { type Deps, ofOrganization } from './service.ts';
import { list } from './store.ts';
import { importAll, readVariables, sendDotenv } from './transfer.ts';

export function envVarTransferRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { db, values } = deps;

  return async (app) => {
    app.post(
      '/organizations/:organizationId/env-vars/import',
      {
        bodyLimit: 2 * 1024 * 1024,
        config: { errors: [409], ...writers, forms: true },
        schema: {
          operationId: 'importOrganizationEnvVars',
          summary: 'Import variables from a dotenv file',
          tags,
          params: OrganizationPath,
          body: ImportEnvVars,
          response: { 200: ImportResult },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        const { sensitive = false, overwrite = true } = body;
        const variables = readVariables(body.content);
        const options = { variables, sensitive, overwrite };
        return db.write((tx) =>
          importAll(tx, deps, requestSource(request), ofOrganization(organizationId), options),
        );
      },
    );

    app.get(
      '/organizations/:organizationId/env-vars/export',
      {
        config: readers,
        schema: {
          operationId: 'exportOrganizationEnvVars',
          summary: 'Export variables as a dotenv file',
          tags,
          params: OrganizationPath,
          response: { 200: { type: 'string', description: 'text/plain, dotenv syntax.' } },
        },
      },
      async ({ organizationId }, reply) => {
        return sendDotenv(reply, await list(db, ofOrganization(organizationId)), values);
      },
    );

    app.get(
      '/organizations/:organizationId/env-vars/resolved',
      {
        config: { ...readers, errors: [409] },
        schema: {
          operationId: 'resolveOrganizationEnvVars',
          summary: 'Resolve the variables that an application sees',
          tags,
          params: OrganizationPath,
          response: { 200: ResolvedList },
        },
      },
      async ({ organizationId }) => {
        const seen = resolved(await list(db, ofOrganization(organizationId)), values);
        const items = [...seen].map(([key, { value, sensitive }]) => ({
          key,
          value: sensitive ? null : value,
          source: 'organization' as const,
          sensitive,
        }));
        return {
          items,
          total: items.length,
          omittedSensitive: items.filter((item) => item.sensitive).length,
        };
      },
    );
  };
}
