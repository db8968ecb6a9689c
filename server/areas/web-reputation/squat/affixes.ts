import { luringWords, ordinaryWords, pressingStems, pressingWords } from './affix-words.ts';

/** What stands around a protected name, cut at hyphens, digits at the edges left out (`-support24`). */
export function partsOf(affix: string): string[] {
  return affix
    .split('-')
    .map((part) => part.replace(/^\d+|\d+$/g, ''))
    .filter((part) => part !== '');
}

/** From what says nothing to what says most. */
const strengths = ['none', 'ordinary', 'luring', 'pressing'] as const;
export type Wording = (typeof strengths)[number];

function stronger(a: Wording, b: Wording): Wording {
  return strengths.indexOf(a) < strengths.indexOf(b) ? b : a;
}

/** Whether the part is a word that squatters add, or two or three of them run together (`onlinesupport`). */
function wordingOf(part: string): Wording {
  const alone = wordingOfWord(part);
  if (alone !== 'none') return alone;
  return isPressingForm(part) ? 'pressing' : compound(part, 3);
}

function wordingOfWord(text: string): Wording {
  if (pressingWords.has(text)) return 'pressing';
  if (luringWords.has(text)) return 'luring';
  return ordinaryWords.has(text) ? 'ordinary' : 'none';
}

const stemLengths = { least: 4, most: 11 } as const;
const longestEnding = 8;

/** Whether the part is some form of a pressing word: verificacion, dogrulamasi. */
function isPressingForm(part: string): boolean {
  const most = Math.min(stemLengths.most, part.length);
  for (let length = Math.max(stemLengths.least, part.length - longestEnding); length <= most; length++)
    if (pressingStems.has(part.slice(0, length))) return true;
  return false;
}

const shortestInside = 3;

function compound(text: string, words: number): Wording {
  const alone = text.length >= shortestInside ? wordingOfWord(text) : 'none';
  if (alone !== 'none' || words === 1) return alone;
  let best: Wording = 'none';
  for (let cut = shortestInside; cut <= text.length - shortestInside; cut++) {
    const head = wordingOfWord(text.slice(0, cut));
    if (head === 'none') continue;
    const tail = compound(text.slice(cut), words - 1);
    if (tail !== 'none') best = stronger(best, stronger(head, tail));
    if (best === 'pressing') return best;
  }
  return best;
}

export function isWord(text: string): boolean {
  return wordingOfWord(text) !== 'none';
}

/** The strongest wording of all parts, `none` where one is no word at all or there are none. */
export function wordingOfAll(parts: readonly string[]): Wording {
  let all: Wording = 'none';
  for (const part of parts) {
    const wording = wordingOf(part);
    if (wording === 'none') return 'none';
    all = stronger(all, wording);
  }
  return all;
}

/** The strongest wording of any part. */
export function wordingOfAny(parts: readonly string[]): Wording {
  return parts.map(wordingOf).reduce(stronger, 'none');
}
