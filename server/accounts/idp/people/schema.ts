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
    operator: Type.Boolean({ description: 'Runs this instance.' }),
    admitted: Type.Boolean({ description: 'Not on the waitlist of early access.' }),
    hasPassword: Type.Boolean(),
    hasProvider: Type.Boolean({ description: 'Linked with the outside provider.' }),
    twoFactorEnabled: Type.Boolean(),
    passkeys: Type.Integer({ description: 'How many.' }),
    createdAt: Time,
  },
  { title: 'Person' },
);

const sessionFields = {
  id: Id,
  current: Type.Boolean({ description: 'The one of this browser.' }),
  address: Nullable(Type.String({ description: 'From where it was begun.' })),
  userAgent: Nullable(Type.String()),
  createdAt: Time,
  lastUsedAt: Time,
  expiresAt: Type.String({ format: 'date-time', description: 'When it ends unless it is used before.' }),
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
            'Signed in lately enough to add passkeys and to unlink the provider. When false, ask the person to sign in again first.',
        }),
      }),
    ),
    scopes: Type.Array(Type.String(), { description: 'What the API lets this session do.' }),
  },
  { title: 'CurrentSession' },
);

export const SignInOptions = Type.Object(
  {
    signUp: OneOf(['open', 'invited', 'closed']),
    mail: Type.Boolean({
      description: 'Whether letters are sent: addresses are confirmed, passwords reset by mail.',
    }),
    provider: Nullable(
      Type.Object({ name: Type.String({ description: 'For the button: "Sign in with …".' }) }),
    ),
    setup: Type.Boolean({ description: 'No operator exists yet: the link of the first start is awaited.' }),
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
      description: '`mail`: a link was sent to the address. `none`: sign in now.',
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
    score: Type.Integer({ description: '0 (guessed at once) to 4.' }),
    acceptable: Type.Boolean({ description: 'Whether it would be taken, unless it is known from a breach.' }),
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
    Type.String({ minLength: 1, maxLength: 1024, description: 'Needed by those who have one.' }),
  ),
});

export const ResetLink = Type.Object(
  {
    url: Type.String({ description: 'Hand it to the person; it works once.' }),
    expiresAt: Time,
  },
  { title: 'PasswordResetLink' },
);
export const UserPath = Type.Object({ userId: Id });
