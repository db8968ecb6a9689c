import type { LogStep } from '#core/log-store.ts';
import type { StreamSpec } from '#core/log-streams.ts';
import { Sketch } from '#core/logs/sketch.ts';

/** What is kept of one step of time; as JSON it is a roll-up. */
export interface RollupRecord {
  n: number;
  g: Record<string, number>;
  s: number[];
  /** Of the sketch. */
  h?: number[];
  t?: number;
  /** Lines that were dropped. */
  d?: number;
}

/** Adds up lines, and roll-ups of lines, of one step of time. */
export class StepSums {
  readonly #spec: StreamSpec;
  #count = 0;
  readonly #groups = new Map<string, number>();
  readonly #sums: number[];
  #sketch: Sketch | undefined;
  dropped = 0;

  constructor(spec: StreamSpec) {
    this.#spec = spec;
    this.#sums = spec.rollup.sums.map(() => 0);
  }

  /** Null values add nothing to sums and quantiles. */
  add(weight: number, group: string | number | null): void {
    this.#count += weight;
    const name = String(group);
    this.#groups.set(name, (this.#groups.get(name) ?? 0) + weight);
  }

  addSum(at: number, value: number): void {
    this.#sums[at] = (this.#sums[at] as number) + value;
  }

  addQuantile(value: number, weight: number): void {
    this.#sketch ??= new Sketch();
    this.#sketch.add(value, weight);
  }

  addRecord(record: RollupRecord): void {
    this.#count += record.n;
    for (const [name, count] of Object.entries(record.g))
      this.#groups.set(name, (this.#groups.get(name) ?? 0) + count);
    record.s.forEach((value, at) => {
      this.addSum(at, value);
    });
    this.dropped += record.d ?? 0;
    if (!record.h) return;
    this.#sketch ??= new Sketch();
    this.#sketch.addPairs(record.h, record.t ?? 0);
  }

  toRecord(): RollupRecord {
    return {
      n: this.#count,
      g: Object.fromEntries(this.#groups),
      s: this.#sums,
      ...(this.#sketch ? { h: this.#sketch.toJSON(), t: this.#sketch.sum } : {}),
      ...(this.dropped > 0 ? { d: this.dropped } : {}),
    };
  }

  toStep(at: number): LogStep {
    const sketch = this.#sketch;
    return {
      at,
      count: this.#count,
      groups: Object.fromEntries(this.#groups),
      sums: Object.fromEntries(
        this.#spec.rollup.sums.map((name, index) => [name, this.#sums[index] as number]),
      ),
      p50: sketch?.quantile(0.5) ?? null,
      p95: sketch?.quantile(0.95) ?? null,
      p99: sketch?.quantile(0.99) ?? null,
      total: sketch?.sum ?? 0,
      values: sketch?.count ?? 0,
      dropped: this.dropped,
    };
  }
}
