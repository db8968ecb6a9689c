import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { applicationId } from '../core/choose.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { readAll } from '../core/stdin.ts';
import type { envPush } from '../descriptions/env.ts';
import { parseDotenv } from '../env/dotenv.ts';
import { environmentId, ownVariables, setVariable } from '../env/variables.ts';

export const run: Run<typeof envPush> = async (context, { arguments: given, options }) => {
  const { out } = context;
  const name = given.file ?? '.env.local';
  const content =
    name === '-' ? await readAll(process.stdin) : await readFile(path.resolve(context.cwd, name), 'utf8');
  const wanted = parseDotenv(content);
  if (wanted.size === 0)
    throw new Failure(`${name} has no variable.`, { next: 'Each line must be KEY=VALUE.' });
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const environment = await environmentId(client, app, options.env);
  const known = new Map((await ownVariables(client, app, environment)).map((one) => [one.key, one]));
  const fresh = [...wanted.keys()].filter((key) => !known.has(key));
  const changed = [...wanted]
    .filter(([key, value]) => known.has(key) && known.get(key)?.value !== value)
    .map(([key]) => key);
  const where = options.env ?? 'the application';
  if (options['dry-run'])
    return out.result({ dryRun: true, create: fresh, update: changed }, () => {
      for (const key of fresh) out.line(`${out.paint.green('+')} ${key}`);
      for (const key of changed) out.line(`${out.paint.yellow('~')} ${key}`);
      out.note(`${fresh.length} would be created and ${changed.length} changed for ${where}.`);
    });
  if (changed.length > 0) await context.confirm(`Change ${changed.join(', ')} of ${where}?`);
  const written = new Set([...fresh, ...changed]);
  // One by one, by value: the file is read here, and no other reader's opinion of its quotes counts.
  for (const [key, value] of wanted)
    if (written.has(key) || options.sensitive)
      await setVariable(client, app, environment, [...known.values()], {
        key,
        value,
        sensitive: options.sensitive,
      });
  const answer = { created: fresh.length, updated: changed.length, unchanged: wanted.size - written.size };
  out.result(answer, () =>
    out.success(
      `${answer.created} created, ${answer.updated} changed, ${answer.unchanged} unchanged for ${where}.`,
    ),
  );
};
