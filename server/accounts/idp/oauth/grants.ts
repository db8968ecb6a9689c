import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { GrantState } from '#accounts/tokens/service.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import type { Vault } from '#core/vault.ts';
import { OAuthProblem } from '#http/oauth-errors.ts';
import {
  advance,
  find,
  findReplaced,
  findWithUser,
  type GrantFilter,
  type GrantRow,
  insert,
  remove,
} from './grant-store.ts';
import { readRefreshToken } from './refresh-token.ts';
import { covers } from './scopes.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: grant id. */
    oauth_grant: true;
  }
}

/** Notification of one grant: the key is its id. */
const grantTopic = 'oauth_grant';

/** What each node knows of the grants in use; revocation and suspension reach it as a notification. */
export function grantStates({ db, max }: { db: Db; max: number }): Cached<GrantState | null> {
  return new Cached<GrantState | null>({
    notifications: db.notifications,
    max,
    topics: [grantTopic],
    sweepingTopics: ['user'],
    async load(id) {
      const row = await findWithUser(db, id);
      if (!row) return null;
      return { userId: row.user_id, live: row.suspended_at === null, expiresAt: row.expires_at };
    },
  });
}

export interface GrantDeps {
  db: Db;
  vault: Vault;
  clock: Clock;
  times: {
    /** Milliseconds, all of them. */
    accessToken: number;
    refreshIdle: number;
    refreshLifetime: number;
  };
}

/** What a person allows a client from now on. It ends with its access token unless it may be refreshed. */
export async function createGrant(
  tx: Tx,
  { clock, times }: GrantDeps,
  requestId: string,
  granted: { userId: string; clientId: string; scope: string; authenticatedAt: number; epoch: number },
): Promise<GrantRow> {
  const now = clock.now();
  const row: GrantRow = {
    id: newId(now),
    user_id: granted.userId,
    client_id: granted.clientId,
    scope: granted.scope,
    generation: 1,
    epoch: granted.epoch,
    authenticated_at: granted.authenticatedAt,
    last_used_at: now,
    expires_at: now + (mayRefresh(granted.scope) ? times.refreshIdle : times.accessToken),
    created_at: now,
  };
  await insert(tx, row);
  await auditChange(tx, personOf(row, requestId), row, 'created', { scope: row.scope });
  return row;
}

export function mayRefresh(scope: string): boolean {
  return scope.split(' ').includes('offline_access');
}

/** Ends grants: their refresh tokens at once, their access tokens within a second on every node. */
export async function revokeGrants(
  tx: Tx,
  which: GrantFilter,
  { source, reason }: { source?: AuditSource; reason: string },
): Promise<number> {
  const rows = await remove(tx, which);
  for (const row of rows) {
    announce(tx, grantTopic, row.id);
    await auditChange(tx, source ?? personOf(row, null), row, 'revoked', { reason });
  }
  return rows.length;
}

/** Processes of one command line refresh at once and do not agree on who does it. */
const graceMilliseconds = 30_000;

/**
 * Exchanges a refresh token for the next one. The one that was replaced last gives the same next one for a moment more.
 * An older one that comes back is in two hands, and nobody can tell which are the right ones: the grant ends (RFC 9700,
 * 4.14.2).
 */
export async function useRefreshToken(
  deps: GrantDeps,
  request: { token: string; clientId: string; scope: string | undefined; requestId: string },
): Promise<GrantRow> {
  const { db, vault, clock, times } = deps;
  const read = readRefreshToken(vault, request.token);
  if (!read) throw refused();
  const token = { ...read, clientId: request.clientId };
  const used = await db.write(async (tx) => {
    const now = clock.now();
    const row =
      (await advance(tx, token, { now, idle: times.refreshIdle, lifetime: times.refreshLifetime })) ??
      (await findReplaced(tx, token, { now, since: now - graceMilliseconds }));
    if (row && request.scope !== undefined && !covers(row.scope, request.scope)) {
      // Thrown in here, so that the token is not used up by it.
      throw new OAuthProblem('invalid_scope', 'The scope exceeds what was granted.');
    }
    if (row) return row;
    const grant = await find(tx, token.grantId);
    if (grant && grant.client_id === token.clientId && token.generation < grant.generation) {
      const source = { ...personOf(grant, request.requestId), actorType: 'system', actorId: null };
      await revokeGrants(tx, { id: grant.id }, { source, reason: 'a refresh token was reused' });
    }
    return undefined;
  });
  if (!used) throw refused();
  return used;
}

function refused(): OAuthProblem {
  return new OAuthProblem(
    'invalid_grant',
    'The refresh token is not valid: it was used or revoked, or has expired. Ask the user to authorize the app again.',
  );
}

function personOf({ user_id: actorId }: GrantRow, requestId: string | null): AuditSource {
  return { actorType: 'user', actorId, requestId };
}

async function auditChange(
  tx: Tx,
  source: AuditSource,
  row: GrantRow,
  what: ActionOf<'oauth_grant'>,
  details: object,
) {
  await audit(tx, source, {
    organizationId: null,
    action: `oauth_grant.${what}`,
    targetType: 'oauth_grant',
    targetId: row.id,
    details: { clientId: row.client_id, userId: row.user_id, ...details },
  });
}
