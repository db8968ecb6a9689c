import anyAscii from 'any-ascii';
import unhomoglyph from 'unhomoglyph';

/**
 * What each letter below is taken for at a glance, where that differs from what it stands for: Cyrillic р is read as p.
 * Unicode's confusables (UTS #39) compare whole strings with each other and so map both sides to a third form; names
 * need the lower-case ASCII letter, also for pairs that UTS #39 keeps apart (к and k).
 */
const pairs: readonly (readonly [ascii: string, letters: string])[] = [
  ['a', 'аαɑɐꭺ'],
  ['b', 'вьъƅβßʙбᏏᖯ'],
  ['c', 'сϲᴄⅽꮯↄҫ'],
  ['d', 'ԁɖɗᏧꮷðժ'],
  ['e', 'еεєəǝɛҽэℯҿё'],
  ['f', 'ƒϝғſʃϜ'],
  ['g', 'ɡԍƍցǥգ'],
  ['h', 'һнհηɦɧℎꮒћђ'],
  ['i', 'іιıɩїɪӏꭵ'],
  ['j', 'јϳյʝ'],
  ['k', 'кκĸᴋқҝҡκ'],
  ['l', 'ӏןואǀاߊון丨׀'],
  ['m', 'мᴍʍɱო'],
  ['n', 'пոռղɲŋηɴи'],
  ['o', 'оοσօ๐໐ѳөᴏοסهဝ०੦૦೦౦ഠ০୦〇ロ口ɵە'],
  ['p', 'рρƿþᴘքᑭ'],
  ['q', 'ԛգզʠφ'],
  ['r', 'гᴦʀɼɾɿяꭇ'],
  ['s', 'ѕꜱƨѕʂꮪ'],
  ['t', 'тτᴛҭƫե'],
  ['u', 'υսцᴜʋմμ'],
  ['v', 'ѵνᴠʌעט'],
  ['w', 'ԝшщωᴡɯѡա'],
  ['x', 'хχⅹӿҳ'],
  ['y', 'уγʏүұꭚўყ'],
  ['z', 'ᴢʐʒ'],
  ['2', 'ƻ'],
  ['3', 'зʒӡȝ'],
  ['4', 'чҷ'],
  ['5', 'ƽ'],
  ['8', 'ȣ'],
  ['-', 'ー－‐‑–—ꟷ一'],
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
  const latin = /\p{Script=Latin}/u.test(base) ? anyAscii(base).toLowerCase() : '';
  return asciiName.test(latin) ? latin : nothing;
}
