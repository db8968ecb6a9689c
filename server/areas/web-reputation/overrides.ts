import { type ActionOf, type AuditSource, audit } from '#accounts/audit-log/service.ts';
import { Cached } from '#core/cached.ts';
import type { Clock } from '#core/clock.ts';
import { type Db, type Tx, UniqueViolation } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { announce } from '#core/notifications.ts';
import { Problem } from '#core/problem.ts';
import { type DomainName, isDomain, readDomain } from './domain-name.ts';
import { isWithheld, type Status } from './statuses.ts';
import { count, find, insert, list, type OverrideRow, type Owner, remove, update } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: organization id, or `instance`. */
    reputation_overrides: true;
  }
}

/** Notification of a change of overrides; the key is the organization's id, or `instance`. */
const topic = 'reputation_overrides';
const instance = 'instance';

type ByDomain = ReadonlyMap<string, OverrideRow>;

/** What organizations and operators say of domains, at hand without a query. */
export class Overrides {
  readonly #cached: Cached<ByDomain>;

  constructor({ db, maxBytes }: { db: Db; maxBytes: number }) {
    this.#cached = new Cached<ByDomain>({
      notifications: db.notifications,
      max: maxBytes,
      sizeOf: (rows) => bytesPerOrganization + rows.size * bytesPerOverride,
      topics: [topic],
      sweepingTopics: ['organization'],
      async load(key) {
        const rows = await list(db, key === instance ? null : key, { limit: undefined, after: undefined });
        return new Map(rows.map((row) => [row.domain, row]));
      },
    });
  }

  /** Those that hold for the organization: its own come before the operators'. */
  holdingFor(organizationId: Owner): Maybe<OverridesInForce> {
    return andThen(this.#cached.get(instance), (everybodys) =>
      organizationId === null
        ? new OverridesInForce(everybodys)
        : andThen(this.#cached.get(organizationId), (own) => new OverridesInForce(own, everybodys)),
    );
  }
}

const bytesPerOrganization = 200;
/** A row with a domain and a note of common length. */
const bytesPerOverride = 400;

export class OverridesInForce {
  readonly #layers: readonly ByDomain[];

  constructor(...layers: ByDomain[]) {
    this.#layers = layers.filter((layer) => layer.size > 0);
  }

  /** The nearest from the domain itself up to what its registry registered: one for github.io holds for all below it. */
  of({ name, registered }: DomainName): OverrideRow | undefined {
    for (const layer of this.#layers) {
      for (let domain = name; ; domain = domain.slice(domain.indexOf('.') + 1)) {
        const row = layer.get(domain);
        if (row) return row;
        if (domain === registered) break;
      }
    }
    return undefined;
  }
}

export interface OverrideDeps {
  db: Db;
  clock: Clock;
  limit: number;
}

export interface NewOverride {
  domain: string;
  action: 'block' | 'allow';
  status?: Status | undefined;
  note?: string | null | undefined;
}

export async function createOverride(
  tx: Tx,
  { clock, limit }: OverrideDeps,
  source: AuditSource,
  owner: Owner,
  wanted: NewOverride,
): Promise<OverrideRow> {
  const domain = readDomain(wanted.domain);
  if (!isDomain(domain)) throw new Problem('invalid_request', `"${wanted.domain}" ${domain.refused}.`);
  if ((await count(tx, owner)) >= limit) {
    throw new Problem('forbidden', `The limit of ${limit} overrides is reached. Delete one first.`);
  }
  const now = clock.now();
  const row: OverrideRow = {
    id: newId(now),
    organization_id: owner,
    domain: domain.name,
    action: wanted.action,
    status: statusOf(wanted.action, wanted.status),
    note: wanted.note ?? null,
    created_at: now,
    updated_at: now,
  };
  try {
    await insert(tx, row);
  } catch (error) {
    if (!(error instanceof UniqueViolation)) throw error;
    throw new Problem('conflict', `There is already an override for ${row.domain}. Update it instead.`);
  }
  await auditChange(tx, source, row, 'created');
  return row;
}

export async function changeOverride(
  tx: Tx,
  { clock }: OverrideDeps,
  source: AuditSource,
  before: OverrideRow,
  change: Partial<Omit<NewOverride, 'domain'>>,
): Promise<OverrideRow> {
  const action = change.action ?? before.action;
  const kept = action === before.action ? before.status : undefined;
  const row = {
    ...before,
    action,
    status: statusOf(action, change.status ?? kept),
    note: change.note === undefined ? before.note : change.note,
    updated_at: clock.now(),
  };
  const { status, note: text, updated_at } = row;
  await update(tx, row.id, { action, status, note: text, updated_at });
  await auditChange(tx, source, row, 'updated');
  return row;
}

export async function deleteOverride(tx: Tx, source: AuditSource, row: OverrideRow): Promise<void> {
  await remove(tx, row.id);
  await auditChange(tx, source, row, 'deleted');
}

/** An override that is this owner's; another's is as good as none. */
export async function overrideOf(db: Db | Tx, owner: Owner, id: string): Promise<OverrideRow> {
  const row = await find(db, owner, id);
  if (!row) throw new Problem('not_found', 'There is no override with this id.');
  return row;
}

function statusOf(action: 'block' | 'allow', wanted: Status | undefined): Status {
  const status = wanted ?? (action === 'block' ? 'spam' : 'neutral');
  if (isWithheld(status) === (action === 'block')) return status;
  const right = action === 'block' ? 'one that is withheld, such as spam' : 'neutral or relay_email';
  throw new Problem(
    'invalid_request',
    `The field "status" of an override that says "${action}" must be ${right}.`,
  );
}

async function auditChange(
  tx: Tx,
  source: AuditSource,
  row: OverrideRow,
  what: ActionOf<'reputation_override'>,
): Promise<void> {
  const { organization_id, id, domain, action, status, note: text } = row;
  await audit(tx, source, {
    organizationId: organization_id,
    action: `reputation_override.${what}`,
    targetType: 'reputation_override',
    targetId: id,
    details: { domain, action, status, note: text },
  });
  announce(tx, topic, organization_id ?? instance);
}
