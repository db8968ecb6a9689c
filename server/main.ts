import { SettingsError } from '#core/settings.ts';
import { backup } from './commands/backup.ts';
import { bootstrap } from './commands/bootstrap.ts';
import { type Command, commandHelp, readArguments, UsageError } from './commands/command.ts';
import { doctor } from './commands/doctor.ts';
import { migrateCommand } from './commands/migrate.ts';
import { resetPassword } from './commands/reset-password.ts';
import { restore } from './commands/restore.ts';
import { rotateKeys } from './commands/rotate-keys.ts';
import { serve } from './commands/serve.ts';

/** The command line of `mainstay-server`. */

const commands: readonly Command[] = [
  serve,
  bootstrap,
  migrateCommand,
  rotateKeys,
  backup,
  restore,
  resetPassword,
  doctor,
];

function overview(): string {
  const rows = commands.map(({ name, summary }) => `  ${name.padEnd(14)} ${summary}`);
  return [
    'Usage: mainstay-server COMMAND [options]',
    '',
    'Commands:',
    ...rows,
    '',
    'mainstay-server COMMAND --help tells more. Settings come from MAINSTAY_* variables: see docs/settings.md.',
    '',
  ].join('\n');
}

async function run(args: string[]): Promise<number> {
  const [name, ...rest] = args;
  if (name === undefined || name === '--help' || name === 'help') {
    process.stdout.write(overview());
    return name === undefined ? 2 : 0;
  }
  const command = commands.find((candidate) => candidate.name === name);
  if (!command) throw new UsageError(`There is no command "${name}".\n\n${overview()}`);
  if (rest.includes('--help')) {
    process.stdout.write(commandHelp(command));
    return 0;
  }
  // biome-ignore lint/style/noProcessEnv: the one place where the environment is read.
  return (await command.run(readArguments(command, rest), process.env)) ?? 0;
}

try {
  process.exitCode = await run(process.argv.slice(2));
} catch (error) {
  const isMistake = error instanceof UsageError || error instanceof SettingsError;
  const text = error instanceof Error ? error.message : String(error);
  process.stderr.write(`mainstay-server: ${text}\n`);
  if (!isMistake && error instanceof Error && error.cause)
    process.stderr.write(`Cause: ${String(error.cause)}\n`);
  process.exitCode = isMistake ? 2 : 1;
}
