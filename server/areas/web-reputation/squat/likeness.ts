/**
 * How far a spelling is from a protected name: the cheapest row of edits, each with a cost. An edit that any name may be
 * away costs 1, one of a hurried typist a little less, one that the eye forgives much less. An extension of the
 * Damerau-Levenshtein distance (optimal string alignment).
 */
const costs = {
  edit: 1,
  firstLetter: 1.25,
  slip: 0.95,
  repetition: 0.9,
  lookAlike: 0.6,
  hyphen: 0.5,
  digit: 0.4,
} as const;

const lookAlikes = 'bd ce co eo ao gq hb hn il ij lj mn nr uv vw vy wu yv ft lt it sz xk kx pq ae ou oc';
const digits = 'o0 l1 i1 z2 e3 b3 a4 s5 g6 b6 t7 b8 g9 q9 s8 o9 y4 t1 j1 7l 7i 38 69 17 06 z7';
/** A letter and two that look like it. */
const triples =
  'mrn mnn mrr mnr min mni wvv wuu wuv wvu dcl ddl dci blb blo hlh hln klc klk kic qcj gcj aci uii nri';

/** What letter or digit is next to which on a keyboard: QWERTY, QWERTZ, AZERTY. */
const keyboards = [
  ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'],
  ['1234567890', 'qwertzuiop', 'asdfghjkl', 'yxcvbnm'],
  ['1234567890', 'azertyuiop', 'qsdfghjklm', 'wxcvbn'],
] as const;

const letters = 128;
const substitution = new Float64Array(letters * letters).fill(costs.edit);
const twoForOne = new Set<number>();

for (const rows of keyboards) {
  for (const [y, row] of rows.entries()) {
    for (const [x, key] of [...row].entries()) {
      for (const near of [row[x + 1], rows[y + 1]?.[x], rows[y + 1]?.[x - 1]])
        if (near) setBoth(key + near, costs.slip);
    }
  }
}
for (const pair of lookAlikes.split(' ')) setBoth(pair, costs.lookAlike);
for (const pair of digits.split(' ')) setBoth(pair, costs.digit);
for (const triple of triples.split(' ')) {
  twoForOne.add(tripleKey(triple.charCodeAt(0), triple.charCodeAt(1), triple.charCodeAt(2)));
}
for (let code = 0; code < letters; code++) substitution[code * letters + code] = 0;

function setBoth(pair: string, cost: number): void {
  const [a, b] = [pair.charCodeAt(0), pair.charCodeAt(1)];
  substitution[a * letters + b] = cost;
  substitution[b * letters + a] = cost;
}

function tripleKey(one: number, first: number, second: number): number {
  return (one * letters + first) * letters + second;
}

const width = 64;
const table = new Float64Array(width * width);
const from = new Uint8Array(width);
const to = new Uint8Array(width);

/** The cost of the cheapest way from the protected `label` to the spelling that was `seen`: ASCII, at most 63 long. */
export function distance(label: string, seen: string): number {
  const n = label.length;
  const m = seen.length;
  for (let i = 0; i < n; i++) from[i + 1] = label.charCodeAt(i);
  for (let j = 0; j < m; j++) to[j + 1] = seen.charCodeAt(j);
  to[m + 1] = 0;
  table[0] = 0;
  for (let j = 1; j <= m; j++) table[j] = get(0, j - 1) + insertion(j);
  for (let i = 1; i <= n; i++) {
    table[i * width] = i;
    for (let j = 1; j <= m; j++) table[i * width + j] = cheapest(i, j);
  }
  return get(n, m);
}

function get(i: number, j: number): number {
  return table[i * width + j] as number;
}

function cheapest(i: number, j: number): number {
  const a = from[i] as number;
  const b = to[j] as number;
  let least = get(i - 1, j - 1) + (substitution[a * letters + b] as number);
  // Hands begin a word right: jitbit is nobody's fitbit.
  if (i === 1 && j === 1 && least === costs.edit) least = costs.firstLetter;
  least = Math.min(least, get(i - 1, j) + costs.edit, get(i, j - 1) + insertion(j));
  const aBefore = from[i - 1] as number;
  const bBefore = to[j - 1] as number;
  if (i > 1 && j > 1) {
    if (a === bBefore && b === aBefore) least = Math.min(least, get(i - 2, j - 2) + costs.slip);
    // Both letters of a double replaced alike: goople for google.
    if (a === aBefore && b === bBefore) least = Math.min(least, get(i - 2, j - 2) + costs.edit);
  }
  if (j > 1 && twoForOne.has(tripleKey(a, bBefore, b)))
    least = Math.min(least, get(i - 1, j - 2) + costs.lookAlike);
  if (i > 1 && twoForOne.has(tripleKey(b, aBefore, a)))
    least = Math.min(least, get(i - 2, j - 1) + costs.lookAlike);
  return least;
}

const hyphen = '-'.charCodeAt(0);

function insertion(j: number): number {
  const letter = to[j] as number;
  if (letter === hyphen) return costs.hyphen;
  const before = j > 1 ? (to[j - 1] as number) : 0;
  if (letter === before) return costs.repetition;
  const after = to[j + 1] as number;
  const nearest = Math.min(
    substitution[letter * letters + before] as number,
    substitution[letter * letters + after] as number,
  );
  return nearest < costs.edit ? costs.slip : costs.edit;
}

/** Whether one letter stands elsewhere (ogogle), or one vowel was replaced throughout (gaagle). */
export function isRearranged(label: string, seen: string): boolean {
  if (label.length !== seen.length || label === seen) return false;
  return isOneLetterMoved(label, seen) || isOneVowelSwapped(label, seen);
}

function isOneLetterMoved(label: string, seen: string): boolean {
  let first = 0;
  while (label[first] === seen[first]) first++;
  let last = label.length - 1;
  while (label[last] === seen[last]) last--;
  const a = label.slice(first, last + 1);
  const b = seen.slice(first, last + 1);
  return a.slice(1) + a[0] === b || a.at(-1) + a.slice(0, -1) === b;
}

function isOneVowelSwapped(label: string, seen: string): boolean {
  let first = 0;
  while (label[first] === seen[first]) first++;
  const vowel = label[first] ?? '';
  const other = seen[first] ?? '';
  return 'aeiouy'.includes(vowel) && 'aeiouy'.includes(other) && label.replaceAll(vowel, other) === seen;
}
