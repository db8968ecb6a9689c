import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { chromiumFile, launchChromium } from '../scripts/chromium.ts';
import { bootstrapCommand } from '../server/testing/process.ts';
import { bearer, startMainstay } from './lib/mainstay.ts';
import { ratio } from './lib/report.ts';

/**
 * The dashboard in Chromium: how soon a screen can be used by a browser that has nothing in its cache, how soon a click leads to another screen, and how many frames
 * are dropped when a list of 1 000 rows is scrolled through, beside the same on a plain page of the same length: what the
 * browser manages on this machine. `npm start` or `npm test` builds the dashboard.
 */

const rows = 1000;
const loads = 7;
/** As long as a pointer takes from a link to the click on it, at least. */
const hoverMilliseconds = 150;
const owner = { email: 'owner@example.com', password: 'correct horse battery' };

if (!chromiumFile) throw new Error('This needs Chromium: apt-get install chromium');
const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-bench-'));
try {
  const settings = { MAINSTAY_DATA_DIR: folder, MAINSTAY_REQUESTS_PER_MINUTE: '0' };
  const { keys, organization } = await bootstrapCommand(settings);
  await using server = await startMainstay(settings, '0-1');
  const content = Array.from({ length: rows }, (_, at) => `NAME_${at}="value of ${at}"`).join('\n');
  const imported = await fetch(`${server.url}/organizations/${organization.id}/env-vars/import`, {
    method: 'POST',
    headers: { ...(await bearer(server.url, keys.organization)), 'content-type': 'application/json' },
    body: JSON.stringify({ content }),
  });
  if (!imported.ok) throw new Error(await imported.text());

  const browser = await launchChromium();
  try {
    for (const [name, screen, button] of [
      ['the overview', '/o/acme', 'Acme'],
      [`a list of ${rows}`, '/o/acme/variables', 'Edit NAME_0'],
    ] as const) {
      const times: number[] = [];
      for (let load = 0; load < loads; load++) {
        const { page, milliseconds } = await openCold(browser, server.url, screen, button);
        times.push(milliseconds);
        if (load === loads - 1 && screen.endsWith('variables')) await scrolling(browser, page);
        await page.context().close();
      }
      times.sort((a, b) => a - b);
      ratio(
        `${name}, until it can be used, cold cache, seconds`,
        (times[loads >> 1] ?? 0) / 1000,
        'at most 0.5',
      );
    }
    await navigating(browser, server.url);
  } finally {
    await browser.close();
  }
} finally {
  await rm(folder, { recursive: true, force: true });
}

/** A signed-in browser that has loaded nothing yet opens the screen, until a button that begins so is there: milliseconds. */
async function openCold(
  browser: Browser,
  url: string,
  screen: string,
  button: string,
): Promise<{ page: Page; milliseconds: number }> {
  const context = await browser.newContext({ baseURL: url, viewport: { width: 1280, height: 860 } });
  const signedIn = await context.request.post('/idp/sign-in/email', {
    data: owner,
    headers: { 'x-mainstay-session': '1', origin: url },
  });
  if (!signedIn.ok()) throw new Error(await signedIn.text());
  const page = await context.newPage();
  await page.goto(screen, { waitUntil: 'commit' });
  // Looked for by the page itself in every frame: what drives the browser looks now and then.
  return { page, milliseconds: await page.evaluate(buttonThere(button)) };
}

/** From the click on a link of the sidebar until the heading of its screen is drawn; the pointer rests on the link first. */
async function navigating(browser: Browser, url: string): Promise<void> {
  const { page } = await openCold(browser, url, '/o/acme', 'Acme');
  const times: number[] = [];
  for (let round = 0; round < loads; round++) {
    for (const name of ['Members', 'Audit log', 'Settings']) {
      const link = page.getByRole('navigation').getByRole('link', { name, exact: true }).first();
      await link.hover();
      await page.waitForTimeout(hoverMilliseconds);
      times.push(await link.evaluate(clicked, name));
    }
  }
  await page.context().close();
  times.sort((a, b) => a - b);
  ratio('from a click to the next screen, p50, milliseconds', times[times.length >> 1] ?? 0, 'at most 100');
}

/** Runs in the page. */
async function clicked(link: { click(): void }, heading: string): Promise<number> {
  const { document, requestAnimationFrame } = globalThis as unknown as {
    document: { querySelector(selector: string): { textContent: string } | null };
    requestAnimationFrame(done: () => void): void;
  };
  const start = performance.now();
  link.click();
  const isThere = () => document.querySelector('main h1')?.textContent.startsWith(heading);
  while (!isThere()) await new Promise<void>((resolve) => requestAnimationFrame(resolve));
  return performance.now() - start;
}

async function scrolling(browser: Browser, page: Page): Promise<void> {
  const ours = await droppedFrames(page, '[role=rowgroup].overflow-y-auto');
  const context = await browser.newContext({ viewport: { width: 1280, height: 860 } });
  const blank = await context.newPage();
  await blank.setContent(
    `<div id="list" style="height:600px;overflow-y:auto">${'<div style="height:44px">row</div>'.repeat(rows)}</div>`,
  );
  const plain = await droppedFrames(blank, '#list');
  await context.close();
  ratio('frames dropped in a thousand, scrolling through the rows', ours, 'as few as the next');
  ratio('the same on a plain page', plain, 'what the browser manages here');
}

/** JavaScript for the page: when there were a heading and a button whose name begins so. */
function buttonThere(name: string): string {
  return `(async () => {
    const isNamed = (one) => (one.ariaLabel ?? one.textContent).startsWith(${JSON.stringify(name)});
    const isThere = () => document.querySelector('main h1') && [...document.querySelectorAll('button')].some(isNamed);
    while (!isThere())
      await new Promise((resolve) => requestAnimationFrame(resolve));
    return performance.now();
  })()`;
}

/** Of a thousand frames, those that came more than half a frame late, while the list moves by a row a frame. */
function droppedFrames(page: Page, selector: string): Promise<number> {
  return page.evaluate(`(async () => {
    const list = document.querySelector(${JSON.stringify(selector)});
    if (!list || list.scrollHeight < 20_000) throw new Error('There is no long list in the page.');
    const frame = () => new Promise((resolve) => requestAnimationFrame(resolve));
    let dropped = 0;
    let frames = 0;
    let before = await frame();
    for (let top = 0; top + list.clientHeight < list.scrollHeight; top += 44) {
      list.scrollTop = top;
      const now = await frame();
      frames++;
      if (now - before > 25) dropped++;
      before = now;
    }
    return (dropped * 1000) / frames;
  })()`);
}
