import { parseArgs } from 'node:util';
import type { Environment } from '#core/settings.ts';

interface Option {
  type: 'string' | 'boolean';
  meaning: string;
  /** What stands for the value in the help: `--email ADDRESS`. */
  value?: string;
  required?: boolean;
}

export interface Command {
  name: string;
  summary: string;
  /** Shown by `--help` below the summary. */
  details?: string;
  options: Record<string, Option>;
  /** Returns the exit code; undefined is 0. */
  run(
    values: Record<string, string | boolean | undefined>,
    environment: Environment,
  ): Promise<number | undefined>;
}

/** A mistake of the caller: shown without a stack, exit code 2. */
export class UsageError extends Error {
  override name = 'UsageError';
}

export function readArguments(
  command: Command,
  args: string[],
): Record<string, string | boolean | undefined> {
  const options = Object.fromEntries(
    Object.entries(command.options).map(([name, { type }]) => [name, { type }]),
  );
  let values: Record<string, string | boolean | undefined>;
  try {
    ({ values } = parseArgs({ args, options, strict: true, allowPositionals: false }));
  } catch (error) {
    throw new UsageError((error as Error).message);
  }
  for (const [name, { required }] of Object.entries(command.options)) {
    if (required && values[name] === undefined) throw new UsageError(`--${name} is missing.`);
  }
  return values;
}

export function commandHelp(command: Command): string {
  const rows = Object.entries(command.options).map(([name, { meaning, value, required }]) => {
    const flag = `--${name}${value ? ` ${value}` : ''}`;
    return `  ${flag.padEnd(30)} ${meaning}${required ? ' (required)' : ''}`;
  });
  const help = `  ${'--help'.padEnd(30)} This text.`;
  const usage = `Usage: mainstay-server ${command.name} [options]`;
  return [
    usage,
    '',
    command.summary,
    ...(command.details ? ['', command.details] : []),
    '',
    'Options:',
    ...rows,
    help,
    '',
  ].join('\n');
}
