import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, openDashboard } from './screen.ts';

describe('the screen of environment variables', () => {
  let dashboard: Dashboard;
  before(async () => {
    dashboard = await openDashboard();
  });
  after(() => dashboard[Symbol.asyncDispose]());

  const currentValue = async (key: string) => {
    const path = `/organizations/${dashboard.organizationId}/env-vars`;
    const { body } = await dashboard.instance.call('GET', path, { as: 'organization' });
    return body.items.find((one: { key: string }) => one.key === key)?.value;
  };
  const row = (key: string) => dashboard.page.getByRole('row').filter({ hasText: key });

  test('teaches while there are none, and takes a whole .env file', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.getByText('No variables yet').waitFor();
    await page.keyboard.press('i');
    await page
      .getByLabel('Variables', { exact: true })
      .fill('LOG_LEVEL=info\nHOST=db.internal\nURL="postgres://${HOST}/app"\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText('3 created, 0 changed, 0 unchanged').waitFor();
    await row('LOG_LEVEL').waitFor();
  });

  test('says which line of a pasted file is wrong, and takes none of it', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables?dialog=import');
    await page.getByLabel('Variables', { exact: true }).fill('GOOD=1\nthis is no assignment\n');
    await page.getByRole('button', { name: 'Import', exact: true }).click();
    await page.getByText(/line 2/i).waitFor();
    assert.equal(await currentValue('GOOD'), undefined);
  });

  test('hides values until they are asked for', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    assert.equal(await page.getByText('db.internal').count(), 0);
    await page.getByRole('button', { name: 'Show HOST' }).click();
    await page.getByText('db.internal').waitFor();
  });

  test('changes a value in its place by the keyboard, and takes it back', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.getByRole('button', { name: 'Edit LOG_LEVEL' }).press('Enter');
    await page.getByLabel('Value of LOG_LEVEL').fill('debug');
    await page.keyboard.press('Enter');
    await page.getByText('LOG_LEVEL changed').waitFor();
    assert.equal(await currentValue('LOG_LEVEL'), 'debug');
    await page.getByRole('button', { name: 'Undo' }).click();
    await page.waitForResponse((response) => response.url().endsWith('/restore'));
    assert.equal(await currentValue('LOG_LEVEL'), 'info');
  });

  test('Escape leaves a value as it was', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.getByRole('button', { name: 'Edit LOG_LEVEL' }).click();
    await page.getByLabel('Value of LOG_LEVEL').fill('trace');
    await page.keyboard.press('Escape');
    await page.getByRole('button', { name: 'Edit LOG_LEVEL' }).waitFor();
    assert.equal(await currentValue('LOG_LEVEL'), 'info');
  });

  test('a sensitive value is replaced, and never in the page', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.keyboard.press('c');
    await page.getByLabel('Key', { exact: true }).fill('SECRET');
    await page.getByLabel('Value', { exact: true }).fill('s3cret-one');
    await page.getByRole('checkbox', { name: /^Sensitive/ }).check();
    await page.getByRole('button', { name: 'Create variable' }).click();
    await page.getByText('SECRET created').waitFor();
    await page.getByRole('button', { name: 'Replace SECRET' }).click();
    await page.getByLabel('Value of SECRET').fill('s3cret-two');
    await page.keyboard.press('Enter');
    await page.getByText('SECRET changed').waitFor();
    assert.doesNotMatch(await page.content(), /s3cret/);
  });

  test('shows values as applications see them when references are replaced', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.getByRole('switch', { name: 'Replace references' }).click();
    await page.waitForURL(/resolved=true/);
    await page.getByRole('button', { name: 'Show URL' }).click();
    await page.getByText('postgres://db.internal/app').waitFor();
  });

  test('restores an earlier version from the history', async () => {
    const { page, open, instance, organizationId } = dashboard;
    const path = `/organizations/${organizationId}/env-vars`;
    const { body } = await instance.call('GET', path, { as: 'organization' });
    const { id } = body.items.find((one: { key: string }) => one.key === 'HOST');
    await instance.call('PATCH', `${path}/${id}`, { as: 'organization', body: { value: 'other.internal' } });
    await open('/o/acme/variables');
    await page.getByRole('button', { name: 'Actions for HOST' }).click();
    await page.getByRole('menuitem', { name: 'History' }).click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('Version 1 restored').waitFor();
    assert.equal(await currentValue('HOST'), 'db.internal');
  });

  test('exports a .env file, and says what is not in it', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables?dialog=export');
    await page.getByText('One sensitive variable is left out.').waitFor();
    const [file] = await Promise.all([
      page.waitForEvent('download'),
      page.getByRole('link', { name: 'Download acme.env' }).click(),
    ]);
    const text = await readFile(await file.path(), 'utf8');
    assert.match(text, /^LOG_LEVEL=/m);
    assert.doesNotMatch(text, /SECRET/);
  });

  test('keeps the filter in the address', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.keyboard.press('/');
    await page.keyboard.type('log');
    await page.waitForURL(/filter=log/);
    await row('HOST').waitFor({ state: 'detached' });
    await page.reload();
    await row('LOG_LEVEL').waitFor();
    assert.equal(await row('HOST').count(), 0);
  });

  test('deletes one after asking', async () => {
    const { page, open } = dashboard;
    await open('/o/acme/variables');
    await page.getByRole('button', { name: 'Actions for SECRET' }).click();
    await page.getByRole('menuitem', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete variable' }).click();
    await page.getByText('SECRET deleted').waitFor();
    await row('SECRET').waitFor({ state: 'detached' });
    assert.equal(await currentValue('SECRET'), undefined);
  });

  test('of a thousand, only those in sight are in the page, and the keyboard reaches the last', async () => {
    const { page, open, instance, organizationId } = dashboard;
    const content = Array.from({ length: 990 }, (_, at) => `LONG_${1000 + at}=${at}`).join('\n');
    const imported = await instance.call('POST', `/organizations/${organizationId}/env-vars/import`, {
      as: 'organization',
      body: { content },
    });
    assert.equal(imported.status, 200, imported.body.error);
    await open('/o/acme/variables?filter=LONG_');
    const first = page.getByRole('row').filter({ hasText: 'LONG_1000' });
    await first.focus();
    await page.keyboard.press('End');
    const last = page.getByRole('row').filter({ hasText: 'LONG_1989' });
    await last.and(page.locator(':focus')).waitFor();
    assert.ok((await page.getByRole('row').count()) < 100);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').filter({ hasText: 'LONG_1988' }).waitFor();
  });
});
