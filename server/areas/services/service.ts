import { randomBytes } from 'node:crypto';
import type { Logger } from 'pino';
import { type AuditSource, audit, systemSource } from '#accounts/audit-log/service.ts';
import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { Problem } from '#core/problem.ts';
import {
  type ServiceAddress,
  type ServiceEngine,
  type ServiceKind,
  ServiceRefused,
  serviceKinds,
} from '#core/service-engine.ts';
import type { SealedColumn, Vault } from '#core/vault.ts';
import {
  find,
  insert,
  markOrphans,
  ofApplication,
  orphanedBefore,
  page,
  remove,
  type ServiceRow,
} from './store.ts';
import { type ServiceVariable, variablesFor, type Wanted } from './variables.ts';

export type { ServiceVariable } from './variables.ts';

export type ServiceEngines = ReadonlyMap<ServiceKind, ServiceEngine>;

interface Place {
  organizationId: string;
  applicationId: string;
  environmentId: string;
}

interface Deps {
  db: Db;
  vault: Vault;
  clock: Clock;
  log: Logger;
  engines: ServiceEngines;
  graceMilliseconds: number;
  /** Where code finds the engine: sandboxes have it on their own loopback. */
  addressFor(engine: ServiceEngine): ServiceAddress;
  ownerOf(applicationId: string): Promise<{ organizationId: string } | null>;
}

const settingOf = {
  postgres: 'MAINSTAY_SERVICES_POSTGRES_URL',
  redis: 'MAINSTAY_SERVICES_REDIS_URL',
} as const satisfies Record<ServiceKind, string>;

const pageSize = 100;

const context = (id: string) => `services.password:${id}`;
export const sealedServices: SealedColumn = {
  table: 'services',
  column: 'password',
  key: ['id'],
  context: ({ id = '' }) => context(id),
};

/** As the engines know it: the id without its hyphens. */
const nameOf = ({ id }: Pick<ServiceRow, 'id'>) => `app_${id.replaceAll('-', '')}`;

/** Parts of the operator's engines that environments have. The row comes first, so that nothing is made that nobody drops. */
export class Services {
  readonly #deps: Deps;

  constructor(deps: Deps) {
    this.#deps = deps;
  }

  /** Makes what the configuration asks for and is not there yet. Resolves with the variables that lead to it. */
  async provide(place: Place, wanted: Wanted): Promise<ServiceVariable[]> {
    const variables: ServiceVariable[] = [];
    for (const kind of serviceKinds) {
      if (wanted[kind] === undefined) continue;
      const { engines, db, vault, addressFor } = this.#deps;
      const engine = engines.get(kind);
      if (!engine)
        throw new Problem(
          'conflict',
          `The configuration asks for services.${kind}, and this instance offers none: its operator has to set ${settingOf[kind]}.`,
        );
      const row = await db.write((tx) => this.#rowFor(tx, place, kind));
      const part = { name: nameOf(row), password: vault.decryptText(context(row.id), row.password) };
      await this.#ensure(engine, part);
      variables.push(...variablesFor(kind, wanted, { ...part, address: addressFor(engine) }));
    }
    return variables;
  }

  async #rowFor(tx: Tx, place: Place, kind: ServiceKind): Promise<ServiceRow> {
    const { vault, clock } = this.#deps;
    const known = await find(tx, place.environmentId, kind);
    if (known) return known;
    const now = clock.now();
    const id = newId(now);
    const row: ServiceRow = {
      ...{ id, application_id: place.applicationId, environment_id: place.environmentId, kind },
      password: vault.encrypt(context(id), randomBytes(24).toString('hex')),
      ...{ orphaned_at: null, created_at: now },
    };
    await insert(tx, row);
    await this.#audit(tx, systemSource, place.organizationId, row, 'service.created');
    return row;
  }

  async #ensure(
    engine: ServiceEngine,
    { name, password }: { name: string; password: string },
  ): Promise<void> {
    try {
      await engine.ensure(name, password);
    } catch (error) {
      if (error instanceof ServiceRefused) throw new Problem('conflict', error.message, { cause: error });
      const sentence = `The engine of services.${engine.kind} (${settingOf[engine.kind]}) cannot be used now.`;
      throw new Problem('unavailable', sentence, { cause: error });
    }
  }

  /** An engine that was restarted, or restored from an older copy, has forgotten whom it lets in. */
  async renew(): Promise<void> {
    const { db, vault, engines } = this.#deps;
    if (engines.size === 0) return;
    for (let after = ''; ; ) {
      const rows = await page(db, [...engines.keys()], after, pageSize);
      for (const row of rows) {
        const password = vault.decryptText(context(row.id), row.password);
        await engines.get(row.kind)?.ensure(nameOf(row), password);
      }
      const last = rows.at(-1);
      if (rows.length < pageSize || !last) return;
      after = last.id;
    }
  }

  /** Drops what belonged to environments that were deleted long enough ago. */
  async sweep(): Promise<void> {
    const { db, clock, graceMilliseconds } = this.#deps;
    const now = clock.now();
    await db.write((tx) => markOrphans(tx, now));
    for (const row of await orphanedBefore(db, now - graceMilliseconds)) await this.#drop(row);
  }

  async purge(applicationId: string): Promise<void> {
    for (const row of await ofApplication(this.#deps.db, applicationId)) await this.#drop(row);
  }

  /** The row goes last: what could not be dropped is tried again. */
  async #drop(row: ServiceRow): Promise<void> {
    const { engines, db, log, ownerOf } = this.#deps;
    const engine = engines.get(row.kind);
    if (!engine) {
      log.warn(
        { service: nameOf(row) },
        `${settingOf[row.kind]} is not set: a service is left to its engine.`,
      );
      return;
    }
    await engine.drop(nameOf(row));
    const organizationId = (await ownerOf(row.application_id))?.organizationId ?? null;
    await db.write(async (tx) => {
      if (await remove(tx, row.id))
        await this.#audit(tx, systemSource, organizationId, row, 'service.deleted');
    });
  }

  #audit(
    tx: Tx,
    source: AuditSource,
    organizationId: string | null,
    row: ServiceRow,
    action: 'service.created' | 'service.deleted',
  ): Promise<void> {
    const details = { kind: row.kind, applicationId: row.application_id, environmentId: row.environment_id };
    return audit(tx, source, { organizationId, action, targetType: 'service', targetId: row.id, details });
  }
}
