import type { FastifyRequest } from 'fastify';
import {
  isAllowedFrom,
  isUsable,
  isWellFormed,
  type KeyState,
  type KeyStates,
  matchingSecret,
} from '#accounts/api-keys/service.ts';
import type { Clock } from '#core/clock.ts';
import { isId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import { hasTwoAuthorizations } from '#http/access.ts';
import { basicChallenge, readBasic } from '#http/basic.ts';
import type { FailureThrottle } from './failures.ts';

export interface Credentials {
  clientId: string;
  secret: string;
  /** Sent as HTTP Basic; the refusal then names that scheme. */
  basic: boolean;
}

interface CredentialFields {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

/** The credentials of the request, from the header or the body (RFC 6749, 2.3.1), read but not yet accepted. */
export function readCredentials(request: FastifyRequest, body: CredentialFields): Credentials {
  const { authorization } = request.headers;
  const { client_id: clientId, client_secret: secret } = body;
  if (authorization !== undefined) {
    if (hasTwoAuthorizations(request)) throw malformed('Send the Authorization header once.');
    if (clientId !== undefined || secret !== undefined) {
      throw malformed('Send the client credentials in the Authorization header or in the body, not in both.');
    }
    return fromBasic(authorization);
  }
  if (clientId !== undefined && !isId(clientId)) throw malformed('client_id must be the UUID of an API key.');
  if (clientId === undefined || secret === undefined) {
    throw invalidClient('Send client_id and client_secret, or HTTP Basic credentials.', false);
  }
  return { clientId: clientId.toLowerCase(), secret, basic: false };
}

function fromBasic(authorization: string): Credentials {
  const { id, secret } = readBasic(authorization);
  if (!isId(id)) throw malformed('The user of the Basic credentials must be the UUID of an API key.');
  return { clientId: id.toLowerCase(), secret, basic: true };
}

function malformed(sentence: string): Problem {
  return new Problem('invalid_request', sentence);
}

function invalidClient(sentence: string, basic: boolean): Problem {
  return new Problem('unauthenticated', sentence, basic ? { headers: basicChallenge } : {});
}

export interface ClientDeps {
  keys: KeyStates;
  vault: Vault;
  clock: Clock;
  failures: FailureThrottle;
}

/** The API key that these credentials prove, and which of its secrets did. Every refusal reads the same. */
export async function authenticateClient(
  { keys, vault, clock, failures }: ClientDeps,
  { clientId, secret, basic }: Credentials,
  address: string,
): Promise<{ key: KeyState; secretId: string }> {
  // A mistyped secret costs no look-up; that it is malformed is no secret.
  if (isWellFormed(secret)) {
    const key = await keys.get(clientId);
    const secretId = matchingSecret(vault, key?.secrets ?? [], secret);
    if (key && secretId && isUsable(key, clock.now()) && isAllowedFrom(key, address))
      return { key, secretId };
  }
  await failures.failed(clientId, address);
  throw invalidClient(
    'The client ID or the secret is wrong, or the API key has expired or was revoked.',
    basic,
  );
}
