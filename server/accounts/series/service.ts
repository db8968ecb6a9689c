import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import {
  type CounterName,
  counterNames,
  type GaugeName,
  gaugeNames,
  type LevelName,
  levelNames,
  type Series,
} from '#core/series.ts';
import { addUp, deleteOlder, pointsOf, type SeriesPoint } from './store.ts';

const instance = 'instance';
const [fine, coarse] = [300, 3600];
/** Long enough to compare the longest range with the one before it. */
const keptSeconds = new Map([
  [fine, 2 * 86_400],
  [coarse, 61 * 86_400],
]);

/** What can be asked for: how long, of which steps, and how many of those make one point. */
export const ranges = {
  '24h': { seconds: 86_400, step: fine, pointSeconds: 1800 },
  '7d': { seconds: 7 * 86_400, step: coarse, pointSeconds: 3 * 3600 },
  '30d': { seconds: 30 * 86_400, step: coarse, pointSeconds: 12 * 3600 },
} as const;
export type Range = keyof typeof ranges;

export interface Course {
  /** ISO 8601: when the first point begins. */
  from: string;
  pointSeconds: number;
  /** The last of them is not over yet. */
  counters: Record<CounterName, number[]>;
  /** Averages; null where nothing was measured. */
  gauges: Record<GaugeName, (number | null)[]>;
  /** Likewise, of an organization. */
  levels: Record<LevelName, (number | null)[]>;
  totals: Record<CounterName, number>;
  /** Of as long a time before. */
  previous: Record<CounterName, number>;
}

/**
 * Counts in memory, and adds what was counted to the points of the database every few seconds: a process that is killed
 * loses those seconds. Points of an hour are written beside those of five minutes, so that nothing has to be added up
 * later.
 */
export class StoredSeries implements Series {
  readonly #db: Db;
  readonly #clock: Clock;
  #pending = new Map<string, SeriesPoint>();

  constructor({ db, clock }: { db: Db; clock: Clock }) {
    this.#db = db;
    this.#clock = clock;
  }

  add(organizationId: string | null, name: CounterName, amount = 1): void {
    this.#note(instance, name, amount);
    if (organizationId !== null) this.#note(organizationId, name, amount);
  }

  measure(organizationId: string, name: LevelName, value: number): void {
    this.#note(organizationId, name, value);
  }

  sample(name: GaugeName, value: number): void {
    this.#note(instance, name, Math.round(value));
  }

  #note(subject: string, name: string, amount: number): void {
    const at = startOf(this.#clock.now(), fine);
    const key = `${subject} ${name} ${at}`;
    const point = this.#pending.get(key);
    if (!point) {
      this.#pending.set(key, { subject, step: fine, name, at, sum: amount, samples: 1 });
      return;
    }
    point.sum += amount;
    point.samples += 1;
  }

  /** What could not be written is written with the next. */
  async flush(): Promise<void> {
    const points = [...this.#pending.values()];
    if (points.length === 0) return;
    this.#pending = new Map();
    const hours = new Map<string, SeriesPoint>();
    for (const point of points) {
      const at = startOf(point.at * 1000, coarse);
      const key = `${point.subject} ${point.name} ${at}`;
      const hour = hours.get(key) ?? { ...point, step: coarse, at, sum: 0, samples: 0 };
      hour.sum += point.sum;
      hour.samples += point.samples;
      hours.set(key, hour);
    }
    try {
      await this.#db.write((tx) => addUp(tx, [...points, ...hours.values()]));
    } catch (error) {
      for (const point of points) this.#restore(point);
      throw error;
    }
  }

  #restore(point: SeriesPoint): void {
    const key = `${point.subject} ${point.name} ${point.at}`;
    const newer = this.#pending.get(key);
    if (newer) {
      newer.sum += point.sum;
      newer.samples += point.samples;
    } else this.#pending.set(key, point);
  }

  async sweep(): Promise<void> {
    const now = Math.floor(this.#clock.now() / 1000);
    await this.#db.write(async (tx) => {
      for (const [step, kept] of keptSeconds) await deleteOlder(tx, step, now - kept);
    });
  }

  /** The course of an organization, or of the whole instance. */
  async course(subject: string | null, range: Range): Promise<Course> {
    const { seconds, step, pointSeconds } = ranges[range];
    const length = seconds / pointSeconds;
    const end = startOf(this.#clock.now(), pointSeconds) + pointSeconds;
    const from = end - seconds;
    const points = await pointsOf(this.#db, { subject: subject ?? instance, step, from: from - seconds });
    const zeros = () => new Array<number>(length).fill(0);
    const sums = new Map<string, number[]>();
    const samples = new Map<string, number[]>();
    const before = new Map<string, number>();
    for (const point of points) {
      if (point.at < from) before.set(point.name, (before.get(point.name) ?? 0) + point.sum);
      const at = Math.floor((point.at - from) / pointSeconds);
      if (at < 0 || at >= length) continue;
      addAt(sums, point.name, at, point.sum, zeros);
      addAt(samples, point.name, at, point.samples, zeros);
    }
    const of = (name: string) => sums.get(name) ?? zeros();
    const averages = (name: string) =>
      of(name).map((sum, at) => {
        const count = samples.get(name)?.[at] ?? 0;
        return count === 0 ? null : Math.round((sum / count) * 100) / 100;
      });
    return {
      from: new Date(from * 1000).toISOString(),
      pointSeconds,
      counters: record(counterNames, of),
      gauges: record(gaugeNames, averages),
      levels: record(levelNames, averages),
      totals: record(counterNames, (name) => of(name).reduce((all, one) => all + one, 0)),
      previous: record(counterNames, (name) => before.get(name) ?? 0),
    };
  }
}

function startOf(milliseconds: number, step: number): number {
  const seconds = Math.floor(milliseconds / 1000);
  return seconds - (seconds % step);
}

function addAt(
  all: Map<string, number[]>,
  name: string,
  at: number,
  amount: number,
  zeros: () => number[],
): void {
  const values = all.get(name) ?? zeros();
  values[at] = (values[at] ?? 0) + amount;
  all.set(name, values);
}

function record<Name extends string, Value>(
  names: readonly Name[],
  value: (name: Name) => Value,
): Record<Name, Value> {
  return Object.fromEntries(names.map((name) => [name, value(name)])) as Record<Name, Value>;
}
