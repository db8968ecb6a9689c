import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the screen of the cache', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard[Symbol.asyncDispose]());

  const enter = () => dashboard.open(`/o/acme/apps/${dashboard.instance.bootstrapped.application.id}/cache`);
  const write = (key: string, value: string) =>
    dashboard.instance.call('POST', '/fastcache', {
      as: 'application',
      body: { key, value, expiration: 600 },
    });
  const row = (key: string) => dashboard.page.getByRole('row').filter({ hasText: key });

  test('browses by prefix, writes, and shows what is there', async () => {
    const { page } = dashboard;
    await write('user:1', '{"name":"Ada"}');
    await write('page:home', '<h1>');
    await enter();
    await row('page:home').waitFor();
    await page.getByLabel('Keys starting with').fill('user:');
    await page.waitForURL(/prefix=/);
    await row('page:home').waitFor({ state: 'detached' });
    await row('user:1').press('Enter');
    await page.getByRole('dialog').getByText('"name": "Ada"').waitFor();
  });

  test('writes over nothing that somebody else wrote meanwhile', async () => {
    const { page } = dashboard;
    await page.getByRole('button', { name: 'Edit' }).click();
    await page.getByLabel('Value', { exact: true }).fill('mine');
    await write('user:1', 'theirs');
    await page.getByRole('button', { name: 'Save' }).click();
    await page.getByText('was changed or deleted in the meantime').first().waitFor();
    await page.getByRole('dialog', { name: 'user:1' }).getByText('theirs').waitFor();
    await page.keyboard.press('Escape');
  });

  test('a deletion can be taken back', async () => {
    const { page } = dashboard;
    await page.getByRole('button', { name: 'Delete user:1' }).click();
    await page.getByText('user:1 deleted').waitFor();
    await page.getByRole('button', { name: 'Undo' }).click();
    await row('user:1').waitFor();
    const { body } = await dashboard.instance.call('GET', '/fastcache?key=user:1', { as: 'application' });
    assert.equal(body.value, 'theirs');
  });
});
