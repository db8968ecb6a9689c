import { type Static, Type } from 'typebox';
import type { AuditSource } from '#accounts/audit-log/service.ts';
import { isoTime } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { Id, ListOf, Nullable, OneOf, Time } from '#http/schema.ts';
import { revokeKey } from './revoke-key.ts';
import { type KeyMaker, keysMadeBy, keysMadeByShown, type MadeKeyRow } from './store.ts';

/** Keys by whom or what they were made: shown, and ended, with a program's access, a membership, a password. */

const Named = Type.Object({ id: Id, name: Type.String() });

const MadeKey = Type.Object(
  {
    id: Id,
    kind: OneOf(['api_key', 's3_credential'] as const),
    name: Type.String(),
    organization: Nullable(Named, { description: 'null for a personal key.' }),
    application: Nullable(Named),
    scopes: Type.Array(Type.String()),
    expiresAt: Nullable(Time),
    lastUsedAt: Nullable(Time),
    createdAt: Time,
  },
  { title: 'MadeKey' },
);
type MadeKey = Static<typeof MadeKey>;
export const MadeKeyList = ListOf(MadeKey);

/** Of the routes that end such keys unless they are told otherwise. */
export const KeepKeysQuery = Type.Object({
  keepApiKeys: Type.Optional(
    Type.Boolean({
      default: false,
      description: 'If true, API keys and S3 credentials created through it are kept.',
    }),
  ),
});

/** Who ends keys, for the audit log, and when. */
export interface Ending {
  source: AuditSource;
  now: number;
}

/** Credentials of another area that were made by somebody, and end as API keys do. */
export interface MadeKind {
  list(maker: KeyMaker): Promise<MadeKey[]>;
  end(tx: Tx, ending: Ending, maker: KeyMaker): Promise<void>;
}

/** API keys and what areas add to them, by whom or what they were made. Share one. */
export class MadeKeys {
  readonly #db: Db;
  readonly #others: MadeKind[] = [];

  constructor(db: Db) {
    this.#db = db;
  }

  use(kind: MadeKind): void {
    this.#others.push(kind);
  }

  async list(maker: KeyMaker): Promise<Static<typeof MadeKeyList>> {
    const items = (await keysMadeByShown(this.#db, maker)).map(toMadeKey);
    for (const other of this.#others) items.push(...(await other.list(maker)));
    return { items, total: items.length };
  }

  /** Revokes them; what they were exchanged for ends within a second. */
  async end(tx: Tx, ending: Ending, maker: KeyMaker): Promise<void> {
    const { source, now } = ending;
    for (const row of await keysMadeBy(tx, maker))
      await revokeKey(tx, { clock: { now: () => now } }, source, row);
    for (const other of this.#others) await other.end(tx, ending, maker);
  }
}

function toMadeKey(row: MadeKeyRow): MadeKey {
  const named = (id: string | null, name: string | null) => (id === null ? null : { id, name: name ?? '' });
  return {
    id: row.id,
    kind: 'api_key',
    name: row.name,
    organization: named(row.organization_id, row.organization_name),
    application: named(row.application_id, row.application_name),
    scopes: row.scopes.split(' '),
    expiresAt: row.expires_at === null ? null : isoTime(row.expires_at),
    lastUsedAt: row.last_used_at === null ? null : isoTime(row.last_used_at),
    createdAt: isoTime(row.created_at),
  };
}
