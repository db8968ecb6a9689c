import { globals } from './core/globals.ts';
import { optionLine, usage } from './core/help.ts';
import type { Node } from './core/parse.ts';

/** The manual page, mainstay(1), in the macros of man(7), from the descriptions of the commands. */
export function manualPage(root: Node, version: string): string {
  const lines = [
    `.TH MAINSTAY 1 "" "mainstay ${version}" "Mainstay"`,
    '.SH NAME',
    'mainstay \\- the command line of Mainstay',
    '.SH SYNOPSIS',
    '.B mainstay',
    '.RI < command > " [" options ]',
    '.SH COMMANDS',
  ];
  const walk = (path: readonly Node[]) => {
    const node = path.at(-1) as Node;
    const { description } = node;
    if (description.name.startsWith('__')) return;
    if (path.length > 1 && node.load && !node.children) {
      lines.push(`.SS ${quoted(usage(path))}`, text(`${description.summary}.`));
      if (description.details) lines.push('.PP', text(description.details.replaceAll('\n', ' ')));
      for (const option of Object.entries(description.options ?? {})) lines.push(...optionLines(option));
      for (const [line, meaning] of description.examples ?? [])
        lines.push('.PP', text(`${meaning}:`), '.RS', '.EX', text(line), '.EE', '.RE');
    }
    for (const child of node.children ?? []) walk([...path, child]);
  };
  walk([root]);
  lines.push('.SH OPTIONS OF EVERY COMMAND');
  for (const option of Object.entries(globals.options)) lines.push(...optionLines(option));
  return `${lines.join('\n')}\n`;
}

function optionLines(option: Parameters<typeof optionLine>[0]): string[] {
  const [name, summary] = optionLine(option);
  return ['.TP', `.B ${text(name.trim())}`, text(summary)];
}

/** A backslash is a command, a hyphen a dash, and a dot or quote at the beginning of a line a macro. */
function text(value: string): string {
  return value
    .replaceAll('\\', '\\e')
    .replaceAll('-', '\\-')
    .replace(/^(?=[.'])/gm, '\\&');
}

function quoted(value: string): string {
  return `"${text(value).replaceAll('"', '""')}"`;
}
