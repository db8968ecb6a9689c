import type { Option } from './describe.ts';
import { globals } from './globals.ts';
import type { Paint } from './output.ts';
import type { Node } from './parse.ts';
import { pad, width } from './text.ts';

/** The help of a command, or of a group of them. */
export function help(path: readonly Node[], paint: Paint): string {
  const node = path.at(-1) as Node;
  const { description } = node;
  const sections: string[] = [description.summary];
  if (description.details) sections.push(description.details);
  sections.push(`${paint.bold('Usage')}\n  ${usage(path)}`);
  if (node.children)
    sections.push(
      section(
        paint,
        'Commands',
        node.children
          .filter(({ description: { name } }) => !name.startsWith('__'))
          .map(({ description: { name, summary } }) => [name, summary]),
      ),
    );
  const taken = Object.entries(description.arguments ?? {});
  if (taken.length > 0)
    sections.push(
      section(
        paint,
        'Arguments',
        taken.map(([name, argument]) => [name, withChoices(argument)]),
      ),
    );
  const options = Object.entries(description.options ?? {});
  if (options.length > 0) sections.push(section(paint, 'Options', options.map(optionLine)));
  sections.push(section(paint, 'Everywhere', Object.entries(globals.options).map(optionLine)));
  if (description.examples?.length)
    sections.push(
      [
        paint.bold('Examples'),
        ...description.examples.map(([line, meaning]) => `  ${paint.dim(`# ${meaning}`)}\n  ${line}`),
      ].join('\n'),
    );
  return sections.join('\n\n');
}

export function usage(path: readonly Node[]): string {
  const node = path.at(-1) as Node;
  const { description } = node;
  const words = path.map(({ description: { name } }) => name);
  for (const [name, { optional, rest }] of Object.entries(description.arguments ?? {})) {
    const shown = `${name}${rest ? '...' : ''}`;
    words.push(optional ? `[${shown}]` : `<${shown}>`);
  }
  if (node.children) words.push('<command>');
  if (Object.keys(description.options ?? {}).length > 0) words.push('[options]');
  return words.join(' ');
}

export function optionLine([name, option]: readonly [string, Option]): [string, string] {
  const value = option.type === 'boolean' ? '' : ` ${option.value ?? 'VALUE'}`;
  const short = option.short ? `-${option.short}, ` : '    ';
  return [`${short}--${name}${value}`, withChoices(option)];
}

function withChoices({ summary, choices }: { summary: string; choices?: readonly string[] }): string {
  return choices ? `${summary} (${choices.join(', ')})` : summary;
}

function section(paint: Paint, title: string, lines: readonly (readonly [string, string])[]): string {
  const widest = Math.max(...lines.map(([name]) => width(name)));
  return [paint.bold(title), ...lines.map(([name, text]) => `  ${pad(name, widest)}  ${text}`)].join('\n');
}
