import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { fetchToken } from '../../server/testing/instance.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

describe('the screens of an application', () => {
  let dashboard: Dashboard;
  let id: string;
  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard[Symbol.asyncDispose]());

  // Toasts have the role too.
  const dialog = () => dashboard.page.locator('[role=dialog][data-modal]');
  const addVariable = async (key: string, value: string, scope?: string) => {
    const { page } = dashboard;
    await page.getByRole('button', { name: 'New variable' }).first().click();
    await dialog().getByRole('textbox', { name: 'Key' }).fill(key);
    await dialog().getByRole('textbox', { name: 'Value' }).fill(value);
    if (scope !== undefined) {
      await dialog().getByRole('combobox', { name: 'Scope' }).click();
      await page.getByRole('option', { name: scope }).click();
    }
    await dialog().getByRole('button', { name: 'Create variable' }).click();
    await dialog().waitFor({ state: 'detached' });
  };

  test('a newcomer creates an application, and sees what to do next', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/apps');
    await page.getByRole('button', { name: 'New application' }).click();
    await dialog().getByLabel('Name').fill('Storefront');
    await dialog().getByLabel('Root directory').fill('../up');
    await dialog().getByRole('button', { name: 'Create application' }).click();
    await dialog().getByText('must not hold ".."').waitFor();
    await dialog().getByLabel('Root directory').fill('apps/store');
    await dialog().getByRole('button', { name: 'Create application' }).click();
    await page.getByRole('heading', { name: 'Storefront', level: 1 }).waitFor();
    id = /apps\/([0-9a-f-]{36})/.exec(page.url())?.[1] ?? '';
    await page.getByRole('region', { name: 'Get started' }).waitFor();
    await page.getByText('storefront.apps.localhost:4080').waitFor();
  });

  test('gives it a variable in each scope, and sees which one counts where', async () => {
    const { page, instance, open } = dashboard;
    const organizationId = instance.bootstrapped.organization.id;
    const body = { key: 'WHERE', value: 'organization' };
    await instance.call('POST', `/organizations/${organizationId}/env-vars`, { as: 'user', body });
    await open(`/o/acme/apps/${id}/variables`);
    await page.getByRole('row', { name: /WHERE.*Organization/ }).waitFor();
    await addVariable('WHERE', 'application');
    await page.getByRole('row', { name: /WHERE.*Application/ }).waitFor();
    await addVariable('WHERE', 'preview', 'Preview only');
    await page.getByRole('combobox', { name: 'Environment' }).click();
    await page.getByRole('option', { name: 'Preview' }).click();
    await page.getByRole('row', { name: /WHERE.*Environment/ }).click();
    await dialog().getByRole('button', { name: 'Show values' }).click();
    const scopes = dialog().getByRole('list', { name: 'Values by scope' });
    for (const value of ['preview', 'application', 'organization'])
      await scopes.getByText(value, { exact: true }).waitFor();
    await dialog().getByRole('button', { name: 'Set for Production' }).click();
    await dialog().getByRole('textbox', { name: 'Value' }).fill('production');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await dialog().getByRole('button', { name: 'Edit for Production' }).waitFor();
    const effective = dialog().getByRole('table', { name: 'Effective value by environment' });
    await effective.getByRole('row', { name: /Production production Environment/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  test('looks at the history of a value, and restores an earlier one', async () => {
    const { page, open } = dashboard;
    await open(`/o/acme/apps/${id}/variables?variable=WHERE`);
    await dialog().getByRole('button', { name: 'Edit for Preview' }).click();
    await dialog().getByRole('textbox', { name: 'Value' }).fill('changed');
    await dialog().getByRole('button', { name: 'Save' }).click();
    await page.getByText('WHERE saved').waitFor();
    await dialog().getByRole('button', { name: 'History for Preview' }).click();
    const history = page.getByRole('dialog', { name: 'History of WHERE' });
    await history.getByRole('button', { name: 'Restore version 1' }).click();
    await page.getByText('Version 1 restored').waitFor();
    await history.getByRole('button', { name: 'Show values' }).click();
    await history.getByText('changed', { exact: true }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('compares two environments, and copies what is missing in one', async () => {
    const { page, instance, open } = dashboard;
    const environments = (await instance.call('GET', `/applications/${id}/environments`, { as: 'user' }))
      .body;
    const production = environments.items[0].id;
    const own = `/applications/${id}/env-vars`;
    for (const body of [
      { key: 'ONLY_HERE', value: '1', environmentId: production },
      { key: 'SHARED', value: 'same' },
      { key: 'TOKEN', value: 'x', sensitive: true, environmentId: production },
    ])
      assert.equal((await instance.call('POST', own, { as: 'user', body })).status, 200);
    await open(`/o/acme/apps/${id}/variables`);
    await page.getByRole('link', { name: 'Compare environments' }).click();
    const row = (name: RegExp) => page.getByRole('row', { name });
    await row(/WHERE.*Different/).waitFor();
    await row(/ONLY_HERE.*Missing in Preview/).waitFor();
    assert.equal(await row(/SHARED/).count(), 0);
    await page.getByRole('switch', { name: 'Show equal variables' }).click();
    await row(/SHARED.*Same/).waitFor();
    await page.getByRole('button', { name: 'Show values' }).click();
    await row(/WHERE.*production.*preview/).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Swap environments' }).click();
    await row(/ONLY_HERE.*Missing in Preview/).waitFor();
    await page.getByRole('button', { name: 'Swap environments' }).click();
    await page.getByRole('button', { name: 'Copy variables' }).click();
    await dialog().getByRole('button', { name: 'Copy variables' }).click();
    await page.getByText('2 created, 0 changed, 1 skipped').waitFor();
    await row(/ONLY_HERE.*Same/).waitFor();
    await row(/TOKEN.*Not compared/).waitFor();
  });

  test('exports the variables of one scope', async () => {
    const { page, open } = dashboard;
    await open(`/o/acme/apps/${id}/variables`);
    await page.getByRole('button', { name: 'Actions for Variables' }).click();
    await page.getByRole('menuitem', { name: 'Export as a .env file' }).click();
    await dialog().getByText('SHARED=same').waitFor();
    await dialog().getByRole('combobox', { name: 'Scope' }).click();
    await page.getByRole('option', { name: 'Production only' }).click();
    await dialog().getByText('ONLY_HERE=1').waitFor();
    await dialog().getByText('One sensitive variable is left out.').waitFor();
    await dialog().getByRole('link', { name: 'Download storefront-production.env' }).waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('pulls the resolved set with a key of the application', async () => {
    const { instance } = dashboard;
    const body = { name: 'pull', applicationId: id, scopes: ['network:env_vars:read'] };
    const key = (await instance.call('POST', '/api-keys', { as: 'user', body })).body;
    const as = { token: await fetchToken(instance.url, key) };
    const path = `/applications/${id}/env-vars/pull?environment=production`;
    assert.deepEqual((await instance.call('GET', path, { as })).body.items, [
      { key: 'ONLY_HERE', value: '1', source: 'environment' },
      { key: 'SHARED', value: 'same', source: 'application' },
      { key: 'WHERE', value: 'production', source: 'environment' },
    ]);
  });

  test('adds a domain, and sees which record is missing', async () => {
    const { page, open } = dashboard;
    await open(`/o/acme/apps/${id}/domains`);
    await page.getByRole('button', { name: 'Add domain' }).click();
    await dialog().getByLabel('Domain').fill('co.uk');
    await dialog().getByRole('button', { name: 'Add domain' }).click();
    await dialog().getByText('public suffix').waitFor();
    await dialog().getByLabel('Domain').fill('shop.example.com');
    await dialog().getByRole('button', { name: 'Add domain' }).click();
    const card = page.getByRole('region', { name: 'shop.example.com' });
    await card.getByText('storefront.apps.localhost', { exact: true }).waitFor();
    await card.getByText('_mainstay.shop.example.com', { exact: true }).waitFor();
    await card.getByText('Pending').waitFor();
  });

  test('changes the label of its hostname, and sees why another cannot be had', async () => {
    const { page } = dashboard;
    await page.getByLabel('Label').fill('admin');
    await page.getByText('The label "admin" is reserved.').waitFor();
    await page.getByLabel('Label').fill('my shop');
    await page.getByText('Available', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('my-shop.apps.localhost:4080', { exact: true }).waitFor();
  });

  test('axe finds nothing serious, on a desk and on a phone', async () => {
    const { page, open } = dashboard;
    const screens = ['', '/variables', '/variables?variable=WHERE', '/domains', '/cache', '/settings'];
    for (const screen of screens) {
      await open(`/o/acme/apps/${id}${screen}`);
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), [], screen);
    }
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('makes an environment, deletes the application, and takes that back', async () => {
    const { page, open } = dashboard;
    await open(`/o/acme/apps/${id}/settings`);
    await page.getByRole('button', { name: 'New environment' }).click();
    await dialog().getByLabel('Name').fill('Staging');
    await dialog().getByLabel('Branches').fill('develop, release/*');
    await dialog().getByRole('button', { name: 'Create environment' }).click();
    await page.getByText('develop, release/*').waitFor();
    await page.getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByRole('alertdialog').getByRole('textbox').fill('storefront');
    await page.getByRole('button', { name: 'Delete application' }).click();
    await page.getByRole('button', { name: 'Restore Storefront' }).click();
    await page.getByRole('row', { name: /Storefront/ }).waitFor();
  });
});
