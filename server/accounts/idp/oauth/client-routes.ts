import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { displayName } from '#core/names.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import type { Once } from '#http/idempotency.ts';
import { operatorReads, operatorWrites, operatorTags as tags } from '#http/operators.ts';
import {
  ChangeOAuthClient,
  CreatedOAuthClient,
  CreateOAuthClient,
  OAuthClient,
  OAuthClientList,
  OAuthClientPath,
} from './client-schema.ts';
import { type ClientRow, list } from './client-store.ts';
import { isRegistrable } from './redirects.ts';
import { changeClient, registerClient, removeClient } from './registration.ts';

/** Operators register the programs that may ask people for access. */
export function clientRoutes(deps: {
  db: Db;
  vault: Vault;
  clock: Clock;
  once: Once;
  powers: Powers;
}): FastifyPluginAsyncTypebox {
  const { db, vault, clock, once, powers } = deps;

  return async (app) => {
    app.get(
      '/admin/oauth-clients',
      {
        config: operatorReads,
        schema: {
          operationId: 'listOAuthClients',
          summary: 'List OAuth apps',
          tags,
          response: { 200: OAuthClientList },
        },
      },
      async () => {
        const rows = await list(db);
        return { items: rows.map(toClient), total: rows.length };
      },
    );

    app.post(
      '/admin/oauth-clients',
      {
        config: { ...operatorWrites, once: true },
        schema: {
          operationId: 'createOAuthClient',
          summary: 'Register an OAuth app',
          description: 'The response holds the client secret, which is not shown again.',
          tags,
          body: CreateOAuthClient,
          response: { 200: CreatedOAuthClient },
        },
      },
      async (request) => {
        const { name, redirectUris = [], scopes, confidential = true } = request.body;
        const uris = checkedUris(redirectUris);
        // It can do nothing until people let it, and what it may ask for is theirs to give.
        await powers.demand(request.auth, { heldBy: 'person', scopes: [], expiresAt: null, addresses: [] });
        const wanted = { name: displayName(name, 'name'), redirectUris: uris, scopes, confidential };
        return once(request, async (tx) => {
          const { row, secret } = await registerClient(tx, { vault, clock }, requestSource(request), wanted);
          return { ...toClient(row), secret };
        });
      },
    );

    app.patch(
      '/admin/oauth-clients/:clientId',
      {
        config: operatorWrites,
        schema: {
          operationId: 'updateOAuthClient',
          summary: 'Update an OAuth app',
          tags,
          params: OAuthClientPath,
          body: ChangeOAuthClient,
          response: { 200: OAuthClient },
        },
      },
      async (request) => {
        const { name, redirectUris, scopes } = request.body;
        const changes = {
          ...(name === undefined ? {} : { name: displayName(name, 'name') }),
          ...(redirectUris === undefined ? {} : { redirect_uris: JSON.stringify(checkedUris(redirectUris)) }),
          ...(scopes === undefined ? {} : { scopes: scopes.join(' ') }),
          updated_at: clock.now(),
        };
        const source = requestSource(request);
        return toClient(await db.write((tx) => changeClient(tx, source, request.params.clientId, changes)));
      },
    );

    app.delete(
      '/admin/oauth-clients/:clientId',
      {
        config: operatorWrites,
        schema: {
          operationId: 'deleteOAuthClient',
          summary: 'Delete an OAuth app',
          description: 'All access that users granted to it is revoked.',
          tags,
          params: OAuthClientPath,
          response: { 204: { type: 'null', description: 'Removed.' } },
        },
      },
      async (request, reply) => {
        await db.write((tx) => removeClient(tx, requestSource(request), request.params.clientId));
        return reply.code(204).send(null);
      },
    );
  };
}

function checkedUris(uris: readonly string[]): readonly string[] {
  const wrong = uris.find((uri) => !isRegistrable(uri));
  if (wrong === undefined) return uris;
  const sentence = `The field "redirectUris" holds "${wrong.slice(0, 200)}"; write https, http on loopback, or a scheme with a dot, and no fragment.`;
  throw new Problem('invalid_request', sentence);
}

function toClient(row: ClientRow): OAuthClient {
  return {
    id: row.id,
    name: row.name,
    redirectUris: JSON.parse(row.redirect_uris) as string[],
    scopes: row.scopes.split(' '),
    confidential: row.secret_digest !== null,
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
