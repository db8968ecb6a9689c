import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { openDashboard } from './tests/screen.ts';

/**
 * Takes the pictures of the README and the manual: `node dashboard/screenshots.ts`. From an instance of its own with a little of
 * everything in it, so that they can be made anew after any change of a screen.
 */

const folder = path.join(import.meta.dirname, '../docs/images');
await using dashboard = await openDashboard();
const { instance, page, organizationId } = dashboard;
const make = async (url: string, body: unknown) => {
  const answer = await instance.call('POST', url, { as: 'organization', body });
  if (answer.status >= 300) throw new Error(`${url}: ${answer.status} ${JSON.stringify(answer.body)}`);
  return answer.body;
};

for (const name of ['Storefront', 'Checkout API', 'Docs'])
  await make('/applications', { name, organizationId });
await make(`/organizations/${organizationId}/env-vars/import`, {
  content: ['LOG_LEVEL=info', 'DATABASE_HOST=db.internal', 'SENTRY_SAMPLE_RATE=0.2'].join('\n'),
});

const screens: Record<string, string> = {
  overview: '/o/acme',
  applications: '/o/acme/apps',
  variables: '/o/acme/variables',
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
