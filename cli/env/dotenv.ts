/** The syntax of `.env` files: what is written can be read back by every usual reader. */

const bare = /^[A-Za-z0-9_.\-/@:+]*$/;

export function formatDotenv(variables: readonly (readonly [key: string, value: string])[]): string {
  return variables.map(([key, value]) => `${key}=${bare.test(value) ? value : quoted(value)}\n`).join('');
}

const escapes: Record<string, string> = { '\\': '\\\\', '"': '\\"', '\n': '\\n', '\r': '\\r', '\t': '\\t' };

/**
 * Readers agree on what stands between single quotes, and between backticks but for shells; `\"` and `\\` between double
 * quotes mean different things to `node --env-file`, dotenv and shells, so that they are written only where nothing else can.
 */
function quoted(value: string): string {
  const quote = value.includes('\r') ? undefined : ["'", '`'].find((quote) => !value.includes(quote));
  if (quote !== undefined) return `${quote}${value}${quote}`;
  return `"${value.replace(/[\\"\n\r\t]/g, (sign) => escapes[sign] ?? sign)}"`;
}

const line =
  /^[ \t]*(?:export[ \t]+)?([\w.-]+)[ \t]*=[ \t]*(?:"((?:\\[\s\S]|[^"\\])*)"|'([^']*)'|`([^`]*)`|([^\r\n]*?))[ \t]*(?:[ \t]#[^\r\n]*)?$/gm;
const unescapes: Record<string, string> = { n: '\n', r: '\r', t: '\t' };

/** Double quotes know escapes; single quotes and backticks hold what they hold. Later lines win. */
export function parseDotenv(text: string): Map<string, string> {
  const found = new Map<string, string>();
  for (const [, key = '', double, single, backtick, plain] of text.matchAll(line)) {
    const value =
      double?.replace(/\\([\s\S])/g, (_, sign: string) => unescapes[sign] ?? sign) ??
      single ??
      backtick ??
      (plain?.startsWith('#') ? '' : plain) ??
      '';
    found.set(key, value);
  }
  return found;
}
