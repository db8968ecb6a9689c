import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { launchChromium } from '../../scripts/chromium.ts';
import { type Instance, startInstance } from '../../server/testing/instance.ts';
import { faultsOf } from './screen.ts';

describe('the manual, in a browser', () => {
  let instance: Instance;
  let browser: Awaited<ReturnType<typeof launchChromium>>;
  before(async () => {
    instance = await startInstance('sqlite');
    browser = await launchChromium();
  });
  after(async () => {
    await browser.close();
    await instance[Symbol.asyncDispose]();
  });

  test('a search leads to the page, and nothing that its policy refuses is asked for', async () => {
    const page = await browser.newPage({ baseURL: instance.url });
    const complaints: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('pageerror', (error) => complaints.push(String(error)));
    await page.goto('/manual');
    await page.getByRole('heading', { level: 1, name: 'Quick start' }).waitFor();
    await page.getByRole('button', { name: 'Search' }).click();
    await page.getByRole('searchbox').fill('tus checksum');
    await page.getByRole('listbox').getByRole('option').first().click();
    await page.waitForURL(/\/manual\/[a-z0-9-]+/);
    await page.getByRole('heading', { level: 1 }).waitFor();
    assert.deepEqual(complaints, []);
    await page.close();
  });

  test('its menu leads to the API reference and to the dashboard, from every page and on a phone', async () => {
    const page = await browser.newPage({ baseURL: instance.url });
    for (const [name, address] of [
      ['API reference', '/docs'],
      ['Dashboard', '/sign-in'],
    ] as const) {
      await page.goto('/manual/decisions/0001-sqlite-writes-in-a-thread');
      await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name }).click();
      await page.waitForURL((url) => url.pathname === address);
    }
    await page.setViewportSize({ width: 390, height: 844 });
    await page.goto('/manual/storage');
    await page.getByRole('button', { name: 'mobile navigation' }).click();
    await page.getByRole('link', { name: 'API reference' }).click();
    await page.waitForURL('**/docs');
    await page.close();
  });

  test('no link of a page leads nowhere', async () => {
    const seen = new Set(['/manual/']);
    const missing: string[] = [];
    for (const address of seen) {
      const response = await fetch(instance.url + address, { headers: { accept: 'text/html' } });
      const body = await response.text();
      if (response.status !== 200) missing.push(address);
      if (!address.startsWith('/manual/') || !response.headers.get('content-type')?.includes('html'))
        continue;
      for (const [, link = ''] of body.matchAll(/ (?:href|src)="([^"#][^"]*)"/g)) {
        const url = new URL(link, instance.url + address);
        if (url.origin === instance.url) seen.add(url.pathname);
      }
    }
    assert.deepEqual(missing, []);
    assert.ok(seen.size > 50, `${seen.size}`);
  });

  test('the pictures of a page are shown', async () => {
    const page = await browser.newPage({ baseURL: instance.url });
    await page.goto('/manual/storage', { waitUntil: 'load' });
    const widths = await page
      .getByRole('img')
      .evaluateAll((pictures) =>
        pictures.filter((one) => one instanceof HTMLImageElement).map(({ naturalWidth }) => naturalWidth),
      );
    assert.deepEqual(widths, [1280]);
    await page.close();
  });

  test('axe finds nothing serious, in both themes, on a desk and on a phone', async () => {
    const page = await browser.newPage({ baseURL: instance.url, reducedMotion: 'reduce', bypassCSP: true });
    for (const address of ['/manual/storage', '/manual/settings', '/manual/nothing']) {
      await page.goto(address, { waitUntil: 'networkidle' });
      assert.deepEqual(await faultsOf(page), [], address);
    }
    await page.close();
  });
});
