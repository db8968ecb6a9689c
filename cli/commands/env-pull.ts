import path from 'node:path';
import { applicationId } from '../core/choose.ts';
import { writeAside } from '../core/files.ts';
import { ignoreInGit } from '../core/project.ts';
import type { Run } from '../core/run.ts';
import { counted } from '../core/text.ts';
import type { envPull } from '../descriptions/env.ts';
import { formatDotenv } from '../env/dotenv.ts';
import { pulled } from '../env/variables.ts';

export const run: Run<typeof envPull> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const client = await context.client();
  const { variables, omittedSensitive } = await pulled(
    client,
    await applicationId(context, options.app),
    options.env,
  );
  const text = formatDotenv(variables);
  if (given.file === '-') return out.raw(text);
  const name = given.file ?? '.env.local';
  const file = path.resolve(context.cwd, name);
  const from = options.env === undefined ? 'the application' : options.env;
  await writeAside(file, `# Written by mainstay env pull, from ${from}.\n${text}`, 0o600);
  if (given.file === undefined) await ignoreInGit(path.dirname(file), name);
  out.result({ file, count: variables.length, omittedSensitive }, () => {
    out.success(`${counted(variables.length, 'variable')} of ${from} written to ${name}.`);
    if (omittedSensitive > 0)
      out.note(`  ${omittedSensitive} sensitive variables were omitted: they cannot be read.`);
  });
};
