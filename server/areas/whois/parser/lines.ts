import { type Meaning, meaningOf } from './labels.ts';
import { MAX_COLUMN_LABEL, splitLabel, unquoted } from './split-label.ts';

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
  /** What the label says, or a line that may be a header without a colon; null where nobody knows. */
  readonly meaning: Meaning | null;
  /** The first line, or a blank line stands before it. */
  readonly startsParagraph: boolean;
}

/** Answers are far smaller; what lies beyond is not read, so that no text costs more than this. */
export const MAX_CHARACTERS = 262_144;
const MAX_LINES = 10_000;
const MAX_LINE = 2_000;

const LOWER_CASE = 32;
const LETTER_A = 97;
const LETTER_D = 100;
const LETTER_Z = 122;
const TAB = 9;
const BLANK = 32;
const NO_BREAK_SPACE = 160;

/** The lines that carry data: no blank ones, no comments. */
export function readLines(text: string): Line[] {
  const lines: Line[] = [];
  let startsParagraph = true;
  /** After ">>> Last update of WHOIS database" come pages of terms. */
  let terms = false;
  const hasTabs = text.includes('\t');
  let at = text.charCodeAt(0) === 0xfeff ? 1 : 0;
  while (at < text.length && lines.length < MAX_LINES) {
    let end = text.indexOf('\n', at);
    if (end < 0) end = text.length;
    let limit = Math.min(end, at + MAX_LINE);
    const { start, indent } = skipBlanks(text, at, limit);
    while (limit > start && text.charCodeAt(limit - 1) <= BLANK) limit--;
    at = end + 1;
    if (start >= limit) {
      startsParagraph = true;
      continue;
    }
    const code = text.charCodeAt(start) | LOWER_CASE;
    // Only another record ends the terms of use: "DOMAIN: example.st".
    if (terms && code !== LETTER_D) continue;
    const trimmed = text.slice(start, limit);
    let data: string | null = trimmed;
    if (code < LETTER_A || code > LETTER_Z) {
      terms ||= trimmed.startsWith('>>> Last update');
      data = isComment(trimmed) ? commentedHeader(trimmed) : withoutOrnament(trimmed);
      if (data === null) continue;
    }
    const { label, value } = splitLabel(data);
    if (terms) {
      const meaning = label === null ? null : meaningOf(label);
      if (meaning?.kind !== 'domain' || meaning.field !== 'name') continue;
      terms = false;
    }
    // What a server says before its first label is about itself.
    if (label === null && lines.length === 0 && data.length > MAX_COLUMN_LABEL) continue;
    const line = lineOf(data, indent, label, value, startsParagraph);
    const second = hasTabs && label !== null ? secondLabel(line) : null;
    if (second === null) lines.push(line);
    else lines.push({ ...line, value: value.slice(0, value.indexOf('\t')).trim() }, second);
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
  return text.startsWith('- ') ? unquoted(text.slice(2).trim()) : text;
}

function lineOf(
  text: string,
  indent: number,
  label: string | null,
  value: string,
  startsParagraph: boolean,
): Line {
  const header = text.length <= MAX_COLUMN_LABEL ? text : null;
  const meaning = label !== null ? meaningOf(label) : header !== null ? meaningOf(header) : null;
  return { text, indent, label, value, meaning, startsParagraph };
}

/** The line with another label, or with another value. */
export function relabelled(line: Line, label: string, value: string = line.value): Line {
  return { ...line, label, value, meaning: meaningOf(label) };
}

/** "Domain name: example.com.fj	Status: Active": two labels in one line. */
function secondLabel(line: Line): Line | null {
  const tab = line.value.indexOf('\t');
  if (tab < 0) return null;
  const text = line.value.slice(tab).trim();
  const { label, value } = splitLabel(text);
  const second = lineOf(text, line.indent, label, value, false);
  return label === null || second.meaning === null ? null : second;
}

/** The first character of a line that is no blank, and the columns before it. */
function skipBlanks(text: string, from: number, to: number): { start: number; indent: number } {
  let indent = 0;
  let start = from;
  for (; start < to; start++) {
    const code = text.charCodeAt(start);
    if (code === TAB) indent += 8 - (indent % 8);
    else if (code === BLANK || code === NO_BREAK_SPACE) indent++;
    else if (code > BLANK) break;
  }
  return { start, indent };
}
