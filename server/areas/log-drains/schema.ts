import { Type } from 'typebox';
import { Body, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';

const types = ['ndjson', 'otlp'] as const;
const Kind = OneOf(types, {
  description:
    '`ndjson` posts one JSON object per line and request; `otlp` posts OpenTelemetry log records as JSON.',
});
const Url = Type.String({
  minLength: 1,
  maxLength: 2048,
  description: 'http or https. It can contain a key in its query, which is not shown again.',
});
const Headers = Type.Record(Type.String({ maxLength: 128 }), Type.String({ maxLength: 4096 }), {
  description: 'Headers sent with each delivery, such as Authorization. Their values are never shown again.',
});
const Name = Type.String({ maxLength: 1024, description: '1 to 128 characters after trimming.' });

export const LogDrain = Type.Object(
  {
    id: Id,
    applicationId: Id,
    name: Type.String(),
    type: Kind,
    url: Type.String({ description: 'URL without its query.' }),
    headerNames: Type.Array(Type.String()),
    enabled: Type.Boolean(),
    status: OneOf(['waiting', 'delivering', 'failing', 'disabled']),
    lastError: Nullable(Type.String()),
    lastDeliveredAt: Nullable(Time),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'LogDrain' },
);
export const LogDrainList = ListOf(LogDrain);

export const CreateLogDrain = Body({
  name: Name,
  type: Kind,
  url: Url,
  headers: Type.Optional(Headers),
  enabled: Type.Optional(Type.Boolean({ default: true })),
});

export const ChangeLogDrain = Type.Object(
  {
    name: Type.Optional(Name),
    url: Type.Optional(Url),
    headers: Type.Optional(Headers),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const LogDrainTest = Type.Object(
  {
    ok: Type.Boolean(),
    status: Nullable(Type.Integer({ description: 'Status that the collector responded with.' })),
    latencyMs: Type.Integer(),
    error: Nullable(Type.String()),
  },
  { title: 'LogDrainTest' },
);

export const LogDrainPath = Type.Object({ applicationId: Id, drainId: Id });
