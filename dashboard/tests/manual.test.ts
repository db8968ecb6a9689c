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
