import type { WhoisRecord } from '../record.ts';
import { familyOf } from './families/index.ts';
import { finish } from './finish.ts';
import { MAX_CHARACTERS, readLines } from './lines.ts';
import { read } from './reader.ts';

/** Reads a WHOIS answer of any registry or registrar. Never throws; takes time in proportion to the text, up to a bound. */
export function parseWhois(raw: string, domain: string): WhoisRecord {
  const text = raw.length > MAX_CHARACTERS ? raw.slice(0, MAX_CHARACTERS) : raw;
  const family = familyOf(text, domain);
  const lines = readLines(text);
  const prepared = family.prepare?.(lines) ?? lines;
  const draft = read(prepared, domain);
  family.correct?.(draft, prepared);
  return finish(draft, family);
}
