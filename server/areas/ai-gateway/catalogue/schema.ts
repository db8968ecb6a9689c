import { type Static, Type } from 'typebox';
import { Body, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const micros = (description: string) =>
  Type.Optional(Type.Number({ minimum: 0, maximum: 1e12, description }));

const ModelPrices = Body({
  input: micros('Micro-dollars per million input tokens.'),
  output: micros('Micro-dollars per million output tokens.'),
  cachedInput: micros('Micro-dollars per million input tokens read from a prompt cache.'),
  cacheWrite: micros('Micro-dollars per million input tokens written to a prompt cache.'),
  perRequest: micros('Micro-dollars per request.'),
  perImage: micros('Micro-dollars per image.'),
  perSecond: micros('Micro-dollars per second of audio or video.'),
});

const flag = Type.Optional(Type.Boolean());

export const Override = Body({
  prices: Type.Optional(
    Type.Union([ModelPrices, Type.Literal('free')], {
      description: 'Unit prices, or `free`. If omitted, the bundled prices apply.',
    }),
  ),
  capabilities: Type.Optional(
    Body({ chat: flag, streaming: flag, tools: flag, vision: flag, json_mode: flag }),
  ),
  contextWindow: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
  maxOutputTokens: Type.Optional(Type.Integer({ minimum: 1, maximum: 1_000_000_000 })),
});
export type Override = Static<typeof Override>;

/** MAINSTAY_AI_CATALOGUE_FILE, and what MAINSTAY_AI_CATALOGUE_URL answers. */
export const CatalogueFile = Type.Object(
  {
    asOf: Type.Optional(Type.String({ maxLength: 40 })),
    models: Type.Record(Type.String({ maxLength: 200 }), Override),
  },
  { additionalProperties: false },
);

const nullableFlag = Nullable(Type.Boolean());

export const CatalogueModel = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    source: OneOf(['bundled', 'file', 'override'], {
      description: '`file`: the file or URL that the operator configured.',
    }),
    prices: Nullable(
      Type.Object({
        input: Type.Number(),
        output: Type.Number(),
        cachedInput: Nullable(Type.Number()),
        cacheWrite: Nullable(Type.Number()),
        perRequest: Type.Number(),
        perImage: Type.Number(),
        perSecond: Type.Number(),
        source: Type.String({ description: 'The price list, or `operator`.' }),
        asOf: Time,
      }),
    ),
    capabilities: Type.Object({
      chat: nullableFlag,
      streaming: nullableFlag,
      tools: nullableFlag,
      vision: nullableFlag,
      json_mode: nullableFlag,
    }),
    contextWindow: Nullable(Type.Integer()),
    maxOutputTokens: Nullable(Type.Integer()),
    updatedAt: Nullable(Time),
  },
  { title: 'AiCatalogueModel' },
);

export const PriceListState = Type.Object(
  {
    source: OneOf(['bundled', 'file', 'url']),
    name: Type.String({ description: 'A package and its version, a path, or an address.' }),
    asOf: Nullable(Time, { description: 'Date of its prices; null if none was fetched yet.' }),
    fetchedAt: Nullable(Time, { description: 'When the URL was last fetched or found unchanged.' }),
    triedAt: Nullable(Time),
    failure: Nullable(Type.String({ description: 'Why the last fetch failed.' })),
  },
  { title: 'AiPriceListState' },
);
export const PriceLists = ListOf(PriceListState);
export const CatalogueList = ListOf(CatalogueModel);
export const ModelPath = Type.Object({
  modelId: Type.String({ minLength: 1, maxLength: 200, description: 'With its slash percent-encoded.' }),
});
