import { readFile } from 'node:fs/promises';
import { freePort } from '../scripts/postgres.ts';
import { type EngineName, engines, testHome } from '../server/testing/engines.ts';
import { bootstrapCommand, startProcess } from '../server/testing/process.ts';

/**
 * The instances that the acceptance tests run against. With MAINSTAY_ACCEPTANCE_URL and MAINSTAY_ACCEPTANCE_KEYS (a file
 * with what `mainstay-server bootstrap --json` printed) it is that one instance; otherwise one of our own is started for
 * each database engine of this machine.
 */
export interface Target {
  url: string;
  keys: Record<'user' | 'organization' | 'application', { id: string; secret: string }>;
  organizationId: string;
  applicationId: string;
}

export const targetNames: readonly string[] = process.env['MAINSTAY_ACCEPTANCE_URL']
  ? ['the given instance']
  : engines;

/** `more`: settings of an instance of our own. */
export async function openTarget(
  name: string,
  more: Record<string, string> = {},
): Promise<Target & AsyncDisposable> {
  const url = process.env['MAINSTAY_ACCEPTANCE_URL'];
  return url ? givenTarget(url) : ownTarget(name as EngineName, more);
}

async function givenTarget(url: string): Promise<Target & AsyncDisposable> {
  const file = process.env['MAINSTAY_ACCEPTANCE_KEYS'];
  if (!file) throw new Error('Set MAINSTAY_ACCEPTANCE_KEYS to a file with the output of bootstrap --json.');
  const { keys, organization, application } = JSON.parse(await readFile(file, 'utf8'));
  const target = {
    url: url.replace(/\/$/, ''),
    keys,
    organizationId: organization.id,
    applicationId: application.id,
  };
  return { ...target, async [Symbol.asyncDispose]() {} };
}

async function ownTarget(
  engine: EngineName,
  more: Record<string, string>,
): Promise<Target & AsyncDisposable> {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await testHome(engine));
  const port = await freePort();
  const settings = { ...home.settings, ...more, MAINSTAY_BASE_URL: `http://127.0.0.1:${port}` };
  const { keys, organization, application } = await bootstrapCommand(settings);
  const server = stack.use(await startProcess(settings, { port, adminPort: await freePort() }));
  const resources = stack.move();
  const target = { url: server.url, keys, organizationId: organization.id, applicationId: application.id };
  return { ...target, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}
