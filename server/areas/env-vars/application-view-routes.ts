import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { FastifyRequest } from 'fastify';
import { requestSource } from '#accounts/audit-log/service.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { sendJson } from '#http/json.ts';
import type { ApplicationDeps } from './application-routes.ts';
import {
  ApplicationPath,
  CompareQuery,
  ComparisonList,
  CopyEnvVars,
  CopyResult,
  EnvironmentQuery,
  ImportApplicationEnvVars,
  PulledEnvVars,
} from './application-schema.ts';
import { compare, nearest, type Pulls, type View } from './effective.ts';
import { readers, tags, writers } from './routes.ts';
import { ImportResult, ResolvedList } from './schema.ts';
import { list } from './store.ts';
import { copyAll, importAll, readVariables, sendDotenv } from './transfer.ts';

/** Variables as an application sees them, and many at once. */
export function applicationViewRoutes(deps: ApplicationDeps & { pulls: Pulls }): FastifyPluginAsyncTypebox {
  const { db, once, values, environments, pulls } = deps;

  const viewOf = (
    { auth, organizationId, params }: FastifyRequest & { params: { applicationId: string } },
    environment: string | undefined,
  ): Maybe<View> => {
    const { applicationId } = params;
    // Without one, the application's own and the organization's; a token that is bound to an environment is in it.
    if (environment === undefined && auth.actor.environmentId === null)
      return { organizationId, applicationId, environmentId: null };
    return andThen(environments.resolve(auth, applicationId, environment), ({ id }) => ({
      organizationId,
      applicationId,
      environmentId: id,
    }));
  };

  return async (app) => {
    app.get(
      '/applications/:applicationId/env-vars/pull',
      {
        config: { ...readers, errors: [409] },
        schema: {
          operationId: 'pullApplicationEnvVars',
          summary: 'Pull the resolved variables of an application, without sensitive ones',
          description:
            'Environment values override application values, which override organization values. References are replaced. Without `environment`, only variables of the organization and the application are included.',
          tags,
          params: ApplicationPath,
          querystring: EnvironmentQuery,
          response: { 200: PulledEnvVars },
        },
      },
      (request, reply) =>
        sendJson(
          reply,
          andThen(viewOf(request, request.query.environment), (view) => pulls.json(view)),
        ),
    );

    app.get(
      '/applications/:applicationId/env-vars/resolved',
      {
        config: readers,
        schema: {
          operationId: 'resolveApplicationEnvVars',
          summary: 'Resolve the variables of an application, with the names of sensitive ones',
          tags,
          params: ApplicationPath,
          querystring: EnvironmentQuery,
          response: { 200: ResolvedList },
        },
      },
      async (request) => {
        const seen = await pulls.resolved(await viewOf(request, request.query.environment));
        const items = seen.map(({ key, value, source, sensitive }) => ({
          key,
          value: sensitive ? null : value,
          source,
          sensitive,
        }));
        const omittedSensitive = items.filter(({ sensitive }) => sensitive).length;
        return { items, total: items.length, omittedSensitive };
      },
    );

    app.get(
      '/applications/:applicationId/env-vars/compare',
      {
        config: readers,
        schema: {
          operationId: 'compareApplicationEnvVars',
          summary: 'Compare the variables of two environments',
          description:
            'References are not replaced. Values of sensitive variables are neither shown nor compared.',
          tags,
          params: ApplicationPath,
          querystring: CompareQuery,
          response: { 200: ComparisonList },
        },
      },
      async (request) => {
        const left = await viewOf(request, request.query.left);
        const right = await viewOf(request, request.query.right);
        const { outer, own } = await pulls.rows(left);
        const seen = ({ environmentId }: View) => nearest(outer, own, environmentId);
        const items = compare(values, seen(left), seen(right));
        return { items, total: items.length };
      },
    );

    app.post(
      '/applications/:applicationId/env-vars/copy',
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'copyApplicationEnvVars',
          summary: 'Copy variables from one environment to another',
          description:
            'Copies the variables that belong to the first environment. Sensitive variables stay sensitive. Either all are copied or none.',
          tags,
          params: ApplicationPath,
          body: CopyEnvVars,
          response: { 200: CopyResult },
        },
      },
      async (request) => {
        const { auth, body, params, organizationId } = request;
        const { applicationId } = params;
        const from = await environments.resolve(auth, applicationId, body.from);
        const to = await environments.resolve(auth, applicationId, body.to);
        if (from.id === to.id)
          throw new Problem('invalid_request', 'The fields "from" and "to" name the same environment.');
        const place = { organizationId, applicationId };
        const places = {
          from: { ...place, environmentId: from.id },
          to: { ...place, environmentId: to.id },
        };
        const keys = body.keys && new Set(body.keys);
        const options = { keys, overwrite: body.overwrite ?? false };
        return once(request, async (tx) => {
          await environments.inTransaction(tx, auth, applicationId, to.id);
          return copyAll(tx, deps, requestSource(request), places, options);
        });
      },
    );

    app.post(
      '/applications/:applicationId/env-vars/import',
      {
        bodyLimit: 2 * 1024 * 1024,
        config: { ...writers, forms: true },
        schema: {
          operationId: 'importApplicationEnvVars',
          summary: 'Import variables of an application from a dotenv file, all or none',
          tags,
          params: ApplicationPath,
          body: ImportApplicationEnvVars,
          response: { 200: ImportResult },
        },
      },
      async (request) => {
        const { auth, body, params, organizationId } = request;
        const { sensitive = false, overwrite = true } = body;
        const { applicationId } = params;
        const variables = readVariables(body.content);
        const environmentId = body.environmentId
          ? (await environments.resolve(auth, applicationId, body.environmentId)).id
          : '';
        const place = { organizationId, applicationId, environmentId };
        return db.write(async (tx) => {
          if (environmentId) await environments.inTransaction(tx, auth, applicationId, environmentId);
          return importAll(tx, deps, requestSource(request), place, { variables, sensitive, overwrite });
        });
      },
    );

    app.get(
      '/applications/:applicationId/env-vars/export',
      {
        config: readers,
        schema: {
          operationId: 'exportApplicationEnvVars',
          summary: 'Export variables of an application as a dotenv file, without sensitive values',
          description: 'Exports the variables of the application, or those that belong to the environment.',
          tags,
          params: ApplicationPath,
          querystring: EnvironmentQuery,
          response: { 200: { type: 'string', description: 'text/plain, dotenv syntax.' } },
        },
      },
      async ({ auth, organizationId, params, query }, reply) => {
        const { applicationId } = params;
        const environmentId =
          query.environment === undefined
            ? ''
            : (await environments.resolve(auth, applicationId, query.environment)).id;
        return sendDotenv(reply, await list(db, { organizationId, applicationId, environmentId }), values);
      },
    );
  };
}
