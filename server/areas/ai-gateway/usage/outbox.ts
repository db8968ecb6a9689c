import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import type { LogStore } from '#core/log-store.ts';
import type { UsageLine } from '#core/log-streams.ts';
import type { UsageEvent } from '../ledger/event.ts';
import { toUsageEvent } from './render.ts';
import { addToRollups, insertRows } from './store.ts';

declare module '#core/db.ts' {
  interface Tables {
    /** Settled events that the log store may not have yet. */
    ai_outbox: { id: string /** JSON of `UsageEvent`. */; event: string };
  }
}

const outbox = { table: 'ai_outbox', columns: { id: 'uuid', event: 'text' } };
const batch = 500;

/** Writes settled events, in the transaction that settles them, and adds them to the roll-ups. */
export async function insertEvents(
  tx: Tx,
  engine: Db['engine'],
  events: readonly UsageEvent[],
): Promise<void> {
  if (events.length === 0) return;
  const rows = events.map((event) => ({ id: event.id, event: JSON.stringify(event) }));
  await insertRows(tx, engine, outbox, rows, sql``);
  await addToRollups(tx, engine, events);
}

/** Those of them that were written and not moved yet. */
export async function writtenEvents(tx: Tx, ids: readonly string[]): Promise<ReadonlySet<string>> {
  if (ids.length === 0) return new Set();
  const rows = await tx.selectFrom('ai_outbox').select('id').where('id', 'in', ids).execute();
  return new Set(rows.map(({ id }) => id));
}

/**
 * Moves settled events to the log store. They leave the database only once they are stored there, and storing one again
 * replaces it: a process may die between the two, and several may move the same.
 */
export class Outbox {
  readonly #db: Db;
  readonly #logs: LogStore;
  #moving: Promise<void> | undefined;
  #next: Promise<void> | undefined;

  constructor(deps: { db: Db; logs: LogStore }) {
    this.#db = deps.db;
    this.#logs = deps.logs;
  }

  /** Resolves when everything that was committed before this call can be read from the log store. */
  move(): Promise<void> {
    if (!this.#moving) {
      this.#moving = this.#moveAll().finally(() => {
        this.#moving = undefined;
      });
      return this.#moving;
    }
    // The one under way may have read already.
    this.#next ??= this.#moving
      .catch(() => {})
      .then(() => {
        this.#next = undefined;
        return this.move();
      });
    return this.#next;
  }

  async #moveAll(): Promise<void> {
    let more = true;
    while (more) {
      const rows = await this.#db.selectFrom('ai_outbox').selectAll().orderBy('id').limit(batch).execute();
      if (rows.length === 0) return;
      await this.#logs.append(
        'ai-usage',
        rows.map(({ event }) => toLine(JSON.parse(event) as UsageEvent)),
      );
      const ids = rows.map(({ id }) => id);
      await this.#db.write((tx) => tx.deleteFrom('ai_outbox').where('id', 'in', ids).execute());
      more = rows.length === batch;
    }
  }
}

function toLine(event: UsageEvent): UsageLine {
  const shown = toUsageEvent(event);
  const { id, organizationId, applicationId, requestId, apiKeyId, status } = event;
  const { authenticatedUserId, callerEndUserId, provider, latencyMs, startedAt } = event;
  const { inputTokens, outputTokens, totalTokens, billableCostMicros } = shown;
  return {
    ...{ id, organizationId, applicationId, requestId, apiKeyId, authenticatedUserId, callerEndUserId },
    model: event.modelServed ?? event.modelRequested,
    ...{ provider, status, inputTokens, outputTokens, totalTokens, billableCostMicros, latencyMs, startedAt },
    event: shown,
  };
}
