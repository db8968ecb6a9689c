import { readFile, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import path from 'node:path';
import type { Client } from '@mainstay/sdk';
import { runChild } from '../core/child.ts';
import { applicationId } from '../core/choose.ts';
import type { Context } from '../core/context.ts';
import { Failure } from '../core/failure.ts';
import type { Run } from '../core/run.ts';
import { claimsOf } from '../core/session.ts';
import type { dev } from '../descriptions/deploy.ts';
import { pulled } from '../env/variables.ts';

type Scopes = NonNullable<Parameters<Client['apiKeys']['create']>[0]['scopes']>;

/** Where the command is killed, its key ends by itself. */
const keyLifeMilliseconds = 24 * 3600 * 1000;
/** Of an account; code of an application is not given them. */
const notForApplications =
  /^(platform:(api_keys|admin)|platform:organizations:write|profile|email|offline_access)/;

export const run: Run<typeof dev> = async (context, { arguments: { command: given }, options }) => {
  const { out } = context;
  const folder = (await context.linked())?.folder ?? context.cwd;
  const command = given.length > 0 ? given : await devCommand(folder);
  const client = await context.client();
  const app = await applicationId(context, options.app);
  const { url } = await context.connection();
  const { variables, omittedSensitive } = await pulled(client, app, options.env);
  if (omittedSensitive > 0)
    out.note(`${omittedSensitive} sensitive variables are not set: they cannot be read.`);
  const key = options['no-key'] ? undefined : await makeKey(context, client, app);
  const env = {
    ...context.env,
    ...Object.fromEntries(variables),
    MAINSTAY_API_URL: url,
    MAINSTAY_API_BASE_URL: url,
    MAINSTAY_APPLICATION_ID: app,
    ...(key ? { MAINSTAY_CLIENT_ID: key.id, MAINSTAY_CLIENT_SECRET: key.secret } : {}),
  };
  out.note(out.notePaint.dim(`$ ${command.join(' ')}`));
  try {
    return await runChild(command, { cwd: given.length > 0 ? context.cwd : folder, env });
  } finally {
    if (key)
      await client.apiKeys.delete(key.id).catch(() => {
        out.warn(
          `The API key ${key.id} could not be deleted. It expires within a day. To delete it now:  mainstay keys delete ${key.id}`,
        );
      });
  }
};

/** Of the application: clients exchange it for tokens and renew those by themselves. Undefined where it may not be made. */
async function makeKey(
  context: Context,
  client: Client,
  app: string,
): Promise<{ id: string; secret: string } | undefined> {
  const { tokens } = await context.connection();
  const scopes = (claimsOf(await tokens()).scope ?? '')
    .split(' ')
    .filter((one) => one !== '' && !notForApplications.test(one));
  try {
    return await client.apiKeys.create({
      name: `mainstay dev on ${hostname()}`.slice(0, 128),
      applicationId: app,
      scopes: scopes as Scopes,
      expiresAt: new Date(Date.now() + keyLifeMilliseconds).toISOString(),
    });
  } catch (error) {
    context.out.warn(
      `No API key could be created, so code here cannot call the platform: ${(error as Error).message}`,
    );
    return undefined;
  }
}

const managers = [
  ['bun.lock', 'bun'],
  ['bun.lockb', 'bun'],
  ['pnpm-lock.yaml', 'pnpm'],
  ['yarn.lock', 'yarn'],
] as const;

async function devCommand(folder: string): Promise<string[]> {
  const text = await readFile(path.join(folder, 'package.json'), 'utf8').catch(() => '{}');
  const { scripts = {} } = JSON.parse(text) as { scripts?: Record<string, string> };
  const script = ['dev', 'start:dev', 'start'].find((name) => scripts[name] !== undefined);
  if (script === undefined)
    throw new Failure('package.json has no "dev" script.', {
      next: 'Pass the command: mainstay dev -- node server.js',
    });
  for (const [file, manager] of managers)
    if (await stat(path.join(folder, file)).catch(() => null)) return [manager, 'run', script];
  return ['npm', 'run', script];
}
