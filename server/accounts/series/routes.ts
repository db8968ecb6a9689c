import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { operatorReads, operatorTags } from '#http/operators.ts';
import { OrganizationPath } from '#http/schema.ts';
import { InstanceUsage, Usage, UsageQuery } from './schema.ts';
import type { StoredSeries } from './service.ts';

export function seriesRoutes({ series }: { series: StoredSeries }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/organizations/:organizationId/usage',
      {
        config: { scope: 'platform:organizations:read', actors: ['user', 'organization'], role: 'MEMBER' },
        schema: {
          operationId: 'getUsage',
          summary: 'Get the requests, errors and tokens of an organization over time',
          tags: ['Organizations'],
          params: OrganizationPath,
          querystring: UsageQuery,
          response: { 200: Usage },
        },
      },
      async ({ organizationId, query }) => {
        const { gauges: _ofTheInstance, ...course } = await series.course(organizationId, query.range);
        return { range: query.range, ...course };
      },
    );

    app.get(
      '/admin/usage',
      {
        config: operatorReads,
        schema: {
          operationId: 'getInstanceUsage',
          summary: 'Get the load and the health of the instance over time',
          tags: operatorTags,
          querystring: UsageQuery,
          response: { 200: InstanceUsage },
        },
      },
      async ({ query }) => {
        const { levels: _ofOrganizations, ...course } = await series.course(null, query.range);
        return { range: query.range, ...course };
      },
    );
  };
}
