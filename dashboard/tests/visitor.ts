import type { Page } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import type { Instance } from '../../server/testing/instance.ts';

export interface Visitor extends AsyncDisposable {
  page: Page;
}

/**
 * A browser of another person, signed in as nobody. At `http://localhost` without a port, which leads to the instance:
 * passkeys work only at an address that the server knows as its own.
 */
export async function openVisitor({ url }: Instance): Promise<Visitor> {
  const { host } = new URL(url);
  const browser = await launchChromium(`--host-resolver-rules=MAP localhost:80 ${host}`);
  const context = await browser.newContext({
    baseURL: 'http://localhost',
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  return { page, [Symbol.asyncDispose]: () => browser.close() };
}
