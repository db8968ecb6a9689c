import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Db } from '#core/db.ts';
import { actorTypes } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { OrganizationPath } from '#http/schema.ts';
import type { Dialer, Timeouts } from '../relay/dial.ts';
import { type Provider, toJson } from './provider.ts';
import {
  ChangeInstanceProvider,
  ChangeProvider,
  CreateInstanceProvider,
  CreateProvider,
  OrganizationProviderPath,
  ProviderList,
  ProviderPath,
  Provider as ProviderSchema,
  ProviderTest,
} from './schema.ts';
import type { Providers } from './service.ts';
import { tryProvider } from './try.ts';

const product = 'ai-gateway';
const readers = {
  scope: 'network:ai_gateway:policies:read',
  actors: actorTypes,
  role: 'ADMIN',
  product,
} as const;
const writers = {
  scope: 'network:ai_gateway:policies:write',
  actors: actorTypes,
  role: 'ADMIN',
  product,
} as const;
const watchers = { scope: 'platform:admin:read', actors: ['user'], operator: true } as const;
const operators = { scope: 'platform:admin:write', actors: ['user'], operator: true } as const;
const tags = ['AI gateway'];
const gone = { 204: { type: 'null', description: 'Deleted.' } } as const;
const mine = '/organizations/:organizationId/ai-gateway/providers';
const shared = '/admin/ai-gateway/providers';

export interface ProviderRouteDeps {
  db: Db;
  once: Once;
  providers: Providers;
  dialer: Dialer;
  timeouts: Timeouts;
}

export function providerRoutes({
  db,
  once,
  providers,
  dialer,
  timeouts,
}: ProviderRouteDeps): FastifyPluginAsyncTypebox {
  const list = async (organizationId: string) => {
    const items = (await providers.list(organizationId)).map(toJson);
    return { items, total: items.length };
  };
  const test = (provider: Provider) => tryProvider(provider, { dialer, timeouts });

  return async (app) => {
    app.get(
      mine,
      {
        config: readers,
        schema: {
          operationId: 'listAiProviders',
          summary: "List an organization's own providers of models",
          tags,
          params: OrganizationPath,
          response: { 200: ProviderList },
        },
      },
      ({ organizationId }) => list(organizationId),
    );
    app.post(
      mine,
      {
        config: { ...writers, once: true },
        schema: {
          operationId: 'createAiProvider',
          summary: 'Create a provider with credentials of the organization',
          tags,
          params: OrganizationPath,
          body: CreateProvider,
          response: { 200: ProviderSchema },
        },
      },
      (request) =>
        once(request, async (tx) =>
          toJson(await providers.create(tx, requestSource(request), request.organizationId, request.body)),
        ),
    );
    app.patch(
      `${mine}/:providerId`,
      {
        config: writers,
        schema: {
          operationId: 'updateAiProvider',
          summary: 'Update a provider of the organization',
          tags,
          params: OrganizationProviderPath,
          body: ChangeProvider,
          response: { 200: ProviderSchema },
        },
      },
      async (request) => {
        const { organizationId, params, body } = request;
        const source = requestSource(request);
        return toJson(
          await db.write((tx) => providers.change(tx, source, organizationId, params.providerId, body)),
        );
      },
    );
    app.delete(
      `${mine}/:providerId`,
      {
        config: writers,
        schema: {
          operationId: 'deleteAiProvider',
          summary: 'Delete a provider of the organization, with its credentials',
          tags,
          params: OrganizationProviderPath,
          response: gone,
        },
      },
      async (request, reply) => {
        const { organizationId, params } = request;
        await db.write((tx) =>
          providers.delete(tx, requestSource(request), organizationId, params.providerId),
        );
        return reply.code(204).send(null);
      },
    );
    app.post(
      `${mine}/:providerId/test`,
      {
        config: writers,
        schema: {
          operationId: 'testAiProvider',
          summary: 'Test the connection to a provider of the organization',
          tags,
          params: OrganizationProviderPath,
          response: { 200: ProviderTest },
        },
      },
      async ({ organizationId, params }) => test(await providers.find(organizationId, params.providerId)),
    );

    app.get(
      shared,
      {
        config: watchers,
        schema: {
          operationId: 'listInstanceAiProviders',
          summary: 'List the providers of models that all organizations use',
          tags,
          response: { 200: ProviderList },
        },
      },
      () => list(''),
    );
    app.post(
      shared,
      {
        config: { ...operators, once: true },
        schema: {
          operationId: 'createInstanceAiProvider',
          summary: 'Create a provider for all organizations',
          tags,
          body: CreateInstanceProvider,
          response: { 200: ProviderSchema },
        },
      },
      (request) =>
        once(request, async (tx) =>
          toJson(await providers.create(tx, requestSource(request), '', request.body)),
        ),
    );
    app.patch(
      `${shared}/:providerId`,
      {
        config: operators,
        schema: {
          operationId: 'updateInstanceAiProvider',
          summary: 'Update a provider of the instance',
          tags,
          params: ProviderPath,
          body: ChangeInstanceProvider,
          response: { 200: ProviderSchema },
        },
      },
      async (request) => {
        const source = requestSource(request);
        return toJson(
          await db.write((tx) => providers.change(tx, source, '', request.params.providerId, request.body)),
        );
      },
    );
    app.delete(
      `${shared}/:providerId`,
      {
        config: operators,
        schema: {
          operationId: 'deleteInstanceAiProvider',
          summary: 'Delete a provider of the instance, with its credentials',
          tags,
          params: ProviderPath,
          response: gone,
        },
      },
      async (request, reply) => {
        await db.write((tx) => providers.delete(tx, requestSource(request), '', request.params.providerId));
        return reply.code(204).send(null);
      },
    );
    app.post(
      `${shared}/:providerId/test`,
      {
        config: operators,
        schema: {
          operationId: 'testInstanceAiProvider',
          summary: 'Test the connection to a provider of the instance',
          tags,
          params: ProviderPath,
          response: { 200: ProviderTest },
        },
      },
      async ({ params }) => test(await providers.find('', params.providerId)),
    );
  };
}
