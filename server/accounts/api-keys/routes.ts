import type { FastifyPluginAsyncTypebox } from '@fastify/type-provider-typebox';
import { environmentBelongsTo } from '#accounts/applications/service.ts';
import { requestSource } from '#accounts/audit-log/service.ts';
import type { Tenancy } from '#accounts/organizations/service.ts';
import type { Actor, Auth } from '#core/actor.ts';
import { isAddressBlock } from '#core/addresses.ts';
import { isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import type { LastUsed } from '#core/last-used.ts';
import { displayName } from '#core/names.ts';
import { Problem } from '#core/problem.ts';
import { type ActorType, accountActors, type Scope, scopesFor } from '#core/scopes.ts';
import type { Once } from '#http/idempotency.ts';
import { listPage } from '#http/paging.ts';
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
import { createKey, type Deps, removeSecret, revokeKey, rotateSecret } from './service.ts';
import { type ApiKeyRow, count, find, type KeyOwner, list, type SecretRow, secretsOf } from './store.ts';

const defaultLifetimeMilliseconds = 90 * 86_400_000;

export function apiKeyRoutes(
  deps: Deps & { tenancy: Tenancy; once: Once; lastUsed: Pick<LastUsed, 'notedAt'> },
): FastifyPluginAsyncTypebox {
  const { db, clock, tenancy, once } = deps;
  const tags = ['API keys'];

  const toKey = (row: ApiKeyRow, secrets: readonly SecretRow[]): ApiKey =>
    render({ ...row, last_used_at: latest(row.last_used_at, deps.lastUsed.notedAt(row.id)) }, secrets);

  return async (app) => {
    app.post(
      '/api-keys',
      {
        config: { scope: 'platform:api_keys:write', actors: accountActors, once: true },
        schema: {
          operationId: 'createApiKey',
          summary: 'Create an API key; the answer holds its secret, this once',
          tags,
          body: CreateApiKey,
          response: { 200: CreatedApiKey },
        },
      },
      async (request) => {
        const { auth, body } = request;
        const actor = await keyActor(db, tenancy, auth, body);
        const key = {
          name: displayName(body.name, 'name'),
          actor,
          createdByUserId: auth.actor.type === 'user' ? auth.actor.id : null,
          scopes: keyScopes(auth, actor.type, body.scopes),
          expiresAt: expiry(body.expiresAt, clock.now()),
          allowedAddresses: addresses(body.allowedAddresses ?? []),
        };
        return once(request, async (tx) => {
          const { key: row, secret } = await createKey(tx, deps, requestSource(request), key);
          return { ...toKey(row, [secret.row]), secret: secret.secret };
        });
      },
    );

    app.get(
      '/api-keys',
      {
        config: { scope: 'platform:api_keys:read', actors: accountActors },
        schema: {
          operationId: 'listApiKeys',
          summary: 'The keys of an application, of an organization, or your own',
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
        config: { scope: 'platform:api_keys:read', actors: accountActors },
        schema: {
          operationId: 'getApiKey',
          summary: 'One API key',
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
        config: { scope: 'platform:api_keys:delete', actors: accountActors },
        schema: {
          operationId: 'deleteApiKey',
          summary: 'Revoke an API key and every token that it was exchanged for',
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
        config: { scope: 'platform:api_keys:write', actors: accountActors, once: true },
        schema: {
          operationId: 'createApiKeySecret',
          summary: 'Begin a rotation: a second secret that works beside the first',
          tags,
          params: ApiKeyPath,
          response: { 200: CreatedSecret },
        },
      },
      async (request) => {
        const { id } = await managedKey(db, tenancy, request.auth, request.params.apiKeyId);
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
        config: { scope: 'platform:api_keys:delete', actors: accountActors },
        schema: {
          operationId: 'deleteApiKeySecret',
          summary: 'End a rotation: the secret and the tokens it was exchanged for stop working',
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

/** The actor that a new key is for, or whose keys are asked for. Only owners of an organization manage its keys. */
async function keyActor(
  db: Db,
  tenancy: Tenancy,
  auth: Auth,
  wanted: {
    applicationId?: string | null | undefined;
    organizationId?: string | null | undefined;
    environmentId?: string | null | undefined;
  },
): Promise<Actor> {
  const { applicationId = null, organizationId = null, environmentId = null } = wanted;
  if (applicationId && organizationId) {
    throw new Problem(
      'invalid_request',
      'Send applicationId or organizationId, not both: a key has one actor.',
    );
  }
  if (environmentId && !applicationId) {
    throw new Problem('invalid_request', 'environmentId needs the applicationId that it belongs to.');
  }
  if (applicationId) {
    const owner = await tenancy.organizationOf(applicationId);
    const invisible = new Problem('not_found', 'No application with this id is visible to this token.');
    if (!owner) throw invisible;
    await demandOwner(tenancy, auth, owner, invisible);
    if (environmentId && !(await environmentBelongsTo(db, environmentId, applicationId))) {
      throw new Problem('not_found', 'The application has no environment with this id.');
    }
    return { type: 'application', id: applicationId, organizationId: owner, applicationId, environmentId };
  }
  const account = organizationId ?? auth.actor.organizationId;
  if (!account) return auth.actor;
  const invisible = new Problem('not_found', 'No organization with this id is visible to this token.');
  await demandOwner(tenancy, auth, account, invisible);
  return {
    type: 'organization',
    id: account,
    organizationId: account,
    applicationId: null,
    environmentId: null,
  };
}

async function demandOwner(
  tenancy: Tenancy,
  auth: Auth,
  organizationId: string,
  invisible: Problem,
): Promise<void> {
  const role = await tenancy.roleIn(auth, organizationId);
  if (!role) throw invisible;
  if (role !== 'OWNER') {
    throw new Problem(
      'forbidden',
      `API keys are managed by owners of the organization; your role is ${role}.`,
    );
  }
}

/** A key that the caller may manage; one that it may not is as good as none. */
async function managedKey(db: Db, tenancy: Tenancy, auth: Auth, id: string): Promise<ApiKeyRow> {
  const row = await liveKey(db, id);
  if (row.organization_id) await demandOwner(tenancy, auth, row.organization_id, invisibleKey());
  else if (auth.actor.type !== 'user' || row.user_id !== auth.actor.id) throw invisibleKey();
  return row;
}

async function liveKey(db: Db | Tx, id: string): Promise<ApiKeyRow> {
  const row = await find(db, id);
  if (!row) throw invisibleKey();
  return row;
}

function invisibleKey(): Problem {
  return new Problem('not_found', 'No API key with this id is visible to this token.');
}

function toOwner(actor: Actor): KeyOwner {
  if (actor.applicationId) return { type: 'application', applicationId: actor.applicationId };
  if (actor.type === 'organization') return { type: 'organization', organizationId: actor.id };
  return { type: 'user', userId: actor.id };
}

function keyScopes(auth: Auth, type: ActorType, wanted: readonly Scope[] | undefined): readonly Scope[] {
  const holdable: ReadonlySet<Scope> = new Set(scopesFor(type));
  // A user's key may carry the operator's scopes, when the caller holds them: the actor is the same person.
  const mayHold = (scope: Scope) => holdable.has(scope) || (type === 'user' && auth.actor.type === 'user');
  if (!wanted) return [...auth.scopes].filter(mayHold);
  for (const scope of wanted) {
    if (!mayHold(scope))
      throw new Problem('invalid_request', `A key of the ${type} actor cannot hold ${scope}.`);
    if (!auth.scopes.has(scope)) {
      throw new Problem('forbidden', `The scope ${scope} is beyond those of your own token; leave it out.`);
    }
  }
  return wanted;
}

function expiry(wanted: string | null | undefined, now: number): number | null {
  if (wanted === undefined) return now + defaultLifetimeMilliseconds;
  if (wanted === null) return null;
  const moment = Date.parse(wanted);
  if (moment <= now) throw new Problem('invalid_request', 'The field "expiresAt" must be in the future.');
  return moment;
}

function addresses(wanted: readonly string[]): readonly string[] {
  const wrong = wanted.find((block) => !isAddressBlock(block));
  if (wrong !== undefined) {
    const sentence = `The field "allowedAddresses" holds "${wrong}"; write an address or a block such as 192.0.2.0/24.`;
    throw new Problem('invalid_request', sentence);
  }
  return wanted;
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
