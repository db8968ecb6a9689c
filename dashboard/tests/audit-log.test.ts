import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
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
    await page.getByRole('button', { name: 'Filter by Action' }).click();
    await page.getByRole('menuitem', { name: 'organization.created', exact: true }).click();
    await page.waitForURL(/action=organization\.created/);
    await page.getByText('1 of 1').waitFor();
    await page.reload();
    await page.getByText('1 of 1').waitFor();
    await page.getByRole('button', { name: 'Action: organization.created' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Action' }).click();
    await page.getByText(/^50 of/).waitFor();
    await page.getByRole('button', { name: 'Filter by Action' }).click();
    await page.getByRole('menuitem', { name: 'env_var.*' }).click();
    await page.getByText('50 of 60').waitFor();
  });

  test('is exported as a file of what the filters find', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log?action=env_var.*');
    const download = page.waitForEvent('download');
    await page.getByRole('button', { name: 'Export CSV' }).click();
    const file = await (await download).path();
    const lines = (await readFile(file, 'utf8')).trim().split('\r\n');
    assert.equal(lines.length, 61);
    assert.match(lines[1] ?? '', /^20.*,env_var\.created,organization,.*"{""key""/);
  });

  test('a record opens to what changed, and narrows the list to its target', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log?action=env_var.created');
    await page.getByRole('row').filter({ hasText: 'KEY_7' }).first().press('Enter');
    await page.getByRole('dialog').getByText('Details').waitFor();
    await page.getByRole('button', { name: 'Filter by target' }).click();
    await page.waitForURL(/targetId=/);
    await page.getByText('1 of 1').waitFor();
  });

  test('times stand as the person’s clock shows them, and go to the API as moments', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/audit-log');
    await page.getByRole('button', { name: 'Filter by Time' }).click();
    await page.getByRole('menuitem', { name: 'Last hour' }).click();
    await page.getByText(/^50 of/).waitFor();
    await page.getByLabel('From').fill('2090-01-01T00:00');
    await page.waitForURL(/from=2090|from=2089/);
    await page.getByText('No records match the filters.').waitFor();
  });
});
