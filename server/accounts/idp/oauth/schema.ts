import { Type } from 'typebox';
import { Body, Id, ListOf, Nullable, Time } from '#http/schema.ts';

/** Fields that are not known are ignored, as RFC 6749, 3.2 demands of this endpoint. */
const clientFields = {
  client_id: Type.Optional(Type.String({ maxLength: 256, description: 'Unless HTTP Basic is used.' })),
  client_secret: Type.Optional(
    Type.String({
      maxLength: 1024,
      description: 'Required for confidential clients unless HTTP Basic is used.',
    }),
  ),
};

const short = Type.Optional(Type.String({ maxLength: 2048 }));

export const PersonTokenBody = Type.Object({
  grant_type: Type.String({
    maxLength: 256,
    description:
      '`authorization_code` with `code`, `redirect_uri`, `code_verifier`; `refresh_token` with `refresh_token` and ' +
      'perhaps a narrower `scope`; `urn:ietf:params:oauth:grant-type:device_code` with `device_code`.',
  }),
  code: short,
  redirect_uri: short,
  code_verifier: short,
  refresh_token: short,
  device_code: short,
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  ...clientFields,
});

export const PersonToken = Type.Object(
  {
    token_type: Type.Unsafe<'Bearer'>({ type: 'string', enum: ['Bearer'] }),
    access_token: Type.String({ description: 'A JWT (RFC 9068) that the API accepts.' }),
    expires_in: Type.Integer({ description: 'Lifetime in seconds.' }),
    scope: Type.String({ description: 'The granted scopes, separated by spaces.' }),
    refresh_token: Type.Optional(
      Type.String({
        description: 'Returned with `offline_access`. It works once; each use returns a new one.',
      }),
    ),
    id_token: Type.Optional(
      Type.String({ description: 'Returned with `openid` for an authorization code or a device code.' }),
    ),
  },
  { title: 'PersonToken' },
);

export const DeviceBody = Type.Object({
  scope: Type.Optional(Type.String({ maxLength: 4096 })),
  ...clientFields,
});

export const DeviceAnswer = Type.Object(
  {
    device_code: Type.String(),
    user_code: Type.String({ description: 'For the user to enter, such as `BCDF-GHJK`.' }),
    verification_uri: Type.String(),
    verification_uri_complete: Type.String(),
    expires_in: Type.Integer(),
    interval: Type.Integer({ description: 'Minimum seconds between two token requests.' }),
  },
  { title: 'DeviceAuthorization' },
);

export const RevokeBody = Type.Object({
  token: Type.String({ minLength: 1, maxLength: 8192 }),
  token_type_hint: Type.Optional(Type.String({ maxLength: 64 })),
  ...clientFields,
});

export const UserInfo = Type.Object(
  {
    sub: Type.String(),
    name: Type.Optional(Type.String()),
    given_name: Type.Optional(Type.String()),
    family_name: Type.Optional(Type.String()),
    picture: Type.Optional(Type.String()),
    updated_at: Type.Optional(Type.Integer()),
    email: Type.Optional(Type.String()),
    email_verified: Type.Optional(Type.Boolean()),
  },
  { title: 'UserInfo' },
);

const AskedScope = Type.Object(
  { scope: Type.String(), text: Type.String({ description: 'Description of the permission for the user.' }) },
  { title: 'AskedScope' },
);

const AskingClient = Type.Object(
  {
    id: Type.String(),
    name: Type.String(),
    firstParty: Type.Boolean({ description: 'Whether it is a first-party app.' }),
  },
  { title: 'AskingClient' },
);

const Account = Nullable(Type.Object({ id: Id, email: Type.String(), name: Type.String() }));

export const Consent = Type.Object(
  {
    client: AskingClient,
    redirectHost: Type.String({ description: 'Where the response is sent; show it beside the name.' }),
    scopes: Type.Array(AskedScope),
    account: Account,
    signInNeeded: Type.Boolean({
      description:
        'No user is signed in, or the client requires a new sign-in. Sign in, then repeat the request.',
    }),
  },
  { title: 'Consent' },
);

export const ConsentDecision = Body({
  request: Type.String({
    maxLength: 8192,
    description: 'The query of the page, with or without `?`, unchanged.',
  }),
  approve: Type.Boolean(),
});

export const ConsentOutcome = Type.Object(
  { redirectTo: Type.String({ description: 'URL to send the browser to.' }) },
  { title: 'ConsentOutcome' },
);

export const DeviceQuery = Type.Object({ user_code: Type.String({ minLength: 1, maxLength: 64 }) });

export const WaitingDevice = Type.Object(
  {
    client: AskingClient,
    scopes: Type.Array(AskedScope),
    account: Account,
    address: Type.String({ description: 'Of the device, as this server saw it.' }),
    userAgent: Nullable(Type.String()),
    requestedAt: Time,
    expiresAt: Time,
  },
  { title: 'WaitingDevice' },
);

export const DeviceDecision = Body({
  userCode: Type.String({ minLength: 1, maxLength: 64 }),
  approve: Type.Boolean(),
});

export const DeviceOutcome = Type.Object(
  { status: Type.Unsafe<'approved' | 'denied'>({ type: 'string', enum: ['approved', 'denied'] }) },
  { title: 'DeviceOutcome' },
);

const Grant = Type.Object(
  {
    id: Id,
    client: AskingClient,
    scopes: Type.Array(AskedScope),
    createdAt: Time,
    lastUsedAt: Time,
    expiresAt: Time,
  },
  { title: 'Grant' },
);
export const GrantList = ListOf(Grant);
export const GrantPath = Type.Object({ grantId: Id });
