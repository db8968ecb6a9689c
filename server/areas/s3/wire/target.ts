import { S3Error } from '../errors.ts';

/** What a request's address names: bucket, key and query, decoded once and for all. */

export interface Target {
  /** Of the path as it was sent, decoded; begins with a slash. What was signed. */
  path: string;
  bucket: string | undefined;
  key: string | undefined;
  query: Query;
}

export class Query {
  /** In their order, decoded. */
  readonly pairs: readonly (readonly [name: string, value: string])[];
  readonly #first: ReadonlyMap<string, string>;

  constructor(pairs: readonly (readonly [string, string])[]) {
    this.pairs = pairs;
    this.#first = new Map([...pairs].reverse());
  }

  has(name: string): boolean {
    return this.#first.has(name);
  }

  get(name: string): string | undefined {
    return this.#first.get(name);
  }

  /** Whether a name that must not stand twice does. */
  isRepeated(name: string): boolean {
    return this.pairs.filter(([found]) => found === name).length > 1;
  }
}

const maxPairs = 200;

/**
 * `base` stands before the bucket and belongs to what is signed. `host` names the bucket where the domain of the endpoint
 * is known and the host is under it.
 */
export function readTarget(
  url: string,
  { base, host, domain }: { base: string; host: string | undefined; domain: string | undefined },
): Target {
  const at = url.indexOf('?');
  const path = decode(at < 0 ? url : url.slice(0, at));
  const query = readQuery(at < 0 ? '' : url.slice(at + 1));
  const rest = path.slice(base.length + 1);
  const hosted = domain === undefined ? undefined : bucketOfHost(host ?? '', domain);
  if (hosted !== undefined) return { path, bucket: hosted, key: rest === '' ? undefined : rest, query };
  const slash = rest.indexOf('/');
  const bucket = slash < 0 ? rest : rest.slice(0, slash);
  const key = slash < 0 ? '' : rest.slice(slash + 1);
  return { path, bucket: bucket === '' ? undefined : bucket, key: key === '' ? undefined : key, query };
}

function bucketOfHost(host: string, domain: string): string | undefined {
  const name = host.toLowerCase().replace(/:\d+$/, '');
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : undefined;
}

export function decode(text: string): string {
  if (!text.includes('%')) return text;
  try {
    return decodeURIComponent(text);
  } catch {
    throw new S3Error('InvalidURI');
  }
}

export function readQuery(text: string): Query {
  if (text === '') return new Query([]);
  const parts = text.split('&');
  if (parts.length > maxPairs) throw new S3Error('InvalidURI');
  const pairs = parts
    .filter((part) => part !== '')
    .map((part) => {
      const at = part.indexOf('=');
      const value = at < 0 ? '' : part.slice(at + 1).replaceAll('+', ' ');
      return [decode((at < 0 ? part : part.slice(0, at)).replaceAll('+', ' ')), decode(value)] as const;
    });
  return new Query(pairs);
}

/** RFC 3986 as Signature V4 wants it: everything but letters, digits and `-._~` is escaped. */
export function encodeForSigning(text: string): string {
  return encodeURIComponent(text).replace(
    /[!'()*]/g,
    (c) => `%${c.charCodeAt(0).toString(16).toUpperCase()}`,
  );
}

/** The same, with slashes left alone. */
export function encodePath(path: string): string {
  return path.split('/').map(encodeForSigning).join('/');
}
