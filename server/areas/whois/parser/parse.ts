import type { WhoisRecord } from '../record.ts';
import { finish } from './finish.ts';
import { readLines } from './lines.ts';
import { read } from './reader.ts';

/** Reads a WHOIS answer of any registry or registrar. Never throws; takes time in proportion to the text, up to a bound. */
export function parseWhois(raw: string, domain: string): WhoisRecord {
  return finish(read(readLines(raw), domain));
}
