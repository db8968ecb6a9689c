import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Page } from 'playwright-core';
import { fillWithSamples } from './sample.ts';
import { type Dashboard, openDashboard } from './screen.ts';

const organization = '/o/acme';
const screens = (application: string) => [
  organization,
  `${organization}/usage`,
  `${organization}/apps`,
  `${organization}/ai`,
  `${organization}/variables`,
  `${organization}/keys`,
  `${organization}/lookups`,
  `${organization}/members`,
  `${organization}/audit-log`,
  `${organization}/settings`,
  application,
  `${application}/deployments`,
  `${application}/logs`,
  `${application}/logs/analytics`,
  `${application}/storage`,
  `${application}/cache`,
  `${application}/variables`,
  `${application}/domains`,
  `${application}/settings`,
  '/instance',
  '/instance/users',
  '/instance/threat-feeds',
  '/account/security',
];

describe('full screens on a phone', () => {
  const stack = new AsyncDisposableStack();
  let dashboard: Dashboard;
  let phone: Page;
  let application: string;
  const refused: string[] = [];
  before(async () => {
    dashboard = stack.use(await openDashboard());
    const { applicationId } = await fillWithSamples(dashboard);
    application = `${organization}/apps/${applicationId}`;
    const context = await dashboard.page
      .context()
      .browser()
      ?.newContext({
        baseURL: dashboard.instance.url,
        storageState: await dashboard.page.context().storageState(),
        viewport: { width: 390, height: 844 },
        hasTouch: true,
        isMobile: true,
        reducedMotion: 'reduce',
      });
    assert.ok(context);
    await context.addInitScript(() => {
      const page = globalThis as unknown as { shifted: number };
      page.shifted = 0;
      new PerformanceObserver((list) => {
        for (const entry of list.getEntries() as unknown as { value: number; hadRecentInput: boolean }[])
          if (!entry.hadRecentInput) page.shifted += entry.value;
      }).observe({ type: 'layout-shift', buffered: true });
    });
    phone = await context.newPage();
    phone.on('response', (response) => response.status() === 403 && refused.push(response.url()));
  });
  after(() => stack.disposeAsync());

  test('stand still, have targets of 44 pixels, and ask for nothing that the API refuses', async () => {
    const faults: string[] = [];
    for (const screen of screens(application)) {
      await phone.goto(screen);
      await phone.locator('main h1').waitFor();
      await phone.waitForLoadState('networkidle');
      const shifted = await phone.evaluate(() => (globalThis as unknown as { shifted: number }).shifted);
      if (shifted >= 0.02) faults.push(`${screen} shifts by ${shifted.toFixed(3)}`);
      for (const target of await smallTargets(phone)) faults.push(`${screen}: ${target}`);
    }
    assert.deepEqual(faults, []);
    assert.deepEqual(refused, []);
  });
});

/** What a finger would miss. Rows of tables are targets themselves, and so are the labels of fields. */
function smallTargets(page: Page): Promise<string[]> {
  return page.evaluate(() =>
    [...document.querySelectorAll('a, button, input, select, summary')]
      .filter((element) => {
        if (element.closest('[role=rowgroup], .sr-only, [aria-hidden=true]')) return false;
        const { width, height, right } = element.getBoundingClientRect();
        if (width <= 1 || height <= 1 || right < 0) return false;
        // A link that covers the card around it.
        if (getComputedStyle(element, '::after').position === 'absolute') return false;
        return Math.max(height, element.closest('label')?.getBoundingClientRect().height ?? 0) < 43.5;
      })
      .map(
        (element) =>
          `${element.tagName} of ${Math.round(element.getBoundingClientRect().height)} px: ${
            element.getAttribute('aria-label') ?? element.textContent
          }`,
      ),
  );
}

test('no part that is loaded later weighs more than 40 kB', async () => {
  const folder = path.join(import.meta.dirname, '../dist/assets');
  const parts = (await readdir(folder)).filter((name) => /^(?!index-).*\.js\.br$/.test(name));
  assert.ok(parts.length > 50);
  const heavy: string[] = [];
  for (const name of parts) if ((await stat(path.join(folder, name))).size > 40_000) heavy.push(name);
  assert.deepEqual(heavy, []);
});
