/** better-auth's models on our tables: what each field is called here. What is not named is not kept. */

interface VerificationTable {
  id: string;
  /** Hashed. */
  identifier: string;
  value: string;
  /** Whose it is, where it is somebody's, and their epoch at its making. */
  user_id: string | null;
  epoch: number | null;
  expires_at: number;
  created_at: number;
  updated_at: number;
}

interface TwoFactorTable {
  id: string;
  user_id: string;
  /** Sealed, like the codes. */
  secret: Uint8Array;
  recovery_codes: Uint8Array;
  verified: number;
  failures: number;
  locked_until: number | null;
}

interface PasskeyTable {
  id: string;
  user_id: string;
  name: string | null;
  credential_id: string;
  public_key: string;
  counter: number;
  device_type: string;
  backed_up: number;
  transports: string | null;
  aaguid: string | null;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    verifications: VerificationTable;
    two_factors: TwoFactorTable;
    passkeys: PasskeyTable;
  }
}

export interface Model {
  table: 'users' | 'sessions' | 'accounts' | 'verifications' | 'two_factors' | 'passkeys';
  /** Field of better-auth to column of ours. */
  columns: Readonly<Record<string, string>>;
  /** Columns that better-auth knows nothing of, for rows that it makes. */
  fixed?: Readonly<Record<string, number>>;
}

const times = { createdAt: 'created_at', updatedAt: 'updated_at' };

const models: Readonly<Record<string, Model>> = {
  user: {
    table: 'users',
    columns: {
      id: 'id',
      name: 'name',
      email: 'email',
      emailVerified: 'email_verified',
      image: 'image_url',
      givenName: 'given_name',
      familyName: 'family_name',
      twoFactorEnabled: 'two_factor_enabled',
      ...times,
    },
    fixed: { is_operator: 0 },
  },
  session: {
    table: 'sessions',
    columns: {
      id: 'id',
      userId: 'user_id',
      token: 'token_digest',
      ipAddress: 'address',
      userAgent: 'user_agent',
      expiresAt: 'expires_at',
      ...times,
    },
  },
  // Tokens of an outside provider are not kept: nothing here calls it in the person's name.
  account: {
    table: 'accounts',
    columns: {
      id: 'id',
      userId: 'user_id',
      providerId: 'provider_id',
      accountId: 'account_id',
      password: 'password',
      ...times,
    },
  },
  verification: {
    table: 'verifications',
    columns: { id: 'id', identifier: 'identifier', value: 'value', expiresAt: 'expires_at', ...times },
  },
  twoFactor: {
    table: 'two_factors',
    columns: {
      id: 'id',
      userId: 'user_id',
      secret: 'secret',
      backupCodes: 'recovery_codes',
      verified: 'verified',
      failedVerificationCount: 'failures',
      lockedUntil: 'locked_until',
    },
  },
  passkey: {
    table: 'passkeys',
    columns: {
      id: 'id',
      userId: 'user_id',
      name: 'name',
      credentialID: 'credential_id',
      publicKey: 'public_key',
      counter: 'counter',
      deviceType: 'device_type',
      backedUp: 'backed_up',
      transports: 'transports',
      aaguid: 'aaguid',
      createdAt: 'created_at',
    },
  },
};

export function modelOf(name: string): Model {
  const model = models[name];
  if (!model) throw new Error(`better-auth asked for the model "${name}", which has no table.`);
  return model;
}
