import { inOneGo, inTimeSlices } from '#core/time-slices.ts';
import { withoutAccents } from './values.ts';

/** ISO 3166-1 codes in use, and the reserved ones that registries write. */
const codes =
  'AD AE AF AG AI AL AM AO AQ AR AS AT AU AW AX AZ BA BB BD BE BF BG BH BI BJ BL BM BN BO BQ BR BS BT BV BW BY BZ ' +
  'CA CC CD CF CG CH CI CK CL CM CN CO CR CU CV CW CX CY CZ DE DJ DK DM DO DZ EC EE EG EH ER ES ET FI FJ FK FM FO FR ' +
  'GA GB GD GE GF GG GH GI GL GM GN GP GQ GR GS GT GU GW GY HK HM HN HR HT HU ID IE IL IM IN IO IQ IR IS IT JE JM JO ' +
  'JP KE KG KH KI KM KN KP KR KW KY KZ LA LB LC LI LK LR LS LT LU LV LY MA MC MD ME MF MG MH MK ML MM MN MO MP MQ MR ' +
  'MS MT MU MV MW MX MY MZ NA NC NE NF NG NI NL NO NP NR NU NZ OM PA PE PF PG PH PK PL PM PN PR PS PT PW PY QA RE RO ' +
  'RS RU RW SA SB SC SD SE SG SH SI SJ SK SL SM SN SO SR SS ST SV SX SY SZ TC TD TF TG TH TJ TK TL TM TN TO TR TT TV ' +
  'TW TZ UA UG UM US UY UZ VA VC VE VG VI VN VU WF WS XK YE YT ZA ZM ZW';
const known = new Set([...codes.split(' '), 'UK', 'EU']);

/** Names that are no country's name in CLDR, as registries and registrants write them. */
const otherNames: Record<string, string> = {
  usa: 'US',
  'u s': 'US',
  'u s a': 'US',
  'the united states': 'US',
  'united states of america': 'US',
  'the united states of america': 'US',
  'estados unidos de america': 'US',
  'great britain': 'GB',
  england: 'GB',
  scotland: 'GB',
  wales: 'GB',
  'northern ireland': 'GB',
  'united kingdom of great britain n ireland': 'GB',
  'united kingdom gb': 'GB',
  'the netherlands': 'NL',
  holland: 'NL',
  korea: 'KR',
  'republic of korea': 'KR',
  'korea republic of': 'KR',
  'russian federation': 'RU',
  'the russian federation': 'RU',
  'czech republic': 'CZ',
  'slovak republic': 'SK',
  'viet nam': 'VN',
  'iran islamic republic of': 'IR',
  'islamic republic of iran': 'IR',
  'taiwan r o c': 'TW',
  'taiwan roc': 'TW',
  'p r china': 'CN',
  'pr china': 'CN',
  'p r c': 'CN',
  'peoples republic of china': 'CN',
  'hong kong': 'HK',
  hongkong: 'HK',
  macau: 'MO',
  uae: 'AE',
  'u a e': 'AE',
  turkey: 'TR',
  macedonia: 'MK',
  'republic of macedonia': 'MK',
  'r macedonia': 'MK',
  moldova: 'MD',
  'republic of moldova': 'MD',
  'republic of serbia': 'RS',
  'brunei darussalam': 'BN',
  'kingdom of saudi arabia': 'SA',
  'syrian arab republic': 'SY',
  'tanzania united republic of': 'TZ',
  'venezuela bolivarian republic of': 'VE',
  'bolivia plurinational state of': 'BO',
  'cote d ivoire': 'CI',
  'ivory coast': 'CI',
  swaziland: 'SZ',
  burma: 'MM',
};

/** The languages that registries write countries' names in. */
const languages = [
  'en',
  'es',
  'fr',
  'de',
  'pt',
  'it',
  'sv',
  'fi',
  'nl',
  'pl',
  'tr',
  'da',
  'nb',
  'cs',
  'hu',
  'et',
];

function plain(name: string): string {
  return withoutAccents(name.toLowerCase())
    .replace(/[^\p{L}]+/gu, ' ')
    .trim();
}

const names = new Map<string, string>();
const reading = readNames();

function* readNames(): Generator<void, void> {
  for (const language of languages) {
    const display = new Intl.DisplayNames([language], { type: 'region', fallback: 'none' });
    for (const code of codes.split(' ')) {
      const name = display.of(code);
      if (name && !names.has(plain(name))) names.set(plain(name), code);
    }
    yield;
  }
  for (const [name, code] of Object.entries(otherNames)) names.set(name, code);
}

/** To be called before the answers arrive: all at once, the names take longer than the event loop may be held. */
export function readCountryNames(): Promise<void> {
  return inTimeSlices(reading);
}

/** The two-letter code (ISO 3166-1) of a country given by code or by name, such as "US", "U.S.A.", "China (CN)"; else null. */
export function countryCode(given: string): string | null {
  const text = given.trim();
  if (text.length < 2 || text.length > 80) return null;
  if (text.length === 2) return code(text);
  const bracket = text.indexOf('(');
  if (bracket > 0) {
    const inside = text.slice(bracket + 1, text.indexOf(')', bracket));
    return countryCode(text.slice(0, bracket)) ?? countryCode(inside);
  }
  inOneGo(reading);
  return names.get(plain(text)) ?? null;
}

function code(letters: string): string | null {
  const upper = letters.toUpperCase();
  if (!known.has(upper)) return null;
  return upper === 'UK' ? 'GB' : upper;
}
