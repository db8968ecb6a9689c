import { randomBytes } from 'node:crypto';
import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import type { Vault } from '#core/vault.ts';
import { type ClientRow, find, insert, remove, update } from './client-store.ts';
import { clientTopic } from './clients.ts';
import { revokeGrants } from './grants.ts';

/** What operators do with OAuth apps. */

export async function registerClient(
  tx: Tx,
  { vault, clock }: { vault: Vault; clock: Clock },
  source: AuditSource,
  wanted: { name: string; redirectUris: readonly string[]; scopes: readonly string[]; confidential: boolean },
): Promise<{ row: ClientRow; secret: string | null }> {
  const now = clock.now();
  const secret = wanted.confidential ? `mcs_${randomBytes(32).toString('base64url')}` : null;
  const hashed = secret === null ? null : vault.hash(secret);
  const row: ClientRow = {
    id: newId(now),
    name: wanted.name,
    redirect_uris: JSON.stringify(wanted.redirectUris),
    scopes: wanted.scopes.join(' '),
    secret_digest: hashed?.digest ?? null,
    hash_version: hashed?.version ?? null,
    created_by_user_id: source.actorId,
    created_at: now,
    updated_at: now,
  };
  await insert(tx, row);
  await changed(tx, source, row, 'created');
  return { row, secret };
}

export async function changeClient(
  tx: Tx,
  source: AuditSource,
  id: string,
  changes: Parameters<typeof update>[2],
): Promise<ClientRow> {
  const row = { ...(await known(tx, id)), ...changes };
  await update(tx, row.id, changes);
  await changed(tx, source, row, 'updated');
  return row;
}

/** All access that people granted to it ends. */
export async function removeClient(tx: Tx, source: AuditSource, id: string): Promise<void> {
  const row = await known(tx, id);
  await revokeGrants(tx, { clientId: row.id }, { source, reason: 'the client was removed' });
  await remove(tx, row.id);
  await changed(tx, source, row, 'deleted');
}

async function known(tx: Tx, id: string): Promise<ClientRow> {
  const row = await find(tx, id);
  if (!row) throw new Problem('not_found', 'There is no OAuth client with this id.');
  return row;
}

async function changed(
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
  announce(tx, clientTopic, row.id);
}
