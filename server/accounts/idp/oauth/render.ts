import { isoTime } from '#core/clock.ts';
import type { Client } from './clients.ts';
import type { GrantRow } from './grant-store.ts';
import { describeScope } from './scopes.ts';

/** What pages show of clients, scopes and grants. */

export function toClient({ id, name, firstParty }: Client) {
  return { id, name, firstParty };
}

export function toScopes(scope: string) {
  const scopes = scope.split(' ').filter(Boolean);
  return scopes.map((name) => ({ scope: name, text: describeScope(name) }));
}

/** A client that is gone since has only its id left; its grants went with it, save in the same moment. */
export function toGrant(row: GrantRow, client: Client | null) {
  return {
    id: row.id,
    client: client ? toClient(client) : { id: row.client_id, name: row.client_id, firstParty: false },
    scopes: toScopes(row.scope),
    createdAt: isoTime(row.created_at),
    lastUsedAt: isoTime(row.last_used_at),
    expiresAt: isoTime(row.expires_at),
  };
}
