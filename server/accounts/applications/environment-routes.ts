import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Db } from '#core/db.ts';
import { displayName } from '#core/names.ts';
import type { Once } from '#http/idempotency.ts';
import { CursorQuery, readPage, toPage } from '#http/paging.ts';
import { type Environments, toEnvironment } from './environments.ts';
import { renderEnvironment } from './render.ts';
import { reads, writes } from './routes.ts';
import {
  ApplicationPath,
  ChangeEnvironment,
  CreateEnvironment,
  Environment,
  EnvironmentList,
  EnvironmentPath,
} from './schema.ts';
import { present } from './service.ts';

/** The keys of an application may arrange its environments: command lines and builds carry no other. */
const arranges = { ...writes, actors: ['user', 'organization', 'application'] } as const;
const tags = ['Environments'];

export function environmentRoutes(deps: {
  db: Db;
  once: Once;
  environments: Environments;
}): FastifyPluginAsyncTypebox {
  const { db, once, environments } = deps;

  return async (app) => {
    app.get(
      '/applications/:applicationId/environments',
      {
        config: reads,
        schema: {
          operationId: 'listEnvironments',
          summary: 'List the environments of an application',
          tags,
          params: ApplicationPath,
          querystring: CursorQuery,
          response: { 200: EnvironmentList },
        },
      },
      async ({ auth, params, query }) => {
        const { limit, after = '' } = readPage(query);
        const all = await environments.visibleTo(auth, params.applicationId);
        const rest = all.filter(({ id }) => id > after);
        const sortKey = ({ id }: { id: string }) => id;
        return toPage(rest, { limit, total: all.length, sortKey, item: renderEnvironment });
      },
    );

    app.get(
      '/applications/:applicationId/environments/:environmentId',
      {
        config: reads,
        schema: {
          operationId: 'getEnvironment',
          summary: 'Get an environment',
          tags,
          params: EnvironmentPath,
          response: { 200: Environment },
        },
      },
      async ({ auth, params }) =>
        renderEnvironment(await environments.resolve(auth, params.applicationId, params.environmentId)),
    );

    app.post(
      '/applications/:applicationId/environments',
      {
        config: { errors: [409], ...arranges, forms: true, once: true },
        schema: {
          operationId: 'createEnvironment',
          summary: 'Create an environment',
          tags,
          params: ApplicationPath,
          body: CreateEnvironment,
          response: { 200: Environment },
        },
      },
      async (request) => {
        const { params, body, auth } = request;
        // A token that is bound to an environment could not see what it made.
        if (auth.actor.environmentId !== null) await environments.resolve(auth, params.applicationId, '');
        const wanted = { ...body, name: displayName(body.name, 'name') };
        return once(request, async (tx) => {
          const application = await present(tx, params.applicationId);
          const row = await environments.create(tx, requestSource(request), application, wanted);
          return renderEnvironment(toEnvironment(row, application.default_environment_slug));
        });
      },
    );

    app.patch(
      '/applications/:applicationId/environments/:environmentId',
      {
        config: { ...arranges, forms: true },
        schema: {
          operationId: 'updateEnvironment',
          summary: 'Update an environment',
          tags,
          params: EnvironmentPath,
          body: ChangeEnvironment,
          response: { 200: Environment },
        },
      },
      async (request) => {
        const { params, body, auth } = request;
        const name = body.name === undefined ? undefined : displayName(body.name, 'name');
        const row = await db.write(async (tx) => {
          const application = await present(tx, params.applicationId);
          const before = await environments.inTransaction(tx, auth, application.id, params.environmentId);
          return environments.change(tx, requestSource(request), application, before, { ...body, name });
        });
        return renderEnvironment(toEnvironment(row, undefined));
      },
    );

    app.delete(
      '/applications/:applicationId/environments/:environmentId',
      {
        config: { ...arranges, errors: [409] },
        schema: {
          operationId: 'deleteEnvironment',
          summary: 'Delete an environment',
          description:
            'Also deletes its variables and keys. Rejected while the environment has active resources.',
          tags,
          params: EnvironmentPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { params, auth } = request;
        await db.write(async (tx) => {
          const application = await present(tx, params.applicationId);
          const row = await environments.inTransaction(tx, auth, application.id, params.environmentId);
          await environments.delete(tx, requestSource(request), application, row);
        });
        return reply.code(204).send(null);
      },
    );
  };
}
