import type { Option } from '../core/describe.ts';
import { globals } from '../core/globals.ts';
import type { Node } from '../core/parse.ts';

export interface Candidate {
  word: string;
  summary: string;
}

/** What can stand where the last of the words is; none where files can. */
export function candidates(root: Node, words: readonly string[], profiles: readonly string[]): Candidate[] {
  const current = words.at(-1) ?? '';
  let node = root;
  let taken = 0;
  let awaited: [string, Option] | undefined;
  for (const word of words.slice(0, -1)) {
    if (awaited) {
      awaited = undefined;
      continue;
    }
    if (word === '--') return [];
    if (word.startsWith('-')) {
      const found = optionOf(node, word);
      if (found && found[1].type !== 'boolean' && !word.includes('=')) awaited = found;
      continue;
    }
    const child = node.children?.find(({ description }) =>
      [description.name, ...(description.aliases ?? [])].includes(word),
    );
    if (child) node = child;
    else taken += 1;
  }
  const begins = (all: Candidate[]) => all.filter(({ word }) => word.startsWith(current));
  if (awaited) return begins(valuesOf(awaited, profiles));
  const equals = /^--([\w-]+)=/.exec(current);
  if (equals) {
    const found = optionOf(node, current);
    return found
      ? begins(valuesOf(found, profiles).map((one) => ({ ...one, word: `--${equals[1]}=${one.word}` })))
      : [];
  }
  if (current.startsWith('-')) {
    const options = { ...node.description.options, ...globals.options } as Record<string, Option>;
    return begins(Object.entries(options).map(([name, { summary }]) => ({ word: `--${name}`, summary })));
  }
  if (node.children && taken === 0)
    return begins(
      node.children
        .filter(({ description }) => !description.name.startsWith('__'))
        .map(({ description: { name, summary } }) => ({ word: name, summary })),
    );
  const argument = Object.values(node.description.arguments ?? {})[taken];
  return begins((argument?.choices ?? []).map((word) => ({ word, summary: '' })));
}

function optionOf(node: Node, word: string): [string, Option] | undefined {
  const options = { ...node.description.options, ...globals.options } as Record<string, Option>;
  const name = word.replace(/^--?/, '').split('=')[0] ?? '';
  return Object.entries(options).find(([long, { short }]) =>
    word.startsWith('--') ? long === name : short === name,
  );
}

function valuesOf([name, { choices }]: [string, Option], profiles: readonly string[]): Candidate[] {
  return (name === 'profile' ? profiles : (choices ?? [])).map((word) => ({ word, summary: '' }));
}
