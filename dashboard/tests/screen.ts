import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import type { RunOptions } from 'axe-core';
import type { Page } from 'playwright-core';
import { launchChromium } from '../../scripts/chromium.ts';
import { type Instance, type InstanceOptions, startInstance } from '../../server/testing/instance.ts';

const require = createRequire(import.meta.url);

export interface Dashboard extends AsyncDisposable {
  instance: Instance;
  page: Page;
  /** The id of the organization Acme, whose owner is signed in; that person operates the instance too. */
  organizationId: string;
  /** Goes to a path; `/o/acme` is the organization. */
  open(path: string): Promise<void>;
}

/** The dashboard of an empty instance in a browser, signed in as its first person. */
export async function openDashboard(options: InstanceOptions = {}): Promise<Dashboard> {
  await using stack = new AsyncDisposableStack();
  const instance = stack.use(await startInstance('sqlite', options));
  const browser = await launchChromium();
  stack.defer(() => browser.close());
  const context = await browser.newContext({
    baseURL: instance.url,
    viewport: { width: 1280, height: 860 },
    reducedMotion: 'reduce',
  });
  await context.grantPermissions(['clipboard-read', 'clipboard-write']);
  const page = await context.newPage();
  page.setDefaultTimeout(10_000);
  await signIn(page, 'owner@example.com', 'correct horse battery');
  const resources = stack.move();
  return {
    instance,
    page,
    organizationId: instance.bootstrapped.organization.id,
    open: async (to) => {
      await page.goto(to);
      await page.locator('main h1').waitFor();
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  };
}

/** What our pages send with every change, for calls by hand with the cookie of the page. */
export const pageHeaders = { 'x-mainstay-session': '1', origin: 'http://mainstay.test' };

async function signIn(page: Page, email: string, password: string): Promise<void> {
  const answer = await page.request.post('/idp/sign-in/email', {
    data: { email, password },
    headers: pageHeaders,
  });
  if (!answer.ok()) throw new Error(`Nobody was signed in: ${await answer.text()}`);
}

const everyRule: RunOptions = { resultTypes: ['violations'] };
/** The theme changes colours alone. */
const rulesOfColour: RunOptions = { ...everyRule, runOnly: ['color-contrast', 'link-in-text-block'] };

/** What axe finds wrong with the page, in light and in dark, at the width of a desk and of a phone. */
export async function faultsOf(page: Page): Promise<string[]> {
  const faults: string[] = [];
  if (await page.evaluate(() => !('axe' in globalThis))) await page.evaluate(await axe());
  for (const width of [1280, 390]) {
    await page.setViewportSize({ width, height: 844 });
    const excess = await page.evaluate(() => document.documentElement.scrollWidth - innerWidth);
    if (excess > 0) faults.push(`is ${excess} pixels too wide at ${width}`);
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      // Colours turn over a moment, and axe would see one between the two themes.
      await page.evaluate(async () => {
        await new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve)));
        await Promise.all(
          document
            .getAnimations()
            .filter((one) => one.effect?.getTiming().iterations !== Number.POSITIVE_INFINITY)
            .map(({ finished }) => finished.catch(() => undefined)),
        );
      });
      const found = await page.evaluate(
        async (options) => {
          const { violations } = await (globalThis as unknown as { axe: typeof import('axe-core') }).axe.run(
            options,
          );
          return violations.map(({ impact, id, nodes }) => ({
            impact,
            id,
            html: `${nodes[0]?.html} ${nodes[0]?.failureSummary}`,
          }));
        },
        colorScheme === 'light' ? everyRule : rulesOfColour,
      );
      const serious = found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
      faults.push(...serious.map(({ id, html }) => `${id}, ${colorScheme}, ${width}: ${html}`));
    }
  }
  return faults;
}

function axe(): Promise<string> {
  return readFile(require.resolve('axe-core/axe.min.js'), 'utf8');
}
