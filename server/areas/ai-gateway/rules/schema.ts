import { type Static, Type } from 'typebox';
import { Body, Id, Nullable, OneOf, Time } from '#http/schema.ts';
import { maxKeptSeconds } from '../answers.ts';

const Count = (description: string) =>
  Type.Optional(Nullable(Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER / 1000, description })));
const optionalId = Type.Optional(Nullable(Id));

const limits = {
  maxCostMicros: Count('Micro-dollars per period. null for no limit.'),
  maxRequests: Count('Requests per period.'),
  maxTokens: Count('Input and output tokens per period.'),
  maxRequestCostMicros: Count('Maximum cost of one request in micro-dollars.'),
};

const BudgetInput = Body({
  applicationId: optionalId,
  userId: optionalId,
  apiKeyId: optionalId,
  period: Type.Optional(
    OneOf(['day', 'month'], { description: 'UTC days or calendar months; default `month`.' }),
  ),
  ...limits,
  enabled: Type.Optional(Type.Boolean({ description: 'Default: true.' })),
});
export type BudgetInput = Static<typeof BudgetInput>;
export const PutBudgets = Body({ budgets: Type.Array(BudgetInput, { maxItems: 500 }) });

const nullableCount = Nullable(Type.Integer());
export const Budget = Type.Object(
  {
    id: Id,
    organizationId: Id,
    applicationId: Nullable(Id),
    userId: Nullable(Id),
    apiKeyId: Nullable(Id),
    period: OneOf(['day', 'month']),
    maxCostMicros: nullableCount,
    maxRequests: nullableCount,
    maxTokens: nullableCount,
    maxRequestCostMicros: nullableCount,
    enabled: Type.Boolean(),
    used: Type.Object({ costMicros: Type.Integer(), requests: Type.Integer(), tokens: Type.Integer() }),
    windowStart: Time,
    windowEnd: Time,
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'AiBudget' },
);
export const BudgetList = Type.Object({ items: Type.Array(Budget) });

const Patterns = (what: string) =>
  Type.Optional(
    Nullable(
      Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
        maxItems: 500,
        description: `${what}; \`*\` is a wildcard. null allows all, [] allows none.`,
      }),
    ),
  );

const Guardrail = Body({
  type: OneOf(['pattern', 'card', 'api_key', 'email'], {
    description:
      '`card`: payment card numbers with a valid check digit; `api_key`: API keys of well-known providers, tokens and private keys.',
  }),
  pattern: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 512,
      description:
        'For `pattern`: a regular expression in RE2 syntax, without lookaround and backreferences.',
    }),
  ),
  on: OneOf(['request', 'response', 'both']),
  action: OneOf(['redact', 'refuse']),
});
export type Guardrail = Static<typeof Guardrail>;

const rules = {
  allowedModels: Patterns('Model ids'),
  allowedProviders: Patterns('Provider slugs'),
  requireZdr: Type.Optional(Nullable(Type.Boolean())),
  allowFallbacks: Type.Optional(Nullable(Type.Boolean())),
  maxOutputTokens: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }))),
  requestsPerMinute: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 100_000_000 }))),
  tokensPerMinute: Type.Optional(Nullable(Type.Integer({ minimum: 1, maximum: 1_000_000_000_000 }))),
  guardrails: Type.Optional(
    Nullable(
      Type.Array(Guardrail, {
        maxItems: 50,
        description:
          'Checks of the content of requests and responses. If several policies apply, all of them are enforced.',
      }),
    ),
  ),
  webhookUrl: Type.Optional(
    Nullable(
      Type.String({
        maxLength: 2048,
        description:
          'Called with POST before a request is forwarded and before its response is returned. It responds with `{"action": "allow"}` or `{"action": "refuse", "reason": "…"}`. If it does not respond in time, the request is rejected.',
      }),
    ),
  ),
  cacheTtlSeconds: Type.Optional(
    Nullable(
      Type.Integer({
        minimum: 0,
        maximum: maxKeptSeconds,
        description:
          'How long the response to a request is reused for identical requests. 0 disables caching, even if the request asks for it with `X-Mainstay-Cache-Ttl`.',
      }),
    ),
  ),
};
const PolicyBody = Body(rules);
export type PolicyBody = Static<typeof PolicyBody>;

export const PutPolicy = Body({ applicationId: optionalId, apiKeyId: optionalId, ...rules });
export const PolicyQuery = Type.Object({
  applicationId: Type.Optional(Id),
  apiKeyId: Type.Optional(Id),
});
export const Policy = Type.Object(
  {
    id: Id,
    organizationId: Id,
    applicationId: Nullable(Id),
    apiKeyId: Nullable(Id),
    allowedModels: Nullable(Type.Array(Type.String())),
    allowedProviders: Nullable(Type.Array(Type.String())),
    requireZdr: Type.Boolean(),
    allowFallbacks: Type.Boolean(),
    maxOutputTokens: nullableCount,
    requestsPerMinute: nullableCount,
    tokensPerMinute: nullableCount,
    guardrails: Type.Array(Type.Object({ ...Guardrail.properties })),
    webhookUrl: Nullable(Type.String()),
    cacheTtlSeconds: nullableCount,
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'AiPolicy' },
);
export const PolicyAnswer = Type.Object({ policy: Nullable(Policy) });

const Alias = Body({
  alias: Type.String({ minLength: 1, maxLength: 128, pattern: '^[A-Za-z0-9._:/-]+$' }),
  models: Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    minItems: 1,
    maxItems: 20,
    description: 'Tried in this order.',
  }),
});
export const PutAliases = Body({ aliases: Type.Array(Alias, { maxItems: 500 }) });
export const AliasList = Type.Object({ aliases: Type.Array(Type.Object({ ...Alias.properties })) });
