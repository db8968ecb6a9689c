/** Numbers that look random and are the same in every run: a linear congruential generator (Numerical Recipes, 7.1). */
export class Dice {
  #state: number;

  constructor(seed: number) {
    this.#state = seed;
  }

  next(): number {
    this.#state = (Math.imul(this.#state, 1_664_525) + 1_013_904_223) >>> 0;
    return this.#state / 2 ** 32;
  }

  /** A whole number below `count`. */
  below(count: number): number {
    return Math.floor(this.next() * count);
  }

  /** Below `count`; small ones are commoner. */
  skewed(count: number): number {
    return Math.floor(count * this.next() ** 4);
  }

  of<T>(items: readonly T[]): T {
    return items[this.below(items.length)] as T;
  }
}
