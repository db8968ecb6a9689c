import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer } from '../../server/testing/deploying.ts';
import { zip } from '../../server/testing/zip.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

describe('the screens of deployments', () => {
  let dashboard: Dashboard;
  let screens: string;
  before(async () => {
    dashboard = await openDashboard();
    screens = `/o/acme/apps/${dashboard.instance.bootstrapped.application.id}/deployments`;
  });
  after(() => dashboard?.[Symbol.asyncDispose]());

  const archive = (text: string) => ({
    name: 'site.zip',
    mimeType: 'application/zip',
    buffer: zip([{ name: 'index.html', content: `<h1>${text}</h1>` }]),
  });

  test('an archive is deployed, its log is shown, and an earlier one is rolled back to', async () => {
    const { page, open } = dashboard;
    await open(screens);
    await page.getByText('Nothing deployed yet').waitFor();
    await page.getByLabel('Archive to deploy').setInputFiles(archive('one'));
    await page.getByText('Deployed to production.').waitFor();
    await page
      .getByRole('link', { name: /web\.apps\.localhost/ })
      .first()
      .waitFor();
    // The owner has no name: the e-mail address stands for it.
    await page.getByText('owner@example.com').first().waitFor();
    const first = page.url();

    await open(screens);
    await page.getByLabel('Archive to deploy').setInputFiles(archive('two'));
    await page.getByText('Deployed to production.').waitFor();
    assert.notEqual(page.url(), first);
    assert.deepEqual(await faultsOf(page), []);

    await page.goto(first);
    await page.getByRole('button', { name: 'Roll back to this deployment' }).click();
    await page.getByText('Rolled back to this deployment').waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();

    await open(screens);
    await page.getByRole('row').filter({ hasText: 'Live' }).waitFor();
    assert.equal(await page.getByRole('row').filter({ hasText: 'Production' }).count(), 2);
    assert.deepEqual(await faultsOf(page), []);
  });

  test('overviews and the list say what is live, and since when', async () => {
    const { page, open, instance } = dashboard;
    const { id } = instance.bootstrapped.application;
    await open(`/o/acme/apps/${id}`);
    const environments = page.getByRole('region', { name: 'Environments', exact: true });
    await environments.getByText('Live', { exact: true }).waitFor();
    await page.getByRole('region', { name: 'Last deployments' }).getByText('Live').first().waitFor();
    for (const tile of ['Requests', 'Error rate', 'Response time', 'Cache hit rate', 'Storage'])
      await page.getByRole('region', { name: tile, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await faultsOf(page), []);
    await open('/o/acme/apps');
    await page.getByRole('row', { name: /Web.*Live/ }).waitFor();
    await open('/o/acme');
    for (const tile of ['AI cost', 'Storage used'])
      await page.getByRole('region', { name: tile, exact: true }).waitFor();
    await page.getByRole('region', { name: 'Applications' }).getByText('Live since').waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
  });

  test('what failed says why', async () => {
    const { page, open } = dashboard;
    await open(screens);
    await page
      .getByLabel('Archive to deploy')
      .setInputFiles({ ...archive(''), buffer: zip([{ name: 'readme.md', content: 'nothing to serve' }]) });
    await page.getByText('Failed', { exact: true }).waitFor();
    await page
      .getByText(/no known framework and no index\.html/)
      .first()
      .waitFor();
    await open('/o/acme');
    await page
      .getByRole('list', { name: 'Needs attention' })
      .getByText('The last deployment of “Web” failed')
      .waitFor();
  });

  test('a preview is promoted to production', async () => {
    const { page, open, instance } = dashboard;
    const { deployed, visit } = deployer(instance);
    const files = [{ name: 'index.html', content: '<h1>promoted</h1>' }];
    const preview = await deployed(files, { branch: 'feature' });
    await open(`${screens}/${preview.id}`);
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Promote to Production' }).click();
    await page.getByText('Deployment queued').waitFor();
    await page.waitForURL((url) => !url.pathname.endsWith(preview.id));
    await page.getByText('Deployed to production.').waitFor();
    await page.getByText('Live', { exact: true }).first().waitFor();
    assert.equal(await page.getByRole('button', { name: /^Promote to/ }).count(), 0);
    assert.equal((await visit('web.apps.localhost', '/')).body, '<h1>promoted</h1>');
  });

  test('a version that has crashed says so', async () => {
    const { page, open, instance } = dashboard;
    const { deployed } = deployer(instance);
    const { id } = await deployed([{ name: 'index.html', content: 'crashes' }]);
    const reason = 'server.js: The process crashed 5 times within a minute: exit code 7.';
    await instance.platform.db.write((tx) =>
      tx
        .updateTable('deployments')
        .set({ crashed_at: 1, crash_reason: reason })
        .where('id', '=', id)
        .execute(),
    );
    await open(`${screens}/${id}`);
    await page.getByText(reason).first().waitFor();
    assert.deepEqual(await faultsOf(page), []);
  });

  test('an environment is told to go back when a new version crashes', async () => {
    const { page, open, instance } = dashboard;
    const { call, applicationId } = deployer(instance);
    await open(`/o/acme/apps/${applicationId}/settings`);
    const edit = page.getByRole('button', { name: 'Edit Production' });
    const box = page.getByRole('checkbox', { name: 'Roll back when a new version crashes' });
    await edit.click();
    assert.equal(await box.isChecked(), false);
    await box.check();
    await page.getByRole('checkbox', { name: 'Always on' }).check();
    assert.deepEqual(await faultsOf(page), []);
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Saved').waitFor();
    const { items } = await call('GET', `/applications/${applicationId}/environments`);
    const production = items.find(({ slug }: { slug: string }) => slug === 'production');
    assert.deepEqual([production.rollBackOnCrash, production.alwaysOn], [true, true]);
    await page.getByText('Always on', { exact: true }).first().waitFor();
    await edit.click();
    assert.equal(await box.isChecked(), true);
    await page.keyboard.press('Escape');
    await box.waitFor({ state: 'detached' });
  });
});
