import { parseEnv } from 'node:util';
import { Problem } from '#core/problem.ts';

/** The dotenv syntax, read and written by Node's own `util.parseEnv`. */

/** The variables of a dotenv file, in its order; of a key given twice the last counts. */
export function parseDotenv(content: string): Map<string, string> {
  refuseStrayLines(content.replace(/\r\n?/g, '\n'));
  return new Map(Object.entries(parseEnv(content) as Record<string, string>));
}

/** The parser passes over what it does not understand; whoever mistyped a line wants to know of it. */
function refuseStrayLines(text: string): void {
  for (let at = 0; at < text.length; ) {
    const newline = text.indexOf('\n', at);
    const end = newline < 0 ? text.length : newline;
    const line = text.slice(at, end);
    const isBlank = line.trim() === '' || line.trimStart().startsWith('#');
    if (!isBlank && !line.includes('=')) {
      const number = text.slice(0, at).split('\n').length;
      throw new Problem(
        'invalid_request',
        `Line ${number} of the content is not KEY=value. Nothing was imported.`,
      );
    }
    at = (isBlank ? end : endOfVariable(text, at, end)) + 1;
  }
}

/** Where the line ends on which the value ends: one in quotes may continue for several lines. */
function endOfVariable(text: string, start: number, lineEnd: number): number {
  const valueStart = start + (/^[^=]*=\s*/.exec(text.slice(start, lineEnd))?.[0].length ?? 0);
  const quote = text[valueStart] ?? '';
  if (!['"', "'", '`'].includes(quote)) return lineEnd;
  const closing = text.indexOf(quote, valueStart + 1);
  if (closing <= lineEnd) return lineEnd;
  const next = text.indexOf('\n', closing);
  return next < 0 ? text.length : next;
}

/** What needs no quotes in any shell or parser. */
const plainValue = /^[\w@%+:,./=-]*$/;
/** In this order: between single quotes nothing means anything. Without any as the last resort. */
const quotes = ["'", '"', '`', ''];
const plainKey = /^[A-Za-z_][\w.-]*$/;

/** The line that reads back as exactly this variable; undefined when the syntax has none. */
export function dotenvLine(key: string, value: string): string | undefined {
  if (!plainKey.test(key)) return undefined;
  if (plainValue.test(value)) return `${key}=${value}`;
  const lines = quotes.map((quote) => `${key}=${quote}${value}${quote}`);
  return lines.find((line) => {
    // A second variable behind it shows whether the quote really ends where it should.
    const parsed = parseEnv(`${line}\nEND=1\n`) as Record<string, string>;
    return parsed[key] === value && parsed['END'] === '1' && Object.keys(parsed).length === 2;
  });
}
