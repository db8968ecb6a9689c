import unhomoglyph from 'unhomoglyph';
import { toAscii } from '#core/ascii.ts';

/**
 * What each letter below is taken for at a glance, where that differs from what it stands for: Cyrillic р is read as p.
 * Unicode's confusables (UTS #39) compare whole strings with each other and so map both sides to a third form; names
 * need the lower-case ASCII letter, also for pairs that UTS #39 keeps apart (к and k).
 */
const pairs: readonly (readonly [ascii: string, letters: string])[] = [
  ['a', 'аαɑɐꭺ'],
  ['b', 'вьъƅβßʙбᏏ'],
  ['c', 'сϲᴄⅽꮯↄҫ'],
  ['d', 'ԁɖɗᏧꮷðժ'],
  ['e', 'еεєəǝɛҽэℯҿё'],
  ['f', 'ƒϝғſʃϜ'],
  ['g', 'ɡԍƍցǥգ'],
  ['h', 'һнհɦɧℎꮒћђ'],
  ['i', 'іιıɩїɪꭵ'],
  ['j', 'јϳյʝ'],
  ['k', 'кκĸᴋқҝҡ'],
  ['l', 'ӏ'],
  ['m', 'мᴍʍɱო'],
  ['n', 'пոռղɲŋηɴи'],
  ['o', 'оοσօѳөᴏɵ'],
  ['p', 'рρƿþᴘք'],
  ['q', 'ԛզʠφ'],
  ['r', 'гᴦʀɼɾɿяꭇ'],
  ['s', 'ѕꜱƨʂꮪ'],
  ['t', 'тτᴛҭƫե'],
  ['u', 'υսцᴜʋմμ'],
  ['v', 'ѵνᴠʌ'],
  ['w', 'ԝшщωᴡɯѡա'],
  ['x', 'хχⅹӿҳ'],
  ['y', 'уγʏүұꭚў'],
  ['z', 'ᴢʐʒ'],
  ['2', 'ƻ'],
  ['3', 'зӡȝ'],
  ['4', 'чҷ'],
  ['5', 'ƽ'],
  ['8', 'ȣ'],
  ['-', 'ー－‐‑–—ꟷ一'],
  // Hebrew, Arabic, Devanagari, Thai and others, written as numbers: many are hard to tell apart in a source.
  ['l', '\u05d5\u05df\u05c0\u0627\u0661\u06f1\u4e28'],
  [
    'o',
    '\u05e1\u0647\u0665\u06f5\u0966\u09e6\u0a66\u0ae6\u0b66\u0be6\u0c66\u0ce6\u0d66\u0d20\u0e50\u0ed0\u1040\u101d\u3007\u30ed\u53e3',
  ],
  ['v', '\u05e2\u05d8'],
  ['x', '\u05d0'],
  ['t', '\u535c'],
];

const seenAs = new Map<string, string>();
for (const [ascii, letters] of pairs)
  for (const letter of letters) if (!seenAs.has(letter)) seenAs.set(letter, ascii);

/** Stands for a letter that resembles nothing in ASCII. */
const nothing = '?';
const asciiName = /^[a-z0-9-]+$/;

/** A Unicode label as a hurried reader takes it: lower-case ASCII, `?` for what resembles no ASCII letter. */
export function asSeen(label: string): string {
  let seen = '';
  for (const letter of label.toLowerCase()) seen += letter < '\u0080' ? letter : letterAsSeen(letter);
  return seen;
}

function letterAsSeen(letter: string): string {
  const known = seenAs.get(letter);
  if (known !== undefined) return known;
  const bare = letter.normalize('NFKD').replace(/\p{M}+/gu, '');
  if (bare === '') return '';
  const base = bare.toLowerCase();
  if (asciiName.test(base)) return base;
  const inTable = seenAs.get(base);
  if (inTable !== undefined) return inTable;
  const confusable = unhomoglyph(base).toLowerCase();
  if (asciiName.test(confusable)) return confusable;
  // Only Latin letters resemble what they are transliterated to.
  const latin = /\p{Script=Latin}/u.test(base) ? toAscii(base).toLowerCase() : '';
  return asciiName.test(latin) ? latin : nothing;
}
