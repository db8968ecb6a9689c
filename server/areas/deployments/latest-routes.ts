import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Addresses } from '#areas/hostnames/service.ts';
import type { Db } from '#core/db.ts';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import { OrganizationPath } from '#http/schema.ts';
import { liveIds, liveOf } from './live-store.ts';
import { toDeployment } from './render.ts';
import { LatestList, LatestQuery } from './schema.ts';
import { namesOf, newestOf } from './store.ts';

const defaultLimit = 20;
const mostIds = 100;

/** What became of the applications of an organization: what lists and overviews show beside their names. */
export function latestRoutes({ db, addresses }: { db: Db; addresses: Addresses }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/deployments/latest',
      {
        config: {
          scope: 'network:deployments:read',
          actors: ['user', 'organization'],
          role: 'MEMBER',
          product: 'deployments',
        },
        schema: {
          operationId: 'listLatestDeployments',
          summary: 'List the latest and the live deployment of applications',
          description: 'Applications without deployments are omitted.',
          tags: ['Deployments'],
          params: OrganizationPath,
          querystring: LatestQuery,
          response: { 200: LatestList },
        },
      },
      async ({ organizationId, query }) => {
        const { limit = defaultLimit } = query;
        const applicationIds = query.applicationIds === undefined ? undefined : readIds(query.applicationIds);
        const newest = await newestOf(db, organizationId, { applicationIds, limit });
        const ids = newest.map((row) => row.application_id);
        const [live, names, leadTo] = await Promise.all([
          liveOf(db, ids),
          namesOf(db, ids),
          liveIds(
            db,
            newest.map(({ id }) => id),
          ),
        ]);
        const liveBy = new Map(live.map((row) => [row.application_id, row]));
        const items = newest.map((row) => {
          const answering = liveBy.get(row.application_id);
          return {
            applicationId: row.application_id,
            applicationName: names.get(row.application_id) ?? '',
            latest: toDeployment(row, leadTo.has(row.id)),
            live: answering ? toDeployment(answering, true) : null,
            hostname: answering ? addresses.of(answering.name) : null,
          };
        });
        return { items };
      },
    );
  };
}

function readIds(text: string): string[] {
  const ids = [...new Set(text.split(',').filter(Boolean))];
  if (ids.length > mostIds || !ids.every(isId))
    throw new Problem(
      'invalid_request',
      `The query parameter "applicationIds" must be ids separated by commas, ${mostIds} at most.`,
    );
  return ids;
}
