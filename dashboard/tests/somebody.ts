import { readFile } from 'node:fs/promises';
import path from 'node:path';
import { chromium, type Page } from 'playwright-core';
import type { Instance } from '../../server/testing/instance.ts';

const dist = path.join(import.meta.dirname, '../dist');

export interface Somebody extends AsyncDisposable {
  page: Page;
}

/**
 * A browser of another person, signed in as nobody. At `http://localhost` without a port, which leads to the instance:
 * passkeys work only at an address that the server knows as its own.
 */
export async function openSomebody({ url }: Instance): Promise<Somebody> {
  const { host } = new URL(url);
  const browser = await chromium.launch({
    executablePath: '/usr/bin/chromium',
    args: ['--no-sandbox', `--host-resolver-rules=MAP localhost:80 ${host}`],
  });
  const context = await browser.newContext({
    baseURL: 'http://localhost',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  await context.route('**/*', async (route) => {
    const { pathname } = new URL(route.request().url());
    const file = await readFile(path.join(dist, pathname)).catch(() => undefined);
    if (file) await route.fulfill({ path: path.join(dist, pathname) });
    else if (route.request().isNavigationRequest())
      await route.fulfill({ path: path.join(dist, 'index.html') });
    else await route.continue();
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}
