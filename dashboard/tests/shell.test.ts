import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the shell', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard[Symbol.asyncDispose]());

  test('each shortcut is there once, and sections open by theirs', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    await page.keyboard.press('?');
    const help = page.getByRole('dialog', { name: 'Keyboard shortcuts' });
    await help.waitFor();
    const keys = await help
      .locator('li')
      .evaluateAll((lines) => lines.map(({ lastChild }) => lastChild?.textContent));
    assert.ok(keys.length > 15);
    assert.deepEqual(keys, [...new Set(keys)]);
    await page.keyboard.press('Escape');
    await help.waitFor({ state: 'detached' });
    await page.keyboard.press('g');
    await page.keyboard.press('v');
    await page.waitForURL(/\/o\/acme\/variables/);
  });

  test('no link of the sidebar is dead', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    const links = page.getByRole('navigation', { name: 'Organization' }).getByRole('link');
    const paths = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href') ?? ''));
    assert.ok(paths.includes('/o/acme/keys') && paths.includes('/o/acme/ai'));
    for (const path of paths) {
      await page.goto(path);
      await page.locator('main h1').waitFor();
      assert.equal(await page.getByRole('heading', { name: 'Page not found' }).count(), 0, path);
    }
  });

  test('the switch leads to the instance and back', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    await page.getByRole('button', { name: 'Acme; switch organization' }).click();
    await page.getByRole('menuitem', { name: 'Instance' }).click();
    await page.waitForURL('/instance');
    await page.getByRole('navigation', { name: 'Instance' }).getByRole('link', { name: 'Users' }).waitFor();
    await page.getByRole('button', { name: 'Instance; switch organization' }).click();
    await page.getByRole('menuitem', { name: 'Acme' }).click();
    await page.waitForURL('/o/acme');
  });

  test('an address that leads nowhere keeps the frame', async () => {
    const { page, open, instance } = dashboard;
    const application = `/o/acme/apps/${instance.bootstrapped.application.id}`;
    const missing = '01900000-0000-7000-8000-000000000000';
    const gone = [`/o/acme/keys/${missing}`, `${application}/deployments/${missing}/files`];
    for (const path of ['/o/acme/nothing', '/o/nobody', '/nothing/at/all', ...gone]) {
      await open(path);
      await page.getByRole('heading', { name: 'Page not found' }).waitFor();
      await page.getByRole('button', { name: /switch organization/ }).waitFor();
    }
  });

  test('the palette finds sections by other words for them', async () => {
    const { page, open } = dashboard;
    await open('/o/acme');
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('dotenv');
    await page.getByRole('option', { name: 'Variables' }).click();
    await page.waitForURL(/\/variables/);
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: 'Search' }).fill('Key Bootstrap');
    await page.getByRole('option', { name: /Key Bootstrap/ }).click();
    await page.getByRole('heading', { name: 'Bootstrap' }).waitFor();
  });

  test('a screen is shown as code in the language that was chosen last', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/members');
    await page.getByRole('button', { name: 'Actions for Members' }).click();
    await page.getByRole('menuitem', { name: 'View as code' }).click();
    await page.getByRole('tab', { name: 'Python' }).click();
    await page.getByRole('tabpanel').getByText('response.raise_for_status()').waitFor();
    await page.keyboard.press('Escape');
    await page.keyboard.press('g');
    await page.keyboard.press('s');
    await page.waitForURL(/\/settings/);
    await page.getByRole('button', { name: 'Actions for Settings' }).click();
    await page.getByRole('menuitem', { name: 'View as code' }).click();
    await page.getByRole('tab', { name: 'Python', selected: true }).waitFor();
  });

  test('shortcuts work while a toast is shown', async () => {
    const { page, open } = dashboard;
    await open('/design');
    await page.getByRole('button', { name: 'Show a problem' }).click();
    await page.getByText('It could not be saved. Try again.').first().waitFor();
    await page.keyboard.press('j');
    await page.locator('[role=row][data-index="0"]:focus').waitFor();
  });
});

test('a failure names its request behind a disclosure', async () => {
  await using dashboard = await openDashboard();
  const { page, open } = dashboard;
  const fail = { status: 500, headers: { 'x-request-id': 'request-7' }, json: { error: 'It failed.' } };
  await page.route('**/audit-log?**', (route) => route.fulfill(fail));
  await open('/o/acme/audit-log');
  const alert = page.getByRole('alert');
  await alert.getByText('It failed.').waitFor();
  assert.equal(await alert.getByText('request-7').isVisible(), false);
  await alert.getByText('Details').click();
  await alert.getByText('request-7').waitFor();
});

test('tables of the dashboard sort, mark rows and remember their columns', async () => {
  await using dashboard = await openDashboard();
  const { page, open } = dashboard;
  await open('/design');
  const table = page.getByRole('table', { name: 'Rows', exact: true });
  const first = table.locator('[data-index="0"]');
  await table.getByRole('button', { name: 'Name' }).click();
  await first.getByText('Row 1', { exact: true }).waitFor();
  await table.getByRole('button', { name: 'Name' }).click();
  await first.getByText('Row 1000', { exact: true }).waitFor();

  await first.focus();
  await page.keyboard.press('x');
  await page.keyboard.press('j');
  await page.keyboard.press('x');
  await page.getByRole('status').getByText('2 selected').waitFor();

  await page.getByRole('button', { name: 'Filter by Status' }).click();
  await page.getByRole('menuitem', { name: 'failed' }).click();
  await page.getByRole('button', { name: 'Status: failed' }).waitFor();
  await page.getByRole('button', { name: 'Remove the filter Status' }).click();

  await page.getByRole('button', { name: 'Choose columns' }).click();
  await page.getByRole('menuitemcheckbox', { name: 'Number' }).click();
  await table.getByRole('columnheader', { name: 'Number' }).waitFor();
  await page.reload();
  await table.getByRole('columnheader', { name: 'Number' }).waitFor();
});

test('a dialog that destroys has the focus on Cancel, and one with a secret closes by its button alone', async () => {
  await using dashboard = await openDashboard();
  const { page, open } = dashboard;
  await open('/design');
  await page.getByRole('button', { name: 'Danger' }).click();
  await page
    .getByRole('alertdialog')
    .getByRole('button', { name: 'Cancel' })
    .and(page.locator(':focus'))
    .waitFor();
  await page.keyboard.press('Enter');
  await page.getByRole('alertdialog').waitFor({ state: 'detached' });

  await page.getByRole('button', { name: 'Show a secret' }).click();
  const dialog = page.getByRole('dialog', { name: 'Key created' });
  await dialog.waitFor();
  await page.keyboard.press('Escape');
  await page.mouse.click(5, 5);
  await dialog.getByLabel('Secret').waitFor();
  await dialog.getByRole('button', { name: 'I have saved the secret' }).click();
  await dialog.waitFor({ state: 'detached' });
});

test('an application is a level down: its own sections, its environment, keys of its own', async () => {
  await using dashboard = await openDashboard();
  const { page, open, instance } = dashboard;
  const path = `/o/acme/apps/${instance.bootstrapped.application.id}`;
  await open(`${path}/keys`);
  const sections = page.getByRole('navigation', { name: 'Application' }).first();
  await sections.getByRole('link', { name: 'API keys' }).waitFor();
  assert.equal(await page.getByRole('link', { name: 'Members' }).count(), 0);
  await page.getByRole('row').filter({ hasText: 'Bootstrap' }).waitFor();
  await page.keyboard.press('c');
  await page
    .getByRole('dialog')
    .getByRole('checkbox', { name: /Read the key-value cache/ })
    .waitFor();
  assert.equal(await page.getByText('For its applications only').count(), 0);
  await page.keyboard.press('Escape');
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await page.waitForURL('/o/acme');

  await open('/o/acme/apps/01900000-0000-7000-8000-000000000000/keys');
  await page.getByRole('heading', { name: 'Page not found' }).waitFor();
});

test('the overview shows usage, what needs attention, and what was done in words', async () => {
  await using dashboard = await openDashboard();
  const { page, open, instance, organizationId } = dashboard;
  const soon = new Date(Date.now() + 86_400_000).toISOString();
  const made = await instance.call('POST', '/api-keys', {
    as: 'user',
    body: { name: 'CI pipeline', organizationId, expiresAt: soon, scopes: ['platform:organizations:read'] },
  });
  assert.equal(made.status, 200);
  await instance.call('GET', `/organizations/${organizationId}`, { as: 'organization' });
  await open('/o/acme');
  for (const label of ['Requests', 'Errors', 'Tokens issued', 'Cache hit rate'])
    await page.getByRole('region', { name: label, exact: true }).waitFor();
  const attention = page.getByRole('list', { name: 'Needs attention' });
  await attention.getByText('The key “CI pipeline” expires within a week').waitFor();
  await attention.getByText('No mail server is configured').waitFor();
  const [latest] = await page.getByRole('list', { name: 'Recent activity' }).getByRole('listitem').all();
  assert.match((await latest?.innerText()) ?? '', /owner\S* created the key CI pipeline/);
  await page.getByRole('button', { name: '7 days' }).click();
  await page.waitForURL(/range=7d/);
  await page.getByRole('link', { name: 'Requests', exact: true }).click();
  await page.waitForURL(/usage\?range=7d/);
  await page.getByRole('heading', { name: 'Usage' }).waitFor();
  for (const label of ['Requests', 'Errors', 'Cache hit rate', 'Storage used'])
    await page.getByRole('img', { name: label, exact: true }).waitFor();
  const limits = page.getByRole('region', { name: 'Deployment limits' });
  await limits.getByText('0 min · no limit').waitFor();
  await limits.getByRole('img', { name: 'Function processes: 0 of 100 used' }).waitFor();
  await page.getByRole('link', { name: 'Acme', exact: true }).click();
  await attention.getByRole('link', { name: 'View key' }).click();
  await page.getByRole('heading', { name: 'CI pipeline' }).waitFor();
});
