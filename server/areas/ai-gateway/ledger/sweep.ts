import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { minus, nothing } from './amounts.ts';
import type { UsageEvent } from './event.ts';
import {
  deleteOldWindows,
  deleteProcess,
  type Hold,
  leasesOf,
  moveLease,
  moveLedger,
  type PendingRow,
  pendingOfProcess,
  silentProcesses,
  takePending,
} from './store.ts';

/** A process that has said nothing for so long is dead: it says something every 5 seconds. */
const silenceMilliseconds = 60_000;
const batch = 100;
const keptWindowMilliseconds = 400 * 86_400_000;

/** Holds of jobs belong to this one, which never dies. */
export const keeperId = '00000000-0000-7000-8000-000000000001';

export interface SweepDeps {
  db: Db;
  clock: Clock;
  write(tx: Tx, events: readonly UsageEvent[]): Promise<void>;
}

/**
 * Closes what dead processes left under way. What a provider did with such a request is not known, so it is charged as
 * much as was held for it: a limit that holds is worth more than the difference.
 */
export async function sweepDead(deps: SweepDeps): Promise<void> {
  const { db, clock } = deps;
  const queue = db.engine === 'postgres' ? { queue: 'ai-ledger' } : {};
  for (const { id } of await silentProcesses(db, clock.now() - silenceMilliseconds)) {
    if (id === keeperId) continue;
    let more = true;
    while (more) more = await db.write((tx) => closeSome(tx, deps, id), queue);
  }
  await db.write((tx) => deleteOldWindows(tx, clock.now() - keptWindowMilliseconds));
}

/** Whether there is more to do. */
async function closeSome(tx: Tx, { db, clock, write }: SweepDeps, processId: string): Promise<boolean> {
  const rows = await pendingOfProcess(tx, processId, batch);
  if (rows.length === 0) {
    for (const lease of await leasesOf(tx, processId)) {
      const held = minus(nothing, lease);
      await moveLedger(tx, lease.budget_id, lease.window_start, { used: nothing, held });
    }
    await deleteProcess(tx, processId);
    return false;
  }
  await takePending(
    tx,
    db.engine,
    rows.map(({ id }) => id),
  );
  await write(
    tx,
    rows.map((row) => orphaned(row, clock.now())),
  );
  for (const row of rows)
    for (const { budgetId, windowStart, ...amount } of JSON.parse(row.holds) as Hold[]) {
      const back = minus(nothing, amount);
      const found = await moveLedger(tx, budgetId, windowStart, { used: amount, held: back });
      if (found) await moveLease(tx, processId, budgetId, windowStart, back);
    }
  return true;
}

function orphaned(row: PendingRow, now: number): UsageEvent {
  const event = JSON.parse(row.event) as UsageEvent;
  const held = (JSON.parse(row.holds) as Hold[])[0];
  return {
    ...event,
    status: 'error',
    errorCode: 'interrupted',
    errorType: 'api_error',
    usageSource: held ? 'estimated' : 'none',
    inputTokens: held?.tokens ?? 0,
    billableNanos: held?.nanos ?? 0,
    providerNanos: held?.nanos ?? 0,
    pricing: held ? 'list' : 'none',
    latencyMs: now - event.startedAt,
    completedAt: now,
  };
}
