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

  const call = (method: string, at: string) =>
    dashboard.instance.call(method, `${buckets}${at}`, { as: 'application' });

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
    await page.getByRole('dialog').getByRole('button', { name: 'Delete' }).click();
    await page.getByText('Moved to the trash').waitFor();

    await page.getByRole('link', { name: 'Trash' }).click();
    const row = page.getByRole('row').filter({ hasText: 'note.txt' });
    await row.getByRole('checkbox').click();
    await page.getByRole('button', { name: 'Restore' }).click();
    await page.getByText('The trash is empty').waitFor();
    assert.equal((await call('GET', '/photos/objects')).body.items.length, 2);
  });

  test('an upload that is cut off goes on where it was, after a reload too', async () => {
    const { page, open } = dashboard;
    await writeFile(path.join(folder, 'cut.bin'), randomBytes(20_000_000));
    await open(`${screens}/photos`);
    // The first piece arrives, and then the network is gone.
    let patches = 0;
    await page.route('**/uploads/**', (route) => {
      if (route.request().method() === 'PATCH' && ++patches > 1) return route.abort('connectionreset');
      return route.continue();
    });
    await page.getByLabel('Files to upload').setInputFiles(path.join(folder, 'cut.bin'));
    await page.waitForFunction(() => localStorage.getItem('mainstay.uploads')?.includes('cut.bin'));
    for (let tries = 0; patches < 2 && tries < 100; tries++) await page.waitForTimeout(50);
    await page.reload();
    await page.unroute('**/uploads/**');
    const offsets: string[] = [];
    page.on('request', (request) => {
      if (request.method() === 'PATCH') offsets.push(request.headers()['upload-offset'] ?? '');
    });
    await page.getByLabel('Files to upload').setInputFiles(path.join(folder, 'cut.bin'));
    await page.getByText('1 of 1 files uploaded').waitFor();
    assert.equal(offsets[0], String(8 * 1024 * 1024));
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
