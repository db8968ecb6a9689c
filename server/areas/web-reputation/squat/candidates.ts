import type { ProtectedName } from './protected-names.ts';
import { type Codes, codesOf, skeletonOf } from './skeleton.ts';

/**
 * Finds the protected names that a spelling may come from, without comparing it to each: both are reduced to keys under
 * which every single edit and every forged letter meets (deletion neighbourhoods; Bocek et al., "Fast Similarity Search
 * in Large Dictionaries", 2007). Keys are numbers, made from one another without cutting strings. What is found is
 * compared exactly afterwards, so two keys that meet by chance cost a comparison and no more.
 */
export class Candidates {
  readonly #names: readonly ProtectedName[];
  /** Open addressing: key, and where the names with that key begin in `#owners`; 0: free. */
  readonly #keys: Int32Array;
  readonly #starts: Int32Array;
  /** A bit for each key's hash: nearly every key of a question is none, and this fits into a processor's cache. */
  readonly #present = new Uint8Array(2 ** 17);
  /** Runs of numbers of names, each run ended by -1. */
  #owners = new Int32Array();
  /** The question for which each name was found last. */
  readonly #found: Uint32Array;
  #question = 0;

  private constructor(names: readonly ProtectedName[], entries: number) {
    this.#names = names;
    const size = 2 ** Math.ceil(Math.log2(entries * 2 + 2));
    this.#keys = new Int32Array(size);
    this.#starts = new Int32Array(size);
    this.#found = new Uint32Array(names.length);
  }

  /** A name or a key a step. */
  static *building(names: readonly ProtectedName[]): Generator<void, Candidates> {
    // Key and number in one: sorted, the names of a key are neighbours, and nothing is left for the garbage collector.
    const entries: number[] = [];
    for (const [number, { label, isMinor }] of names.entries()) {
      yield;
      const visit = (key: number) => entries.push((key >>> 0) * numbers + number);
      // Few spellings of these count, most of them look-alikes.
      if (isMinor) withoutOne(skeletonOf(codesOf(label)), visit);
      else forEachKey(label, visit);
    }
    const candidates = new Candidates(names, entries.length);
    yield* candidates.#fill(Float64Array.from(entries).sort());
    return candidates;
  }

  *#fill(sorted: Float64Array): Generator<void, void> {
    const owners = [-1];
    for (let at = 0; at < sorted.length; ) {
      yield;
      const key = Math.floor((sorted[at] as number) / numbers) | 0;
      const slot = this.#slotOf(key);
      const bit = bitOf(key);
      this.#present[bit >>> 3] = (this.#present[bit >>> 3] as number) | (1 << (bit & 7));
      this.#keys[slot] = key;
      this.#starts[slot] = owners.length;
      for (; at < sorted.length && (Math.floor((sorted[at] as number) / numbers) | 0) === key; at++)
        if (at === 0 || sorted[at] !== sorted[at - 1]) owners.push((sorted[at] as number) % numbers);
      owners.push(-1);
    }
    this.#owners = Int32Array.from(owners);
  }

  of(seen: string): ProtectedName[] {
    const found: ProtectedName[] = [];
    this.#question = (this.#question + 1) >>> 0;
    forEachKey(seen, (key) => {
      const bit = bitOf(key);
      if (((this.#present[bit >>> 3] as number) & (1 << (bit & 7))) === 0) return;
      for (let at = this.#starts[this.#slotOf(key)] as number; (this.#owners[at] as number) >= 0; at++) {
        const number = this.#owners[at] as number;
        if (this.#found[number] === this.#question) continue;
        this.#found[number] = this.#question;
        found.push(this.#names[number] as ProtectedName);
      }
    });
    return found;
  }

  /** Where the key stands, or the free place where it would. */
  #slotOf(key: number): number {
    const mask = this.#keys.length - 1;
    let slot = mixed(key) & mask;
    while (this.#starts[slot] !== 0 && this.#keys[slot] !== key) slot = (slot + 1) & mask;
    return slot;
  }
}

function mixed(key: number): number {
  return Math.imul(key ^ (key >>> 15), 0x2c1b3c6d);
}

function bitOf(key: number): number {
  return mixed(key) >>> 12;
}

/** More names than there will be; beside a key of 32 bits their number fits into the 53 bits of a float. */
const numbers = 2 ** 20;
const longest = 64;
const base = 0x01000193;
const powers = new Int32Array(longest + 1).fill(1);
for (let i = 1; i <= longest; i++) powers[i] = Math.imul(powers[i - 1] as number, base);
/** Keys of one kind never meet those of another, but by chance. */
const salts = { letters: 0, vowels: 0x5bd1e995, order: 0x27d4eb2f, double: 0x165667b1 } as const;
const star = '*'.charCodeAt(0);
const isVowel = new Uint8Array(128);
for (const vowel of 'aeiouy') isVowel[vowel.charCodeAt(0)] = 1;

function forEachKey(text: string, visit: (key: number) => void): void {
  const plain = codesOf(text);
  withoutOne(plain, visit);
  // One vowel replaced throughout, and letters in another order.
  let vowels = salts.vowels | 0;
  let order = salts.order | 0;
  for (let i = 0; i < plain.length; i++) {
    const code = plain.codes[i] as number;
    vowels = (Math.imul(vowels, base) + (isVowel[code] ? star : code)) | 0;
    order = (order + Math.imul(code, Math.imul(code, base) ^ salts.order)) | 0;
  }
  visit(vowels);
  visit(order);
  doubles(plain, visit);
  withoutOne(skeletonOf(plain), visit);
}

/** The text with one of its doubled letters left open: goo-le and gpp-le meet. */
function doubles({ codes, length }: Codes, visit: (key: number) => void): void {
  for (let at = 1; at < length; at++) {
    if (codes[at] !== codes[at - 1]) continue;
    let key = salts.double | 0;
    for (let i = 0; i < length; i++)
      key = (Math.imul(key, base) + (i === at || i === at - 1 ? star : (codes[i] as number))) | 0;
    visit(key);
  }
}

const prefixes = new Int32Array(longest + 1);

/** The text, and the text without each of its letters: a hash is made from that of the whole in one step. */
function withoutOne({ codes, length }: Codes, visit: (key: number) => void): void {
  for (let i = 0; i < length; i++) {
    prefixes[i + 1] = (Math.imul(prefixes[i] as number, base) + (codes[i] as number)) | 0;
  }
  const whole = prefixes[length] as number;
  visit(whole ^ salts.letters);
  for (let i = 0; i < length; i++) {
    const difference = ((prefixes[i] as number) - (prefixes[i + 1] as number)) | 0;
    visit((whole + Math.imul(difference, powers[length - 1 - i] as number)) ^ salts.letters);
  }
}
