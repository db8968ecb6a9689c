import { Problem } from '#core/problem.ts';

/** A key is no longer. */
const maxNameLength = 255;
/** Of all values together: references can multiply what a few variables hold. */
const maxResolvedCharacters = 4 * 1024 * 1024;

export interface Variable {
  value: string;
  sensitive: boolean;
}

/**
 * The variables with the references in their values replaced. One that refers to a sensitive one becomes sensitive: its
 * value would give the other away. References to what does not exist stay as they are. Throws `Problem('conflict')` for
 * a circle, naming it, and for values that grow beyond all reason.
 */
export function resolveReferences(variables: ReadonlyMap<string, Variable>): Map<string, Variable> {
  const resolved = new Map<string, Variable>();
  const path: string[] = [];
  let total = 0;

  const resolve = (key: string, variable: Variable): Variable => {
    const known = resolved.get(key);
    if (known) return known;
    if (path.includes(key)) throw circle([...path.slice(path.indexOf(key)), key]);
    path.push(key);
    let { sensitive } = variable;
    const value = replaceReferences(variable.value, (name, text) => {
      const other = variables.get(name);
      if (!other) return text;
      const target = resolve(name, other);
      sensitive ||= target.sensitive;
      total += target.value.length;
      if (total > maxResolvedCharacters) throw tooLarge();
      return target.value;
    });
    path.pop();
    const result = { value, sensitive };
    resolved.set(key, result);
    return result;
  };

  for (const [key, variable] of variables) resolve(key, variable);
  return resolved;
}

/**
 * Replaces each `${NAME}` by what `toValue` makes of it; `\\${NAME}` is meant literally. Reads the text once: what looks
 * like the start of a reference costs nothing more, however many there are.
 */
function replaceReferences(text: string, toValue: (name: string, text: string) => string): string {
  const next = { '}': -1, '=': -1, '\n': -1 };
  const nextOf = (mark: keyof typeof next, from: number): number => {
    if (next[mark] < from) {
      const found = text.indexOf(mark, from);
      next[mark] = found < 0 ? Number.POSITIVE_INFINITY : found;
    }
    return next[mark];
  };
  let result = '';
  let copied = 0;
  for (let at = text.indexOf('${'); at >= 0; at = text.indexOf('${', at)) {
    const start = at + 2;
    const end = nextOf('}', start);
    if (end === Number.POSITIVE_INFINITY) break;
    const isName =
      end > start && end - start <= maxNameLength && nextOf('=', start) > end && nextOf('\n', start) > end;
    if (!isName) {
      at = start;
      continue;
    }
    const isLiteral = at > copied && text[at - 1] === '\\';
    result += text.slice(copied, isLiteral ? at - 1 : at);
    const written = text.slice(at, end + 1);
    result += isLiteral ? written : toValue(text.slice(start, end), written);
    at = end + 1;
    copied = at;
  }
  return result + text.slice(copied);
}

function circle(path: string[]): Problem {
  const sentence = `The variables refer to each other in a circle: ${path.join(' → ')}. Break it to resolve them.`;
  return new Problem('conflict', sentence);
}

function tooLarge(): Problem {
  return new Problem(
    'conflict',
    `The values grow beyond ${maxResolvedCharacters} characters when they are resolved.`,
  );
}
