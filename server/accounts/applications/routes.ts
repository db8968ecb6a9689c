import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Auth } from '#core/actor.ts';
import { roleReaches } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import { andThen } from '#core/maybe.ts';
import { displayName } from '#core/names.ts';
import { Problem } from '#core/problem.ts';
import { accountActors, actorTypes } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { sendJson } from '#http/json.ts';
import { readPage } from '#http/paging.ts';
import { rateHeaders } from '#http/rate-limit.ts';
import { rootDirectory } from './directory.ts';
import { findEnvironmentBySlug } from './environment-store.ts';
import { demandRate, demandRoom } from './limits.ts';
import type { Applications } from './listing.ts';
import { toApplication } from './render.ts';
import {
  Application,
  ApplicationList,
  ApplicationPath,
  ChangeApplication,
  CreateApplication,
  ListApplicationsQuery,
} from './schema.ts';
import { changeApplication, createApplication, type Deps, invisible, present } from './service.ts';

export interface RouteDeps extends Deps {
  clock: Clock;
  once: Once;
  tenancy: Tenancy;
  applications: Applications;
  baseUrl: string;
  quota: number;
  perMinute: number;
}

export const reads = {
  scope: 'network:applications:read',
  actors: actorTypes,
  role: 'MEMBER',
} as const;
/** Applications themselves are for people and organizations; what is inside of one, its own keys may arrange too. */
export const writes = {
  scope: 'network:applications:write',
  actors: accountActors,
  role: 'ADMIN',
} as const;
export const tags = ['Applications'];

export function applicationRoutes(deps: RouteDeps): FastifyPluginAsyncTypebox {
  const { db, clock, once, tenancy, applications, baseUrl } = deps;

  return async (app) => {
    app.get(
      '/applications',
      {
        config: { ...reads, organizationInQuery: true },
        schema: {
          operationId: 'listApplications',
          summary: 'List applications, by id',
          description:
            'Lists the applications of one organization, or all that the token can access. Without `limit`, up to 1,000.',
          tags,
          querystring: ListApplicationsQuery,
          response: { 200: ApplicationList },
        },
      },
      ({ auth, query, organizationId }, reply) => {
        const { query: text = '', deleted } = query;
        const owner = organizationId || undefined;
        const wanted = { ...readPage(query), organizationId: owner, query: text.trim(), deleted };
        return sendJson(reply, applications.list(auth, wanted));
      },
    );

    app.post(
      '/applications',
      {
        config: {
          errors: [404, 409],
          ...{ scope: writes.scope, actors: accountActors, forms: true, once: true },
          checksRole: { organization: 'ADMIN', application: 'ADMIN' },
        },
        schema: {
          operationId: 'createApplication',
          summary: 'Create an application',
          description:
            'The application starts with the environments `production` and `preview` and a hostname.',
          tags,
          body: CreateApplication,
          response: { 200: Application },
        },
      },
      async (request, reply) => {
        const { auth, body } = request;
        const organizationId = body.organizationId.toLowerCase();
        await demandAdmin(tenancy, auth, organizationId);
        const name = displayName(body.name, 'name');
        const directory = rootDirectory(body.rootDirectory ?? null);
        const { slug } = body;
        const createdByUserId = auth.actor.type === 'user' ? auth.actor.id : null;
        return once(
          request,
          async (tx) => {
            const now = clock.now();
            await demandRoom(tx, organizationId, deps.quota);
            const rate = { perMinute: deps.perMinute, now };
            reply.headers(rateHeaders(await demandRate(tx, organizationId, rate)));
            const wanted = { organizationId, name, slug, rootDirectory: directory, createdByUserId, now };
            return toApplication(await createApplication(tx, deps, requestSource(request), wanted), baseUrl);
          },
          { queue: `applications-of:${organizationId}` },
        );
      },
    );

    app.get(
      '/applications/:applicationId',
      {
        config: reads,
        schema: {
          operationId: 'getApplication',
          summary: 'Get an application',
          tags,
          params: ApplicationPath,
          response: { 200: Application },
        },
      },
      ({ params }, reply) =>
        sendJson(
          reply,
          andThen(applications.one(params.applicationId), (text) => {
            if (text === null) throw invisible();
            return text;
          }),
        ),
    );

    app.patch(
      '/applications/:applicationId',
      {
        config: { errors: [409], ...writes, forms: true },
        schema: {
          operationId: 'updateApplication',
          summary: 'Update an application',
          tags,
          params: ApplicationPath,
          body: ChangeApplication,
          response: { 200: Application },
        },
      },
      async (request) => {
        const { body, params } = request;
        const { slug, defaultEnvironmentSlug } = body;
        const changes = {
          name: body.name === undefined ? undefined : displayName(body.name, 'name'),
          rootDirectory: body.rootDirectory === undefined ? undefined : rootDirectory(body.rootDirectory),
          ...{ slug, defaultEnvironmentSlug },
        };
        const row = await db.write(async (tx) => {
          const before = await present(tx, params.applicationId);
          if (
            defaultEnvironmentSlug !== undefined &&
            !(await findEnvironmentBySlug(tx, before.id, defaultEnvironmentSlug))
          ) {
            const sentence = `The application has no environment "${defaultEnvironmentSlug}".`;
            throw new Problem('invalid_request', sentence);
          }
          const source = requestSource(request);
          return changeApplication(tx, source, before, { ...changes, now: clock.now() });
        });
        return toApplication(row, baseUrl);
      },
    );
  };
}

/** Where an organization is named in a body: the same as `role: 'ADMIN'` is for one in the path. */
export async function demandAdmin(tenancy: Tenancy, auth: Auth, organizationId: string): Promise<void> {
  const role = await tenancy.roleIn(auth, organizationId);
  if (!role) throw new Problem('not_found', 'No organization with this id is visible to this token.');
  if (!roleReaches(role, 'ADMIN'))
    throw new Problem('forbidden', `This needs the role ADMIN in the organization; yours is ${role}.`);
}
