import { parseArgs } from 'node:util';
import type { Description, Given, Option } from './describe.ts';
import { wrongUsage } from './failure.ts';
import { type Globals, globals } from './globals.ts';

/** A command, or a group of them. */
export interface Node {
  description: Description;
  children?: readonly Node[];
  load?: () => Promise<{ run: Run }>;
}

// biome-ignore lint/suspicious/noExplicitAny: each command knows its own description.
type Run = (context: any, given: any) => Promise<unknown>;

export interface Parsed {
  /** From the root to the command. */
  path: readonly Node[];
  given: Given;
  globals: Globals;
}

/** Finds the command that the words name, and reads its options and arguments. */
export function parse(root: Node, words: readonly string[]): Parsed {
  const { path, rest } = walk(root, words);
  const node = path.at(-1) ?? root;
  const { description } = node;
  const options: Record<string, Option> = { ...globals.options, ...description.options };
  const [mine, passed] = description.passesOn ? splitPassed(rest, options) : [rest, []];
  const { values, positionals } = read(mine, options, path);
  const all = [...positionals, ...passed];
  const globalValues = Object.fromEntries(
    Object.keys(globals.options).map((name) => [name, optionValue(name, options[name] as Option, values)]),
  ) as unknown as Globals;
  if (node.children && all[0] !== undefined && !globalValues.help)
    throw unknownCommand(all[0], node.children, path);
  if (globalValues.help || !node.load)
    return { path, given: { arguments: {}, options: {} }, globals: globalValues };
  const own = Object.entries(description.options ?? {}).map(([name, option]) => [
    name,
    optionValue(name, option, values),
  ]);
  return {
    path,
    given: { arguments: argumentsOf(node, path, all), options: Object.fromEntries(own) },
    globals: globalValues,
  };
}

/** The words of the command are taken out wherever options stand between them. */
function walk(root: Node, words: readonly string[]): { path: Node[]; rest: string[] } {
  const path = [root];
  const rest: string[] = [];
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    const children = path.at(-1)?.children;
    if (!children || word === '--') return { path, rest: [...rest, ...words.slice(at)] };
    if (word.startsWith('-')) {
      rest.push(word);
      const option = optionOf(word, globals.options);
      if (option && option.type !== 'boolean' && !word.includes('=')) rest.push(...words.slice(++at, at + 1));
      continue;
    }
    const child = children.find(
      ({ description }) => description.name === word || description.aliases?.includes(word),
    );
    if (!child) return { path, rest: [...rest, ...words.slice(at)] };
    path.push(child);
  }
  return { path, rest };
}

function optionOf(word: string, options: Readonly<Record<string, Option>>): Option | undefined {
  const name = word.replace(/^--?/, '').split('=')[0] ?? '';
  if (word.startsWith('--')) return Object.hasOwn(options, name) ? options[name] : undefined;
  return Object.values(options).find((option) => option.short === name);
}

/** What stands behind `--`, or from the first word that is no option on. */
function splitPassed(words: readonly string[], options: Record<string, Option>): [string[], string[]] {
  for (let at = 0; at < words.length; at++) {
    const word = words[at] as string;
    if (word === '--') return [words.slice(0, at), words.slice(at + 1)];
    if (!word.startsWith('-')) return [words.slice(0, at), words.slice(at)];
    const option = optionOf(word, options);
    if (option && option.type !== 'boolean' && !word.includes('=')) at++;
  }
  return [[...words], []];
}

type Values = Record<string, string | boolean | (string | boolean)[] | undefined>;

function read(
  words: string[],
  options: Record<string, Option>,
  path: readonly Node[],
): { values: Values; positionals: string[] } {
  const config = Object.fromEntries(
    Object.entries(options).map(([name, { type, short, multiple }]) => [
      name,
      {
        type: type === 'boolean' ? ('boolean' as const) : ('string' as const),
        ...(short === undefined ? {} : { short }),
        ...(multiple === undefined ? {} : { multiple }),
      },
    ]),
  );
  try {
    const { values, positionals } = parseArgs({ args: words, options: config, allowPositionals: true });
    return { values, positionals };
  } catch (error) {
    const { message } = error as Error;
    const name = /'(--?[^' =]+)/.exec(message)?.[1];
    const isUnknown = (error as NodeJS.ErrnoException).code === 'ERR_PARSE_ARGS_UNKNOWN_OPTION';
    const near = isUnknown && name ? nearest(name.replace(/^-+/, ''), Object.keys(options)) : undefined;
    const sentence = isUnknown ? `Unknown option ${name}.` : message.split('. ')[0];
    throw wrongUsage(`${sentence}`.replace(/\.?$/, '.'), near ? `Did you mean --${near}?` : helpLine(path));
  }
}

function optionValue(name: string, option: Option, values: Values): unknown {
  const value = values[name];
  if (option.type === 'boolean') return value === true;
  if (option.multiple)
    return ((value as string[] | undefined) ?? []).map((one) => checked(name, option, one));
  return value === undefined ? undefined : checked(name, option, value as string);
}

function checked(name: string, option: Option, text: string): string | number {
  if (option.choices && !option.choices.includes(text))
    throw wrongUsage(`--${name} must be one of ${option.choices.join(', ')}.`);
  if (option.type !== 'number') return text;
  if (text.trim() !== '' && Number.isFinite(Number(text))) return Number(text);
  throw wrongUsage(`--${name} must be a number.`);
}

function argumentsOf(
  { description }: Node,
  path: readonly Node[],
  words: readonly string[],
): Record<string, string | string[] | undefined> {
  const found: Record<string, string | string[] | undefined> = {};
  let at = 0;
  for (const [name, argument] of Object.entries(description.arguments ?? {})) {
    if (argument.rest) {
      found[name] = words.slice(at);
      at = words.length;
      if (!argument.optional && found[name].length === 0)
        throw wrongUsage(`${argument.summary} is missing.`, helpLine(path));
      continue;
    }
    const word = words[at++];
    if (word === undefined && !argument.optional)
      throw wrongUsage(`<${name}> is missing: ${lowerFirst(argument.summary)}.`, helpLine(path));
    if (word !== undefined && argument.choices && !argument.choices.includes(word))
      throw wrongUsage(`<${name}> must be one of ${argument.choices.join(', ')}.`);
    found[name] = word;
  }
  if (words.length > at) throw wrongUsage(`Unexpected argument "${words[at]}".`, helpLine(path));
  return found;
}

function lowerFirst(text: string): string {
  return text.charAt(0).toLowerCase() + text.slice(1);
}

function unknownCommand(word: string, children: readonly Node[], path: readonly Node[]) {
  const names = children.flatMap(({ description }) => [description.name, ...(description.aliases ?? [])]);
  const near = nearest(word, names);
  const said = path.map(({ description }) => description.name).join(' ');
  return wrongUsage(
    `There is no command \`${said} ${word}\`.`,
    near ? `Did you mean \`${said} ${near}\`?` : helpLine(path),
  );
}

function helpLine(path: readonly Node[]): string {
  return `\`${path.map(({ description }) => description.name).join(' ')} --help\` shows its usage.`;
}

/** The name that differs in at most two letters, or begins so. */
export function nearest(word: string, names: readonly string[]): string | undefined {
  const scored = names.map((name) => ({
    name,
    distance: word.length > 1 && name.startsWith(word) ? 1 : editDistance(word, name),
  }));
  const [best] = scored.sort((a, b) => a.distance - b.distance);
  return best && best.distance <= Math.min(2, word.length - 1) ? best.name : undefined;
}

function editDistance(a: string, b: string): number {
  let row = Array.from({ length: b.length + 1 }, (_, at) => at);
  for (let i = 1; i <= a.length; i++) {
    const next = [i];
    for (let j = 1; j <= b.length; j++) {
      const swap = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1);
      next.push(Math.min(swap, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row[b.length] ?? 0;
}
