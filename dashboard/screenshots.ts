import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { fillWithSamples } from './tests/sample.ts';
import { openDashboard } from './tests/screen.ts';

/**
 * Takes the pictures of the README and the manual: `node dashboard/screenshots.ts`. They show an instance of their own with
 * sample data, so that they can be taken again after any change of a screen.
 */

const folder = path.join(import.meta.dirname, '../docs/images');
await using dashboard = await openDashboard();
const { page } = dashboard;
const { applicationId } = await fillWithSamples(dashboard);

const screens: Record<string, string> = {
  overview: '/o/acme',
  applications: '/o/acme/apps',
  variables: '/o/acme/variables',
  deployments: `/o/acme/apps/${applicationId}/deployments`,
  logs: `/o/acme/apps/${applicationId}/logs?range=24h`,
  storage: `/o/acme/apps/${applicationId}/storage/product-images`,
  ai: '/o/acme/ai',
};

await mkdir(folder, { recursive: true });
await page.setViewportSize({ width: 1280, height: 800 });
for (const scheme of ['light', 'dark'] as const) {
  await page.emulateMedia({ colorScheme: scheme });
  for (const [name, address] of Object.entries(screens)) {
    await dashboard.open(address);
    await page.waitForLoadState('networkidle');
    await writeFile(path.join(folder, `${name}-${scheme}.png`), await page.screenshot());
  }
}
