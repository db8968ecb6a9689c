import { ApiError, keyTokens, type PersonToken, refreshGrant, type TokenSource } from '@mainstay/sdk';
import type { AccessToken, Credential, Credentials } from './credentials.ts';
import { Failure } from './failure.ts';

/** The command line is known to every instance by this id. */
export const clientId = 'mainstay-cli';

const marginMilliseconds = 30_000;

export function accessOf(token: PersonToken): AccessToken {
  return { token: token.access_token, expiresAt: Date.now() + token.expires_in * 1000 };
}

/** An access token, or the id and the secret of an API key with a colon between them. */
export function credentialOf(text: string): Credential {
  const key = /^([0-9a-f-]{36}):(\S+)$/i.exec(text);
  if (key) return { kind: 'key', clientId: key[1] as string, clientSecret: key[2] as string };
  return { kind: 'token', token: text };
}

/** The tokens of a credential that is not kept. */
export function tokensOf(url: string, credential: Exclude<Credential, { kind: 'grant' }>): TokenSource {
  if (credential.kind === 'token') return () => credential.token;
  return keyTokens({ baseUrl: url, ...credential });
}

/** The tokens of a profile, renewed where they end, and kept for the next command. */
export function storedTokens(credentials: Credentials, profile: string, url: string): TokenSource {
  let pending: Promise<string> | undefined;
  const isGood = (access: AccessToken | undefined, refused: string | undefined): access is AccessToken =>
    access !== undefined && access.token !== refused && access.expiresAt - marginMilliseconds > Date.now();

  const renew = (refused: string | undefined) =>
    credentials.exclusively(async () => {
      const { credential, access } = await credentials.get(profile);
      // Another command was faster.
      if (isGood(access, refused)) return access.token;
      if (!credential) throw notSignedIn(url);
      if (credential.kind === 'token') return credential.token;
      if (credential.kind === 'key') {
        const token = await keyTokens({ baseUrl: url, ...credential })();
        await credentials.set(profile, credential, { token, expiresAt: expiryOf(token) });
        return token;
      }
      const answer = await refreshGrant({ baseUrl: url, clientId }, credential.refreshToken).catch(
        (error) => {
          if (error instanceof ApiError && error.code === 'invalid_grant') throw ended(url, error);
          throw error;
        },
      );
      const next = answer.refresh_token ?? credential.refreshToken;
      const renewed = accessOf(answer);
      await credentials.set(profile, { kind: 'grant', refreshToken: next }, renewed);
      return renewed.token;
    });

  return async (refused) => {
    if (!pending) {
      const access = await credentials.access(profile);
      if (isGood(access, refused)) return access.token;
    }
    pending ??= renew(refused).finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

export interface Claims {
  sub: string;
  actor_type: 'user' | 'organization' | 'application' | 'deployment' | 'function';
  organization_id?: string;
  application_id?: string;
  environment_id?: string;
  client_id: string;
  scope: string;
  exp: number;
}

/** What an access token says of itself; only the instance can say whether it holds. */
export function claimsOf(token: string): Partial<Claims> {
  try {
    return JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
  } catch {
    return {};
  }
}

function expiryOf(token: string): number {
  return (claimsOf(token).exp ?? 0) * 1000;
}

export function notSignedIn(url: string | undefined): Failure {
  return new Failure(url ? `You are not signed in to ${url}.` : 'You are not signed in.', {
    exit: 'notSignedIn',
    next: `Run \`mainstay login${url ? ` ${url}` : ' <address>'}\`, or set MAINSTAY_TOKEN.`,
  });
}

function ended(url: string, cause: ApiError): Failure {
  return new Failure(`Your sign-in to ${url} has expired or was revoked.`, {
    exit: 'notSignedIn',
    next: `Run \`mainstay login ${url}\`.`,
    requestId: cause.requestId,
    cause,
  });
}
