import type { FastifyRequest } from 'fastify';
import type { FailureThrottle } from '#accounts/tokens/service.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import { hasTwoAuthorizations } from '#http/access.ts';
import { basicChallenge, readBasic } from '#http/basic.ts';
import type { Client, Clients } from './clients.ts';

export interface ClientAuthentication {
  clients: Clients;
  vault: Vault;
  failures: FailureThrottle;
}

interface ClientFields {
  client_id?: string | undefined;
  client_secret?: string | undefined;
}

/**
 * The client that sends the request: by HTTP Basic or in the body when it has a secret, by its id alone when it cannot
 * keep one (RFC 6749, 2.3 and 3.2.1). Every refusal reads the same.
 */
export async function authenticatedClient(
  { clients, vault, failures }: ClientAuthentication,
  request: FastifyRequest,
  body: ClientFields,
): Promise<Client> {
  const { authorization } = request.headers;
  const credentials = authorization === undefined ? body : basic(request, authorization, body);
  const { client_id: id, client_secret: secret } = credentials;
  if (id === undefined)
    throw new Problem(
      'unauthenticated',
      'Send client_id, or HTTP Basic credentials where there is a secret.',
    );
  const client = await clients(id);
  if (client && isProven(vault, client, secret)) return client;
  await failures.failed(id.slice(0, 64), request.ip);
  const headers = authorization === undefined ? undefined : basicChallenge;
  const sentence = 'The client ID or the client secret is wrong.';
  throw new Problem('unauthenticated', sentence, headers ? { headers } : {});
}

function basic(request: FastifyRequest, authorization: string, body: ClientFields): ClientFields {
  if (hasTwoAuthorizations(request))
    throw new Problem('invalid_request', 'Send the Authorization header once.');
  const { id, secret } = readBasic(authorization);
  if (body.client_secret !== undefined || (body.client_id !== undefined && body.client_id !== id)) {
    const sentence = 'Send the client credentials in the Authorization header or in the body, not in both.';
    throw new Problem('invalid_request', sentence);
  }
  return { client_id: id, client_secret: secret };
}

function isProven(vault: Vault, { secret: stored }: Client, secret: string | undefined): boolean {
  // A public client proves nothing; one that sends a secret takes itself for another client.
  if (stored === null) return secret === undefined || secret === '';
  return secret !== undefined && vault.matches(secret, stored);
}
