import { RE2JS, RE2JSSyntaxException } from 're2js';
import type { Guardrail } from '../rules/schema.ts';

/** A stretch of text, the end exclusive. */
export interface Range {
  start: number;
  end: number;
}

export interface Finder {
  /** What stands in place of what was found. */
  label: string;
  find(text: string): Range[];
  /** From where on a match may begin that is not complete yet, in a text that continues. */
  openFrom(text: string): number;
}

/** What is longer than this is not found in a stream in which it is split: so much is held back at most. */
export const heldCharacters = 2048;
const heldForPattern = 256;

/** Throws `RangeError` with a reason when it is no expression that runs in linear time. */
export function compilePattern(pattern: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(pattern));
  } catch (error) {
    if (!(error instanceof RE2JSSyntaxException)) throw error;
    throw new RangeError(error.message.replace(/^error parsing regexp: /, ''), { cause: error });
  }
}

export function finderOf({ type, pattern }: Guardrail): Finder {
  switch (type) {
    case 'card':
      return { label: '[redacted:card]', find: cards, openFrom: (text) => tailOf(text, /[\d -]/, 48) };
    case 'email':
      return { label: '[redacted:email]', find: emails, openFrom: (text) => tailOf(text, /\S/, 512) };
    case 'api_key':
      return { label: '[redacted:api_key]', find: keys, openFrom: openKey };
    case 'pattern': {
      const compiled = compilePattern(pattern ?? '');
      return {
        label: '[redacted:pattern]',
        find: (text) => matches(compiled, text),
        openFrom: (text) => Math.max(0, text.length - heldForPattern),
      };
    }
  }
}

function matches(compiled: RE2JS, text: string): Range[] {
  const found: Range[] = [];
  const matcher = compiled.matcher(text);
  while (matcher.find()) {
    const range = { start: matcher.start(), end: matcher.end() };
    if (range.end > range.start) found.push(range);
  }
  return found;
}

/** Where the last characters begin that are all of that kind, looking back so far at most. */
function tailOf(text: string, kind: RegExp, most: number): number {
  let at = text.length;
  while (at > 0 && text.length - at < most && kind.test(text.charAt(at - 1))) at--;
  return at;
}

/** Runs of digits, alone or in groups with one blank or hyphen between them. */
const digitRuns = /\d(?:[ -]?\d){12,}/g;

/** Numbers of payment cards: 13 to 19 digits whose check digit is right (ISO/IEC 7812-1, Annex B). */
function cards(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: run, index } of text.matchAll(digitRuns)) {
    const before = text.charAt(index - 1);
    if (/[\p{L}\d_.]/u.test(before) || /[\p{L}_]/u.test(text.charAt(index + run.length))) continue;
    const groups = [...run.matchAll(/\d+/g)].map((group) => ({
      start: index + group.index,
      end: index + group.index + group[0].length,
    }));
    // The number may stand beside others: whole groups are tried, the longest first.
    for (let first = 0; first < groups.length; first++) {
      for (let last = Math.min(groups.length, first + 10) - 1; last >= first; last--) {
        const { start } = groups[first] as Range;
        const { end } = groups[last] as Range;
        if (end - start > 40 || !isCard(text.slice(start, end).replace(/\D/g, ''))) continue;
        found.push({ start, end });
        first = last;
        break;
      }
    }
  }
  return found;
}

function isCard(digits: string): boolean {
  if (digits.length < 13 || digits.length > 19 || !/^[2-6]/.test(digits)) return false;
  let sum = 0;
  for (let at = 0; at < digits.length; at++) {
    const digit = digits.charCodeAt(digits.length - 1 - at) - 48;
    const doubled = at % 2 === 1 ? digit * 2 : digit;
    sum += doubled > 9 ? doubled - 9 : doubled;
  }
  return sum % 10 === 0;
}

/** Looks around each `@`, so far as an address may reach: the time is linear. */
function emails(text: string): Range[] {
  const found: Range[] = [];
  for (let at = text.indexOf('@'); at >= 0; at = text.indexOf('@', at + 1)) {
    const local = /[\p{L}\p{N}._%+'-]{1,64}$/u.exec(text.slice(Math.max(0, at - 64), at))?.[0];
    if (local === undefined) continue;
    const domain = /^(?:[\p{L}\p{N}](?:[\p{L}\p{N}-]{0,61}[\p{L}\p{N}])?\.){1,8}\p{L}{2,63}/u.exec(
      text.slice(at + 1, at + 257),
    )?.[0];
    if (domain !== undefined) found.push({ start: at - local.length, end: at + 1 + domain.length });
  }
  return found;
}

/** How keys of well-known makers begin, ours among them; JSON web tokens. Each matches without going back. */
const keyShapes = new RegExp(
  [
    /\b(?:sk|pk|rk)[-_](?:[a-z\d]{1,16}[-_]){0,3}[\w-]{16,512}/i,
    /\b(?:AKIA|ASIA)[A-Z\d]{16}\b/,
    /\bAIza[\w-]{30,64}/,
    /\b(?:gh[pousr]_|github_pat_|glpat-|npm_|pypi-|hf_|gsk_|xai-|pplx-|mst_|dop_v1_|shpat_|whsec_)[\w-]{16,512}/,
    /\bxox[a-z]-[\w-]{10,512}/,
    /\bSG\.[\w-]{16,64}\.[\w-]{16,128}/,
    /\beyJ[\w-]{8,4096}\.[\w-]{8,8192}\.[\w-]{8,1024}/,
  ]
    .map(({ source, flags }) => (flags.includes('i') ? `(?i:${source})` : source))
    .join('|'),
  'g',
);
const blockStart = '-----BEGIN ';

function keys(text: string): Range[] {
  const found: Range[] = [];
  for (const { 0: key, index } of text.matchAll(keyShapes))
    found.push({ start: index, end: index + key.length });
  // Private keys in PEM; one that is cut off counts to the end.
  for (let start = text.indexOf(blockStart); start >= 0; start = text.indexOf(blockStart, start + 1)) {
    if (!/^[A-Z ]{0,40}PRIVATE KEY-----/.test(text.slice(start + blockStart.length, start + 80))) continue;
    const foot = text.indexOf('-----END ', start);
    const close = foot < 0 ? -1 : text.indexOf('-----', foot + 9);
    const end = close < 0 ? text.length : close + 5;
    found.push({ start, end });
    start = end - 1;
  }
  return found;
}

function openKey(text: string): number {
  const tail = tailOf(text, /\S/, heldCharacters);
  const block = text.lastIndexOf('-----BEGIN');
  const isOpen = block >= 0 && text.indexOf('-----END', block) < 0;
  return isOpen ? Math.min(tail, block) : tail;
}
