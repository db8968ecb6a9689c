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
          summary: 'Get how much an organization stores',
          description: 'Of all its buckets, or of those of one application. Trash and old versions count.',
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
