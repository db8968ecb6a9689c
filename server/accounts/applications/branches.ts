import { Problem } from '#core/problem.ts';

/** Branches that an environment takes: names, and patterns where `*` stands for any text. */

const maxLength = 255;

export function checkBranches(branches: readonly string[]): void {
  for (const branch of branches) {
    const wrong =
      (branch.trim() === '' && 'must not be empty') ||
      (branch.length > maxLength && `must be at most ${maxLength} characters long`) ||
      // As git itself refuses them (git-check-ref-format), but for the asterisk.
      (/[\s~^:?[\\\p{Cc}]|\.\.|@\{|\/\/|^\/|\/$|\.$|\.lock$/u.test(branch) && 'is not a valid branch name');
    if (wrong) throw new Problem('invalid_request', `The branch "${branch.slice(0, 100)}" ${wrong}.`);
  }
}

/** Whether the pattern means the branch. Linear in both: each asterisk is tried once, from left to right. */
export function takesBranch(pattern: string, branch: string): boolean {
  const [first = '', ...parts] = pattern.split('*');
  if (parts.length === 0) return pattern === branch;
  const last = parts.pop() as string;
  if (branch.length < first.length + last.length) return false;
  if (!branch.startsWith(first) || !branch.endsWith(last)) return false;
  let at = first.length;
  const end = branch.length - last.length;
  for (const part of parts) {
    const found = branch.indexOf(part, at);
    if (found < 0 || found + part.length > end) return false;
    at = found + part.length;
  }
  return true;
}

/** The environment that takes the branch: one that names it before one whose pattern means it. */
export function environmentForBranch<E extends { branches: readonly string[] }>(
  environments: readonly E[],
  branch: string,
): E | undefined {
  return (
    environments.find(({ branches }) => branches.includes(branch)) ??
    environments.find(({ branches }) => branches.some((pattern) => takesBranch(pattern, branch)))
  );
}
