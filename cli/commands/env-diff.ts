import { readFile } from 'node:fs/promises';
import path from 'node:path';
import type { Client } from '@mainstay/sdk';
import { applicationId } from '../core/choose.ts';
import { wrongUsage } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import type { envDiff } from '../descriptions/env.ts';
import { parseDotenv } from '../env/dotenv.ts';

interface Difference {
  key: string;
  status: 'same' | 'different' | 'only_left' | 'only_right' | 'secret';
}

export const run: Run<typeof envDiff> = async (context, { arguments: { left, right }, options }) => {
  const { out } = context;
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const text = await readFile(path.resolve(context.cwd, left), 'utf8').catch(() => undefined);
  if (text === undefined && right === undefined)
    throw wrongUsage('The second environment is missing.', 'Example: mainstay env diff preview production');
  const all =
    text === undefined
      ? ((await client.applicationEnvVars.compare(app, { left, right: right as string }))
          .items as Difference[])
      : await fileDifferences(client, app, parseDotenv(text), right);
  const found = all.filter(({ status }) => options.all || status !== 'same');
  const { green, red, yellow, dim } = out.paint;
  const signs = {
    same: dim(' '),
    different: yellow('~'),
    only_left: red('<'),
    only_right: green('>'),
    secret: dim('?'),
  };
  out.result(found, () => {
    if (found.length === 0) return out.note('No differences.');
    for (const { key, status } of found) out.line(`${signs[status]} ${key}`);
    out.note(dim('~ different   < only left   > only right   ? sensitive, cannot be compared'));
  });
  return found.some(({ status }) => status !== 'same' && status !== 'secret') ? 1 : 0;
};

async function fileDifferences(
  client: Client,
  app: string,
  file: ReadonlyMap<string, string>,
  environment: string | undefined,
): Promise<Difference[]> {
  const { items } = await client.applicationEnvVars.resolved(
    app,
    environment === undefined ? {} : { environment },
  );
  const remote = new Map(items.map((one) => [one.key, one]));
  const keys = [...new Set([...file.keys(), ...remote.keys()])].sort();
  return keys.map((key) => {
    const there = remote.get(key);
    if (!there) return { key, status: 'only_left' };
    if (!file.has(key)) return { key, status: 'only_right' };
    if (there.sensitive) return { key, status: 'secret' };
    return { key, status: there.value === file.get(key) ? 'same' : 'different' };
  });
}
