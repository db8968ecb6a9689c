import { encodePath, encodeValue, fromPattern } from './pathname.ts';
import { type Captures, PatternError } from './pattern.ts';

/** A destination with its placeholders. */
export interface Template {
  /** `http://` or `https://`. */
  readonly isUrl: boolean;
  /** With the captures inserted; path and query apart. A place in the project is not encoded, a URL is. */
  fill(captures: Captures): Filled;
}

export interface Filled {
  /** Everything before the query: a URL up to its path, a path, or a file name. */
  path: string;
  /** Without the question mark; placeholders in it are encoded. */
  query: string;
  /** The destination ends in `?`: the query of the request is not appended. */
  dropsQuery: boolean;
}

type Piece = string | { group: number } | { name: string };

const placeholder = /\$(?:(\d{1,3})|([A-Za-z_][A-Za-z0-9_]*))/g;
const authority = /^https?:\/\/([^/?#]*)/i;

/** Throws `PatternError` for a placeholder where a visitor could choose the server. */
export function compileTemplate(destination: string): Template {
  const [withoutHash = ''] = destination.split('#', 1);
  const host = authority.exec(withoutHash)?.[1];
  const isUrl = host !== undefined;
  if (/^[a-z][a-z0-9+.-]*:/i.test(withoutHash) && !isUrl)
    throw new PatternError('must be a path, a file of the project, or an address with http:// or https://');
  if (isUrl) {
    if (host === '' || host.includes('$'))
      throw new PatternError('must name its server without placeholders');
    if (!URL.canParse(withoutHash.replace(placeholder, 'x'))) throw new PatternError('is not a valid URL');
    if (host.includes('@')) throw new PatternError('must hold no user or password');
  }
  const mark = withoutHash.indexOf('?');
  const dropsQuery = withoutHash.endsWith('?');
  const named = mark === -1 ? withoutHash : withoutHash.slice(0, mark);
  const path = pieces(isUrl ? named : fromPattern(named));
  const query = pieces(mark === -1 ? '' : withoutHash.slice(mark + 1).replace(/\?$/, ''));
  return {
    isUrl,
    fill: (captures) => ({
      path: join(path, captures, isUrl ? encodePath : (text) => text),
      query: join(query, captures, encodeValue),
      dropsQuery,
    }),
  };
}

function pieces(text: string): Piece[] {
  const found: Piece[] = [];
  let end = 0;
  for (const match of text.matchAll(placeholder)) {
    if (match.index > end) found.push(text.slice(end, match.index));
    const [whole, group, name = ''] = match;
    found.push(group === undefined ? { name } : { group: Number(group) });
    end = match.index + whole.length;
  }
  if (end < text.length) found.push(text.slice(end));
  return found;
}

function join(parts: readonly Piece[], captures: Captures, encode: (text: string) => string): string {
  let text = '';
  for (const part of parts) {
    if (typeof part === 'string') text += part;
    else if ('group' in part) text += encode(captures.groups[part.group - 1] ?? '');
    else text += encode(captures.named.get(part.name) ?? '');
  }
  return text;
}

/**
 * The query of the destination with what the request's adds: for a key that both have, the destination's wins.
 */
export function mergeQueries({ query, dropsQuery }: Filled, requested: string): string {
  if (dropsQuery || requested === '') return query;
  if (query === '') return requested;
  const own = new Set(new URLSearchParams(query).keys());
  const kept = requested.split('&').filter((pair) => {
    const [key] = new URLSearchParams(pair).keys();
    return key !== undefined && !own.has(key);
  });
  return [query, ...kept].join('&');
}
