import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import { freePort } from '../../scripts/postgres.ts';
import { testHome } from '../../server/testing/engines.ts';
import { type ServerProcess, startProcess } from '../../server/testing/process.ts';
import { startDevice } from './device.ts';
import { faultsOf } from './screen.ts';

const run = promisify(execFile);

/** What a stranger sees first, on the program as it is started, with an empty data folder. */
describe('the first start', () => {
  const stack = new AsyncDisposableStack();
  let server: ServerProcess;
  let page: Page;
  const complaints: string[] = [];
  before(async () => {
    const home = stack.use(await testHome('sqlite'));
    const [port, adminPort] = [await freePort(), await freePort()];
    const settings = { ...home.settings, MAINSTAY_BASE_URL: `http://127.0.0.1:${port}` };
    server = stack.use(await startProcess(settings, { port, adminPort }));
    const browser = await launchChromium();
    stack.defer(() => browser.close());
    const context = await browser.newContext({
      baseURL: server.url,
      viewport: { width: 1280, height: 860 },
      reducedMotion: 'reduce',
    });
    page = await context.newPage();
    page.setDefaultTimeout(10_000);
    // What breaks the policy of the page is said there, and so is what a screen did not expect.
    page.on('console', (message) => message.type() === 'error' && complaints.push(message.text()));
    page.on('pageerror', (error) => complaints.push(error.message));
  });
  after(() => stack.disposeAsync());

  test('the page weighs less than 170 kB of compressed script', async () => {
    let bytes = 0;
    page.on('response', async (response) => {
      if (!response.url().endsWith('.js')) return;
      assert.equal(response.headers()['content-encoding'], 'br', response.url());
      bytes += Number(response.headers()['content-length']);
    });
    await page.goto('/');
    await page.getByText('This instance has no operator yet').waitFor();
    await page.waitForLoadState('networkidle');
    assert.ok(bytes > 10_000 && bytes < 170_000, `${bytes} bytes`);
    page.removeAllListeners('response');
  });

  test('from the link to the first token, which the page notices', async () => {
    const [link = ''] = /http\S+\/setup\?token=\S+/.exec(server.output()) ?? [];
    await page.goto(link);
    await page.getByLabel('Your name').fill('Ada Lovelace');
    await page.getByLabel('E-mail').fill('ada@example.com');
    await page.getByLabel('Password', { exact: true }).fill('seldom-plover-quartz');
    await page.getByRole('button', { name: 'Create operator account' }).click();
    await page.getByRole('heading', { name: 'Name your organization' }).waitFor();
    await page.getByLabel('Name', { exact: true }).fill('Acme');
    await page.getByRole('button', { name: 'Create organization' }).click();
    await page.getByRole('button', { name: 'Create the first key' }).click();
    const command = await page.locator('pre code').innerText();
    assert.match(command, /^curl /);
    assert.deepEqual(await faultsOf(page), []);
    const { stdout } = await run('sh', ['-c', command]);
    assert.equal(JSON.parse(stdout).token_type, 'Bearer');
    await page.getByText('Your first token was issued').waitFor();
  });

  test('a key is made from a preset, rotated and revoked, by the keyboard alone', async () => {
    await page.goto('/o/acme/keys');
    await page.getByRole('heading', { name: 'API keys' }).waitFor();
    await page.keyboard.press('c');
    await page.keyboard.type('Robot');
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Read-only', pressed: true }).waitFor();
    await dialog.getByRole('button', { name: 'CI' }).press('Enter');
    await dialog.getByRole('searchbox', { name: 'Search scopes' }).fill('whois');
    await dialog.getByRole('checkbox', { name: 'Look up domain registrations' }).press('Space');
    await dialog.getByText('Custom', { exact: true }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await dialog.getByRole('button', { name: 'Create key' }).press('Enter');
    const secret = await page.getByLabel('Secret of the key').innerText();
    assert.match(secret, /^mst_/);
    const id = await page.getByRole('dialog').locator('dd').first().innerText();
    const token = await tokenOf(id, secret);
    assert.ok(token.access_token);
    const scopes = token.scope?.split(' ') ?? [];
    assert.ok(scopes.includes('network:deployments:trigger') && scopes.includes('whois:domain:get'));
    assert.ok(!scopes.includes('platform:api_keys:write') && !scopes.includes('fastcache:write'));
    assert.deepEqual(await faultsOf(page), []);
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'I have saved the secret' }).press('Enter');

    const open = async (action: string) => {
      await page.getByRole('button', { name: 'Actions for Robot' }).press('Enter');
      await page.getByRole('menuitem', { name: action }).press('Enter');
    };
    await open('Rotate secret');
    await page.getByRole('button', { name: 'Create second secret' }).press('Enter');
    const second = await page.getByLabel('New secret of the key').innerText();
    await page.getByRole('button', { name: 'I have saved the secret' }).press('Enter');
    assert.ok((await tokenOf(id, second)).access_token);
    assert.ok((await tokenOf(id, secret)).access_token);
    await page.getByText('Two secrets').waitFor();

    await page.getByRole('link', { name: 'Robot' }).click();
    await page.getByRole('heading', { name: 'Robot' }).waitFor();
    await page.getByText('whois:domain:get').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await open('Complete rotation');
    await page.getByRole('button', { name: 'Delete old secret' }).press('Enter');
    await page.getByText('Old secret deleted').first().waitFor();
    assert.equal((await tokenOf(id, secret)).error, 'invalid_client');

    await open('Revoke key');
    await page.getByRole('alertdialog').getByRole('button', { name: 'Revoke key' }).press('Enter');
    await page.getByText('Key revoked').first().waitFor();
    await page.waitForURL('/o/acme/keys');
    assert.equal((await tokenOf(id, second)).error, 'invalid_client');
    const refused = await fetch(`${server.url}/api-keys`, {
      headers: { authorization: `Bearer ${token.access_token}` },
    });
    assert.equal(refused.status, 401);
  });

  test('a command line is signed in after its code was looked at', async () => {
    const device = await startDevice(server.url);
    await page.goto(device.page);
    await page.getByText('Approve only if you just started this yourself').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Allow' }).click();
    await page.getByText('The device is signed in').waitFor();
    const answer = await device.redeem();
    const tokens = (await answer.json()) as { access_token?: string; refresh_token?: string };
    assert.ok(tokens.access_token && tokens.refresh_token);
  });

  test('nothing broke the policy of the page, and no screen failed', () => {
    assert.deepEqual(complaints, []);
  });

  async function tokenOf(id: string, secret: string) {
    const response = await fetch(`${server.url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    return (await response.json()) as { access_token?: string; scope?: string; error?: string };
  }
});
