import { randomBytes } from 'node:crypto';
import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import type { Powers } from '#accounts/api-keys/service.ts';
import { type ActionOf, type AuditSource, audit, requestSource } from '#accounts/audit-log/service.ts';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { displayName } from '#core/names.ts';
import { announce } from '#core/notifications.ts';
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
import { type ClientRow, find, insert, list, remove, update } from './client-store.ts';
import { clientTopic } from './clients.ts';
import { revokeGrants } from './grants.ts';
import { isRegistrable } from './redirects.ts';

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
        return once(request, async (tx) => {
          const now = clock.now();
          const secret = confidential ? `mcs_${randomBytes(32).toString('base64url')}` : null;
          const hashed = secret === null ? null : vault.hash(secret);
          const row: ClientRow = {
            id: newId(now),
            name: displayName(name, 'name'),
            redirect_uris: JSON.stringify(uris),
            scopes: scopes.join(' '),
            secret_digest: hashed?.digest ?? null,
            hash_version: hashed?.version ?? null,
            created_by_user_id: request.auth.actor.id,
            created_at: now,
            updated_at: now,
          };
          await insert(tx, row);
          await auditChange(tx, requestSource(request), row, 'created');
          announce(tx, clientTopic, row.id);
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
        return db.write(async (tx) => {
          const row = { ...(await known(tx, request.params.clientId)), ...changes };
          await update(tx, row.id, changes);
          await auditChange(tx, requestSource(request), row, 'updated');
          announce(tx, clientTopic, row.id);
          return toClient(row);
        });
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
        const source = requestSource(request);
        await db.write(async (tx) => {
          const row = await known(tx, request.params.clientId);
          await revokeGrants(tx, { clientId: row.id }, { source, reason: 'the client was removed' });
          await remove(tx, row.id);
          await auditChange(tx, source, row, 'deleted');
          announce(tx, clientTopic, row.id);
        });
        return reply.code(204).send(null);
      },
    );
  };
}

async function known(tx: Tx, id: string): Promise<ClientRow> {
  const row = await find(tx, id);
  if (!row) throw new Problem('not_found', 'There is no OAuth client with this id.');
  return row;
}

function checkedUris(uris: readonly string[]): readonly string[] {
  const wrong = uris.find((uri) => !isRegistrable(uri));
  if (wrong === undefined) return uris;
  const sentence = `The field "redirectUris" holds "${wrong.slice(0, 200)}"; write https, http on loopback, or a scheme with a dot, and no fragment.`;
  throw new Problem('invalid_request', sentence);
}

async function auditChange(
  tx: Tx,
  source: AuditSource,
  row: ClientRow,
  what: ActionOf<'oauth_client'>,
): Promise<void> {
  await audit(tx, source, {
    organizationId: null,
    action: `oauth_client.${what}`,
    targetType: 'oauth_client',
    targetId: row.id,
    details: { name: row.name, redirectUris: JSON.parse(row.redirect_uris), scopes: row.scopes },
  });
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
