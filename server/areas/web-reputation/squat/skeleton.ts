/** A label as ASCII codes, in memory that the next one takes over. */
export interface Codes {
  readonly codes: Uint8Array;
  length: number;
}

const longest = 64;
const plain: Codes = { codes: new Uint8Array(longest), length: 0 };
const bones: Codes = { codes: new Uint8Array(longest), length: 0 };

export function codesOf(text: string): Codes {
  plain.length = Math.min(text.length, longest);
  for (let i = 0; i < plain.length; i++) plain.codes[i] = text.charCodeAt(i) & 127;
  return plain;
}

/** Letters and digits that are taken for one another become one letter. */
const alike = Uint8Array.from({ length: 128 }, (_, code) => code);
for (const [from, to] of [
  '0o',
  '1l',
  '2z',
  '3e',
  '4a',
  '5s',
  '6b',
  '7t',
  '8b',
  '9g',
  'il',
  'jl',
  'ce',
  'qg',
  'db',
  'uv',
  'nm',
  'rm',
  'hm',
]) {
  alike[(from as string).charCodeAt(0)] = (to as string).charCodeAt(0);
}

/** So do pairs, in what the letters have become: rn and nn are m, vv is w, cl is d, lc is k. */
const pairs = ['vvw', 'elb', 'blb', 'lbb', 'lek', 'lkk', 'lmm'].map(
  (triple) => [triple.charCodeAt(0), triple.charCodeAt(1), triple.charCodeAt(2)] as const,
);
const hyphen = '-'.charCodeAt(0);

/** What is left of a label when look-alikes, doubles and hyphens are levelled. */
export function skeletonOf({ codes, length }: Codes): Codes {
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const code = codes[i] as number;
    if (code !== hyphen) bones.codes[kept++] = alike[code] as number;
  }
  bones.length = kept;
  for (const [first, second, one] of pairs) join(first, second, one);
  level();
  return bones;
}

function join(first: number, second: number, one: number): void {
  const { codes, length } = bones;
  let kept = 0;
  for (let i = 0; i < length; i++) {
    const isPair = codes[i] === first && i + 1 < length && codes[i + 1] === second;
    codes[kept++] = isPair ? one : (codes[i] as number);
    if (isPair) i++;
  }
  bones.length = kept;
}

function level(): void {
  const { codes, length } = bones;
  let kept = 0;
  for (let i = 0; i < length; i++)
    if (i === 0 || codes[i] !== codes[kept - 1]) codes[kept++] = codes[i] as number;
  bones.length = kept;
}
