import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { appHostname } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { Problem } from '#core/problem.ts';
import type { Once } from '#http/idempotency.ts';
import { listPage } from '#http/paging.ts';
import { RateLimiter } from '#http/rate-limit.ts';
import { OrganizationPath } from '#http/schema.ts';
import { readOwnDomain } from './domain.ts';
import { toDomain } from './render.ts';
import { reads, tags, writes } from './routes.ts';
import {
  AddDomain,
  ApplicationPath,
  Domain,
  DomainList,
  DomainPath,
  ListDomainsQuery,
  OrganizationDomainsQuery,
} from './schema.ts';
import { addDomain, checkDomain, type Deps, deleteDomain } from './service.ts';
import { count, countOfOrganization, type DomainRow, find, list, listOfOrganization } from './store.ts';

/** Of one application: each check asks name servers of others. */
const checksPerMinute = 30;

export function domainRoutes(
  deps: Deps & {
    once: Once;
    /** Names of the platform, below which nobody adds a domain. */
    own: readonly string[];
  },
): FastifyPluginAsyncTypebox {
  const { db, clock, once, own, addresses } = deps;
  const limiter = new RateLimiter({ limit: checksPerMinute, windowSeconds: 60, clock });

  const targetOf = async (applicationId: string): Promise<string> => {
    const row = await appHostname(db, applicationId);
    return row ? addresses.host(row.name) : addresses.domain;
  };
  const present = async (applicationId: string, id: string): Promise<DomainRow> => {
    const row = await find(db, applicationId, id);
    if (!row) throw noDomain();
    return row;
  };
  const demandRate = (applicationId: string): void => {
    const { remaining, resetSeconds } = limiter.count(applicationId);
    if (remaining >= 0) return;
    const sentence = `The domains of an application can be checked at most ${checksPerMinute} times per minute.`;
    throw new Problem('too_many_requests', sentence, { retryAfterSeconds: resetSeconds });
  };

  return async (app) => {
    app.get(
      '/applications/:applicationId/domains',
      {
        config: reads,
        schema: {
          operationId: 'listDomains',
          summary: 'List the custom domains of an application',
          tags,
          params: ApplicationPath,
          querystring: ListDomainsQuery,
          response: { 200: DomainList },
        },
      },
      async ({ params, query }) => {
        const { applicationId } = params;
        const target = await targetOf(applicationId);
        return listPage(query, {
          rows: (page) => list(db, applicationId, page),
          count: () => count(db, applicationId),
          sortKey: (row) => row.id,
          item: (row) => toDomain(row, target),
        });
      },
    );

    app.get(
      '/organizations/:organizationId/domains',
      {
        config: { ...reads, actors: ['user', 'organization'] },
        schema: {
          operationId: 'listOrganizationDomains',
          summary: 'List the domains of all applications of an organization',
          tags,
          params: OrganizationPath,
          querystring: OrganizationDomainsQuery,
          response: { 200: DomainList },
        },
      },
      async ({ organizationId, query }) => {
        const of = { organizationId, state: query.state };
        const targets = new Map<string, string>();
        return listPage(query, {
          rows: async (page) => {
            const rows = await listOfOrganization(db, of, page);
            for (const { application_id: id } of rows)
              if (!targets.has(id)) targets.set(id, await targetOf(id));
            return rows;
          },
          count: () => countOfOrganization(db, of),
          sortKey: (row) => row.id,
          item: (row) => toDomain(row, targets.get(row.application_id) ?? addresses.domain),
          defaultLimit: 100,
        });
      },
    );

    app.post(
      '/applications/:applicationId/domains',
      {
        config: { ...writes, forms: true, once: true },
        schema: {
          operationId: 'addDomain',
          summary: 'Add a custom domain to an application',
          description:
            'The domain is verified by a CNAME record that points to the hostname of the application, or by a TXT record where no CNAME record is possible. It is checked immediately, and again until it is verified.',
          tags,
          params: ApplicationPath,
          body: AddDomain,
          response: { 200: Domain },
        },
      },
      async (request) => {
        const { applicationId } = request.params;
        const domain = readOwnDomain(request.body.domain, own);
        demandRate(applicationId);
        const owner = { applicationId, organizationId: request.organizationId };
        const source = requestSource(request);
        const { id } = await once(request, async (tx) => {
          const row = await addDomain(tx, deps, source, owner, domain);
          return { id: row.id };
        });
        const row = await find(db, applicationId, id);
        const checked = row && (await checkDomain(deps, source, row));
        if (!checked) throw noDomain();
        return toDomain(checked, await targetOf(applicationId));
      },
    );

    app.get(
      '/applications/:applicationId/domains/:domainId',
      {
        config: reads,
        schema: {
          operationId: 'getDomain',
          summary: 'Get a custom domain',
          tags,
          params: DomainPath,
          response: { 200: Domain },
        },
      },
      async ({ params }) => {
        const row = await present(params.applicationId, params.domainId);
        return toDomain(row, await targetOf(params.applicationId));
      },
    );

    app.post(
      '/applications/:applicationId/domains/:domainId/check',
      {
        config: writes,
        schema: {
          operationId: 'checkDomain',
          summary: 'Check the DNS records of a domain',
          tags,
          params: DomainPath,
          response: { 200: Domain },
        },
      },
      async (request) => {
        const { applicationId, domainId } = request.params;
        const row = await present(applicationId, domainId);
        demandRate(applicationId);
        const checked = await checkDomain(deps, requestSource(request), row);
        if (!checked) throw noDomain();
        return toDomain(checked, await targetOf(applicationId));
      },
    );

    app.delete(
      '/applications/:applicationId/domains/:domainId',
      {
        config: writes,
        schema: {
          operationId: 'deleteDomain',
          summary: 'Delete a custom domain',
          tags,
          params: DomainPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { applicationId, domainId } = request.params;
        await db.write(async (tx) => {
          const row = await find(tx, applicationId, domainId);
          if (!row) throw noDomain();
          await deleteDomain(tx, requestSource(request), request.organizationId, row);
        });
        return reply.code(204).send(null);
      },
    );
  };
}

function noDomain(): Problem {
  return new Problem('not_found', 'The application has no domain with this id.');
}
