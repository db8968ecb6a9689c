import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Static } from 'typebox';
import { audit, requestSource } from '#accounts/audit-log/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { Catalogue, Entry } from './catalogue.ts';
import { modelsTopic } from './price-list.ts';
import { ratesFor } from './rates.ts';
import { CatalogueList, CatalogueModel, ModelPath, Override, PriceListState, PriceLists } from './schema.ts';
import { deleteOverride, listOverrides, putOverride } from './store.ts';

const watchers = { scope: 'platform:admin:read', actors: ['user'], operator: true } as const;
const operators = { scope: 'platform:admin:write', actors: ['user'], operator: true } as const;
const tags = ['AI gateway'];
const base = '/admin/ai-gateway/models';
const lists = '/admin/ai-gateway/price-lists';

/** `refresh` fetches the operator's address; undefined: there is none. */
export function catalogueRoutes(deps: {
  db: Db;
  clock: Clock;
  catalogue: Catalogue;
  priceLists(): Promise<Static<typeof PriceListState>[]>;
  refresh: (() => Promise<void>) | undefined;
}): FastifyPluginAsyncTypebox {
  const { db, clock, catalogue, priceLists, refresh } = deps;

  return async (app) => {
    app.get(
      base,
      {
        config: watchers,
        schema: {
          operationId: 'listAiCatalogueModels',
          summary: 'List the models of the catalogue with their prices',
          tags,
          response: { 200: CatalogueList },
        },
      },
      async () => {
        const snapshot = await catalogue.now();
        const times = new Map((await listOverrides(db)).map((row) => [row.id, row.updated_at]));
        const items = snapshot
          .ids()
          .flatMap((id) => snapshot.get(id) ?? [])
          .map((entry) => toModel(entry, clock.now(), times.get(entry.id)));
        return { items, total: items.length };
      },
    );

    app.get(
      lists,
      {
        config: watchers,
        schema: {
          operationId: 'listAiPriceLists',
          summary: 'List price lists',
          description: 'Later lists override earlier ones; prices set for a model override all lists.',
          tags,
          response: { 200: PriceLists },
        },
      },
      async () => {
        const items = await priceLists();
        return { items, total: items.length };
      },
    );

    app.post(
      `${lists}/refresh`,
      {
        config: operators,
        schema: {
          operationId: 'refreshAiPriceList',
          summary: "Fetch the operator's price list",
          description: 'If the list cannot be read, no prices change and `failure` contains the reason.',
          tags,
          response: { 200: PriceListState },
        },
      },
      async (request) => {
        if (!refresh)
          throw new Problem(
            'not_found',
            'There is no URL to fetch: set MAINSTAY_AI_CATALOGUE_URL and restart the server.',
          );
        await refresh();
        const state = (await priceLists()).at(-1) as Static<typeof PriceListState>;
        await db.write((tx) =>
          audit(tx, requestSource(request), {
            organizationId: null,
            action: 'ai_price_list.refreshed',
            targetType: 'ai_price_list',
            targetId: null,
            details: { name: state.name, failure: state.failure },
          }),
        );
        return state;
      },
    );

    app.put(
      `${base}/:modelId`,
      {
        config: operators,
        schema: {
          operationId: 'setAiCatalogueModel',
          summary: 'Set the prices or facts of a model',
          tags,
          params: ModelPath,
          body: Override,
          response: { 200: CatalogueModel },
        },
      },
      async (request) => {
        const id = modelIdOf(request.params.modelId);
        const now = clock.now();
        await db.write(async (tx) => {
          await putOverride(tx, id, JSON.stringify(request.body), now);
          announce(tx, modelsTopic, id);
          await audit(tx, requestSource(request), {
            organizationId: null,
            action: 'ai_model.updated',
            targetType: 'ai_model',
            targetId: null,
            details: { model: id, ...request.body },
          });
        });
        const entry = (await catalogue.now()).get(id) as Entry;
        return toModel(entry, now, now);
      },
    );

    app.delete(
      `${base}/:modelId`,
      {
        config: operators,
        schema: {
          operationId: 'resetAiCatalogueModel',
          summary: 'Reset a model to its bundled prices',
          tags,
          params: ModelPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const id = modelIdOf(request.params.modelId);
        await db.write(async (tx) => {
          if (!(await deleteOverride(tx, id)))
            throw new Problem('not_found', 'No price is set for a model with this id.');
          announce(tx, modelsTopic, id);
          await audit(tx, requestSource(request), {
            organizationId: null,
            action: 'ai_model.reset',
            targetType: 'ai_model',
            targetId: null,
            details: { model: id },
          });
        });
        return reply.code(204).send(null);
      },
    );
  };
}

/** The slash between owner and name may come as it is or encoded. */
function modelIdOf(text: string): string {
  if (!/^[\w.:@+-]+\/[\w.:@+/-]+$/.test(text))
    throw new Problem('not_found', 'A model id is an owner, a slash and a name.');
  return text;
}

function toModel(entry: Entry, now: number, updatedAt: number | undefined): Static<typeof CatalogueModel> {
  const prices = entry.pricesAt(now);
  const rates = prices ? ratesFor(prices, 0) : null;
  return {
    id: entry.id,
    name: entry.name,
    source: entry.source,
    prices:
      rates && prices
        ? {
            input: rates.input,
            output: rates.output,
            cachedInput: rates.cachedInput,
            cacheWrite: rates.cacheWrite,
            perRequest: rates.perRequest / 1e6,
            perImage: rates.perImage / 1e6,
            perSecond: rates.perSecond / 1e6,
            source: prices.source,
            asOf: isoTime(prices.asOf),
          }
        : null,
    capabilities: entry.capabilities,
    contextWindow: entry.contextWindow,
    maxOutputTokens: entry.maxOutputTokens,
    updatedAt: updatedAt === undefined ? null : isoTime(updatedAt),
  };
}
