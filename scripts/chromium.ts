import { existsSync } from 'node:fs';
import { type Browser, chromium } from 'playwright-core';

/** The browser of this machine; undefined where there is none. */
export const chromiumFile = [
  '/usr/bin/chromium',
  '/usr/bin/chromium-browser',
  '/usr/bin/google-chrome',
  '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
].find((file) => existsSync(file));

/** Without what a browser does on its own account: updates, QUIC, a graphics card. */
export function launchChromium(...args: string[]): Promise<Browser> {
  return chromium.launch({
    executablePath: chromiumFile ?? '',
    args: [
      ...['--no-sandbox', '--disable-gpu', '--disable-quic', '--no-first-run', '--disable-sync'],
      ...['--disable-background-networking', '--disable-component-update'],
      ...args,
    ],
  });
}
