import type { FastifyPluginAsync } from 'fastify';
import type { Logger } from 'pino';
import { Type } from 'typebox';
import type { Clock } from '#core/clock.ts';
import { Nullable, Time } from '#http/schema.ts';
import { type CallerDeps, identify } from './caller.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import { type ListedModel, listModels } from './models.ts';
import { refusal } from './problem.ts';
import type { Providers } from './providers/service.ts';
import type { RuleBook } from './rules/rules.ts';
import { inferenceTags, selfChecked, useProtocol } from './surface.ts';

export interface ModelsDeps {
  callers: CallerDeps;
  clock: Clock;
  log: Logger;
  providers: Providers;
  catalogue: Catalogue;
  ruleBook: RuleBook;
}

const flag = Type.Boolean();
const Model = Type.Object(
  {
    id: Type.String(),
    object: Type.Literal('model'),
    created: Type.Integer(),
    owned_by: Type.String(),
    name: Type.String(),
    provider: Type.String(),
    providerLogoUrl: Type.Optional(Type.String()),
    capabilities: Type.Object({ chat: flag, streaming: flag, tools: flag, vision: flag, json_mode: flag }),
    modalities: Type.Object({ input: Type.Array(Type.String()), output: Type.Array(Type.String()) }),
    contextWindow: Nullable(Type.Integer()),
    maxOutputTokens: Nullable(Type.Integer()),
    description: Type.Optional(Type.String()),
    prices: Nullable(
      Type.Object(
        {
          input: Type.Number(),
          output: Type.Number(),
          cachedInput: Nullable(Type.Number()),
          asOf: Time,
        },
        { description: 'Micro-dollars per million tokens. null if unknown.' },
      ),
    ),
    routingProviders: Type.Array(Type.String()),
    routingProviderDetails: Type.Array(
      Type.Object({
        id: Type.String(),
        name: Type.String(),
        logoUrl: Type.Optional(Type.String()),
        supportsZdr: flag,
      }),
    ),
    zdrProviders: Type.Array(Type.String()),
  },
  { title: 'AiModel' },
);
const Models = Type.Object({
  object: Type.Literal('list'),
  items: Type.Array(Model),
  total: Type.Integer(),
  data: Type.Array(Model, { description: 'Same as `items`, for OpenAI clients.' }),
});
const ModelPath = Type.Object({ '*': Type.String({ minLength: 1, maxLength: 300 }) });

export function modelsRoutes(deps: ModelsDeps): FastifyPluginAsync {
  const common = { tags: inferenceTags, security: [{ bearer: [] }] };
  const listed = async (request: Parameters<typeof identify>[1]) => {
    const caller = await identify(deps.callers, request, 'network:ai_gateway:models');
    return listModels(deps, caller, deps.clock.now());
  };

  return async (app) => {
    await app.register(
      async (scope) => {
        useProtocol(scope, deps.log);
        scope.get(
          '/models',
          {
            config: selfChecked('network:ai_gateway:models'),
            schema: {
              operationId: 'listAiModels',
              summary: 'List the models available to the caller',
              ...common,
              response: { 200: Models },
            },
          },
          async (request) => {
            const items = await listed(request);
            return { object: 'list', items, total: items.length, data: items };
          },
        );
        scope.get(
          '/models/*',
          {
            config: selfChecked('network:ai_gateway:models'),
            schema: {
              operationId: 'getAiModel',
              summary: 'Get a model',
              ...common,
              params: ModelPath,
              response: { 200: Model },
            },
          },
          async (request) => {
            const { '*': id } = request.params as { '*': string };
            const items = await listed(request);
            const named = items.filter((model) => model.id === id || model.id.endsWith(`/${id}`));
            return exactly(named, id);
          },
        );
        scope.get(
          '/videos/models',
          {
            config: selfChecked('network:ai_gateway:models'),
            schema: {
              operationId: 'listAiVideoModels',
              summary: 'List the models that make videos',
              ...common,
              response: { 200: Models },
            },
          },
          async (request) => {
            const items = (await listed(request)).filter(({ modalities }) =>
              modalities.output.includes('video'),
            );
            return { object: 'list', items, total: items.length, data: items };
          },
        );
      },
      { prefix: '/ai/v1' },
    );
  };
}

function exactly(models: readonly ListedModel[], id: string): ListedModel {
  const found = models.find((model) => model.id === id) ?? (models.length === 1 ? models[0] : undefined);
  if (!found)
    throw refusal(
      'model_not_found',
      `The model "${id.slice(0, 200)}" does not exist or no configured provider serves it.`,
      {
        param: 'model',
      },
    );
  return found;
}
