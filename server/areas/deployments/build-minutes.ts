import type { Clock } from '#core/clock.ts';
import { counted } from '#core/counted.ts';
import type { Db } from '#core/db.ts';
import { BuildFailed } from './build.ts';
import { addBuildTime, buildTimeIn } from './build-usage-store.ts';

const minute = 60_000;

/** The month of a moment, as it is stored (UTC), and when the next one begins. */
function monthOf(now: number): { month: string; next: number } {
  const date = new Date(now);
  return {
    month: date.toISOString().slice(0, 7),
    next: Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1, 1),
  };
}

/** What an organization has used of its build minutes of this month; `limit` is null where there is none. */
export class BuildMinutes {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly limit: number | null;

  /** `perMonth` 0: no limit. */
  constructor({ db, clock, perMonth }: { db: Db; clock: Clock; perMonth: number }) {
    this.#db = db;
    this.#clock = clock;
    this.limit = perMonth === 0 ? null : perMonth;
  }

  async usageOf(organizationId: string): Promise<{ used: number; limit: number | null; resetsAt: number }> {
    const { month, next } = monthOf(this.#clock.now());
    const milliseconds = await buildTimeIn(this.#db, organizationId, month);
    return { used: Math.round(milliseconds / 6000) / 10, limit: this.limit, resetsAt: next };
  }

  /** Throws `BuildFailed` where nothing is left. A build that has begun may go beyond. */
  async demand(organizationId: string): Promise<void> {
    if (this.limit === null) return;
    const { month, next } = monthOf(this.#clock.now());
    if ((await buildTimeIn(this.#db, organizationId, month)) < this.limit * minute) return;
    throw new BuildFailed(
      `The organization has used its ${counted(this.limit, 'build minute')} of ${month}. Builds run again from ${new Date(next).toISOString().slice(0, 10)}; ` +
        'prebuilt deployments need none. Ask the operator of this instance for more (MAINSTAY_BUILD_MINUTES_PER_ORGANIZATION).',
    );
  }

  /** Counts the time that the work takes, whatever becomes of it. */
  async count<T>(of: { organizationId: string; applicationId: string }, work: () => Promise<T>): Promise<T> {
    const began = this.#clock.now();
    try {
      return await work();
    } finally {
      const milliseconds = Math.max(0, this.#clock.now() - began);
      const { month } = monthOf(began);
      await this.#db.write((tx) => addBuildTime(tx, { ...of, month, milliseconds }));
    }
  }
}
