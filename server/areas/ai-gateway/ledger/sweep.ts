import type { Clock } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { type Amount, minus, nothing } from './amounts.ts';
import { bootId } from './boot.ts';
import type { UsageEvent } from './event.ts';
import {
  deleteOldWindows,
  deleteProcess,
  findProcess,
  type Hold,
  type LeaseRow,
  leasesOf,
  limitedUnits,
  moveLedger,
  type PendingRow,
  pendingOfProcess,
  silentProcesses,
  takePending,
} from './store.ts';
import { Moves } from './windows.ts';

/** A process that has said nothing for so long is dead: it says something every 5 seconds. */
const silenceMilliseconds = 60_000;
const batch = 100;
const keptWindowMilliseconds = 400 * 86_400_000;

export interface SweepDeps {
  db: Db;
  clock: Clock;
  write(tx: Tx, events: readonly UsageEvent[]): Promise<void>;
}

/**
 * Closes what dead processes left under way. What a provider did with such a request is not known, so it is charged as
 * much as was held for it: a limit that holds is worth more than the difference. A process that was not dead after all
 * finds its row gone, and continues as another one.
 */
export async function sweepDead(deps: SweepDeps): Promise<void> {
  const { db, clock } = deps;
  const queue = db.engine === 'postgres' ? { queue: 'ai-ledger' } : {};
  const before = clock.now() - silenceMilliseconds;
  for (const { id } of await silentProcesses(db, before)) {
    let more = true;
    while (more) more = await db.write((tx) => closeSome(tx, deps, { id, before }), queue);
  }
  await db.write((tx) => deleteOldWindows(tx, clock.now() - keptWindowMilliseconds));
}

/** Whether there is more to do. */
async function closeSome(
  tx: Tx,
  { db, clock, write }: SweepDeps,
  { id, before }: { id: string; before: number },
): Promise<boolean> {
  const dead = await findProcess(tx, id);
  // Swept by another node, or it has spoken meanwhile.
  if (!dead || dead.beat_at >= before) return false;
  const rows = await pendingOfProcess(tx, id, batch);
  if (rows.length === 0) {
    // Its last requests did not wait for the disk. Where the machine went down as well they may be lost: the lease tells.
    const isComplete = db.engine !== 'sqlite' || (dead.boot_id !== null && dead.boot_id === bootId());
    await releaseProcess(tx, id, isComplete ? undefined : limitedUnits);
    return false;
  }
  await takePending(
    tx,
    db.engine,
    rows.map((row) => row.id),
  );
  await write(
    tx,
    rows.map((row) => orphaned(row, clock.now())),
  );
  const moves = new Moves();
  for (const row of rows)
    for (const { budgetId, windowStart, ...amount } of JSON.parse(row.holds) as Hold[])
      moves.add({ budgetId, windowStart }, amount, minus(nothing, amount));
  await moves.write(tx, id);
  return true;
}

/** A process ends: its leases go back, or count as spent as far as `spentOf` says, and its row goes. */
export async function releaseProcess(
  tx: Tx,
  id: string,
  spentOf?: (tx: Tx, lease: LeaseRow) => Promise<Amount>,
): Promise<void> {
  for (const lease of await leasesOf(tx, id)) {
    const used = spentOf ? await spentOf(tx, lease) : nothing;
    await moveLedger(tx, lease.budget_id, lease.window_start, { used, held: minus(nothing, lease) });
  }
  await deleteProcess(tx, id);
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
