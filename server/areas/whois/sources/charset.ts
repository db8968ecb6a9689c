/** What registries answer in when it is not UTF-8, by TLD. All others are taken as windows-1252, which contains Latin-1. */
const legacyCharsets: ReadonlyMap<string, string> = new Map(
  Object.entries({
    jp: 'iso-2022-jp',
    kr: 'euc-kr',
    tw: 'big5',
    cn: 'gb18030',
    hk: 'big5',
    ru: 'koi8-r',
    su: 'koi8-r',
    ua: 'koi8-u',
    by: 'windows-1251',
    bg: 'windows-1251',
    tr: 'windows-1254',
    hu: 'iso-8859-2',
    pl: 'iso-8859-2',
    cz: 'iso-8859-2',
    sk: 'iso-8859-2',
    si: 'iso-8859-2',
    hr: 'iso-8859-2',
    ro: 'iso-8859-2',
    gr: 'iso-8859-7',
    il: 'iso-8859-8',
    th: 'windows-874',
  }),
);

/** Text of bytes that do not say what they are: UTF-8 where they can be it, else what the registry is known to use. */
export function decode(bytes: Uint8Array, tld: string): string {
  // ISO-2022-JP is all ASCII bytes, so it would pass as UTF-8: its escape sequences give it away.
  const escapes = bytes.includes(0x1b);
  try {
    if (!escapes) return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch {
    // Not UTF-8.
  }
  if (escapes) return new TextDecoder('iso-2022-jp').decode(bytes);
  const legacy = legacyCharsets.get(tld) ?? 'windows-1252';
  return new TextDecoder(legacy === 'iso-2022-jp' ? 'shift_jis' : legacy).decode(bytes);
}
