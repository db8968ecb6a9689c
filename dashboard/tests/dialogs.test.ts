import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, beforeEach, describe, test } from 'node:test';
import { TestClock } from '../../server/testing/clock.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

describe('dialogs over every screen', () => {
  const clock = new TestClock();
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard({ clock });
  });
  beforeEach(() => dashboard.page.setViewportSize({ width: 1280, height: 860 }));
  after(() => dashboard?.[Symbol.asyncDispose]());

  /** Sends the form for a new key on the page that is open. */
  async function create(name: string, { lasts = false } = {}): Promise<void> {
    const { page } = dashboard;
    await page.keyboard.press('c');
    const form = page.getByRole('dialog', { name: 'Create API key' });
    await form.getByLabel('Name', { exact: true }).fill(name);
    if (lasts) {
      await form.getByLabel('Expires after').click();
      await page.getByRole('option', { name: 'Never' }).click();
    }
    await form.getByRole('button', { name: 'Create key' }).click();
  }

  test('the secret of a new key is shown once: nothing closes it but its button, and it can be taken along', async () => {
    const { page, open, instance } = dashboard;
    const paths = [
      '/o/acme/keys',
      `/o/acme/apps/${instance.bootstrapped.application.id}/keys`,
      '/account/keys',
    ];
    for (const [at, path] of paths.entries()) {
      await open(path);
      await create(`Robot ${at}`);
      const secret = await page.getByLabel('Secret of the key').innerText();
      assert.match(secret, /^mst_/);
      const dialog = page.getByRole('dialog', { name: 'Key created' });
      await page.keyboard.press('Escape');
      await page.keyboard.press('Escape');
      await page.mouse.click(5, 5);
      await page.keyboard.press('Control+k');
      assert.equal(await dialog.getByLabel('Secret of the key').innerText(), secret);

      await dialog.getByRole('button', { name: 'Copy', exact: true }).last().press('Enter');
      await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, secret);
      const downloading = page.waitForEvent('download');
      await dialog.getByRole('button', { name: 'Download' }).press('Enter');
      const download = await downloading;
      assert.equal(download.suggestedFilename(), `Robot ${at}.txt`);
      assert.equal((await readFile(await download.path(), 'utf8')).trim(), secret);
      if (at === 0) assert.deepEqual(await faultsOf(page), []);
      await page.setViewportSize({ width: 1280, height: 860 });

      await dialog.getByRole('button', { name: 'I have saved the secret' }).press('Enter');
      await dialog.waitFor({ state: 'detached' });
      await page.getByRole('link', { name: `Robot ${at}` }).waitFor();
      await page.reload();
      await page.getByRole('link', { name: `Robot ${at}` }).click();
      await page.getByRole('heading', { name: `Robot ${at}` }).waitFor();
      assert.ok(!(await page.content()).includes(secret));
    }
  });

  test('the second secret of a key is shown in the same way', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/keys');
    await page.getByRole('button', { name: 'Actions for Robot 0' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Rotate secret' }).press('Enter');
    await page.getByRole('button', { name: 'Create second secret' }).press('Enter');
    const dialog = page.getByRole('dialog', { name: 'Secret created' });
    const secret = await dialog.getByLabel('New secret of the key').innerText();
    await page.keyboard.press('Escape');
    await page.mouse.click(5, 5);
    await dialog.getByRole('button', { name: 'Copy', exact: true }).click();
    await page.waitForFunction(async (text) => (await navigator.clipboard.readText()) === text, secret);
    await dialog.getByRole('button', { name: 'I have saved the secret' }).click();
    await dialog.waitFor({ state: 'detached' });
  });

  test('the palette finds data by its name and by its id, and sections by other words', async () => {
    const { page, open, instance, organizationId } = dashboard;
    const { id } = instance.bootstrapped.application;
    const storage = `/applications/${id}/storage/buckets`;
    const made = async (path: string, body: object) => {
      const { status, body: answer } = await instance.call('POST', path, { as: 'user', body });
      assert.ok(status < 300, JSON.stringify(answer));
      return answer;
    };
    await made(`/organizations/${organizationId}/env-vars`, { key: 'PAYMENT_TOKEN', value: 'x' });
    await made(storage, { name: 'photos' });
    const stored = await instance.call('PUT', `${storage}/photos/objects?key=summer%2Fbeach.txt`, {
      as: 'user',
      body: { sand: true },
    });
    assert.equal(stored.status, 200, JSON.stringify(stored.body));
    const input = page.getByRole('combobox', { name: 'Search' });
    const find = async (text: string, name: string | RegExp) => {
      await page.keyboard.press('Control+k');
      await input.fill(text);
      await page.getByRole('option', { name }).first().waitFor();
    };

    await open('/o/acme');
    await find('payment', /Variable PAYMENT_TOKEN/);
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.keyboard.press('Enter');
    await page.waitForURL(/variables\?filter=PAYMENT_TOKEN/);
    await find('owner@example', /^Member .*owner@example\.com/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/members\/[0-9a-f-]{36}$/);
    await find(id, /^Application Web/);
    await page.keyboard.press('Enter');
    await page.waitForURL(`**/o/acme/apps/${id}`);
    await find('bucket ph', 'Bucket photos');
    await page.keyboard.press('Escape');
    await page.getByRole('dialog', { name: 'Search' }).waitFor({ state: 'detached' });
    await find('photos/summer/', /photos\/summer\/beach\.txt/);
    await page.keyboard.press('Enter');
    await page.waitForURL(/\/storage\/photos\?.*prefix=summer/);

    for (const [word, section, url] of [
      ['people', 'Members', /\/o\/acme\/members/],
      ['cron', 'Deployments', /\/deployments/],
      ['credentials', 'API keys', /\/keys/],
      ['blocklists', 'Instance: Threat feeds', /\/instance\/threat-feeds/],
    ] as const) {
      await open(section === 'Deployments' ? `/o/acme/apps/${id}` : '/o/acme');
      await find(word, section);
      await page.getByRole('option', { name: section }).first().click();
      await page.waitForURL(url);
    }
    await page.keyboard.press('Control+k');
    await input.fill('nothing is called so');
    await page.getByText('No results.').waitFor();
    await page.keyboard.press('Escape');
  });

  test('who signed in long ago is asked to sign in again, and returns to the same page', async () => {
    const { page, open } = dashboard;
    clock.advance(3700);
    const signIn = async () => {
      await page.getByRole('button', { name: 'Sign in again' }).first().click();
      await page.waitForURL(/\/sign-in\?next=/);
      // Sessions begin by the clock of the machine, which the test has left.
      clock.advance(-3700);
      await page.getByLabel('E-mail').fill('owner@example.com');
      await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
      await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    };
    await open('/o/acme/keys');
    await create('Late', { lasts: true });
    await page.getByRole('alert').getByText('Sign in again first').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await signIn();
    await page.waitForURL(/\/o\/acme\/keys/);
    // The dialog stands in the address, so that it is there again.
    await page.getByRole('dialog', { name: 'Create API key' }).waitFor();
    await open('/o/acme/keys');
    await create('Late', { lasts: true });
    await page.getByRole('button', { name: 'I have saved the secret' }).click();

    clock.advance(3700);
    await open('/account/security');
    await page.getByText('To add a passkey, sign in again.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Add a passkey' }).count(), 0);
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await signIn();
    await page.waitForURL('**/account/security');
    await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
  });
});
