import { type Static, Type } from 'typebox';
import { CursorQuery } from '#http/paging.ts';
import { Id, Nullable, OneOf, OrganizationPath, Time } from '#http/schema.ts';

const Moment = Type.String({
  maxLength: 40,
  description: 'ISO 8601, or a plain date (UTC): as `from` its beginning, as `to` its end. Inclusive.',
});
const range = { from: Type.Optional(Moment), to: Type.Optional(Moment), applicationId: Type.Optional(Id) };
const statuses = ['pending', 'success', 'error', 'cancelled'] as const;
const filters = {
  ...range,
  model: Type.Optional(Type.String({ maxLength: 256 })),
  provider: Type.Optional(Type.String({ maxLength: 64 })),
  status: Type.Optional(OneOf(statuses)),
  requestId: Type.Optional(Type.String({ maxLength: 128 })),
  authenticatedUserId: Type.Optional(Id),
  callerEndUserId: Type.Optional(Type.String({ maxLength: 256 })),
};

export const SummaryQuery = Type.Object(range);
export const SeriesQuery = Type.Object({
  ...range,
  interval: Type.Optional(
    OneOf(['hour', 'day'], { description: 'Default: an hour for ranges up to 7 days, otherwise a day.' }),
  ),
  groupBy: Type.Optional(OneOf(['model', 'provider', 'application', 'user'])),
});
export const ExportQuery = Type.Object(filters);
export const RequestsQuery = Type.Object({ ...filters, ...CursorQuery.properties });
export type Filters = Static<typeof ExportQuery>;

const count = Type.Integer();
const Row = Type.Object({
  label: Type.String(),
  requests: count,
  tokens: count,
  inputTokens: count,
  outputTokens: count,
  costMicros: count,
});
export const Summary = Type.Object(
  {
    summary: Type.Object({
      requestCount: count,
      successCount: count,
      errorCount: count,
      inputTokens: count,
      outputTokens: count,
      totalTokens: count,
      billableCostMicros: count,
      avgLatencyMs: Type.Number(),
    }),
    byModel: Type.Array(Row),
    byProvider: Type.Array(Row),
    byApplication: Type.Array(Row),
    byUser: Type.Array(Row, {
      description: 'By end user, or by user if there is none. At most the thousand with the highest cost.',
    }),
  },
  { title: 'AiUsageSummary' },
);

export const Series = Type.Object(
  {
    interval: OneOf(['hour', 'day']),
    items: Type.Array(
      Type.Object({
        start: Time,
        label: Type.String({ description: 'Key of the group; empty without `groupBy`.' }),
        requests: count,
        errors: count,
        inputTokens: count,
        outputTokens: count,
        costMicros: count,
        avgLatencyMs: Type.Number(),
      }),
    ),
  },
  { title: 'AiUsageSeries' },
);

const text = Nullable(Type.String());
const Attempt = Type.Object({
  provider: Type.String(),
  model: Type.Optional(Type.String()),
  error: Type.Optional(Type.String()),
  statusCode: Type.Optional(count),
  tag: Type.Optional(Type.String({ description: '`skipped:<rule>` for candidates that were skipped.' })),
  startedMs: Type.Optional(Type.Number({ description: 'Milliseconds since the request arrived.' })),
  durationMs: Type.Optional(Type.Number()),
  firstTokenMs: Type.Optional(Type.Number()),
});

export const UsageEvent = Type.Object(
  {
    id: Id,
    requestId: Type.String(),
    traceId: text,
    billingSubjectType: OneOf(['organization', 'application']),
    organizationId: Id,
    applicationId: Nullable(Id),
    actorId: text,
    actorType: Type.String(),
    apiKeyId: Nullable(Id),
    authenticatedUserId: Nullable(Id),
    callerEndUserId: text,
    modelRequested: Type.String(),
    modelServed: text,
    provider: text,
    providerAttempts: Nullable(Type.Array(Attempt)),
    status: OneOf(statuses),
    errorCode: text,
    errorType: text,
    inputTokens: count,
    outputTokens: count,
    cachedInputTokens: count,
    totalTokens: count,
    usageSource: OneOf(['provider', 'estimated', 'none']),
    providerCostMicros: count,
    billableCostMicros: count,
    streaming: Type.Boolean(),
    latencyMs: Nullable(Type.Number()),
    metadata: Nullable(Type.Record(Type.String(), Type.Unknown())),
    startedAt: Time,
    completedAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
    path: Type.String(),
    pricing: OneOf(['list', 'provider', 'unpriced', 'none'], {
      description: 'How the cost was determined. `unpriced`: the cost is unknown and counts as 0.',
    }),
    unitPrices: Nullable(
      Type.Record(Type.String(), Type.Union([Type.Number(), Type.String()]), {
        description:
          'The unit prices that applied: micro-dollars per million tokens, pico-dollars for other units.',
      }),
    ),
    cacheHit: Type.Boolean(),
    cacheWriteTokens: count,
    reasoningTokens: count,
    firstTokenMs: Nullable(Type.Number()),
    costNanos: Type.Integer({ description: 'The amount counted by budgets, in billionths of a dollar.' }),
  },
  { title: 'AiUsageEvent' },
);
export const UsageEventList = Type.Object({
  items: Type.Array(UsageEvent),
  total: Type.Integer({ description: 'Exact up to 10 000.' }),
  totalCapped: Type.Optional(Type.Boolean()),
  nextCursor: Type.Optional(Type.String()),
});
export const EventPath = Type.Object({ ...OrganizationPath.properties, eventId: Id });
