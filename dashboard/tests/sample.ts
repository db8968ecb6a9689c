import { StoredSeries } from '../../server/accounts/series/service.ts';
import { requestLine } from '../../server/testing/request-lines.ts';
import { zip } from '../../server/testing/zip.ts';
import type { Dashboard } from './screen.ts';

/** An instance in use: applications, a live deployment, traffic, files, variables. For pictures, and for what is measured of full screens. */
export async function fillWithSamples({
  instance,
  page,
  open,
  organizationId,
}: Dashboard): Promise<{ applicationId: string }> {
  const send = async (method: string, url: string, body: unknown) => {
    const { status, body: result } = await instance.call(method, url, { as: 'organization', body });
    if (status >= 300) throw new Error(`${method} ${url}: ${status} ${JSON.stringify(result)}`);
    return result;
  };
  const [storefront] = await Promise.all(
    ['Storefront', 'Checkout API', 'Docs'].map((name) =>
      send('POST', '/applications', { name, organizationId }),
    ),
  );
  const applicationId: string = storefront.id;
  await send('POST', `/organizations/${organizationId}/env-vars/import`, {
    content: ['LOG_LEVEL=info', 'DATABASE_HOST=db.internal', 'SENTRY_SAMPLE_RATE=0.2'].join('\n'),
  });
  await send('POST', `/applications/${applicationId}/env-vars/import`, {
    content: ['CURRENCY=EUR', 'SEARCH_INDEX=products-v3'].join('\n'),
  });
  await send('POST', `/applications/${applicationId}/storage/buckets`, { name: 'product-images' });
  await instance.call('POST', '/api-keys', {
    as: 'user',
    body: {
      name: 'CI pipeline',
      organizationId,
      expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      scopes: ['platform:organizations:read'],
    },
  });

  await open(`/o/acme/apps/${applicationId}/deployments`);
  await page.getByLabel('Archive to deploy').setInputFiles({
    name: 'site.zip',
    mimeType: 'application/zip',
    buffer: zip([{ name: 'index.html', content: '<h1>Storefront</h1>' }]),
  });
  await page.getByText('Deployed to production.').waitFor();

  await writeTraffic(instance.platform, organizationId);
  const now = Date.now();
  for (let at = 0; at < 600; at += 1)
    instance.platform.logs.write(
      'requests',
      requestLine({
        organizationId,
        applicationId,
        method: at % 7 === 0 ? 'POST' : 'GET',
        path: ['/', '/products', '/cart', '/api/prices', '/checkout'][at % 5] ?? '/',
        status: at % 41 === 0 ? 502 : at % 13 === 0 ? 404 : 200,
        durationMs: 8 + ((at * 37) % 90),
        startedAt: now - at * 140_000,
      }),
    );
  await instance.platform.logs.flush();
  return { applicationId };
}

/** Two days of requests, as the server would have counted them. */
async function writeTraffic({ db }: Dashboard['instance']['platform'], organizationId: string) {
  let moment = 0;
  const series = new StoredSeries({ db, clock: { now: () => moment } });
  const now = Date.now();
  for (let minutes = 48 * 60; minutes > 5; minutes -= 5) {
    moment = now - minutes * 60_000;
    // Busy at noon, quiet at night.
    const load = 60 + 45 * Math.sin((minutes / 1440) * 2 * Math.PI) + ((minutes * 7919) % 23);
    series.add(organizationId, 'requests', Math.round(load));
    series.add(organizationId, 'clientErrors', minutes % 35 === 0 ? 3 : 0);
    series.add(organizationId, 'serverErrors', minutes % 340 === 0 ? 2 : 0);
    series.add(organizationId, 'tokensIssued', Math.round(load / 9));
    series.add(organizationId, 'cacheHits', Math.round(load * 4.1));
    series.add(organizationId, 'cacheMisses', Math.round(load * 0.4));
  }
  await series.flush();
}
