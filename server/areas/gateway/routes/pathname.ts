/**
 * Paths of requests, of published files and of route patterns in one form, so that they compare as strings: decoded UTF-8 in
 * which a percent sign stands only in `%2F` (a slash that separates nothing) and `%25` (a percent sign).
 */

const separator = /^2f$/i;

/** The path in that form; null when it is one that must be answered by 400. */
export function normalizePath(raw: string): string | null {
  if (!raw.startsWith('/') || raw.includes('\\') || raw.includes('\0')) return null;
  const decoded = raw.includes('%') ? decodePath(raw) : raw;
  if (decoded === null || decoded.includes('\\') || decoded.includes('\0')) return null;
  for (let at = 0; at !== -1; at = decoded.indexOf('/', at + 1)) {
    if (decoded[at + 1] !== '.') continue;
    const end = decoded.indexOf('/', at + 1);
    const segment = decoded.slice(at + 1, end === -1 ? undefined : end);
    if (segment === '.' || segment === '..') return null;
  }
  return decoded;
}

/** Decodes everything but slashes and percent signs; null when a sequence is broken or the bytes are not UTF-8. */
function decodePath(raw: string): string | null {
  if (/%(?![0-9a-f]{2})/i.test(raw)) return null;
  const kept = raw.replace(/%(2f|25)/gi, (_, code: string) => (separator.test(code) ? '%252F' : '%2525'));
  try {
    return decodeURIComponent(kept);
  } catch {
    return null;
  }
}

/** A file's name, or a literal of a pattern, in the same form: `100%` becomes `100%25`. */
export function fromFileName(name: string): string {
  return name.replaceAll('%', '%25');
}

/** Text of a pattern: a well-formed escape counts as one, any other percent sign as itself. */
export function fromPattern(text: string): string {
  const escaped = text.replace(/%(?![0-9a-f]{2})/gi, '%25');
  return decodePath(escaped) ?? fromFileName(text);
}

/** As it is written into a URL: what a path cannot hold is percent-encoded. */
export function encodePath(path: string): string {
  return path.replace(/[^A-Za-z0-9\-._~!$&'()*+,;=:@/%]+/g, encodeURIComponent);
}

/** For a query value: everything that would end or split it is encoded too; `%2F` and `%25` count as what they stand for. */
export function encodeValue(text: string): string {
  return encodeURIComponent(text).replace(/%25(2F|25)/gi, '%$1');
}
