import { RE2JS } from 're2js';

/** Against patterns that take longer to compile than to match; each is the text of one tenant. */
const maxCharacters = 4096;

/**
 * Whether a path matches a glob as a whole, in time that is linear in the path: a pattern that somebody else has written may
 * be made for backtracking. `*` and `?` stay within a segment, `**` does not, `[abc]` and `{a,b}` choose, a backslash takes the
 * next character as it is. Names that begin with a dot are names like others.
 */
export function globMatcher(pattern: string): (path: string) => boolean {
  if (!/[*?[{\\]/.test(pattern)) return (path) => path === pattern;
  if (pattern.length > maxCharacters) return () => false;
  const expression = RE2JS.compile(translated(pattern), RE2JS.DOTALL);
  return (path) => expression.matches(path);
}

function translated(pattern: string): string {
  let source = '';
  let depth = 0;
  for (let at = 0; at < pattern.length; ) {
    const rest = pattern.slice(at);
    const [token, expression] = stars(rest, at === 0 || pattern[at - 1] === '/') ??
      choice(rest, depth) ??
      set(rest) ?? [rest[0] === '\\' ? rest.slice(0, 2) : (rest[0] ?? ''), undefined];
    if (expression === '(?:') depth += 1;
    if (expression === ')') depth -= 1;
    source += expression ?? RE2JS.quote(token.length > 1 ? token.slice(1) : token);
    at += token.length;
  }
  return source;
}

type Translated = [token: string, expression: string];

function stars(rest: string, isAtStart: boolean): Translated | undefined {
  const [, slash = '', all = ''] = /^(\/?)(\*{2,})(?=\/|$)/.exec(rest) ?? [];
  // `a/**` is `a` and all that is in it, `**/a` is `a` wherever it is.
  if (all !== '' && slash !== '' && slash.length + all.length === rest.length) return [rest, '(?:/.*)?'];
  if (all !== '' && slash === '' && isAtStart)
    return rest[all.length] === '/' ? [`${all}/`, '(?:.*/)?'] : [all, '.*'];
  const [found = ''] = /^(?:\*+|\?)/.exec(rest) ?? [];
  if (found === '') return undefined;
  if (found === '?') return ['?', '[^/]'];
  const isSegment = isAtStart && (rest.length === found.length || rest[found.length] === '/');
  return [found, isSegment ? '[^/]+' : '[^/]*'];
}

/** Braces without a comma, or without an end, stand for themselves. */
function choice(rest: string, depth: number): Translated | undefined {
  if (rest[0] === '{' && /^\{[^{}]*(?:\{[^{}]*\}[^{}]*)*\}/.exec(rest)?.[0].includes(','))
    return ['{', '(?:'];
  if (depth === 0) return undefined;
  if (rest[0] === ',') return [',', '|'];
  return rest[0] === '}' ? ['}', ')'] : undefined;
}

function set(rest: string): Translated | undefined {
  const [token, not = '', members = ''] = /^\[([!^]?)(\]?[^\]/]*)\]/.exec(rest) ?? [];
  if (token === undefined || members === '') return undefined;
  const escaped = members.replace(/[\\[\]^&~]/g, '\\$&');
  try {
    RE2JS.compile(`[${escaped}]`);
  } catch {
    // Ranges the wrong way round: no set at all.
    return undefined;
  }
  return [token, not === '' ? `[${escaped}]` : `[^/${escaped}]`];
}
