import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { promisify } from 'node:util';
import { chromium, type Page } from 'playwright-core';
import { runtimes } from '../scripts/runtimes.ts';
import { type Instance, startInstance } from '../server/testing/instance.ts';
import { build } from './build.ts';
import { expected } from './testing/smoke.js';

/** The package as it is published, in every runtime that it promises, against a real instance. */

const run = promisify(execFile);
const main = fileURLToPath(new URL('./testing/smoke-main.js', import.meta.url));
const commands: Record<string, string[] | undefined> = {
  'the pinned Node': [process.execPath],
  'Node 20.0': runtimes['node'] ? [runtimes['node']] : undefined,
  Bun: runtimes['bun'] ? [runtimes['bun']] : undefined,
  Deno: runtimes['deno'] ? [runtimes['deno'], 'run', '--no-config', '--allow-all'] : undefined,
};
const browser = ['/usr/bin/chromium', '/usr/bin/chromium-browser', '/usr/bin/google-chrome'].find(existsSync);

describe('the built package', () => {
  let dist: string;
  let instance: Instance;
  before(async () => {
    dist = await mkdtemp(path.join(tmpdir(), 'mainstay-sdk-'));
    await build(dist);
    instance = await startInstance('sqlite');
  });
  after(async () => {
    await instance[Symbol.asyncDispose]();
    await rm(dist, { recursive: true, force: true });
  });

  for (const [name, command] of Object.entries(commands)) {
    const skip = missing(command, `${name} is not here; node scripts/runtimes.ts fetches it`);
    test(`works in ${name}`, { skip }, async () => {
      const [file = '', ...args] = command ?? [];
      const { keys, organization } = instance.bootstrapped;
      const { id, secret } = keys.organization;
      const options = JSON.stringify({ baseUrl: instance.url, clientId: id, clientSecret: secret });
      const index = pathToFileURL(path.join(dist, 'index.js')).href;
      const { stdout } = await run(file, [...args, main, index, options, organization.id]);
      assert.deepEqual(JSON.parse(stdout), expected);
    });
  }

  const skip = missing(browser, 'Chromium is not here; apt-get install chromium');

  /** A page of the instance, which can import the package from /test-sdk/. */
  async function openPage(): Promise<AsyncDisposable & { page: Page }> {
    const chrome = await chromium.launch({ executablePath: browser ?? '', args: ['--no-sandbox'] });
    const page = await chrome.newPage();
    await page.route('**/test-sdk/**', async (route) => {
      const name = new URL(route.request().url()).pathname.replace('/test-sdk/', '');
      const file =
        name === 'smoke.js' ? new URL('./testing/smoke.js', import.meta.url) : path.join(dist, name);
      await route.fulfill({ contentType: 'text/javascript', body: await readFile(file) });
    });
    await page.goto(`${instance.url}/docs`);
    return { page, [Symbol.asyncDispose]: () => chrome.close() };
  }

  test('works in Chromium', { skip }, async () => {
    await using opened = await openPage();
    const given = {
      token: await instance.token('organization'),
      organizationId: instance.bootstrapped.organization.id,
    };
    const answer = await opened.page.evaluate(async ({ token, organizationId }) => {
      const modules = ['/test-sdk/index.js', '/test-sdk/smoke.js'];
      const [sdk, { smoke }] = await Promise.all(modules.map((module) => import(module)));
      // A fetch that was taken out of its window, as callers hand it in.
      return smoke(sdk, { baseUrl: '', token, fetch: globalThis.fetch }, organizationId);
    }, given);
    assert.deepEqual(answer, expected);
  });

  test('signs a person in with the session of Chromium, and out again', { skip }, async () => {
    await using opened = await openPage();
    const answer = await opened.page.evaluate(async () => {
      const module = '/test-sdk/index.js';
      const { createClient }: typeof import('./index.ts') = await import(module);
      const client = createClient({ session: true });
      const status = () =>
        client.organizations.list().then(
          ({ items }) => items.map(({ name }) => name),
          (error) => error.status,
        );
      const before = await status();
      await client.idp.signIn({ email: 'owner@example.com', password: 'correct horse battery' });
      const signedIn = await status();
      const made = await client.organizations.create({ name: 'Made in a page' });
      await client.organizations.delete(made.id);
      await client.idp.signOut();
      return { before, signedIn, made: made.name, after: await status() };
    });
    assert.deepEqual(answer, { before: 401, signedIn: ['Acme'], made: 'Made in a page', after: 401 });
  });
});

/** Why a test is skipped; under CI nothing is. */
function missing(what: unknown, reason: string): string | false {
  if (what || process.env['CI']) return false;
  return reason;
}
