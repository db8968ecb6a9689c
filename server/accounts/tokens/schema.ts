import { Type } from 'typebox';
import { Body } from '#http/schema.ts';

const clientFields = {
  client_id: Type.Optional(
    Type.String({ maxLength: 256, description: 'The id of the API key, unless HTTP Basic is used.' }),
  ),
  client_secret: Type.Optional(
    Type.String({ maxLength: 1024, description: 'The secret of the API key, unless HTTP Basic is used.' }),
  ),
};

export const TokenBody = Body({
  grant_type: Type.Unsafe<'client_credentials'>({ type: 'string', enum: ['client_credentials'] }),
  ...clientFields,
});

export const TokenAnswer = Type.Object(
  {
    token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'] }),
    access_token: Type.String({ description: 'A JWT (RFC 9068).' }),
    expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
    scope: Type.String({ description: 'The granted scopes, separated by spaces.' }),
  },
  { title: 'Token' },
);

export const AboutTokenBody = Body({
  token: Type.String({ minLength: 1, maxLength: 8192 }),
  token_type_hint: Type.Optional(Type.String({ maxLength: 64 })),
  ...clientFields,
});

export const Introspection = Type.Object(
  {
    active: Type.Boolean(),
    scope: Type.Optional(Type.String()),
    client_id: Type.Optional(Type.String()),
    token_type: Type.Optional(Type.String()),
    exp: Type.Optional(Type.Integer()),
    iat: Type.Optional(Type.Integer()),
    sub: Type.Optional(Type.String()),
    aud: Type.Optional(Type.String()),
    iss: Type.Optional(Type.String()),
    jti: Type.Optional(Type.String()),
    actor_type: Type.Optional(Type.String()),
    organization_id: Type.Optional(Type.String()),
    application_id: Type.Optional(Type.String()),
    environment_id: Type.Optional(Type.String()),
  },
  { title: 'Introspection' },
);

export const OAuthError = Type.Object(
  { error: Type.String(), error_description: Type.String() },
  { title: 'OAuthError' },
);

export const JwkSet = Type.Object(
  { keys: Type.Array(Type.Record(Type.String(), Type.Unknown())) },
  { title: 'JwkSet' },
);

export const Discovery = Type.Object(
  {
    issuer: Type.String(),
    token_endpoint: Type.String(),
    introspection_endpoint: Type.String(),
    revocation_endpoint: Type.String(),
    jwks_uri: Type.String(),
    scopes_supported: Type.Array(Type.String()),
    response_types_supported: Type.Array(Type.String()),
    grant_types_supported: Type.Array(Type.String()),
    subject_types_supported: Type.Array(Type.String()),
    id_token_signing_alg_values_supported: Type.Array(Type.String()),
    token_endpoint_auth_methods_supported: Type.Array(Type.String()),
    introspection_endpoint_auth_methods_supported: Type.Array(Type.String()),
    revocation_endpoint_auth_methods_supported: Type.Array(Type.String()),
    service_documentation: Type.String(),
  },
  { title: 'Discovery' },
);
