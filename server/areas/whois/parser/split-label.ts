import { longestLabel, meaningOf } from './labels.ts';

/** Labels are short; the longest ones carry an explanation in brackets. */
const MAX_LABEL = 200;
/** Labels without a colon, and headers, are shorter still. */
export const MAX_COLUMN_LABEL = 40;
const BLANK = 32;
const OPEN_BRACKET = 40;
const AT_SIGN = 64;

/** A long line whose beginning holds nothing that sets a label apart. */
function isSentence(text: string): boolean {
  const head = text.slice(0, longestLabel);
  const point = head.indexOf('. ');
  return (
    (point < 0 || point > MAX_COLUMN_LABEL) &&
    !head.includes('\t') &&
    !head.includes('   ') &&
    !head.includes('...')
  );
}

/** A line taken apart; the label is null, and the value all of it, where it has none. */
export interface Labelled {
  readonly label: string | null;
  readonly value: string;
}

/** Takes a line apart at the colon, dots, bracket or gap that ends its label. */
export function splitLabel(text: string): Labelled {
  const bracketed = splitBracket(text);
  if (bracketed) return bracketed;
  const colon = labelColon(text);
  // Sentences: long, and without any mark of a label.
  if (colon < 0 && text.length > MAX_COLUMN_LABEL && isSentence(text)) return { label: null, value: text };
  const dots = text.indexOf('...');
  // "Created on..............: 2001-Aug-23.", "Registrar:..........ELB", "Domain Name.......... example.com"
  if (dots > 0 && dots < MAX_LABEL && (colon < 0 || dots < colon || onlyDots(text, colon + 1, dots))) {
    let end = dots;
    while (text[end] === '.') end++;
    const start = skipBlanks(text, end);
    return labelled(text, dots, text[start] === ':' ? start + 1 : start);
  }
  return colon > 0 ? labelled(text, colon, colon + 1) : splitColumn(text);
}

function onlyDots(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === '';
}

function labelled(text: string, labelEnd: number, valueStart: number): Labelled {
  let end = labelEnd;
  while (end > 0 && text.charCodeAt(end - 1) <= BLANK) end--;
  const label = text.slice(0, end);
  return hasLetter(label)
    ? { label, value: unquoted(text.slice(skipBlanks(text, valueStart))) }
    : { label: null, value: text };
}

const QUOTE = 34;
const APOSTROPHE = 39;
const OPEN_SQUARE = 91;

/** As YAML and JSON write texts and lists: `"Jane Doe",`, `[ns1.example.org, 'ns2.example.org']`. */
export function unquoted(text: string): string {
  const code = text.charCodeAt(0);
  if (code !== QUOTE && code !== APOSTROPHE && code !== OPEN_SQUARE) return text;
  const end = text.endsWith(',') ? text.length - 1 : text.length;
  const inner = text.slice(1, end - 1);
  if (code === OPEN_SQUARE)
    return text[end - 1] === ']' && !inner.includes('[') ? inner.replace(/["']/g, '').trim() : text;
  return end > 1 && text.charCodeAt(end - 1) === code ? inner : text;
}

function skipBlanks(text: string, from: number): number {
  let at = from;
  while (at < text.length && text.charCodeAt(at) <= BLANK) at++;
  return at;
}

function hasLetter(text: string): boolean {
  for (let at = 0; at < text.length; at++) {
    const code = text.charCodeAt(at);
    if ((code >= 97 && code <= 122) || (code >= 65 && code <= 90) || code > 191) return true;
  }
  return false;
}

/** "[Domain Name]   EXAMPLE.JP", "a. [Domain Name]  EXAMPLE.JP", "[Holder]". */
function splitBracket(text: string): Labelled | null {
  const open = text[0] === '[' ? 0 : text.startsWith('. [', 1) ? 3 : -1;
  if (open < 0) return null;
  const close = text.indexOf(']', open);
  if (close < 0 || close > MAX_LABEL) return null;
  const name = text.slice(open + 1, close).trim();
  const rest = text.slice(close + 1).trim();
  // "[owner-c] city: Berlin" is a label of two parts.
  const colon = labelColon(rest);
  if (open === 0 && colon > 0) {
    const label = rest.slice(0, colon);
    const party = name.toLowerCase() === 'domain' ? '' : `${name} `;
    return { label: `${party}${label}`, value: rest.slice(colon + 1).trim() };
  }
  return hasLetter(name) ? { label: name, value: rest } : { label: null, value: text };
}

const endsInNumber = /(?:^|[^a-z])\d{1,4}$/i;

function isDigit(text: string, at: number): boolean {
  const code = text.charCodeAt(at);
  return code >= 48 && code <= 57;
}

/** The colon that ends a label; -1 when the first colon belongs to a time, a URL or an address. */
function labelColon(text: string): number {
  let colon = text.indexOf(':');
  for (let at = 0; at < colon && at < MAX_LABEL; at++) {
    const code = text.charCodeAt(at);
    if (code === AT_SIGN) return -1;
    if (code !== OPEN_BRACKET) continue;
    // A colon inside brackets belongs to their remark.
    const close = text.indexOf(')', at);
    if (close > colon) colon = text.indexOf(':', close);
    break;
  }
  if (colon <= 0 || colon > MAX_LABEL || text.startsWith('//', colon + 1)) return -1;
  // "at 10:30", "2001:db8::1"; but "Street1:5 High Street" is a label.
  const isTime =
    isDigit(text, colon - 1) && isDigit(text, colon + 1) && endsInNumber.test(text.slice(0, colon));
  return isTime ? -1 : colon;
}

function startsUpperCase(text: string): boolean {
  const code = text.charCodeAt(0);
  return code >= 65 && code <= 90;
}

const separators = ['\t', '   ', '. '];

/** "Domain-name         example.sk", "Organisation Address. 1 High Street": a known label without a colon. */
function splitColumn(text: string): Labelled {
  if (
    text.endsWith('.') &&
    text.length <= MAX_COLUMN_LABEL &&
    meaningOf(text.slice(0, -1))?.kind === 'party field'
  ) {
    return { label: text.slice(0, -1), value: '' };
  }
  for (const separator of separators) {
    const at = text.indexOf(separator);
    if (at <= 0 || at > MAX_COLUMN_LABEL) continue;
    const label = text.slice(0, at).trim();
    // A sentence ends in a point too, but has more words than a label; its last words may stand in a line of their own.
    if (separator === '. ' && (label.indexOf(' ') !== label.lastIndexOf(' ') || !startsUpperCase(label)))
      continue;
    if (meaningOf(label) !== null) return { label, value: text.slice(at + separator.length).trim() };
  }
  return { label: null, value: text };
}
