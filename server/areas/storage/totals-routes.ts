import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Db } from '#core/db.ts';
import { OrganizationPath } from '#http/schema.ts';
import { readers, tags } from './requests.ts';
import { Totals, TotalsQuery } from './schema.ts';
import { totalsOf } from './totals-store.ts';

/** What an organization stores in all. */
export function totalsRoutes({ db }: { db: Db }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/storage/totals',
      {
        config: { ...readers, actors: ['user', 'organization'] },
        schema: {
          operationId: 'getStorageTotals',
          summary: 'Get the storage usage of an organization',
          description:
            'Totals of all buckets, or of those of one application, including trash and old versions.',
          tags,
          params: OrganizationPath,
          querystring: TotalsQuery,
          response: { 200: Totals },
        },
      },
      ({ organizationId, query }) => totalsOf(db, organizationId, query.applicationId),
    );
  };
}
