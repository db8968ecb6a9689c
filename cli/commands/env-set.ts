import { applicationId } from '../core/choose.ts';
import type { Context } from '../core/context.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { readAll } from '../core/stdin.ts';
import type { envSet } from '../descriptions/env.ts';
import { environmentId, ownVariables, setVariable, type Variable } from '../env/variables.ts';

export const run: Run<typeof envSet> = async (context, { arguments: { variables }, options }) => {
  const { out } = context;
  const wanted = await valuesOf(context, variables);
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const environment = await environmentId(client, app, options.env);
  const known = await ownVariables(client, app, environment);
  const set: Variable[] = [];
  for (const [key, value] of wanted)
    set.push(
      await setVariable(client, app, environment, known, { key, value, sensitive: options.sensitive }),
    );
  out.result(set, () => {
    for (const one of set) out.success(`${one.key} set for ${one.environmentName ?? 'the application'}.`);
    out.note(
      out.notePaint.dim(
        '  It applies to new deployments: run mainstay deploy, or mainstay deployments redeploy latest.',
      ),
    );
  });
};

async function valuesOf(context: Context, variables: readonly string[]): Promise<[string, string][]> {
  const wanted: [string, string][] = [];
  for (const text of variables) {
    const at = text.indexOf('=');
    if (at > 0) wanted.push([text.slice(0, at), text.slice(at + 1)]);
    else if (at === 0) throw wrongUsage(`"${text}" has no name.`, 'Write KEY=VALUE.');
    else if (variables.length > 1)
      throw wrongUsage(`${text} has no value.`, 'Use KEY=VALUE, or KEY to read the value from stdin.');
    else if (context.canAsk)
      wanted.push([text, await (await context.prompts()).askSecret(`Value of ${text}`)]);
    else wanted.push([text, (await readAll(process.stdin)).replace(/\r?\n$/, '')]);
  }
  return wanted;
}
