import { type TSchema, Type } from 'typebox';
import { cacheStatuses } from '#core/request-log.ts';
import { Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const text = (description: string) => Type.Optional(Type.String({ maxLength: 2048, description }));
const several = 'Several are separated by commas.';

/** What a list, a chart, a stream and an export are narrowed down by. All of them must hold. */
const filterFields = {
  deploymentId: text('Id of a deployment.'),
  deploymentFunctionId: text('Id of a function of a deployment.'),
  deploymentAssetId: text('Id of a static file of a deployment.'),
  storageBucketId: text('Id of a bucket.'),
  storageObjectId: text('Id of a stored object.'),
  from: text('ISO 8601 time or date; inclusive.'),
  to: text('ISO 8601 time, or a date, which counts whole; inclusive.'),
  method: text(`HTTP method. ${several}`),
  status: text(`HTTP status. ${several}`),
  statusFamily: text(`First digit of the status, such as 5 for 5xx. ${several}`),
  hostname: text(`Host of the request. ${several}`),
  pathPrefix: text('Literal prefix of the path.'),
  country: text(`Country of the client, two letters. ${several}`),
  region: text(`Region that served the request. ${several}`),
  edgeLocation: text(`Edge location that served the request. ${several}`),
  cacheStatus: text(`hit, miss, bypass, revalidated, stale or updating. ${several}`),
  cacheHit: Type.Optional(Type.Boolean({ description: 'Whether the response was served from a cache.' })),
  bot: Type.Optional(Type.Boolean({ description: 'Whether the client is a bot.' })),
  minDurationMs: Type.Optional(Type.Number({ minimum: 0, description: 'Minimum duration in milliseconds.' })),
  q: text('Text in the path or the error, case-insensitive.'),
};

export const FilterQuery = Type.Object(filterFields);

export const ListRequestsQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({ minimum: 1, maximum: 100, description: 'Items per page; default 100.' }),
  ),
  perPage: Type.Optional(Type.Integer({ minimum: 1, maximum: 100, description: 'The same as `limit`.' })),
  page: Type.Optional(Type.Integer({ minimum: 1, description: 'Only 1; for other pages send `cursor`.' })),
  cursor: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'The `nextCursor` of the previous page.' }),
  ),
});

const Text = Type.String();
const maybe = <T extends TSchema>(schema: T) => Nullable(schema);
const Count = Type.Integer();

const summaryFields = {
  id: Id,
  application: Type.Object({ id: Id, name: Text }),
  deployment: maybe(Type.Object({ id: Id, status: Text })),
  deploymentFunction: maybe(Type.Object({ id: Id, name: maybe(Text), path: Text, region: maybe(Text) })),
  deploymentAsset: maybe(Type.Object({ id: Id, path: Text, objectKey: Text })),
  storageBucket: maybe(Type.Object({ id: Id, name: Text, slug: Text })),
  storageObject: maybe(Type.Object({ id: Id, key: Text, contentType: maybe(Text) })),
  request: Type.Object({
    method: Text,
    hostname: Text,
    path: Text,
    query: maybe(Type.String({ description: 'Values of secrets are masked.' })),
    protocol: maybe(Text),
    country: maybe(Text),
    userAgent: maybe(Text),
    referer: maybe(Text),
  }),
  response: Type.Object({
    status: maybe(Count),
    cacheStatus: maybe(OneOf(cacheStatuses)),
    cacheHit: maybe(Type.Boolean()),
    region: maybe(Text),
    edgeLocation: maybe(Text),
  }),
  metrics: Type.Object({
    requestBodyBytes: maybe(Count),
    responseBodyBytes: maybe(Count),
    bytesSent: maybe(Count),
    durationMs: maybe(Type.Number()),
  }),
  startedAt: Time,
  completedAt: maybe(Time),
  bot: Type.Boolean({ description: 'Whether the client is a bot.' }),
  error: maybe(Type.String({ description: 'Why the request failed.' })),
  truncated: Type.Boolean({ description: 'Whether a value was truncated.' }),
  sampleWeight: Type.Number({
    description: 'Number of requests that this one represents when requests are sampled.',
  }),
};

export const RequestSummary = Type.Object(summaryFields, { title: 'RequestLog' });

export const RequestList = Type.Interface([ListOf(RequestSummary)], {
  totalCapped: Type.Optional(
    Type.Boolean({ description: 'true if there are more than `total`, which is exact up to 10 000.' }),
  ),
});

const Headers = Type.Record(Type.String(), Type.String(), { description: 'Secrets are masked.' });

export const RequestDetail = Type.Object(
  {
    ...summaryFields,
    requestHeaders: Headers,
    responseHeaders: Headers,
    clientAddress: maybe(Type.String({ description: 'The address, as far as the operator stores it.' })),
    clientSubdivision: maybe(
      Type.String({ description: 'Subdivision of the country: ISO 3166-2, its second part.' }),
    ),
  },
  { title: 'RequestLogDetail' },
);

export const RequestPath = Type.Object({ applicationId: Id, requestId: Id });

export const ExportQuery = Type.Object({
  ...filterFields,
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 1_000_000,
      description: 'Maximum number of lines; default 1 000 000.',
    }),
  ),
});

const intervals = ['auto', '1m', '5m', '15m', '1h', '6h', '1d'] as const;

export const StatsQuery = Type.Object({
  ...filterFields,
  interval: Type.Optional(
    OneOf(intervals, { description: 'Length of an interval; by default chosen by the range.' }),
  ),
  top: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 100,
      description: 'Rows in each list of most frequent values; default 10.',
    }),
  ),
});

const Share = Type.Number();
const shares = {
  requests: Share,
  families: Type.Object(
    { '1xx': Share, '2xx': Share, '3xx': Share, '4xx': Share, '5xx': Share, none: Share },
    { description: 'Counts by first digit of the status; `none` for requests without a response.' },
  ),
  bytes: Share,
  cacheHits: Share,
};
const counts = {
  ...shares,
  dropped: Type.Integer({ description: 'Requests that could not be logged; included only without filters.' }),
};
const times = {
  p50: maybe(Type.Number({ description: 'Milliseconds; percentiles are within 2 %.' })),
  p95: maybe(Type.Number()),
  p99: maybe(Type.Number()),
  mean: maybe(Type.Number()),
};
/** Of the requests in a step, or in all of them. */
export const figures = { ...shares, ...times };
const TopRow = Type.Object({ value: maybe(Text), requests: Share, errors: Share, bytes: Share });
const Top = Type.Array(TopRow);

export const RequestStats = Type.Object(
  {
    from: Time,
    to: Time,
    intervalSeconds: Count,
    total: Type.Object({ ...counts, ...times }),
    series: Type.Array(Type.Object({ at: Time, ...counts, ...times })),
    top: Type.Object(
      { paths: Top, hostnames: Top, countries: Top, referrers: Top, agents: Top },
      { description: 'Most frequent values in the range; `errors` are responses with 5xx.' },
    ),
    topComplete: Type.Boolean({
      description:
        'If false, the lists cover only the newest part of the range because there are too many requests.',
    }),
  },
  { title: 'RequestStats' },
);
