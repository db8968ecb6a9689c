import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import { isoTime } from '#core/clock.ts';
import type { LastUsed } from '#core/last-used.ts';
import { displayName } from '#core/names.ts';
import { accountActors, isScope } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { listPage } from '#http/paging.ts';
import { keyActor, liveKey, managedKey, toOwner } from './management.ts';
import { keyAddresses, keyExpiry, keyScopes } from './new-key.ts';
import {
  ApiKey,
  ApiKeyList,
  ApiKeyPath,
  CreateApiKey,
  CreatedApiKey,
  CreatedSecret,
  ListApiKeysQuery,
  SecretPath,
} from './schema.ts';
import { createKey, type Deps, type Powers, removeSecret, revokeKey, rotateSecret } from './service.ts';
import { type ApiKeyRow, count, list, type SecretRow, secretsOf } from './store.ts';

/** Who manages the keys of an organization, and of its applications: `demandRole` in management.ts. */
const managers = { organization: 'OWNER', application: 'ADMIN' } as const;

export function apiKeyRoutes(
  deps: Deps & { tenancy: Tenancy; powers: Powers; once: Once; lastUsed: Pick<LastUsed, 'notedAt'> },
): FastifyPluginAsyncTypebox {
  const { db, clock, tenancy, powers, once } = deps;
  const tags = ['API keys'];

  const toKey = (row: ApiKeyRow, secrets: readonly SecretRow[]): ApiKey =>
    render({ ...row, last_used_at: latest(row.last_used_at, deps.lastUsed.notedAt(row.id)) }, secrets);

  return async (app) => {
    app.post(
      '/api-keys',
      {
        config: {
          errors: [404],
          scope: 'platform:api_keys:write',
          actors: accountActors,
          checksRole: managers,
          once: true,
        },
        schema: {
          operationId: 'createApiKey',
          summary: 'Create an API key',
          description: 'The response holds the secret, which is not shown again.',
          tags,
          body: CreateApiKey,
          response: { 200: CreatedApiKey },
        },
      },
      async (request) => {
        const { auth, body } = request;
        const actor = await keyActor(db, tenancy, auth, body);
        const bounds = await powers.boundsOf(auth);
        const key = {
          name: displayName(body.name, 'name'),
          actor,
          scopes: keyScopes(auth, actor.type, body.scopes),
          expiresAt: keyExpiry(body.expiresAt, { now: clock.now(), bound: bounds.expiresAt }),
          allowedAddresses: keyAddresses(body.allowedAddresses, bounds.addresses),
        };
        const { scopes, expiresAt, allowedAddresses } = key;
        const power = { heldBy: 'bearer' as const, scopes, expiresAt, addresses: allowedAddresses };
        const origin = await powers.demand(auth, power);
        return once(request, async (tx) => {
          const { key: row, secret } = await createKey(tx, deps, requestSource(request), { ...key, origin });
          return { ...toKey(row, [secret.row]), secret: secret.secret };
        });
      },
    );

    app.get(
      '/api-keys',
      {
        config: { scope: 'platform:api_keys:read', actors: accountActors, checksRole: managers },
        schema: {
          operationId: 'listApiKeys',
          summary: 'List API keys',
          tags,
          querystring: ListApiKeysQuery,
          response: { 200: ApiKeyList },
        },
      },
      async ({ auth, query }) => {
        const owner = toOwner(await keyActor(db, tenancy, auth, query));
        return listPage(query, {
          rows: (page) => list(db, owner, page),
          count: () => count(db, owner),
          sortKey: ({ row }) => row.id,
          item: ({ row, secrets }) => toKey(row, secrets),
        });
      },
    );

    app.get(
      '/api-keys/:apiKeyId',
      {
        config: { scope: 'platform:api_keys:read', actors: accountActors, checksRole: managers },
        schema: {
          operationId: 'getApiKey',
          summary: 'Get an API key',
          tags,
          params: ApiKeyPath,
          response: { 200: ApiKey },
        },
      },
      async ({ auth, params }) => {
        const row = await managedKey(db, tenancy, auth, params.apiKeyId);
        return toKey(row, await secretsOf(db, [row.id]));
      },
    );

    app.delete(
      '/api-keys/:apiKeyId',
      {
        config: { scope: 'platform:api_keys:delete', actors: accountActors, checksRole: managers },
        schema: {
          operationId: 'deleteApiKey',
          summary: 'Revoke an API key',
          description: 'Tokens issued to it stop working too.',
          tags,
          params: ApiKeyPath,
          response: { 204: { type: 'null', description: 'Revoked.' } },
        },
      },
      async (request, reply) => {
        const { id } = await managedKey(db, tenancy, request.auth, request.params.apiKeyId);
        await db.write(async (tx) => revokeKey(tx, deps, requestSource(request), await liveKey(tx, id)));
        return reply.code(204).send(null);
      },
    );

    app.post(
      '/api-keys/:apiKeyId/secrets',
      {
        config: {
          errors: [409],
          scope: 'platform:api_keys:write',
          actors: accountActors,
          checksRole: managers,
          once: true,
        },
        schema: {
          operationId: 'createApiKeySecret',
          summary: 'Rotate the secret of an API key',
          description: 'Creates a second secret. Both work until you delete the first.',
          tags,
          params: ApiKeyPath,
          response: { 200: CreatedSecret },
        },
      },
      async (request) => {
        const key = await managedKey(db, tenancy, request.auth, request.params.apiKeyId);
        const { id } = key;
        // A secret is all that the key can do: whoever gets one must be able to make such a key.
        await powers.demand(request.auth, {
          heldBy: 'bearer',
          scopes: key.scopes.split(' ').filter(isScope),
          expiresAt: key.expires_at,
          addresses: JSON.parse(key.allowed_addresses) as string[],
        });
        return once(request, async (tx) => {
          const row = await liveKey(tx, id);
          const { secret, row: made } = await rotateSecret(tx, deps, requestSource(request), row);
          return { id: made.id, secret, createdAt: isoTime(made.created_at) };
        });
      },
    );

    app.delete(
      '/api-keys/:apiKeyId/secrets/:secretId',
      {
        config: {
          errors: [409],
          scope: 'platform:api_keys:delete',
          actors: accountActors,
          checksRole: managers,
        },
        schema: {
          operationId: 'deleteApiKeySecret',
          summary: 'Delete a secret of an API key',
          description: 'Tokens issued to it stop working.',
          tags,
          params: SecretPath,
          response: { 204: { type: 'null', description: 'Deleted.' } },
        },
      },
      async (request, reply) => {
        const { apiKeyId, secretId } = request.params;
        const { id } = await managedKey(db, tenancy, request.auth, apiKeyId);
        await db.write(async (tx) =>
          removeSecret(tx, deps, requestSource(request), await liveKey(tx, id), secretId),
        );
        return reply.code(204).send(null);
      },
    );
  };
}

function latest(written: number | null, noted: number | undefined): number | null {
  return noted === undefined ? written : Math.max(noted, written ?? 0);
}

function render(row: ApiKeyRow, secrets: readonly SecretRow[]): ApiKey {
  return {
    id: row.id,
    name: row.name,
    applicationId: row.application_id,
    // The account that an application's key belongs to follows from the application.
    organizationId: row.actor_type === 'organization' ? row.organization_id : null,
    environmentId: row.environment_id,
    scopes: row.scopes.split(' '),
    allowedAddresses: JSON.parse(row.allowed_addresses) as string[],
    secrets: secrets.map((secret) => ({ id: secret.id, createdAt: isoTime(secret.created_at) })),
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    createdAt: isoTime(row.created_at),
    updatedAt: isoTime(row.updated_at),
  };
}
