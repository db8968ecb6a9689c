import { applicationId } from '../core/choose.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { envRemove } from '../descriptions/env.ts';
import { environmentId, ownVariables } from '../env/variables.ts';

export const run: Run<typeof envRemove> = async (context, { arguments: { keys }, options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const known = await ownVariables(client, app, await environmentId(client, app, options.env));
  const found = keys.map((key) => {
    const one = known.find((variable) => variable.key === key || variable.id === key);
    if (one) return one;
    throw new Failure(
      `There is no variable ${key} ${options.env === undefined ? 'of the application itself' : `of ${options.env}`}.`,
      {
        exit: 'notFound',
        next: 'Select its environment with --env; `mainstay env` lists all.',
      },
    );
  });
  const names = found.map(({ key }) => key).join(', ');
  if (options['dry-run'])
    return out.result({ dryRun: true, variables: found }, () => out.line(`Would delete ${names}.`));
  await context.confirm(`Delete ${names}?`);
  for (const { id } of found) await client.applicationEnvVars.delete(app, id);
  out.result({ deleted: found.map(({ key }) => key) }, () => out.success(`${names} deleted.`));
};
