import { type HashKey, hashName } from './hash.ts';

/**
 * Hashes of names, sorted, none twice, each with the day since which it is listed. Days count from 1970, so that two
 * bytes last until the year 2149.
 */
export interface SortedNames {
  /** Low and high half by turns. */
  readonly hashes: Uint32Array;
  readonly days: Uint16Array;
}

export function dayOf(milliseconds: number): number {
  return Math.floor(milliseconds / 86_400_000);
}

/** Gathers names, of which there may be millions, in 8 bytes each. */
export class NameCollector {
  readonly #key: HashKey;
  #hashes = new Uint32Array(2 * 1024);
  #count = 0;

  constructor(key: HashKey) {
    this.#key = key;
  }

  add(name: string): void {
    if (this.#count * 2 === this.#hashes.length) {
      const larger = new Uint32Array(this.#hashes.length * 2);
      larger.set(this.#hashes);
      this.#hashes = larger;
    }
    hashName(this.#key, name, 0, this.#hashes, this.#count * 2);
    this.#count++;
  }

  /** All of them, save those in `without`; listed since `day`, or since longer where `before` has them. */
  sorted(options: { day: number; without: NameCollector; before: SortedNames | undefined }): SortedNames {
    const hashes = withoutAny(this.#sortedOnce(), options.without.#sortedOnce());
    const days = new Uint16Array(hashes.length / 2).fill(options.day);
    if (options.before) keepDays(hashes, days, options.before);
    return { hashes, days };
  }

  #sortedOnce(): Uint32Array {
    const whole = new BigUint64Array(this.#hashes.buffer, 0, this.#count).sort();
    let kept = 0;
    for (let i = 0; i < whole.length; i++) {
      if (kept > 0 && whole[i] === whole[kept - 1]) continue;
      whole[kept++] = whole[i] as bigint;
    }
    return this.#hashes.subarray(0, kept * 2);
  }
}

/** Whether the hash at `i` of `a` comes before (below 0), at (0) or after the one at `j` of `b`. */
export function compareAt(a: Uint32Array, i: number, b: Uint32Array, j: number): number {
  const high = (a[2 * i + 1] as number) - (b[2 * j + 1] as number);
  return high === 0 ? (a[2 * i] as number) - (b[2 * j] as number) : high;
}

function withoutAny(hashes: Uint32Array, without: Uint32Array): Uint32Array {
  let kept = 0;
  for (let i = 0, j = 0; i < hashes.length / 2; i++) {
    while (j < without.length / 2 && compareAt(without, j, hashes, i) < 0) j++;
    if (j < without.length / 2 && compareAt(without, j, hashes, i) === 0) continue;
    hashes[2 * kept] = hashes[2 * i] as number;
    hashes[2 * kept + 1] = hashes[2 * i + 1] as number;
    kept++;
  }
  return hashes.slice(0, kept * 2);
}

function keepDays(hashes: Uint32Array, days: Uint16Array, before: SortedNames): void {
  for (let i = 0, j = 0; i < days.length; i++) {
    while (j < before.days.length && compareAt(before.hashes, j, hashes, i) < 0) j++;
    if (j < before.days.length && compareAt(before.hashes, j, hashes, i) === 0)
      days[i] = before.days[j] as number;
  }
}
