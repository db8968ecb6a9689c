import type { LineParser } from './format.ts';

/**
 * A name a line, `#`, `;` and `!` for comments, a wildcard's `*.` or a dot in front. URLs count where they mean a whole
 * site.
 */
export const plain: LineParser = (line, found) => {
  const text = line.replace(/(?:^|\s)[#;!].*/, '').trim();
  if (text === '' || /\s/.test(text)) return;
  const host = text.includes('://') ? wholeSite(text) : text.replace(/^\*?\./, '');
  if (host) found.name(host);
};

function wholeSite(text: string): string | undefined {
  if (!URL.canParse(text)) return undefined;
  const { hostname, pathname, search } = new URL(text);
  return pathname === '/' && search === '' ? hostname : undefined;
}
