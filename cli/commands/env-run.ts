import { runChild } from '../core/child.ts';
import { applicationId } from '../core/choose.ts';
import type { Run } from '../core/run.ts';
import type { envRun } from '../descriptions/env.ts';
import { pulled } from '../env/variables.ts';

export const run: Run<typeof envRun> = async (context, { arguments: { command }, options }) => {
  const client = await context.client();
  const { variables, omittedSensitive } = await pulled(
    client,
    await applicationId(context, options.app),
    options.env,
  );
  if (omittedSensitive > 0)
    context.out.note(`${omittedSensitive} sensitive variables are not set: they cannot be read.`);
  return runChild(command, { cwd: context.cwd, env: { ...context.env, ...Object.fromEntries(variables) } });
};
