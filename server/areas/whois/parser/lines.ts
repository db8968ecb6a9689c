import { meaningOf } from './labels.ts';

/** One line of an answer, taken apart. */
export interface Line {
  /** Without surrounding blanks. */
  readonly text: string;
  /** Columns of blanks before it; a tab reaches to the next multiple of eight. */
  readonly indent: number;
  /** What stands before the colon (or its like); null when the line has none. */
  readonly label: string | null;
  /** What stands after it; the whole line when it has no label. */
  readonly value: string;
  /** The first line, or a blank line stands before it. */
  readonly startsParagraph: boolean;
}

/** Answers are far smaller; what lies beyond is not read, so that no text costs more than this. */
export const MAX_CHARACTERS = 262_144;
const MAX_LINES = 10_000;
const MAX_LINE = 2_000;
/** Labels are short; the longest ones carry an explanation in brackets. */
const MAX_LABEL = 200;
const MAX_COLUMN_LABEL = 40;

/** The lines that carry data: no blank ones, no comments. */
export function readLines(text: string): Line[] {
  const lines: Line[] = [];
  let startsParagraph = true;
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length && lines.length < MAX_LINES) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    const whole = text.slice(at, Math.min(end, at + MAX_LINE));
    at = end + 1;
    const trimmed = whole.trim();
    if (trimmed === '') {
      startsParagraph = true;
      continue;
    }
    const data = isComment(trimmed) ? commentedHeader(trimmed) : withoutOrnament(trimmed);
    if (data === null) continue;
    const line = readLine(whole, data, startsParagraph);
    lines.push(...splitPair(line));
    startsParagraph = false;
  }
  return lines;
}

function isComment(text: string): boolean {
  return (
    text[0] === '%' || text[0] === '#' || text[0] === ';' || text.startsWith('>>>') || text.startsWith('--')
  );
}

/** "% Administrative Contacts:" is a comment to machines, and the only header there is. */
function commentedHeader(text: string): string | null {
  if (!text.endsWith(':') || text.length > MAX_COLUMN_LABEL) return null;
  const header = text.slice(1).trim();
  return meaningOf(header.slice(0, -1))?.kind === 'party' ? header : null;
}

/** "** Registrant:", "- ns1.example.org": the marks of headers and lists say nothing. */
function withoutOrnament(text: string): string {
  if (text.startsWith('** ') && !text.endsWith('*')) return text.slice(3).trim();
  return text.startsWith('- ') ? text.slice(2).trim() : text;
}

function readLine(whole: string, text: string, startsParagraph: boolean): Line {
  const { label, value } = splitLabel(text);
  return { text, indent: indentOf(whole), label, value, startsParagraph };
}

/** "Domain name: example.com.fj	Status: Active": two labels in one line. */
function splitPair(line: Line): Line[] {
  const tab = line.label === null ? -1 : line.value.indexOf('\t');
  if (tab < 0) return [line];
  const second = line.value.slice(tab).trim();
  const { label, value } = splitLabel(second);
  if (label === null || meaningOf(label) === null) return [line];
  const first = { ...line, value: line.value.slice(0, tab).trim() };
  return [first, { text: second, indent: line.indent, label, value, startsParagraph: false }];
}

function indentOf(whole: string): number {
  let columns = 0;
  for (const character of whole) {
    if (character === '\t') columns += 8 - (columns % 8);
    else if (character === ' ' || character === '\u00a0') columns++;
    else if (character !== '\r') break;
  }
  return columns;
}

interface Labelled {
  label: string | null;
  value: string;
}

function splitLabel(text: string): Labelled {
  const bracketed = splitBracket(text);
  if (bracketed) return bracketed;
  const colon = labelColon(text);
  const dots = text.indexOf('...');
  // "Created on..............: 2001-Aug-23.", "Registrar:..........ELB", "Domain Name.......... example.com"
  if (dots > 0 && dots < MAX_LABEL && (colon < 0 || dots < colon || onlyDots(text, colon + 1, dots))) {
    let end = dots;
    while (text[end] === '.') end++;
    const rest = text.slice(end).trimStart();
    return labelled(text.slice(0, dots), rest.startsWith(':') ? rest.slice(1) : rest, text);
  }
  if (colon > 0) return labelled(text.slice(0, colon), text.slice(colon + 1), text);
  return splitColumn(text);
}

function onlyDots(text: string, from: number, to: number): boolean {
  return text.slice(from, to).trim() === '';
}

function labelled(label: string, value: string, text: string): Labelled {
  const name = label.trim();
  return /\p{L}/u.test(name) ? { label: name, value: value.trim() } : { label: null, value: text };
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
  if (open === 0 && colon > 0)
    return labelled(`${name} ${rest.slice(0, colon)}`, rest.slice(colon + 1), text);
  return labelled(name, rest, text);
}

/** The colon that ends a label; -1 when the first colon belongs to a time, a URL or an address. */
function labelColon(text: string): number {
  let colon = text.indexOf(':');
  // A colon inside brackets belongs to their remark.
  const open = text.indexOf('(');
  if (open >= 0 && open < colon) {
    const close = text.indexOf(')', open);
    if (close > colon) colon = text.indexOf(':', close);
  }
  if (colon <= 0 || colon > MAX_LABEL) return -1;
  const before = text.slice(0, colon).trimEnd();
  if (text.startsWith('//', colon + 1)) return -1;
  if (/(^|[^a-z])\d+$/i.test(before.slice(-4)) && /\d/.test(text[colon + 1] ?? '')) return -1;
  return before.includes('@') ? -1 : colon;
}

/** "Domain-name         example.sk", "Organisation Address. 1 High Street": a known label without a colon. */
function splitColumn(text: string): Labelled {
  for (const separator of ['\t', '   ', '. ']) {
    const at = text.indexOf(separator);
    if (at <= 0 || at > MAX_COLUMN_LABEL) continue;
    const label = text.slice(0, at).trim();
    if (meaningOf(label) !== null) return { label, value: text.slice(at + separator.length).trim() };
  }
  return { label: null, value: text };
}
