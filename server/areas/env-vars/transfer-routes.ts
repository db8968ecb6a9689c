import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { type AuditSource, requestSource } from '#accounts/audit-log/service.ts';
import type { Tx } from '#core/db.ts';
import { Problem } from '#core/problem.ts';
import { OrganizationPath } from '#http/schema.ts';
import { dotenvLine, parseDotenv } from './dotenv.ts';
import { resolved } from './render.ts';
import { readers, tags, writers } from './routes.ts';
import { ImportEnvVars, ImportResult, ResolvedList } from './schema.ts';
import { changeVariable, checkKey, checkValue, createVariable, type Deps } from './service.ts';
import { findByKey, list } from './store.ts';

export function envVarTransferRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  const { db, values } = deps;

  return async (app) => {
    app.post(
      '/organizations/:organizationId/env-vars/import',
      {
        bodyLimit: 2 * 1024 * 1024,
        config: { ...writers, forms: true },
        schema: {
          operationId: 'importOrganizationEnvVars',
          summary: 'Create and change variables from a dotenv file, all or none',
          tags,
          params: OrganizationPath,
          body: ImportEnvVars,
          response: { 200: ImportResult },
        },
      },
      async (request) => {
        const { organizationId, body } = request;
        const { sensitive = false, overwrite = true } = body;
        const variables = parseDotenv(body.content);
        for (const [key, value] of variables) {
          checkKey(key);
          checkValue(value);
        }
        const options = { variables, sensitive, overwrite };
        return db.write((tx) => importAll(tx, deps, requestSource(request), organizationId, options));
      },
    );

    app.get(
      '/organizations/:organizationId/env-vars/export',
      {
        config: readers,
        schema: {
          operationId: 'exportOrganizationEnvVars',
          summary: 'The variables as a dotenv file, without sensitive values',
          tags,
          params: OrganizationPath,
          response: { 200: { type: 'string', description: 'text/plain, dotenv syntax.' } },
        },
      },
      async ({ organizationId }, reply) => {
        const rows = await list(db, organizationId);
        const plain = rows.filter((row) => row.sensitive === 0);
        const lines = plain.map(
          (row) => dotenvLine(row.key, values.open(row)) ?? `# ${row.key} has no dotenv spelling`,
        );
        const omitted = rows.length - plain.length;
        if (omitted > 0)
          lines.unshift(`# ${omitted} sensitive ${omitted === 1 ? 'variable is' : 'variables are'} left out`);
        const text = lines.map((line) => `${line}\n`).join('');
        return reply
          .type('text/plain; charset=utf-8')
          .header('x-omitted-sensitive', String(omitted))
          .send(text);
      },
    );

    app.get(
      '/organizations/:organizationId/env-vars/resolved',
      {
        config: readers,
        schema: {
          operationId: 'resolveOrganizationEnvVars',
          summary: 'What an application of the organization would see, references replaced',
          tags,
          params: OrganizationPath,
          response: { 200: ResolvedList },
        },
      },
      async ({ organizationId }) => {
        const seen = resolved(await list(db, organizationId), values);
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

async function importAll(
  tx: Tx,
  deps: Deps,
  source: AuditSource,
  organizationId: string,
  options: { variables: ReadonlyMap<string, string>; sensitive: boolean; overwrite: boolean },
): Promise<{ created: number; updated: number; unchanged: number }> {
  const done = { created: 0, updated: 0, unchanged: 0 };
  for (const [key, value] of options.variables) {
    const row = await findByKey(tx, organizationId, key);
    if (!row) {
      await createVariable(tx, deps, source, organizationId, { key, value, sensitive: options.sensitive });
      done.created++;
      continue;
    }
    if (!options.overwrite) {
      throw new Problem(
        'conflict',
        `The organization has a variable "${key}" already. Nothing was imported.`,
      );
    }
    // A sensitive variable stays so, whatever the file is.
    const after = await changeVariable(tx, deps, source, row, { value });
    if (after.version === row.version) done.unchanged++;
    else done.updated++;
  }
  return done;
}
