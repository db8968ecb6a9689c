import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { Type } from 'typebox';
import { Problem } from '#core/problem.ts';
import { actorTypes } from '#core/scopes.ts';
import { ListOf } from '#http/schema.ts';
import { AvailabilityQuery, AvailabilitySchema, DomainQuery, maxNames, WhoisRecordSchema } from './schema.ts';
import type { Whois } from './service.ts';

export function whoisRoutes({ whois }: { whois: Whois }): FastifyPluginAsyncTypebox {
  return async (app) => {
    app.get(
      '/whois/domain',
      {
        config: { errors: [404, 504], scope: 'whois:domain:get', actors: actorTypes, product: 'whois' },
        schema: {
          operationId: 'getWhoisOfDomain',
          summary: 'Look up the registration of a domain',
          description:
            'Queried from the registry by RDAP or WHOIS and cached for a day; the `Age` header contains the age in seconds.',
          tags: ['Whois'],
          querystring: DomainQuery,
          response: {
            200: {
              description: 'The record, or the text.',
              content: {
                'application/json': { schema: WhoisRecordSchema },
                'text/plain': { schema: Type.String() },
              },
            },
          },
        },
      },
      async ({ query }, reply) => {
        const { body, ageSeconds } = query.raw
          ? await whois.text(query.domain)
          : await whois.record(query.domain);
        const type = query.raw ? 'text/plain; charset=utf-8' : 'application/json; charset=utf-8';
        // The record is kept as the JSON that it is sent as.
        return reply
          .header('age', ageSeconds)
          .type(type)
          .serializer(asItIs)
          .send(body as never);
      },
    );
    app.get(
      '/whois/availability',
      {
        config: { errors: [504], scope: 'whois:domain:get', actors: actorTypes, product: 'whois' },
        schema: {
          operationId: 'getDomainAvailability',
          summary: 'Check whether domains are available',
          description: `Checks up to ${maxNames} names, each with the cheapest conclusive source: cache, DNS, registry.`,
          tags: ['Whois'],
          querystring: AvailabilityQuery,
          response: { 200: ListOf(AvailabilitySchema) },
        },
      },
      async ({ query }) => {
        const names = Array.isArray(query.domain) ? query.domain : [query.domain];
        if (names.length > maxNames) {
          throw new Problem(
            'invalid_request',
            `${names.length} names are too many: send ${maxNames} at most.`,
          );
        }
        const items = await whois.availability(names);
        return { items, total: items.length };
      },
    );
  };
}

function asItIs(body: unknown): string {
  return body as string;
}
