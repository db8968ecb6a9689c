import type { ProtectedName } from './protected-names.ts';

/**
 * Finds the protected names that a spelling may come from, without comparing it to each: both are reduced to keys under
 * which every single edit and every forged letter meets (deletion neighbourhoods; Bocek et al., "Fast Similarity Search
 * in Large Dictionaries", 2007). What is found is compared exactly afterwards.
 */
export class Candidates {
  readonly #byKey = new Map<string, ProtectedName[]>();

  constructor(names: readonly ProtectedName[]) {
    for (const name of names) {
      for (const key of keysOf(name.label)) {
        const known = this.#byKey.get(key);
        if (known) known.push(name);
        else this.#byKey.set(key, [name]);
      }
    }
  }

  of(seen: string): Set<ProtectedName> {
    const found = new Set<ProtectedName>();
    for (const key of keysOf(seen)) for (const name of this.#byKey.get(key) ?? []) found.add(name);
    return found;
  }
}

/** Letters and digits that are taken for one another are one letter here. */
const alike: Readonly<Record<string, string>> = {
  ...{ '0': 'o', '1': 'l', '2': 'z', '3': 'e', '4': 'a', '5': 's', '6': 'b', '7': 't', '8': 'b', '9': 'g' },
  ...{ i: 'l', j: 'l', c: 'e', q: 'g', d: 'b', u: 'v', n: 'm', r: 'm', h: 'm' },
};

/** Pairs that are taken for one letter, in the letters of `alike`: rn and nn for m, vv for w, cl for d, lc for k. */
const pairs: readonly [RegExp, string][] = [
  [/vv/g, 'w'],
  [/el|bl|lb/g, 'b'],
  [/le|lk/g, 'k'],
  [/lm/g, 'm'],
  [/(.)\1+/g, '$1'],
];

function skeleton(text: string): string {
  let letters = '';
  for (const letter of text) if (letter !== '-') letters += alike[letter] ?? letter;
  for (const [pair, letter] of pairs) letters = letters.replace(pair, letter);
  return letters;
}

function* keysOf(text: string): Generator<string> {
  yield* withoutOne(text);
  const whole = skeleton(text);
  if (whole !== text) yield* withoutOne(whole);
  // Every vowel replaced by another, and letters in another order.
  yield `*${text.replace(/[aeiouy]/g, '*')}`;
  yield `=${[...text].sort().join('')}`;
}

function* withoutOne(text: string): Generator<string> {
  yield text;
  for (let i = 0; i < text.length; i++) yield text.slice(0, i) + text.slice(i + 1);
}
