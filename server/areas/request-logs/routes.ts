import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { actorTypes } from '#core/scopes.ts';
import { ApplicationPath } from '#http/schema.ts';
import { ListRequestsQuery, RequestDetail, RequestList, RequestPath } from './schema.ts';
import { type Deps, getRequest, listRequests } from './service.ts';

const product = 'request-logs';
export const readers = {
  scope: 'network:requests:read',
  actors: actorTypes,
  role: 'MEMBER',
  product,
} as const;
export const tags = ['Request logs'];

export function requestLogRoutes(deps: Deps): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/applications/:applicationId/requests',
      {
        config: readers,
        schema: {
          operationId: 'listRequests',
          summary: 'List requests, newest first',
          tags,
          params: ApplicationPath,
          querystring: ListRequestsQuery,
          response: { 200: RequestList },
        },
      },
      ({ params, query }) => listRequests(deps, params.applicationId, query),
    );

    app.get(
      '/applications/:applicationId/requests/:requestId',
      {
        config: readers,
        schema: {
          operationId: 'getRequest',
          summary: 'Get a request with its headers',
          tags,
          params: RequestPath,
          response: { 200: RequestDetail },
        },
      },
      ({ params }) => getRequest(deps, params.applicationId, params.requestId),
    );
  };
}
