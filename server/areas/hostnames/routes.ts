import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import {
  appHostname,
  countHostnames,
  type LabelRules,
  labelProblem,
  listHostnames,
  normalizeLabel,
} from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { actorTypes } from '#core/scopes.ts';
import { listPage } from '#http/paging.ts';
import type { Addresses } from './address.ts';
import { toHostname } from './render.ts';
import {
  ApplicationHostname,
  ApplicationPath,
  Availability,
  AvailabilityQuery,
  HostnameList,
  HostnameQuery,
  SetHostname,
} from './schema.ts';
import { setLabel } from './service.ts';

export const reads = { scope: 'network:applications:read', actors: actorTypes, role: 'MEMBER' } as const;
export const writes = {
  scope: 'network:applications:write',
  actors: ['user', 'organization', 'application'],
  role: 'ADMIN',
} as const;
export const tags = ['Hostnames and domains'];

export function hostnameRoutes(deps: {
  db: Db;
  clock: Clock;
  labels: LabelRules;
  addresses: Addresses;
}): FastifyPluginAsyncTypebox {
  const { db, clock, labels, addresses } = deps;

  return async (app) => {
    app.get(
      '/applications/:applicationId/hostnames',
      {
        config: reads,
        schema: {
          operationId: 'listHostnames',
          summary: 'List the hostnames of an application',
          tags,
          params: ApplicationPath,
          querystring: HostnameQuery,
          response: { 200: HostnameList },
        },
      },
      async ({ params, query }) => {
        const { applicationId } = params;
        const [page, own] = await Promise.all([
          listPage(query, {
            rows: ({ limit = 100, after }) => listHostnames(db, applicationId, { limit, after }),
            count: () => countHostnames(db, applicationId),
            sortKey: (row) => row.id,
            item: (row) => toHostname(row, addresses),
            defaultLimit: 100,
          }),
          appHostname(db, applicationId),
        ]);
        return { ...page, label: own?.name ?? null };
      },
    );

    app.get(
      '/applications/:applicationId/hostname/availability',
      {
        config: reads,
        schema: {
          operationId: 'checkHostname',
          summary: 'Check whether an application can have a label as its hostname',
          tags,
          params: ApplicationPath,
          querystring: AvailabilityQuery,
          response: { 200: Availability },
        },
      },
      async ({ params, query }) => {
        const label = normalizeLabel(query.label);
        const reason = await labelProblem(db, labels, params.applicationId, label);
        return reason === null ? { available: true } : { available: false, reason };
      },
    );

    app.put(
      '/applications/:applicationId/hostname',
      {
        config: { ...writes, forms: true },
        schema: {
          operationId: 'setHostname',
          summary: 'Set the hostname of an application',
          description:
            'The label is converted to lowercase, with hyphens for spaces. The previous label becomes available immediately.',
          tags,
          params: ApplicationPath,
          body: SetHostname,
          response: { 200: ApplicationHostname },
        },
      },
      async (request) => {
        const { applicationId } = request.params;
        const label = normalizeLabel(request.body.label);
        const owner = { applicationId, organizationId: request.organizationId };
        const row = await db.write((tx) =>
          setLabel(tx, { labels, clock }, requestSource(request), owner, label),
        );
        return { label: row.name, hostname: addresses.of(row.name), live: row.deployment_id !== null };
      },
    );
  };
}
