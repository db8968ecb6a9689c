import { Type } from 'typebox';
import { Body, DisplayName, Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';
import { Email, Password } from '../accounts/schema.ts';

export const Person = Type.Object(
  {
    id: Id,
    email: Type.String(),
    emailVerified: Type.Boolean(),
    name: Type.String(),
    givenName: Nullable(Type.String()),
    familyName: Nullable(Type.String()),
    imageUrl: Nullable(Type.String()),
    operator: Type.Boolean({ description: 'Whether the user is an operator of this instance.' }),
    admitted: Type.Boolean({
      description: 'Whether the user is admitted, not on the early-access waitlist.',
    }),
    hasPassword: Type.Boolean(),
    hasProvider: Type.Boolean({ description: 'Whether the account is linked with the external provider.' }),
    twoFactorEnabled: Type.Boolean(),
    passkeys: Type.Integer({ description: 'Number of values.' }),
    createdAt: Time,
  },
  { title: 'Person' },
);

const sessionFields = {
  id: Id,
  current: Type.Boolean({ description: 'Whether it is the session of this browser.' }),
  address: Nullable(Type.String({ description: 'Where it was started.' })),
  userAgent: Nullable(Type.String()),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Type.String({ format: 'date-time', description: 'When it expires if it is not used.' }),
};

const BrowserSession = Type.Object(sessionFields, { title: 'BrowserSession' });
export const BrowserSessionList = ListOf(BrowserSession);
export const SessionPath = Type.Object({ sessionId: Id });
export const EndedSessions = Type.Object({ ended: Type.Integer() }, { title: 'EndedSessions' });

export const Current = Type.Object(
  {
    user: Nullable(Person),
    session: Nullable(
      Type.Object({
        ...sessionFields,
        fresh: Type.Boolean({
          description:
            'Whether the sign-in is recent enough to add passkeys and to unlink the provider. If false, ask the user to sign in again first.',
        }),
      }),
    ),
    scopes: Type.Array(Type.String(), { description: 'Operations that this session can call.' }),
  },
  { title: 'CurrentSession' },
);

export const SignInOptions = Type.Object(
  {
    signUp: OneOf(['open', 'invited', 'closed']),
    mail: Type.Boolean({
      description: 'Whether the instance sends e-mail to confirm addresses and reset passwords.',
    }),
    provider: Nullable(
      Type.Object({ name: Type.String({ description: 'Name on the button "Sign in with …".' }) }),
    ),
    setup: Type.Boolean({
      description: 'Whether the instance has no operator yet and waits for its setup link to be used.',
    }),
    password: Type.Object({ minLength: Type.Integer(), maxLength: Type.Integer() }),
  },
  { title: 'SignInOptions' },
);

export const ChangeProfile = Body({
  name: Type.Optional(DisplayName),
  givenName: Type.Optional(Nullable(DisplayName)),
  familyName: Type.Optional(Nullable(DisplayName)),
});

export const SignUp = Body({ email: Email, password: Password, name: DisplayName });
export const SignedUp = Type.Object(
  {
    status: Type.Boolean(),
    verification: OneOf(['mail', 'none'], {
      description: '`mail`: a confirmation link was sent to the address. `none`: the user can sign in.',
    }),
  },
  { title: 'SignedUp' },
);

export const CheckPassword = Body({
  password: Type.String({ maxLength: 1024 }),
  email: Type.Optional(Email),
  name: Type.Optional(Type.String({ maxLength: 1024 })),
});
export const PasswordStrength = Type.Object(
  {
    score: Type.Integer({ description: 'From 0 (very weak) to 4 (strong).' }),
    acceptable: Type.Boolean({
      description: 'Whether it would be accepted, unless it is known from a data breach.',
    }),
    warning: Nullable(Type.String()),
    suggestions: Type.Array(Type.String()),
  },
  { title: 'PasswordStrength' },
);

export const SetupQuery = Type.Object({ token: Type.String({ maxLength: 512 }) });
export const SetupState = Type.Object({ usable: Type.Boolean() }, { title: 'SetupState' });
export const Setup = Body({
  token: Type.String({ maxLength: 512 }),
  email: Email,
  password: Password,
  name: DisplayName,
});

export const PicturePath = Type.Object({ pictureId: Id });

export const DeleteAccount = Body({
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Required if the account has a password.' }),
  ),
});

export const ResetLink = Type.Object(
  {
    url: Type.String({ description: 'Give it to the user; it works once.' }),
    expiresAt: Time,
  },
  { title: 'PasswordResetLink' },
);
export const UserPath = Type.Object({ userId: Id });
