import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the audit log', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
    const { instance, organizationId } = dashboard;
    const body = { content: Array.from({ length: 60 }, (_, index) => `KEY_${index}=1`).join('\n') };
    await instance.call('POST', `/organizations/${organizationId}/env-vars/import`, {
      as: 'organization',
      body,
    });
  });
  after(() => dashboard[Symbol.asyncDispose]());

  test('brings more on demand, and says how much there is', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log?action=env_var.created');
    await page.getByText('50 of 60').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('60 of 60').waitFor();
  });

  test('keeps its filters in the address, through a reload and the back button', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log');
    await page.getByLabel('Action', { exact: true }).fill('organization.created');
    await page.waitForURL(/action=organization\.created/);
    await page.getByText('1 of 1').waitFor();
    await page.reload();
    await page.getByText('1 of 1').waitFor();
    assert.equal(await page.getByLabel('Action', { exact: true }).inputValue(), 'organization.created');
    await page.getByRole('button', { name: 'Clear' }).click();
    await page.getByText(/^50 of/).waitFor();
  });

  test('a record opens to what changed, and narrows the list to its target', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log?action=env_var.created');
    await page.getByRole('row').filter({ hasText: 'KEY_7' }).first().press('Enter');
    await page.getByRole('dialog').getByText('What changed').waitFor();
    await page.getByRole('button', { name: 'Only this target' }).click();
    await page.waitForURL(/targetId=/);
    await page.getByText('1 of 1').waitFor();
  });

  test('times stand as the person’s clock shows them, and go to the API as moments', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log');
    await page.getByLabel('From').fill('2090-01-01T00:00');
    await page.waitForURL(/from=2090|from=2089/);
    await page.getByText('Nothing that was done fits these filters.').waitFor();
  });
});
