import { type Static, Type } from 'typebox';
import type { AuditSource } from '#accounts/audit-log/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { Id, ListOf, Nullable, Time } from '#http/schema.ts';
import { revokeKey } from './revoke-key.ts';
import { type KeyMaker, keysMadeBy, keysMadeByShown, type MadeKeyRow } from './store.ts';

/** Keys by whom or what they were made: shown, and ended, with a program's access, a membership, a password. */

const Named = Type.Object({ id: Id, name: Type.String() });

const MadeKey = Type.Object(
  {
    id: Id,
    name: Type.String(),
    organization: Nullable(Named, { description: 'Null: a key of the person.' }),
    application: Nullable(Named),
    scopes: Type.Array(Type.String()),
    expiresAt: Nullable(Time),
    lastUsedAt: Nullable(Time),
    createdAt: Time,
  },
  { title: 'MadeKey' },
);
export const MadeKeyList = ListOf(MadeKey);

/** Of the routes that end such keys unless they are told otherwise. */
export const KeepKeysQuery = Type.Object({
  keepApiKeys: Type.Optional(
    Type.Boolean({ default: false, description: 'True: the API keys that were made through it stay.' }),
  ),
});

export async function madeKeys(db: Db, maker: KeyMaker): Promise<Static<typeof MadeKeyList>> {
  const items = (await keysMadeByShown(db, maker)).map(toMadeKey);
  return { items, total: items.length };
}

/** Revokes them; what they were exchanged for ends within a second. Returns how many there were. */
export async function endMadeKeys(
  tx: Tx,
  { source, now }: { source: AuditSource; now: number },
  maker: KeyMaker,
): Promise<number> {
  const rows = await keysMadeBy(tx, maker);
  for (const row of rows) await revokeKey(tx, { clock: { now: () => now } }, source, row);
  return rows.length;
}

function toMadeKey(row: MadeKeyRow): Static<typeof MadeKey> {
  const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
  return {
    id: row.id,
    name: row.name,
    organization: named(row.organization_id, row.organization_name),
    application: named(row.application_id, row.application_name),
    scopes: row.scopes.split(' '),
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    createdAt: isoTime(row.created_at),
  };
}
