import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

describe('the screens of storage', () => {
  let dashboard: Dashboard;
  let folder: string;
  let buckets: string;
  let screens: string;
  before(async () => {
    dashboard = await openDashboard();
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-files-'));
    const application = dashboard.instance.bootstrapped.application.id;
    buckets = `/applications/${application}/storage/buckets`;
    screens = `/o/acme/apps/${application}/storage`;
  });
  after(async () => {
    await dashboard?.[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const call = (method: string, at: string, body?: unknown) =>
    dashboard.instance.call(method, `${buckets}${at}`, {
      as: 'application',
      ...(body === undefined ? {} : { body }),
    });

  test('a bucket is made, and files are uploaded, looked at, shared, deleted and restored', async () => {
    const { page, open } = dashboard;
    await open(screens);
    await page.getByText('No buckets yet').waitFor();
    await page.getByRole('button', { name: 'Create bucket' }).first().click();
    await page.getByLabel('Name').fill('photos');
    await page.getByRole('button', { name: 'Create bucket' }).last().click();
    await page.getByRole('link', { name: 'photos' }).click();
    await page.getByText('No files yet').waitFor();

    await writeFile(path.join(folder, 'note.txt'), 'hello from a file');
    await writeFile(path.join(folder, 'large.bin'), randomBytes(9_000_000));
    const files = [path.join(folder, 'note.txt'), path.join(folder, 'large.bin')];
    await page.getByLabel('Files to upload').setInputFiles(files);
    await page.getByText('2 of 2 files uploaded').waitFor();
    await page.getByRole('row').filter({ hasText: 'large.bin' }).waitFor();
    const { items } = (await call('GET', '/photos/objects')).body;
    assert.deepEqual(
      items.map(({ key, contentLength }: { key: string; contentLength: number }) => [key, contentLength]),
      [
        ['large.bin', 9_000_000],
        ['note.txt', 17],
      ],
    );

    await page.getByRole('row').filter({ hasText: 'note.txt' }).click();
    await page.getByText('hello from a file').waitFor();
    await page.getByRole('button', { name: 'Create link' }).click();
    const link = await page.getByText('/signed/').first().textContent();
    assert.equal(await (await fetch(link ?? '')).text(), 'hello from a file');
    await page.getByRole('dialog').getByRole('button', { name: 'Delete', exact: true }).click();
    await page.getByText('Moved to the trash').waitFor();

    await page.getByRole('link', { name: 'Trash' }).click();
    const row = page.getByRole('row').filter({ hasText: 'note.txt' });
    await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty').waitFor();
    assert.equal((await call('GET', '/photos/objects')).body.items.length, 2);
  });

  test('uploads that are cut off resume where they stopped after a reload, and files are asked for again', async () => {
    const { page, open } = dashboard;
    await writeFile(path.join(folder, 'cut.bin'), randomBytes(20_000_000));
    await writeFile(path.join(folder, 'small.txt'), 'kept by the browser');
    await open(`${screens}/photos`);
    // The first piece arrives, and then the network is gone.
    let patches = 0;
    await page.route('**/uploads/**', (route) => {
      if (route.request().method() === 'PATCH' && ++patches > 1) return route.abort('connectionreset');
      return route.continue();
    });
    const chosen = page.getByLabel('Files to upload');
    await chosen.setInputFiles(path.join(folder, 'cut.bin'));
    for (let tries = 0; patches < 2 && tries < 200; tries++) await page.waitForTimeout(50);
    await chosen.setInputFiles(path.join(folder, 'small.txt'));
    for (let tries = 0; patches < 3 && tries < 200; tries++) await page.waitForTimeout(50);
    await page.reload();
    await page.unroute('**/uploads/**');
    await page.getByText('One file has to be chosen again').waitFor();
    const offsets: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
    });
    await page.getByRole('button', { name: 'Resume all' }).click();
    await page.getByRole('row').filter({ hasText: 'small.txt' }).waitFor();
    await page.getByLabel('Files to resume').setInputFiles(path.join(folder, 'note.txt'));
    await page.getByText('do not match the interrupted uploads').first().waitFor();
    await page.getByLabel('Files to resume').setInputFiles(path.join(folder, 'cut.bin'));
    await page.getByText('2 of 2 files uploaded').waitFor();
    assert.equal(offsets.at(1), String(8 * 1024 * 1024));
    const { items } = (await call('GET', '/photos/objects?prefix=cut')).body;
    assert.equal(items[0].contentLength, 20_000_000);
    // What is over is not there again.
    await page.reload();
    await page.getByRole('row').filter({ hasText: 'cut.bin' }).waitFor();
    assert.equal(await page.getByRole('region', { name: 'Uploads' }).count(), 0);
  });

  test('an upload is paused and continues', async () => {
    const { page, open } = dashboard;
    await open(`${screens}/photos`);
    await writeFile(path.join(folder, 'paused.txt'), 'x');
    await page.route('**/uploads/**', (route) =>
      route.request().method() === 'PATCH' ? route.abort('connectionreset') : route.continue(),
    );
    await page.getByLabel('Files to upload').setInputFiles(path.join(folder, 'paused.txt'));
    await page.getByRole('button', { name: 'Pause all' }).click();
    await page.getByText('Paused · 0 B of 1 B').waitFor();
    await page.unroute('**/uploads/**');
    await page.getByRole('button', { name: 'Resume paused.txt' }).click();
    await page.getByText('1 of 1 files uploaded').waitFor();
  });

  test('folders are deleted with what is below, and what is marked in the trash is deleted permanently', async () => {
    const { page, open } = dashboard;
    for (const key of ['old/a.txt', 'old/deep/b.txt', 'older.txt', 'left/c.txt'])
      await call('PUT', `/photos/objects?key=${key}`, 'x');
    await open(`${screens}/photos?prefix=old`);
    // The rows, and not the objects in folders, which are not shown.
    await page.getByText('1 folder, 1 file', { exact: true }).waitFor();
    await open(`${screens}/photos`);
    for (const name of ['old', 'older.txt'])
      await page
        .getByRole('row')
        .filter({ has: page.getByText(name === 'old' ? 'old/' : name, { exact: true }) })
        .getByRole('checkbox')
        .click();
    await page.getByRole('button', { name: 'Delete' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByText('with everything below move to the trash').waitFor();
    await dialog.getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Moved to the trash').waitFor();
    const keys = async (list: string) =>
      (await call('GET', `/photos/${list}`)).body.items.map(({ key }: { key: string }) => key);
    assert.deepEqual(await keys('trash?prefix=old'), ['old/a.txt', 'old/deep/b.txt', 'older.txt']);
    assert.deepEqual(await keys('objects?prefix=left/'), ['left/c.txt']);

    await open(`${screens}/photos/trash?prefix=old`);
    for (const name of ['old/a.txt', 'older.txt'])
      await page.getByRole('row').filter({ hasText: name }).getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Delete permanently' }).click();
    await dialog.getByRole('button', { name: 'Delete permanently' }).click();
    await page.getByText('Permanently deleted').waitFor();
    assert.deepEqual(await keys('trash?prefix=old'), ['old/deep/b.txt']);
  });

  test('properties are edited, and versions are listed, restored and deleted', async () => {
    const { page, open } = dashboard;
    await call('PATCH', '/photos/settings', { versioning: 'enabled' });
    const ids: string[] = [];
    for (const content of ['first', 'second one'])
      ids.push((await call('PUT', '/photos/objects?key=plan.txt', content)).body.id);
    await open(`${screens}/photos?object=${ids[1]}`);
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('button', { name: 'Edit properties' }).click();
    await page.getByLabel('Cache-Control').fill('max-age=5');
    await page.getByLabel('Metadata').fill('author=Ada');
    await page.getByLabel('Tags').fill('no pair');
    await page.getByRole('button', { name: 'Save properties' }).click();
    await page.getByText('Write "no pair" as name=value.').waitFor();
    await page.getByLabel('Tags').fill('state=draft\nteam = a=b');
    await page.getByRole('button', { name: 'Save properties' }).click();
    await page.getByText('Properties saved').waitFor();
    const { body } = await call('GET', `/photos/objects/${ids[1]}/properties`);
    assert.deepEqual(
      [body.cacheControl, body.metadata, body.tags],
      ['max-age=5', { author: 'Ada' }, { state: 'draft', team: 'a=b' }],
    );

    const versions = page.getByRole('region', { name: 'Versions' });
    await versions
      .getByRole('listitem')
      .filter({ hasText: '5 B' })
      .getByRole('button', { name: 'Restore' })
      .click();
    await page.getByText('Version restored').waitFor();
    await versions.getByRole('listitem').nth(2).waitFor();
    await page.getByText('first', { exact: true }).waitFor();
    const old = versions.getByRole('listitem').filter({ hasText: '10 B' });
    await old.getByRole('button', { name: 'Delete version' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete version' }).click();
    await page.getByText('Version deleted').waitFor();
    const left = (await call('GET', '/photos/versions?key=plan.txt')).body.items;
    assert.deepEqual(
      left.map(({ contentLength, isCurrent }: { contentLength: number; isCurrent: boolean }) => [
        ...[contentLength, isCurrent],
      ]),
      [
        [5, true],
        [5, false],
      ],
    );
  });

  test('rules for CORS and lifecycle are added, changed and deleted, and a webhook is tried', async () => {
    const { page, open } = dashboard;
    await open(`${screens}/photos/settings`);
    const cors = page.getByRole('region', { name: 'CORS' });
    await cors.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Allowed origins').fill('https://app.example.com\nhttps://*.example.org');
    await page.getByRole('checkbox', { name: 'PUT' }).click();
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click();
    await cors.getByText('GET, HEAD, PUT').waitFor();
    const settings = async () => (await call('GET', '/photos/settings')).body;
    const [rule] = (await settings()).cors;
    assert.deepEqual(rule.allowedOrigins, ['https://app.example.com', 'https://*.example.org']);

    const lifecycle = page.getByRole('region', { name: 'Lifecycle' });
    await lifecycle.getByRole('button', { name: 'Add rule' }).click();
    await page.getByLabel('Prefix').fill('tmp/');
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click();
    await page.getByText('Choose what the rule removes.').waitFor();
    await page.getByLabel('Objects expire after (days)').fill('7');
    await page.getByRole('dialog').getByRole('button', { name: 'Add rule' }).click();
    await lifecycle.getByText('objects expire after 7 days').waitFor();
    await lifecycle.getByRole('button', { name: 'Edit rule 1' }).click();
    await page.getByRole('checkbox', { name: 'Enabled' }).click();
    await page.getByRole('button', { name: 'Save rule' }).click();
    await lifecycle.getByText('(disabled)').waitFor();
    assert.deepEqual((await settings()).lifecycle, [{ prefix: 'tmp/', enabled: false, expireAfterDays: 7 }]);
    await lifecycle.getByRole('button', { name: 'Delete rule 1' }).click();
    await page.getByRole('alertdialog').getByRole('button', { name: 'Delete rule' }).click();
    await lifecycle.getByText('No rules').waitFor();
    assert.deepEqual((await settings()).lifecycle, []);

    // An address that this machine may not send to: what went wrong is said.
    await call('PATCH', '/photos/settings', { webhookUrl: 'http://127.0.0.1:9/hook' });
    await open(`${screens}/photos/settings`);
    await page.getByRole('button', { name: 'Send test event' }).click();
    await page.getByText('Not accepted.').waitFor();
    await page.getByText('Deliveries (1)').click();
    await page.getByRole('list', { name: 'Deliveries' }).getByText('test').waitFor();
  });

  test('usage and settings are shown and changed, and a bucket is deleted', async () => {
    const { page, open } = dashboard;
    await open(`${screens}/photos/usage`);
    await page.getByText('Open uploads').waitFor();
    await open(`${screens}/photos/settings`);
    await page.getByLabel('Cache-Control').fill('max-age=60');
    const saved = page.waitForResponse((response) => response.request().method() === 'PATCH');
    await page.getByRole('button', { name: 'Save' }).first().click();
    assert.equal((await saved).status(), 200);
    await page.getByText('Saved').waitFor();
    assert.equal((await call('GET', '/photos/settings')).body.cacheControl, 'max-age=60');
    await page.getByRole('button', { name: 'Delete bucket' }).click();
    const dialog = page.getByRole('alertdialog');
    await dialog.getByRole('textbox').fill('photos');
    await dialog.getByRole('button', { name: 'Delete bucket' }).click();
    await page.getByText('Bucket deleted').waitFor();
    assert.equal((await call('GET', '/photos')).status, 404);
  });

  test('nothing on them is hard to use with a screen reader or a phone', async () => {
    await call('GET', '');
    const { page, open } = dashboard;
    await dashboard.instance.call('POST', buckets, { as: 'application', body: { name: 'sight' } });
    await dashboard.instance.call('PUT', `${buckets}/sight/objects?key=a/b.txt`, {
      as: 'application',
      body: 'x',
    });
    for (const at of ['', '/sight', '/sight/trash', '/sight/usage', '/sight/settings']) {
      await open(`${screens}${at}`);
      assert.deepEqual(await faultsOf(page), [], at);
    }
  });
});
