import { hostname } from 'node:os';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { databaseNow, nodesSeenSince, putNode, removeNodes } from './store.ts';

/** Tokens of a node whose clock is five seconds ahead are refused by the others. */
const toleratedMilliseconds = 2000;
const keptMilliseconds = 600_000;

/** As operators find it: the machine and the process. */
export function nodeName(): string {
  return `${hostname()}/${process.pid}`;
}

/** How far this clock is ahead of the database's, as far as the way there and back lets one tell. */
async function skewOf(db: Db, clock: Clock): Promise<{ skew: number; databaseTime: number }> {
  const before = clock.now();
  const databaseTime = await databaseNow(db);
  const after = clock.now();
  // Between the two the database looked at its own.
  const skew = databaseTime < before ? before - databaseTime : Math.min(0, after - databaseTime);
  return { skew, databaseTime };
}

export class ClockWatch {
  readonly #deps: { db: Db; clock: Clock; log: Logger; name: string };

  constructor(deps: { db: Db; clock: Clock; log: Logger; name: string }) {
    this.#deps = deps;
  }

  /** Compares the clocks, notes the difference for `doctor`, and warns when it is too large. */
  async look(): Promise<void> {
    const { db, clock, log, name } = this.#deps;
    const { skew, databaseTime } = await skewOf(db, clock);
    if (Math.abs(skew) > toleratedMilliseconds)
      log.warn({ node: name, skewMilliseconds: skew }, skewText(name, skew));
    await db.write(async (tx) => {
      await putNode(tx, { name, seen_at: databaseTime, skew });
      await removeNodes(tx, databaseTime - keptMilliseconds);
    });
  }
}

/** What is wrong with the clocks of this machine and of the nodes that run, in sentences; none: nothing is. */
export async function skewedClocks(db: Db, clock: Clock): Promise<string[]> {
  if (db.engine === 'sqlite') return [];
  const { skew, databaseTime } = await skewOf(db, clock);
  const others = await nodesSeenSince(db, databaseTime - keptMilliseconds);
  return [{ name: 'this machine', skew }, ...others]
    .filter((node) => Math.abs(node.skew) > toleratedMilliseconds)
    .map((node) => skewText(node.name, node.skew));
}

function skewText(name: string, skew: number): string {
  const seconds = (Math.abs(skew) / 1000).toFixed(1);
  const direction = skew > 0 ? 'ahead of' : 'behind';
  return `The clock of ${name} is ${seconds} s ${direction} the database's. Let both follow a time server (NTP).`;
}
