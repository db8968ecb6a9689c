import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import type { FunctionOf } from './pool.ts';
import { addPoints, type FunctionPoint } from './store.ts';

/** What is counted of processes. */
export type CountName = 'coldStarts' | 'prewarmedStarts' | 'wakes' | 'crashes' | 'rejected';

/** Length of a point. */
const pointMilliseconds = 300_000;

/**
 * Counts what processes of functions do and use; adds it to the points of the database every few seconds, so that several
 * nodes add up. A process that is killed loses those seconds.
 */
export class Meter {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #onCount: (name: CountName) => void;
  #pending = new Map<string, FunctionPoint>();

  constructor({
    db,
    clock,
    onCount = () => {},
  }: { db: Db; clock: Clock; onCount?: (name: CountName) => void }) {
    this.#db = db;
    this.#clock = clock;
    this.#onCount = onCount;
  }

  count(of: FunctionOf, name: CountName): void {
    this.#add(of, name, 1);
    this.#onCount(name);
  }

  /** Of one process, every few seconds. */
  sample(
    of: FunctionOf,
    used: { runMilliseconds: number; cpuMicroseconds: number; memoryBytes: number | null },
  ): void {
    this.#add(of, 'runMilliseconds', used.runMilliseconds);
    const milliseconds = Math.round(used.cpuMicroseconds / 1000);
    if (milliseconds > 0) this.#add(of, 'cpuMilliseconds', milliseconds);
    if (used.memoryBytes !== null) this.#add(of, 'memoryBytes', used.memoryBytes);
  }

  #add({ deploymentId, wanted }: FunctionOf, name: FunctionPoint['name'], value: number): void {
    const at = Math.floor(this.#clock.now() / pointMilliseconds) * pointMilliseconds;
    this.#merge({
      ...{ deployment_id: deploymentId, function_name: wanted.name, name, at },
      ...{ sum: value, samples: 1, most: value },
    });
  }

  #merge(point: FunctionPoint): void {
    const key = `${point.deployment_id} ${point.at} ${point.name} ${point.function_name}`;
    const known = this.#pending.get(key);
    if (!known) {
      this.#pending.set(key, point);
      return;
    }
    known.sum += point.sum;
    known.samples += point.samples;
    known.most = Math.max(known.most, point.most);
  }

  /** What could not be written is written with the next. */
  async flush(): Promise<void> {
    const points = [...this.#pending.values()];
    this.#pending = new Map();
    if (points.length === 0) return;
    try {
      await this.#db.write((tx) => addPoints(tx, points));
    } catch (error) {
      for (const point of points) this.#merge(point);
      throw error;
    }
  }
}
