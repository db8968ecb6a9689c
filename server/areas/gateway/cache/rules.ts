import type { IncomingHttpHeaders } from 'node:http';

/** How long an answer may be kept, and what for afterwards. In seconds from when it was asked for. */
export interface Freshness {
  fresh: number;
  /** Behind that: served at once while it is asked for again (RFC 5861, 3). */
  whileRevalidate: number;
  /** Behind that: served when asking again fails (RFC 5861, 4). */
  ifError: number;
}

/** Every status that a shared cache may keep when it is told to, and that makes sense to a second visitor. */
const storable = new Set([200, 203, 204, 300, 301, 302, 307, 308, 404, 410]);
const maxSeconds = 31_536_000;

export type Headers = Readonly<Record<string, number | string | readonly string[] | undefined>>;

/**
 * What a shared cache may do with an answer (RFC 9111, 3 and 4.2.1). `CDN-Cache-Control` is for us and wins (RFC 9213);
 * without it only `Cache-Control` with `s-maxage` counts, since `max-age` is what its owner means for browsers. Null: not
 * to be kept.
 */
export function freshnessOf(status: number, headers: Headers): Freshness | null {
  if (!storable.has(status) || headers['set-cookie'] !== undefined) return null;
  const targeted = text(headers['cdn-cache-control']);
  const directives = parseDirectives(targeted ?? text(headers['cache-control']) ?? '');
  for (const refusing of ['no-store', 'no-cache', 'private']) if (directives.has(refusing)) return null;
  const shared = seconds(directives, 's-maxage');
  const total = shared ?? (targeted === undefined ? null : seconds(directives, 'max-age'));
  if (total === null) return null;
  const age = Math.max(0, Number(text(headers['age']) ?? 0) || 0);
  const mayBeStale = !directives.has('must-revalidate') && !directives.has('proxy-revalidate');
  const found = {
    fresh: Math.max(0, total - age),
    whileRevalidate: mayBeStale ? (seconds(directives, 'stale-while-revalidate') ?? 0) : 0,
    ifError: mayBeStale ? (seconds(directives, 'stale-if-error') ?? 0) : 0,
  };
  const isUseful = found.fresh > 0 || found.whileRevalidate > 0 || found.ifError > 0;
  return isUseful || text(headers['etag']) !== undefined ? found : null;
}

/** Whether a stored answer may be used for the request, and its answer be kept. */
export function mayUseCache(method: string | undefined, headers: IncomingHttpHeaders): boolean {
  if (method !== 'GET' && method !== 'HEAD') return false;
  if (headers.authorization !== undefined || headers.range !== undefined) return false;
  // A stream is never the same for two.
  return !/\btext\/event-stream\b/i.test(headers.accept ?? '');
}

/** The names of `Vary`, in lower case and in order; null for `*`, which matches no second request (RFC 9111, 4.1). */
export function varyOf(headers: Headers): string[] | null {
  const names = (text(headers['vary']) ?? '')
    .toLowerCase()
    .split(',')
    .map((name) => name.trim())
    .filter((name) => name !== '');
  return names.includes('*') ? null : [...new Set(names)].sort();
}

/** What an answer may be purged by. */
export function tagsOf(headers: Headers): string[] {
  const found = (text(headers['cache-tag']) ?? '').split(',').map((tag) => tag.trim());
  return [...new Set(found.filter((tag) => tag !== '' && tag.length <= 256))].slice(0, 64);
}

/** Names in lower case; of one that comes twice the first counts (RFC 9111, 4.2.1). */
function parseDirectives(value: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, name = '', quoted, token] of value.matchAll(
    /([\w-]+)\s*(?:=\s*(?:"([^"]*)"|([^\s,;]+)))?/g,
  )) {
    const key = name.toLowerCase();
    if (!found.has(key)) found.set(key, quoted ?? token ?? '');
  }
  return found;
}

/** A number that is none counts as zero: an answer whose owner made a mistake is not kept for long. */
function seconds(directives: ReadonlyMap<string, string>, name: string): number | null {
  const value = directives.get(name);
  if (value === undefined) return null;
  return /^\d+$/.test(value) ? Math.min(maxSeconds, Number(value)) : 0;
}

function text(value: number | string | readonly string[] | undefined): string | undefined {
  if (value === undefined) return undefined;
  return typeof value === 'object' ? value.join(', ') : String(value);
}
