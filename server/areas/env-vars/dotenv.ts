import { parseEnv } from 'node:util';
import { Problem } from '#core/problem.ts';

/** The dotenv syntax, read and written by Node's own `util.parseEnv`. */

/** The variables of a dotenv file, in its order; of a key given twice the last counts. */
export function parseDotenv(content: string): Map<string, string> {
  const parsed = new Map(Object.entries(parseEnv(content) as Record<string, string>));
  for (const key of parsed.keys()) {
    // A line without "=" runs into the key of the next one.
    const line = key.split('\n', 1)[0] ?? '';
    if (key.includes('\n'))
      throw new Problem('invalid_request', `The line "${line.slice(0, 80)}" is not KEY=value.`);
  }
  return parsed;
}

const quotes = ['', "'", '"', '`'];
const plainKey = /^[A-Za-z_][\w.-]*$/;

/** The line that reads back as exactly this variable; undefined when the syntax has none. */
export function dotenvLine(key: string, value: string): string | undefined {
  if (!plainKey.test(key)) return undefined;
  const lines = quotes.map((quote) => `${key}=${quote}${value}${quote}`);
  return lines.find((line) => {
    // A second variable behind it shows whether the quote really ends where it should.
    const parsed = parseEnv(`${line}\nEND=1\n`) as Record<string, string>;
    return parsed[key] === value && parsed['END'] === '1' && Object.keys(parsed).length === 2;
  });
}
