import { Type } from 'typebox';
import { Body, Nullable } from '#http/schema.ts';

/** What better-auth is handed: closed, so that nothing of it can be reached that is not meant to be. */

export const Email = Type.String({ maxLength: 254 });
export const Password = Type.String({ minLength: 1, maxLength: 1024 });
/** A page of ours: a path, never another site (no `//host`, no backslash, no blanks). */
const OwnPath = Type.String({
  maxLength: 2000,
  pattern: '^/(?![/\\\\])[^\\\\\\s]*$',
  description: 'A path of this site, such as `/organizations`.',
});
const Code = Type.String({ minLength: 1, maxLength: 64 });
const PasskeyName = Type.String({ minLength: 1, maxLength: 128 });
/** As the browser's `navigator.credentials` gives it, in JSON (WebAuthn, 5.1.8). */
const CredentialJson = Type.Object(
  { id: Type.String({ maxLength: 1024 }) },
  { description: '`PublicKeyCredential.toJSON()`' },
);
const TrustDevice = Type.Optional(
  Type.Boolean({ description: 'Skip two-factor authentication in this browser for 30 days.' }),
);

export const SignIn = Body({
  email: Email,
  password: Password,
  rememberMe: Type.Optional(
    Type.Boolean({ description: 'If false, the session ends when the browser is closed, or after a day.' }),
  ),
});
export const SignInAnswer = Type.Object(
  {
    twoFactorRedirect: Type.Optional(
      Type.Boolean({ description: 'If true, the user is not signed in yet: ask for the second factor.' }),
    ),
    twoFactorMethods: Type.Optional(Type.Array(Type.String())),
    user: Type.Optional(Type.Unknown()),
  },
  { title: 'SignInAnswer' },
);
export const SignInWithProvider = Body({
  callbackURL: OwnPath,
  errorCallbackURL: Type.Optional(OwnPath),
  newUserCallbackURL: Type.Optional(OwnPath),
});
export const ProviderRedirect = Type.Object(
  { url: Type.String({ description: 'URL to send the browser to.' }) },
  { title: 'ProviderRedirect' },
);
export const CallbackQuery = Type.Object({
  code: Type.Optional(Type.String({ maxLength: 4096 })),
  state: Type.Optional(Type.String({ maxLength: 512 })),
  iss: Type.Optional(Type.String({ maxLength: 2000 })),
  error: Type.Optional(Type.String({ maxLength: 256 })),
  error_description: Type.Optional(Type.String({ maxLength: 2000 })),
});

export const AddressOnly = Body({ email: Email });
export const TokenOnly = Body({ token: Type.String({ minLength: 1, maxLength: 4096 }) });
const ResetToken = Type.String({ minLength: 1, maxLength: 256 });
export const ResetPassword = Body({
  token: ResetToken,
  newPassword: Password,
  keepApiKeys: Type.Optional(
    Type.Boolean({ default: false, description: 'If true, API keys created by the user are kept.' }),
  ),
});
export const ResetTokenOnly = Body({ token: ResetToken });
export const ChangePassword = Body({ currentPassword: Password, newPassword: Password });
export const ChangeEmail = Body({ newEmail: Email });

export const PasswordOnly = Body({
  password: Type.Optional(
    Type.String({ minLength: 1, maxLength: 1024, description: 'Required if the account has a password.' }),
  ),
});
export const SecondFactor = Body({ code: Code, trustDevice: TrustDevice });
export const EnabledTwoFactor = Type.Object(
  {
    totpURI: Type.String({ description: 'otpauth://…, for a QR code.' }),
    backupCodes: Type.Array(Type.String(), { description: 'Recovery codes, shown once.' }),
  },
  { title: 'EnabledTwoFactor' },
);
export const RecoveryCodes = Type.Object(
  { backupCodes: Type.Array(Type.String()) },
  { title: 'RecoveryCodes' },
);
export const TotpUri = Type.Object({ totpURI: Type.String() }, { title: 'TotpUri' });

export const RegisterPasskeyQuery = Type.Object({ name: Type.Optional(PasskeyName) });
export const CredentialOptions = Type.Unknown({
  title: 'CredentialOptions',
  description: 'For `PublicKeyCredential.parse…OptionsFromJSON()` of the browser.',
});
export const RegisterPasskey = Body({ response: CredentialJson, name: Type.Optional(PasskeyName) });
export const UsePasskey = Body({ response: CredentialJson });
export const Passkey = Type.Object(
  {
    id: Type.String(),
    name: Type.Optional(Nullable(Type.String())),
    deviceType: Type.String(),
    backedUp: Type.Boolean(),
    aaguid: Type.Optional(Nullable(Type.String())),
    createdAt: Type.String(),
  },
  { title: 'Passkey' },
);
export const PasskeyIdOnly = Body({ id: Type.String({ format: 'uuid' }) });
export const RenamePasskey = Body({ id: Type.String({ format: 'uuid' }), name: PasskeyName });

export const Done = Type.Object({ status: Type.Boolean() }, { title: 'Done' });

export const AddressConfirmed = Type.Object(
  {
    status: Type.Boolean(),
    sentTo: Type.Optional(
      Type.String({
        description:
          'Set after the first of the two links of an address change: the new address, to which the second link was sent.',
      }),
    ),
  },
  { title: 'AddressConfirmed' },
);
