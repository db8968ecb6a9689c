import type { Format } from '../declaration.ts';
import { adblock } from './adblock.ts';
import type { Found, LineParser } from './format.ts';
import { hosts } from './hosts.ts';
import { json, type Place } from './json.ts';
import { linesOf } from './lines.ts';
import { plain } from './plain.ts';

const lineParsers: Readonly<Partial<Record<Format, LineParser>>> = { plain, wildcard: plain, hosts, adblock };

/** Reads a list in one of the formats that are text. */
export async function parse(
  chunks: AsyncIterable<string> | Iterable<string>,
  feed: Place & { format: Format },
  found: Found,
): Promise<void> {
  const parseLine = lineParsers[feed.format];
  if (parseLine) {
    for await (const line of linesOf(chunks)) parseLine(line, found);
    return;
  }
  let text = '';
  for await (const chunk of chunks) text += chunk;
  json(text, found, feed);
}
