import { type Static, Type } from 'typebox';
import { Body, DisplayName, Id, ListOf, Time } from '#http/schema.ts';
import { grantableScopes } from './scopes.ts';

const clientFields = {
  id: Type.String({ format: 'uuid', description: 'The client_id.' }),
  name: Type.String({ description: 'Name shown to users on the consent page.' }),
  redirectUris: Type.Array(Type.String()),
  scopes: Type.Array(Type.String(), { description: 'Scopes that it can request from users.' }),
  confidential: Type.Boolean({ description: 'Whether it has a secret.' }),
  createdAt: Time,
  updatedAt: Time,
};

export const OAuthClient = Type.Object(clientFields, { title: 'OAuthClient' });
export type OAuthClient = Static<typeof OAuthClient>;
export const OAuthClientList = ListOf(OAuthClient);
export const CreatedOAuthClient = Type.Object(
  {
    ...clientFields,
    secret: Type.Union([Type.String(), Type.Null()], {
      description: 'Shown once; null for a public client.',
    }),
  },
  { title: 'CreatedOAuthClient' },
);

const RedirectUris = Type.Array(Type.String({ maxLength: 2000 }), {
  maxItems: 20,
  uniqueItems: true,
  description:
    'Exact match. https, http on loopback (any port), or a private-use scheme such as com.example.app:/callback.',
});

const Scopes = Type.Array(Type.Unsafe<string>({ type: 'string', enum: grantableScopes }), {
  minItems: 1,
  maxItems: grantableScopes.length,
  uniqueItems: true,
});

export const CreateOAuthClient = Body({
  name: DisplayName,
  redirectUris: Type.Optional(RedirectUris),
  scopes: Scopes,
  confidential: Type.Optional(
    Type.Boolean({
      description: 'True (default) for apps that run on a server and can keep a secret.',
    }),
  ),
});

export const ChangeOAuthClient = Body({
  name: Type.Optional(DisplayName),
  redirectUris: Type.Optional(RedirectUris),
  scopes: Type.Optional(Scopes),
});

export const OAuthClientPath = Type.Object({ clientId: Id });
