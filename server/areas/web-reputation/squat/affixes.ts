import { ordinaryWords, pressingStems, pressingWords } from './affix-words.ts';

/** What stands around a protected name, cut at hyphens, digits at the edges left out (`-support24`). */
export function partsOf(affix: string): string[] {
  return affix
    .split('-')
    .map((part) => part.replace(/^\d+|\d+$/g, ''))
    .filter((part) => part !== '');
}

export type Wording = 'pressing' | 'ordinary' | 'none';

/** Whether the part is a word that squatters add, or two or three of them run together (`onlinesupport`). */
function wordingOf(part: string): Wording {
  if (pressingWords.has(part)) return 'pressing';
  if (ordinaryWords.has(part)) return 'ordinary';
  return isPressingForm(part) ? 'pressing' : compound(part, 3);
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
  if (text.length >= shortestInside && pressingWords.has(text)) return 'pressing';
  if (text.length >= shortestInside && ordinaryWords.has(text)) return 'ordinary';
  if (words === 1) return 'none';
  let best: Wording = 'none';
  for (let cut = shortestInside; cut <= text.length - shortestInside; cut++) {
    const head = text.slice(0, cut);
    const isPressing = pressingWords.has(head);
    if (!isPressing && !ordinaryWords.has(head)) continue;
    const tail = compound(text.slice(cut), words - 1);
    if (tail === 'none') continue;
    if (isPressing || tail === 'pressing') return 'pressing';
    best = 'ordinary';
  }
  return best;
}

export function isWord(text: string): boolean {
  return pressingWords.has(text) || ordinaryWords.has(text);
}

/** The strongest wording of all parts, `none` where one is no word at all or there are none. */
export function wordingOfAll(parts: readonly string[]): Wording {
  let all: Wording = parts.length > 0 ? 'ordinary' : 'none';
  for (const part of parts) {
    const wording = wordingOf(part);
    if (wording === 'none') return 'none';
    if (wording === 'pressing') all = 'pressing';
  }
  return all;
}

/** The strongest wording of any part. */
export function wordingOfAny(parts: readonly string[]): Wording {
  const wordings = parts.map(wordingOf);
  if (wordings.includes('pressing')) return 'pressing';
  return wordings.includes('ordinary') ? 'ordinary' : 'none';
}
