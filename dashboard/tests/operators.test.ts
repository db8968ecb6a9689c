import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { addPerson } from '../../server/testing/people.ts';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the screens of operators', () => {
  let dashboard: Dashboard;
  let person: { id: string; email: string };
  before(async () => {
    dashboard = await openDashboard();
    person = await addPerson(dashboard.instance, 'mallory@example.com');
  });
  after(() => dashboard[Symbol.asyncDispose]());

  const isSuspended = async () => {
    const { body } = await dashboard.page.request
      .get('/admin/users?search=mallory', { headers: { 'x-mainstay-session': '1' } })
      .then(async (answer) => ({ body: await answer.json() }));
    return body.items[0].suspended;
  };

  test('the overview counts what the instance holds', async () => {
    const { page, open } = dashboard;
    await open('/instance');
    await page.getByRole('link', { name: /Users\s*2/ }).waitFor();
  });

  test('a user is found, suspended after a confirmation, and reactivated', async () => {
    const { page, open } = dashboard;
    await open('/instance/users');
    await page.getByLabel('Filter by name or e-mail').fill('mallory');
    await page.waitForURL(/filter=mallory/);
    const menu = page.getByRole('button', { name: `Actions for ${person.email}` });
    await menu.click();
    await page.getByRole('menuitem', { name: 'Suspend' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Suspend' }).click();
    await page.getByText('Suspended').waitFor();
    assert.equal(await isSuspended(), true);
    await menu.click();
    await page.getByRole('menuitem', { name: 'Lift the suspension' }).click();
    await page.getByText('Suspended').waitFor({ state: 'detached' });
    assert.equal(await isSuspended(), false);
  });

  test('a link for a new password is shown once', async () => {
    const { page, open } = dashboard;
    await open('/instance/users?filter=mallory');
    await page.getByRole('button', { name: `Actions for ${person.email}` }).click();
    await page.getByRole('menuitem', { name: 'Create password reset link' }).click();
    await page.getByRole('button', { name: 'Create link' }).click();
    await page.getByText('It works once').waitFor();
    await page
      .getByRole('dialog')
      .getByText(/^http.*/)
      .waitFor();
  });

  test('a product is revoked for an organization, and its members see why', async () => {
    const { page, open, organizationId } = dashboard;
    await open(`/instance/organizations/${organizationId}`);
    const card = page.getByRole('region', { name: 'Whois' });
    await card.getByRole('button', { name: 'Change' }).click();
    await page.getByRole('menuitem', { name: 'Revoke' }).click();
    await card.getByText('No access').waitFor();
    await open('/o/acme/settings/products');
    await page.getByRole('region', { name: 'Whois' }).getByText('Set by an operator').waitFor();
  });

  test('a setting is changed at once, and taken back', async () => {
    const { page, open } = dashboard;
    await open('/instance/settings');
    await page.getByRole('switch', { name: /Early access/ }).click();
    await page.getByText('Saved').waitFor();
    assert.equal(await page.getByRole('switch', { name: /Early access/ }).isChecked(), true);
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.locator('[role=switch][aria-checked=false]').first().waitFor();
  });

  test('an OAuth app is registered, and its secret shown once', async () => {
    const { page, open } = dashboard;
    await open('/instance/oauth-apps');
    await page.keyboard.press('c');
    await page.getByLabel('Name').fill('Wiki');
    await page.getByLabel('Redirect URIs').fill('https://wiki.example.com/callback');
    await page.getByRole('button', { name: 'Register', exact: true }).click();
    await page.getByLabel('Client secret').waitFor();
  });
});
