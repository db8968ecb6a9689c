import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
let transliterate: ((text: string) => string) | undefined;

/** Letters of any script transliterated to ASCII. The tables take half a megabyte: they are loaded when first needed. */
export function toAscii(text: string): string {
  if (/^[\x20-\x7e]*$/.test(text)) return text;
  transliterate ??= (require('any-ascii') as { default: (text: string) => string }).default;
  return transliterate(text);
}
