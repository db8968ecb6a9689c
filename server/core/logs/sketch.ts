/**
 * Quantiles of positive numbers from counts in buckets that grow by 4 % (DDSketch, VLDB 2019): within 2 %, and sketches
 * of parts add up to the sketch of the whole.
 */

const gamma = 1.04;
const logGamma = Math.log(gamma);
/** From a microsecond to some ten thousand years of milliseconds, were the unit milliseconds. */
const minBucket = -180;
const maxBucket = 900;

function bucketOf(value: number): number {
  if (!(value > 0)) return minBucket;
  return Math.min(maxBucket, Math.max(minBucket, Math.ceil(Math.log(value) / logGamma)));
}

function middleOf(bucket: number): number {
  if (bucket === minBucket) return 0;
  return (2 * gamma ** bucket) / (gamma + 1);
}

/** Weights by bucket. */
export class Sketch {
  #weights = new Float64Array(maxBucket - minBucket + 1);
  count = 0;
  sum = 0;

  add(value: number, weight: number): void {
    const at = bucketOf(value) - minBucket;
    this.#weights[at] = (this.#weights[at] as number) + weight;
    this.count += weight;
    this.sum += value * weight;
  }

  /** Null when it is empty. */
  quantile(share: number): number | null {
    if (this.count === 0) return null;
    let left = share * this.count;
    for (let at = 0; at < this.#weights.length; at++) {
      left -= this.#weights[at] as number;
      if (left <= 0 && this.#weights[at]) return rounded(middleOf(at + minBucket));
    }
    return null;
  }

  /** Pairs of bucket and weight, flat. */
  toJSON(): number[] {
    const pairs: number[] = [];
    for (let at = 0; at < this.#weights.length; at++) {
      const weight = this.#weights[at] as number;
      if (weight > 0) pairs.push(at + minBucket, weight);
    }
    return pairs;
  }

  addPairs(pairs: readonly number[], sum: number): void {
    for (let at = 0; at + 1 < pairs.length; at += 2) {
      const bucket = (pairs[at] as number) - minBucket;
      const weight = pairs[at + 1] as number;
      this.#weights[bucket] = (this.#weights[bucket] as number) + weight;
      this.count += weight;
    }
    this.sum += sum;
  }
}

function rounded(value: number): number {
  return Number(value.toPrecision(4));
}
