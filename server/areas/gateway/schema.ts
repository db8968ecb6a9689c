import { Type } from 'typebox';
import { Body, Id, Nullable, Time } from '#http/schema.ts';

export const EnvironmentPath = Type.Object({ applicationId: Id, environmentId: Id });
export const ApplicationPath = Type.Object({ applicationId: Id });

export const Protection = Type.Object(
  {
    enabled: Type.Boolean({
      description:
        'Whether its deployments are visible only to members and people with whom they are shared.',
    }),
    hasPassword: Type.Boolean({ description: 'Whether visitors can enter with a password.' }),
    bypassCreatedAt: Nullable(Time, {
      description: 'When the automation bypass token was created; null if there is none.',
    }),
  },
  { title: 'EnvironmentProtection' },
);

export const ChangeProtection = Type.Object(
  {
    enabled: Type.Optional(Type.Boolean()),
    password: Type.Optional(
      Nullable(Type.String({ minLength: 8, maxLength: 256 }), {
        description: 'null removes it. Visitors who entered with it have to authenticate again.',
      }),
    ),
  },
  { additionalProperties: false, minProperties: 1 },
);

export const BypassToken = Type.Object({
  token: Type.String({ description: 'Shown once. Sent as the header `x-mainstay-protection-bypass`.' }),
  createdAt: Time,
});

export const CreateShareLink = Body({
  deploymentId: Id,
  path: Type.Optional(Type.String({ pattern: '^/(?![/\\\\])', maxLength: 1024, default: '/' })),
  expiresInSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 2_592_000, default: 604_800 })),
});
export const ShareLink = Type.Object({
  url: Type.String({ description: 'Anyone with the link can view the deployment until it expires.' }),
  expiresAt: Time,
});

export const PreviewAccess = Body({
  hostname: Type.String({
    minLength: 1,
    maxLength: 260,
    description: 'Host of the protected deployment, including its port.',
  }),
  to: Type.Optional(Type.String({ maxLength: 2048, description: 'The path that the visitor requested.' })),
  state: Type.String({ minLength: 16, maxLength: 64 }),
});
export const PreviewAddress = Type.Object({
  url: Type.String({
    description: 'URL to send the browser to. It works once, in the browser that requested it.',
  }),
});

export const PurgeCache = Type.Object(
  {
    environment: Type.Optional(
      Type.String({
        minLength: 1,
        maxLength: 64,
        description: 'Slug or id. If omitted, all environments.',
      }),
    ),
    tags: Type.Optional(Type.Array(Type.String({ minLength: 1, maxLength: 256 }), { maxItems: 100 })),
    paths: Type.Optional(
      Type.Array(Type.String({ pattern: '^/', maxLength: 1024 }), {
        maxItems: 100,
        description: 'A path that ends in `*` matches everything below it.',
      }),
    ),
  },
  { additionalProperties: false },
);

export const CreateStickyUrl = Body({
  key: Type.String({
    minLength: 1,
    maxLength: 256,
    description: 'Requests with the same key reach the same process.',
  }),
  endpoint: Type.String({ minLength: 1, maxLength: 2048, description: 'A path of the deployment.' }),
  method: Type.Optional(
    Type.Unsafe<'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE'>({
      type: 'string',
      enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
      default: 'GET',
    }),
  ),
  expiresInSeconds: Type.Optional(Type.Integer({ minimum: 60, maximum: 86_400, default: 14_400 })),
});
export const StickyUrl = Type.Object({ url: Type.String(), expiresAt: Time });
