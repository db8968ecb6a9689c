import { type Static, Type } from 'typebox';
import { Body, Id, ListOf, Nullable, OneOf, OrganizationPath, Time } from '#http/schema.ts';

const providerTypes = ['openai', 'openai-compatible', 'azure', 'anthropic', 'gemini'] as const;
export type ProviderType = (typeof providerTypes)[number];

const Slug = Type.String({
  pattern: '^[a-z0-9]+(-[a-z0-9]+)*$',
  maxLength: 64,
  description: 'Prefix of its model ids: `<slug>/<upstream id>`.',
});
const Name = Type.String({ minLength: 1, maxLength: 128 });
const BaseUrl = Nullable(
  Type.String({ maxLength: 2048, description: 'Base URL of its API. null for the default of its type.' }),
);
const Models = Nullable(
  Type.Array(Type.String({ minLength: 1, maxLength: 256 }), {
    maxItems: 1000,
    description:
      'Models that it serves: upstream ids, or `<model id>=<upstream id>` where they differ. null for every model of its owner and any upstream id.',
  }),
);
const Weight = Type.Integer({
  minimum: 1,
  maximum: 1000,
  description: 'Its share of the requests, default 1.',
});
const Priority = Type.Integer({
  minimum: -1000,
  maximum: 1000,
  description: 'Providers with higher priority are tried first; default 0.',
});
const ApiKey = Type.String({ minLength: 1, maxLength: 4096, description: 'Write-only.' });

const NewCredential = Body({
  id: Type.Optional(Id),
  name: Type.Optional(Name),
  apiKey: Type.Optional(ApiKey),
  weight: Type.Optional(Weight),
  enabled: Type.Optional(Type.Boolean()),
});
const Credentials = Type.Array(NewCredential, {
  maxItems: 50,
  description:
    'The complete set of credentials. A credential with an `id` keeps its key unless `apiKey` is sent.',
});

const changeable = {
  name: Type.Optional(Name),
  baseUrl: Type.Optional(BaseUrl),
  zdr: Type.Optional(
    Type.Boolean({ description: 'Whether zero data retention was agreed with the provider.' }),
  ),
  priority: Type.Optional(Priority),
  enabled: Type.Optional(Type.Boolean()),
  models: Type.Optional(Models),
  credentials: Type.Optional(Credentials),
};
const private_ = {
  allowPrivate: Type.Optional(
    Type.Boolean({ description: 'Whether its URL can point to a private address. Operators only.' }),
  ),
};
const identity = {
  slug: Slug,
  type: OneOf(providerTypes, { description: 'Protocol of its API.' }),
};

export const CreateProvider = Body({ ...identity, ...changeable });
export const ChangeProvider = Body(changeable);
export const CreateInstanceProvider = Body({ ...identity, ...changeable, ...private_ });
export const ChangeInstanceProvider = Body({ ...changeable, ...private_ });
export type ProviderInput = Partial<Static<typeof CreateInstanceProvider>>;

/** MAINSTAY_AI_PROVIDERS_FILE. */
const FileCredential = Type.Object(
  {
    name: Type.Optional(Name),
    apiKey: Type.Optional(ApiKey),
    apiKeyEnv: Type.Optional(Type.String({ minLength: 1, maxLength: 256 })),
    weight: Type.Optional(Weight),
    enabled: Type.Optional(Type.Boolean()),
  },
  { additionalProperties: false },
);
export const ProvidersFile = Type.Object(
  {
    providers: Type.Array(
      Type.Object(
        {
          ...identity,
          ...changeable,
          ...private_,
          credentials: Type.Optional(Type.Array(FileCredential, { maxItems: 50 })),
        },
        { additionalProperties: false },
      ),
      { maxItems: 1000 },
    ),
  },
  { additionalProperties: false },
);

export const Provider = Type.Object(
  {
    id: Id,
    slug: Type.String(),
    type: OneOf(providerTypes),
    name: Type.String(),
    baseUrl: Nullable(Type.String()),
    zdr: Type.Boolean(),
    priority: Type.Integer(),
    enabled: Type.Boolean(),
    allowPrivate: Type.Boolean(),
    models: Nullable(Type.Array(Type.String())),
    credentials: Type.Array(
      Type.Object({
        id: Id,
        name: Type.String(),
        hint: Type.String({ description: 'The last characters of the key.' }),
        weight: Type.Integer(),
        enabled: Type.Boolean(),
      }),
    ),
    readOnly: Type.Boolean({ description: 'Whether it is configured by MAINSTAY_AI_PROVIDERS_FILE.' }),
    createdAt: Time,
    updatedAt: Time,
  },
  { title: 'AiProvider' },
);
export const ProviderList = ListOf(Provider);

export const ProviderTest = Type.Object(
  {
    ok: Type.Boolean(),
    latencyMs: Type.Integer(),
    models: Type.Array(Type.String(), { description: 'Model ids that the provider lists, at most 1000.' }),
    error: Nullable(Type.String()),
  },
  { title: 'AiProviderTest' },
);

export const ProviderPath = Type.Object({ providerId: Id });
export const OrganizationProviderPath = Type.Object({ ...OrganizationPath.properties, providerId: Id });
