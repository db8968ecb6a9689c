import { RE2JS } from 're2js';
import { fromPattern } from './pathname.ts';

/** What `$1` and `$name` stand for. Numbers count all groups from the left, named ones among them. */
export interface Captures {
  readonly groups: readonly string[];
  readonly named: ReadonlyMap<string, string>;
}

export interface PathPattern {
  /** What every match begins with, for an index: `/docs/` of `/docs/*`. */
  readonly prefix: string;
  /** The captures of a path that matches as a whole; null for another. Time is linear in the path. */
  match(path: string): Captures | null;
}

/** A pattern that cannot be used, with the reason for the owner of the deployment. */
export class PatternError extends Error {
  override name = 'PatternError';
}

const nothing: Captures = { groups: [], named: new Map() };
const parameter = /^:([A-Za-z_][A-Za-z0-9_]*)(\*)?/;

type Part =
  | { kind: 'text'; text: string }
  | { kind: 'segment'; name: string }
  | { kind: 'rest'; name: string | null }
  | { kind: 'group'; source: string; names: string[] };

/**
 * Compiles a `source`: literals, `:name` (one segment), `:name*` and `*` (any rest, slashes too), `(regex)` and
 * `(?<name>regex)`. A final `/*` also matches without its slash.
 */
export function compilePattern(source: string): PathPattern {
  if (!source.startsWith('/')) throw new PatternError('must begin with "/"');
  const parts = readParts(source);
  const [first] = parts;
  const literal = first?.kind === 'text' ? first.text : '';
  if (parts.length === 1 && first?.kind === 'text')
    return { prefix: literal, match: (path) => (path === literal ? nothing : null) };
  if (parts.length === 0) return { prefix: '', match: (path) => (path === '' ? nothing : null) };
  const last = parts.at(-1);
  const endsInRest = last?.kind === 'rest' && textBefore(parts).endsWith('/');
  // Without its slash: the prefix must not demand it.
  const prefix = endsInRest && parts.length === 2 ? literal.slice(0, -1) : literal;
  const names = parts.flatMap((part) => namesOf(part));
  return { prefix, match: matcher(parts, names, endsInRest) };
}

function textBefore(parts: readonly Part[]): string {
  const before = parts.at(-2);
  return before?.kind === 'text' ? before.text : '';
}

/** Null for a group without a name. */
function namesOf(part: Part): (string | null)[] {
  if (part.kind === 'text') return [];
  if (part.kind === 'group') return part.names.map((name) => name || null);
  return [part.name];
}

function readParts(source: string): Part[] {
  const parts: Part[] = [];
  let text = '';
  const flush = () => {
    if (text !== '') parts.push({ kind: 'text', text: fromPattern(text) });
    text = '';
  };
  for (let at = 0; at < source.length; ) {
    const rest = source.slice(at);
    const named = parameter.exec(rest);
    if (named) {
      const [whole, name = '', star] = named;
      flush();
      parts.push(star ? { kind: 'rest', name } : { kind: 'segment', name });
      at += whole.length;
    } else if (rest[0] === '*') {
      flush();
      parts.push({ kind: 'rest', name: null });
      at += 1;
    } else if (rest[0] === '(') {
      flush();
      const group = readGroup(rest);
      parts.push(group);
      at += group.source.length;
    } else {
      text += rest[0];
      at += 1;
    }
  }
  flush();
  const names = parts.flatMap(namesOf).filter((name) => name !== null);
  const twice = names.find((name, at) => names.indexOf(name) !== at);
  if (twice !== undefined) throw new PatternError(`names "${twice}" twice`);
  return parts;
}

/** A group up to its closing parenthesis, with a quantifier behind it, and the names of all groups inside. */
function readGroup(text: string): Part & { kind: 'group' } {
  let depth = 0;
  let inClass = false;
  for (let at = 0; at < text.length; at++) {
    const character = text[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') depth += 1;
    else if (character === ')' && --depth === 0) {
      const quantifier = /^[?*+]/.exec(text.slice(at + 1))?.[0] ?? '';
      const source = text.slice(0, at + 1) + quantifier;
      return { kind: 'group', source, names: groupNames(source) };
    }
  }
  throw new PatternError('has a "(" without its ")"');
}

/** The names of the capturing groups from the left, empty for one without a name. */
function groupNames(source: string): string[] {
  const names: string[] = [];
  let inClass = false;
  for (let at = 0; at < source.length; at++) {
    const character = source[at];
    if (character === '\\') at += 1;
    else if (inClass) inClass = character !== ']';
    else if (character === '[') inClass = true;
    else if (character === '(') {
      const named = /^\(\?P?<([A-Za-z_][A-Za-z0-9_]*)>/.exec(source.slice(at));
      if (named) names.push(named[1] ?? '');
      else if (source[at + 1] !== '?') names.push('');
    }
  }
  return names;
}

const special = /[.*+?^${}()|[\]\\/]/g;

function matcher(parts: readonly Part[], names: readonly (string | null)[], endsInRest: boolean) {
  const expression = parts
    .map((part, at) => {
      if (part.kind === 'segment') return '([^/]+)';
      if (part.kind === 'group') return part.source;
      if (part.kind === 'rest') return endsInRest && at === parts.length - 1 ? '(?:/(.*))?' : '(.*)';
      const text = endsInRest && at === parts.length - 2 ? part.text.slice(0, -1) : part.text;
      return text.replace(special, '\\$&');
    })
    .join('');
  const isSimple = parts.every((part, at) => cannotBacktrack(part, parts[at + 1], parts[at + 2]));
  const find = isSimple ? nativeFind(expression) : linearFind(expression, names.length);
  return (path: string): Captures | null => {
    const groups = find(path);
    if (!groups) return null;
    const named = new Map<string, string>();
    for (const [at, name] of names.entries()) if (name !== null) named.set(name, groups[at] ?? '');
    return { groups, named };
  };
}

/** Whether a backtracking engine passes this part at most once over the path. Everything else goes to a linear engine. */
function cannotBacktrack(part: Part, next: Part | undefined, afterNext: Part | undefined): boolean {
  if (part.kind === 'text') return true;
  if (part.kind === 'segment') return !next || (next.kind === 'text' && next.text.startsWith('/'));
  return part.kind === 'rest' && (!next || (next.kind === 'text' && !afterNext));
}

function nativeFind(expression: string): (text: string) => string[] | null {
  const compiled = new RegExp(`^${expression}$`, 'su');
  return (text) =>
    compiled
      .exec(text)
      ?.slice(1)
      .map((group) => group ?? '') ?? null;
}

/** RE2's syntax has no look-around and no back-references; its time is linear whatever the text. */
function linearFind(expression: string, count: number): (text: string) => string[] | null {
  const compiled = compileLinear(expression);
  return (text) => {
    const matcher = compiled.matcher(text);
    if (!matcher.matches()) return null;
    return Array.from({ length: count }, (_, at) => matcher.group(at + 1) ?? '');
  };
}

function compileLinear(expression: string): RE2JS {
  try {
    return RE2JS.compile(RE2JS.translateRegExp(expression), RE2JS.DOTALL);
  } catch (error) {
    const reason = (error as Error).message.replace(/^error parsing regexp: /, '');
    throw new PatternError(`is not a valid RE2 expression: ${reason}`);
  }
}

/** A pattern for a whole value, as `has` and `missing` take them. */
export function compileValue(value: string): (text: string) => Captures | null {
  if (!/[.*+?^${}()|[\]\\]/.test(value)) return (text) => (text === value ? nothing : null);
  const names = groupNames(value);
  const find = linearFind(value, names.length);
  return (text) => {
    const groups = find(text);
    if (!groups) return null;
    const named = new Map<string, string>();
    for (const [at, name] of names.entries()) if (name !== '') named.set(name, groups[at] ?? '');
    return { groups, named };
  };
}
