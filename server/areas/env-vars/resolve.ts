import { Problem } from '#core/problem.ts';

/** `${OTHER}` in a value, and `\${OTHER}`, which is meant literally. */
const reference = /\\?\$\{([^}=\n]{1,255})\}/g;
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
    const value = variable.value.replace(reference, (text, name: string) => {
      if (text.startsWith('\\')) return text.slice(1);
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
