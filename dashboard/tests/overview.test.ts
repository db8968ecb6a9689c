import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setRole } from '../../server/testing/people.ts';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the overview of an organization', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
    const path = `/organizations/${dashboard.organizationId}/env-vars`;
    for (const [key, sensitive] of Object.entries({ LOG_LEVEL: false, HOST: false, SECRET: true })) {
      const body = { key, value: 'some value', sensitive };
      await dashboard.instance.call('POST', path, { as: 'organization', body });
    }
  });
  after(() => dashboard[Symbol.asyncDispose]());

  test('says what there is, and what was changed last', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    const main = page.getByRole('main');
    await main.getByText('3 variables, 1 of them sensitive').waitFor();
    await main.getByText('One member').waitFor();
    await main.getByText(/^(One key|\d+ keys), used /).waitFor();
    const [latest] = await page.getByRole('list', { name: 'Latest changes' }).getByRole('listitem').all();
    assert.match((await latest?.innerText()) ?? '', /env_var\.created\s+env var SECRET/);
  });

  test('each of its places has keys of its own, and opens by them', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keys' });
    await help.waitFor();
    const keys = await help
      .locator('li')
      .evaluateAll((lines) => lines.map(({ lastChild }) => lastChild?.textContent));
    assert.ok(keys.length > 20);
    assert.deepEqual(keys, [...new Set(keys)]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.waitForURL(/\/o\/acme\/variables/);
  });

  test('a member is told nothing of the audit log', async () => {
    const { page, open, instance, organizationId } = dashboard;
    const { body } = await instance.call('GET', `/organizations/${organizationId}/members`, {
      as: 'organization',
    });
    await setRole(instance, { id: body.items[0].userId }, 'MEMBER');
    await open('/o/acme');
    await page.getByText('3 variables, 1 of them sensitive').waitFor();
    await page.waitForLoadState('networkidle');
    assert.equal(await page.getByRole('region', { name: 'Latest changes' }).count(), 0);
  });
});
