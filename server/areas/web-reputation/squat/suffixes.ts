/**
 * Suffixes below which anybody registers and which are mistaken for, or misused beside, a name's own.
 * Spamhaus, "The World's Most Abused TLDs", and Interisle, "Phishing Landscape", name the cheap ones year by year.
 */
const open = new Set(
  (
    'com net org info biz co cm om cc tv ws pw me io us eu su tk ml ga cf gq to la li lc vc sx nu st tel mobi name pro ' +
    'asia xyz top online site website space store shop tech live life world club vip work link click icu cyou buzz ' +
    'rest fit win bid loan men date review stream download trade party racing science gdn wang ooo host press fun ' +
    'today one sbs cfd bond lol monster quest hair beauty makeup skin mom autos boats homes yachts zip mov bar best ' +
    'cam email finance bank money cash credit loan loans services support help center solutions company group network ' +
    'digital cloud agency directory international systems ltd llc inc gift gifts promo sale deals discount rewards ' +
    'ink uno app dev page web security tools business exchange fund tax report care account'
  ).split(' '),
);

/** Codes of countries that are registered for their letters by people from anywhere. */
const openCountries = new Set(
  'ac ag ai am bz cc cd cf co fm ga gg gq im io la li lc me ml mn ms mu nu om pm pn pw re sc sh so st su sx tk to tv vc vg ws cm'.split(
    ' ',
  ),
);

/** Those where a name in anybody's use is more often an imitation than its owner's: cheap or free, and most abused. */
const abused = new Set(
  (
    'xyz top icu click cfd sbs cyou buzz rest tk ml ga cf gq bond lol monster quest hair beauty makeup skin boats homes ' +
    'yachts autos mom loan win bid gdn stream review trade date party racing download men zip mov wang cam vip fit pw ' +
    'link work online site website space club live shop store fun host press ooo gifts promo rewards support'
  ).split(' '),
);

export function isAbused(suffix: string): boolean {
  return abused.has(suffix);
}

export function isOpen(suffix: string): boolean {
  return open.has(suffix);
}

/** Whether a country's own people register there: de, co.uk, com.br; not co or io. */
export function isNational(suffix: string): boolean {
  return /^(?:[a-z]{2,3}\.)?[a-z]{2}$/.test(suffix) && !openCountries.has(suffix);
}
