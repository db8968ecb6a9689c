/**
 * Makes squats of a domain, of the kinds that dnstwist, URLCrazy and ail-typo-squatting make, with tables of its own:
 * an examination that shared the detector's tables would praise it for nothing.
 */
export const kinds = [
  'omission',
  'repetition',
  'transposition',
  'replacement',
  'insertion',
  'addition',
  'vowel_swap',
  'bitsquatting',
  'hyphenation',
  'dot',
  'plural',
  'moved_letter',
  'double_replacement',
  'missing_dot',
  'homoglyph_ascii',
  'homoglyph_unicode',
  'homoglyph_script',
  'combosquatting',
  'wrong_tld',
  'brand_as_subdomain',
] as const;
export type Kind = (typeof kinds)[number];

const rows = ['1234567890', 'qwertyuiop', 'asdfghjkl', 'zxcvbnm'];
const letters = 'abcdefghijklmnopqrstuvwxyz0123456789';

/** Keys within one and a half key widths on a staggered keyboard. */
function nearKeys(letter: string): string[] {
  const place = (key: string) => {
    const y = rows.findIndex((row) => row.includes(key));
    return { x: (rows[y]?.indexOf(key) ?? 0) + y / 3, y };
  };
  const at = place(letter);
  if (at.y < 0) return [];
  return [...letters].filter((key) => {
    const other = place(key);
    return key !== letter && Math.hypot(at.x - other.x, at.y - other.y) < 1.5;
  });
}

const asciiGlyphs: Readonly<Record<string, readonly string[]>> = {
  a: ['4', 'o'],
  b: ['8', '6', 'd'],
  c: ['e', 'o'],
  d: ['b', 'cl'],
  e: ['3', 'c'],
  g: ['9', 'q'],
  h: ['b', 'n'],
  ...{ i: ['1', 'l', 'j'], l: ['1', 'i'], m: ['rn', 'nn', 'n'], n: ['m', 'r'], o: ['0'], q: ['g'], s: ['5'] },
  ...{ t: ['7'], u: ['v'], v: ['u'], w: ['vv'], z: ['2'], k: ['lc'] },
};

const accents = [
  '\u0300',
  '\u0301',
  '\u0302',
  '\u0303',
  '\u0304',
  '\u0306',
  '\u0307',
  '\u0308',
  '\u030c',
  '\u0323',
  '\u0327',
  '\u0328',
  '\u0331',
];
const foreign: Readonly<Record<string, string>> = {
  a: 'аɑα',
  b: 'Ьƅɓ',
  c: 'сϲƈ',
  d: 'ԁɗđ',
  e: 'еҽɇ',
  f: 'ƒ',
  g: 'ɡǥɢ',
  h: 'һħɦ',
  i: 'іıɩɨ',
  j: 'јϳ',
  k: 'κкⱪ',
  l: 'ӏłɫ',
  m: 'мᴍɱ',
  n: 'ոŋɲ',
  o: 'оοøօ',
  p: 'рρƥ',
  q: 'ԛʠ',
  r: 'гɍʀ',
  s: 'ѕʂ',
  t: 'тŧƭ',
  u: 'υսʉ',
  v: 'ѵνⱱ',
  ...{ w: 'ԝⱳω', x: 'хχ', y: 'уγƴ', z: 'ƶʐⱬ' },
};
const cyrillic: Readonly<Record<string, string>> = {
  a: 'а',
  b: 'ь',
  c: 'с',
  d: 'ԁ',
  e: 'е',
  h: 'һ',
  i: 'і',
  j: 'ј',
  k: 'к',
  l: 'ӏ',
  m: 'м',
  n: 'п',
  o: 'о',
  p: 'р',
  ...{ q: 'ԛ', r: 'г', s: 'ѕ', t: 'т', u: 'ц', v: 'ѵ', w: 'ԝ', x: 'х', y: 'у' },
};

/** Words around names, from reports on combosquatting; not the detector's list. */
const comboWords = (
  'login secure account verify support update service online billing help payment signin security customer alert ' +
  'confirm wallet my mail web app official team center bank card auth access client portal recovery unlock gift ' +
  'bonus reward claim refund invoice delivery tracking shop store free promo id pass user admin mobile cloud www com ' +
  'net info site live chat care desk pay safe validation notice'
).split(' ');

const tlds = 'com net org info biz co io app xyz top online site club shop live cc ws me tk cm'.split(' ');
const strangers = ['example-hosting.com', 'secure-check.net', 'a1b2c3.xyz', 'mysite.top'];

/** Every squat of that kind. Unicode is not yet in punycode. */
export function permute(kind: Kind, domain: string): string[] {
  const dot = domain.indexOf('.');
  const label = domain.slice(0, dot);
  const suffix = domain.slice(dot + 1);
  const made = new Set<string>();
  const add = (text: string) => made.add(`${text}.${suffix}`);
  const at = [...label].map((_, i) => i);
  const put = (i: number, length: number, text: string) => label.slice(0, i) + text + label.slice(i + length);
  switch (kind) {
    case 'omission':
      for (const i of at) add(put(i, 1, ''));
      break;
    case 'repetition':
      for (const i of at) add(put(i, 0, label.charAt(i)));
      break;
    case 'transposition':
      for (const i of at.slice(1)) add(put(i - 1, 2, label.charAt(i) + label.charAt(i - 1)));
      break;
    case 'replacement':
      for (const i of at) for (const key of nearKeys(label.charAt(i))) add(put(i, 1, key));
      break;
    case 'insertion':
      for (const i of at.slice(1)) for (const key of nearKeys(label.charAt(i))) add(put(i, 0, key));
      break;
    case 'addition':
      for (const letter of letters) add(label + letter);
      break;
    case 'vowel_swap':
      for (const i of at) {
        if ('aeiou'.includes(label.charAt(i))) for (const vowel of 'aeiou') add(put(i, 1, vowel));
      }
      break;
    case 'bitsquatting':
      for (const i of at) {
        for (let bit = 0; bit < 7; bit++) {
          const flipped = String.fromCharCode(label.charCodeAt(i) ^ (1 << bit));
          if (/[a-z0-9]/.test(flipped)) add(put(i, 1, flipped));
        }
      }
      break;
    case 'hyphenation':
      for (const i of at.slice(1)) add(put(i, 0, '-'));
      break;
    case 'dot':
      for (const i of at.slice(1, -1)) add(put(i, 0, '.'));
      break;
    case 'plural':
      add(`${label}s`);
      break;
    case 'moved_letter':
      for (const i of at) {
        const rest = put(i, 1, '');
        for (const j of at) if (Math.abs(i - j) > 1) add(rest.slice(0, j) + label.charAt(i) + rest.slice(j));
      }
      break;
    case 'double_replacement':
      for (const i of at.slice(1)) {
        if (label[i] === label[i - 1])
          for (const key of nearKeys(label.charAt(i))) add(put(i - 1, 2, key + key));
      }
      break;
    case 'missing_dot':
      for (const text of [
        `www${label}`,
        `www-${label}`,
        `${label}${suffix.replaceAll('.', '')}`,
        `${label}-com`,
      ])
        add(text);
      break;
    case 'homoglyph_ascii':
      for (const once of withGlyphs(label, asciiGlyphs)) {
        add(once);
        for (const twice of withGlyphs(once, asciiGlyphs).slice(0, 3)) add(twice);
      }
      break;
    case 'homoglyph_unicode':
      for (const i of at) {
        for (const accent of accents) add(put(i, 1, (label.charAt(i) + accent).normalize('NFC')));
        for (const letter of foreign[label.charAt(i)] ?? '') add(put(i, 1, letter));
      }
      break;
    case 'homoglyph_script':
      add([...label].map((letter) => cyrillic[letter] ?? letter).join(''));
      break;
    case 'combosquatting':
      for (const word of comboWords)
        for (const text of [`${label}-${word}`, `${word}-${label}`, label + word, word + label]) add(text);
      break;
    case 'wrong_tld':
      for (const tld of tlds) made.add(`${label}.${tld}`);
      break;
    case 'brand_as_subdomain':
      for (const stranger of strangers)
        for (const text of [domain, `www.${domain}`, `login.${label}`]) made.add(`${text}.${stranger}`);
      break;
  }
  made.delete(domain);
  return [...made].filter((name) => !/(^|\.)-|-(\.|$)|\.\.|^\./.test(name));
}

function withGlyphs(label: string, glyphs: Readonly<Record<string, readonly string[]>>): string[] {
  return [...label].flatMap((letter, i) =>
    (glyphs[letter] ?? []).map((glyph) => label.slice(0, i) + glyph + label.slice(i + 1)),
  );
}
