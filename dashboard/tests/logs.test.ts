import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { requestLine } from '../../server/testing/request-lines.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

describe('the logs of an application', () => {
  let dashboard: Dashboard;
  let base: string;
  let applicationId: string;
  const write = async (lines: Partial<Parameters<typeof requestLine>[0]>[]) => {
    const { logs } = dashboard.instance.platform;
    for (const line of lines) logs.write('requests', requestLine({ applicationId, ...line }));
    await logs.flush();
  };
  before(async () => {
    dashboard = await openDashboard();
    applicationId = dashboard.instance.bootstrapped.application.id;
    base = `/o/acme/apps/${applicationId}/logs`;
    const now = Date.now();
    await write(
      Array.from({ length: 250 }, (_, at) => ({
        path: at === 100 ? '/broken' : `/page/${at}`,
        status: at === 100 ? 502 : 200,
        startedAt: now - 60_000 - at * 1000,
        ...(at === 100 ? { error: 'The function ended.' } : {}),
      })),
    );
  });
  after(() => dashboard[Symbol.asyncDispose]());

  test('requests are listed, counted, narrowed by filters of the address, and opened to their headers', async () => {
    const { page, open } = dashboard;
    await open(base);
    await page.getByText('100 of 250').waitFor();
    await page.getByText('250 requests, 1 failed').waitFor();
    await page.getByRole('button', { name: 'Load more' }).click();
    await page.getByText('200 of 250').waitFor();
    await page.getByRole('button', { name: 'Filter by Status' }).click();
    await page.getByRole('menuitem', { name: '5xx: server error' }).click();
    await page.waitForURL(/statusFamily=/);
    await page.getByText('1 of 1').waitFor();
    await page.reload();
    await page.getByRole('row').filter({ hasText: '/broken' }).press('Enter');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The function ended.').waitFor();
    await dialog.getByText('content-type').waitFor();
    await dialog.getByRole('button', { name: 'Only this path' }).click();
    await page.waitForURL(/pathPrefix=/);
    await page.getByRole('button', { name: 'Remove the filter Status' }).click();
    await page.getByRole('button', { name: /Path begins with: \/broken/ }).click();
    await page.getByText('100 of 250').waitFor();
  });

  test('everything can be loaded, and only what is in sight is in the page', async () => {
    const { page, open } = dashboard;
    await open(`${base}?range=1h`);
    await page.getByRole('button', { name: 'Load all' }).click();
    await page.getByText('250 of 250').waitFor();
    assert.ok((await page.getByRole('table', { name: 'Requests' }).getByRole('row').count()) < 80);
  });

  test('a part of the chart that is drawn over narrows everything to its time, which the address keeps', async () => {
    const { page, open } = dashboard;
    await open(`${base}?range=1h`);
    await page.getByText('250 requests, 1 failed').waitFor();
    const box = await page.locator('.u-over').boundingBox();
    assert.ok(box);
    const y = box.y + box.height / 2;
    // The lines are of the last five minutes of the hour; this is of the half before.
    await page.mouse.move(box.x + box.width * 0.2, y);
    await page.mouse.down();
    await page.mouse.move(box.x + box.width * 0.4, y, { steps: 4 });
    await page.mouse.up();
    await page.waitForURL(/from=.*to=/);
    await page.getByText('No requests match').waitFor();
    await page.reload();
    await page.getByText('0 requests, 0 failed').waitFor();
  });

  test('a range of years has a chart, and one that is refused says so instead of it', async () => {
    const { page, open } = dashboard;
    await open(`${base}?from=1990-01-01&to=2100-01-01`);
    await page.getByText(/250 requests, 1 failed/).waitFor();
    await page.route('**/requests/stats?*', (route) =>
      route.fulfill({ status: 400, json: { error: 'The chart is refused.' } }),
    );
    await open(`${base}?range=1h`);
    await page.getByText('The chart is refused.').waitFor();
    await page.unroute('**/requests/stats?*');
  });

  test('live requests appear at the top', async () => {
    const { page, open } = dashboard;
    await open(`${base}?live=on&filter=live-`);
    await page.getByText('No requests match').waitFor();
    await page.locator('button[aria-pressed=true] .text-accent').waitFor();
    await write([{ path: '/live-one' }]);
    await page.getByRole('row').filter({ hasText: '/live-one' }).waitFor();
    await page.getByRole('button', { name: 'Stop live' }).click();
    await page.getByRole('button', { name: 'Go live' }).waitFor();
  });

  test('live requests do not move the rows that somebody reads', async () => {
    const { page, open } = dashboard;
    await open(`${base}?live=on`);
    await page.locator('button[aria-pressed=true] .text-accent').waitFor();
    await page.getByRole('row').filter({ hasText: '/page/0' }).waitFor();
    const row = page.getByRole('row').filter({ hasText: '/page/40' });
    const rows = page.getByRole('table', { name: 'Requests' }).getByRole('rowgroup');
    await rows.evaluate((element) => element.scrollTo(0, 44 * 35));
    await row.waitFor();
    // Within the table, above which the chart may change.
    const place = async () => ((await row.boundingBox())?.y ?? 0) - ((await rows.boundingBox())?.y ?? 0);
    const before = await place();
    await write([{ path: '/above-one' }, { path: '/above-two' }]);
    await page.getByText(/^102 of /).waitFor();
    assert.equal(await place(), before);
  });

  test('everything that was loaded stays when newer requests are read', async () => {
    const page = await dashboard.page.context().newPage();
    const whole = page.getByText(/^(\d+) of \1$/);
    await page.goto(`${base}?range=1h`);
    await page.getByRole('button', { name: 'Load all' }).click();
    await whole.waitFor();
    await write([{ path: '/since', startedAt: Date.now() }]);
    // A page that is looked at again after a while reads its lists anew.
    await page.clock.setFixedTime(Date.now() + 20_000);
    await page.evaluate(() => window.dispatchEvent(new Event('visibilitychange')));
    await page.getByRole('row').filter({ hasText: '/since' }).waitFor();
    await whole.waitFor();
    await page.close();
  });

  test('analytics name what was asked for most, and lead there', async () => {
    const { page, open } = dashboard;
    await open(`${base}/analytics?statusFamily=5`);
    await page.getByText('1 request', { exact: true }).waitFor();
    await page.getByRole('button', { name: '/broken' }).click();
    await page.waitForURL(/pathPrefix=%2Fbroken/);
  });

  test('a log drain is created, tested and deleted', async () => {
    const { page, open } = dashboard;
    await open(`${base}/drains`);
    await page.getByRole('button', { name: 'Create log drain' }).first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Warehouse');
    await dialog.getByLabel('Endpoint').fill('http://127.0.0.1:9/');
    await dialog.getByRole('button', { name: 'Create log drain' }).click();
    await page.getByRole('heading', { name: 'Warehouse' }).waitFor();
    await page.getByRole('button', { name: 'Send test request' }).click();
    await page.getByText(/Not accepted: .*not public/).waitFor();
    await page.getByRole('button', { name: 'Delete' }).click();
    await page.getByRole('button', { name: 'Delete log drain' }).click();
    await page.getByText('No log drains').waitFor();
  });

  for (const path of ['', '/analytics', '/drains']) {
    test(`the screen ${path || 'of requests'} is free of faults that axe finds`, async () => {
      const { page, open } = dashboard;
      await open(`${base}${path}`);
      await page.waitForLoadState('networkidle');
      assert.deepEqual(await faultsOf(page), []);
    });
  }
});
