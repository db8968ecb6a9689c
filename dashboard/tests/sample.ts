import { StoredSeries } from '../../server/accounts/series/service.ts';
import type { UsageEvent } from '../../server/areas/ai-gateway/ledger/event.ts';
import { toUsageLine } from '../../server/areas/ai-gateway/usage/render.ts';
import { addEvents } from '../../server/areas/ai-gateway/usage/store.ts';
import { newId } from '../../server/core/ids.ts';
import { Dice } from '../../server/testing/dice.ts';
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
  const authorization = `Bearer ${await instance.token('organization')}`;
  for (const [key, bytes] of Object.entries(files)) {
    const at = `/applications/${applicationId}/storage/buckets/product-images/objects?key=${encodeURIComponent(key)}`;
    const { ok, status } = await fetch(`${instance.url}${at}`, {
      method: 'PUT',
      headers: { authorization },
      body: Buffer.alloc(bytes, 'mainstay'),
    });
    if (!ok) throw new Error(`${at}: ${status}`);
  }
  await instance.call('POST', '/api-keys', {
    as: 'user',
    body: {
      name: 'CI pipeline',
      organizationId,
      expiresAt: new Date(Date.now() + 3 * 86_400_000).toISOString(),
      scopes: ['platform:organizations:read'],
    },
  });

  const index = (text: string) => ({ name: 'index.html', content: `<h1>${text}</h1>` });
  for (const parts of [
    [index('Storefront')],
    [{ name: 'readme.md', content: 'A site without a page to begin with.' }],
    [index('Storefront, autumn'), { name: 'about/index.html', content: '<h1>About</h1>' }],
  ]) {
    await open(`/o/acme/apps/${applicationId}/deployments`);
    await page.getByLabel('Archive to deploy').setInputFiles({
      name: 'site.zip',
      mimeType: 'application/zip',
      buffer: zip(parts),
    });
    await page
      .getByText(parts[0]?.name === 'index.html' ? 'Deployed to production.' : 'Failed', { exact: true })
      .first()
      .waitFor();
  }

  await writeTraffic(instance.platform, organizationId);
  await writeAiUsage(instance.platform, { organizationId, applicationId });
  const now = Date.now();
  const dice = new Dice(1);
  for (const startedAt of momentsOf(now - 86_400_000, now, 900, dice)) {
    const chance = dice.next();
    instance.platform.logs.write(
      'requests',
      requestLine({
        organizationId,
        applicationId,
        method: dice.next() < 0.15 ? 'POST' : 'GET',
        path: dice.of(['/', '/products', '/cart', '/api/prices', '/checkout']),
        status: chance < 0.02 ? 502 : chance < 0.08 ? 404 : 200,
        durationMs: Math.round(6 + 90 * dice.next() ** 3),
        bytesSent: Math.round(600 + 40_000 * dice.next() ** 4),
        startedAt,
      }),
    );
  }
  await instance.platform.logs.flush();
  return { applicationId };
}

/** Of the bucket, with their bytes. */
const files: Record<string, number> = {
  'spring/chair.jpg': 182_000,
  'spring/lamp.jpg': 96_400,
  'autumn/table.jpg': 240_100,
  'catalogue.pdf': 1_204_000,
  'logo.svg': 3_120,
  'sizes.csv': 18_900,
};

/** Two weeks of requests to models, as they are settled. */
async function writeAiUsage(
  { db, logs }: Dashboard['instance']['platform'],
  of: { organizationId: string; applicationId: string },
) {
  const models = [
    ['openai', 'openai/gpt-5-mini', 0.25, 2],
    ['anthropic', 'anthropic/claude-sonnet-4-5', 3, 15],
    ['google', 'google/gemini-2.5-flash', 0.3, 2.5],
  ] as const;
  const now = Date.now();
  const dice = new Dice(2);
  const moments = momentsOf(now - 14 * 86_400_000, now, 4000, dice);
  const events = moments.map((startedAt): UsageEvent => {
    const [provider, model, input, output] = dice.of(models);
    const inputTokens = Math.round(300 + 5000 * dice.next() ** 2);
    const outputTokens = Math.round(60 + 900 * dice.next());
    const latencyMs = Math.round(500 + 2400 * dice.next() ** 2);
    const isFailure = dice.next() < 0.01;
    const nanos = isFailure ? 0 : Math.round((inputTokens * input + outputTokens * output) * 1000);
    return {
      ...{ id: newId(startedAt), requestId: newId(startedAt), traceId: null, ...of },
      ...{ actorId: of.applicationId, actorType: 'application', apiKeyId: of.applicationId },
      ...{ authenticatedUserId: null, callerEndUserId: `customer-${Math.floor(40 * dice.next())}` },
      ...{ path: '/ai/v1/chat/completions', modelRequested: model, modelServed: model, provider },
      providerAttempts: [
        { provider, model, startedMs: 0, durationMs: latencyMs, statusCode: isFailure ? 529 : 200 },
      ],
      status: isFailure ? 'error' : 'success',
      ...{ errorCode: isFailure ? 'provider_error' : null, errorType: isFailure ? 'api_error' : null },
      ...{ inputTokens, outputTokens, cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0 },
      ...{ usageSource: 'provider', providerNanos: nanos, billableNanos: nanos, pricing: 'list' },
      unitPrices: { source: 'sample', input: input * 1e6, output: output * 1e6 },
      ...{ streaming: true, cacheHit: false, latencyMs, firstTokenMs: 240, metadata: null },
      ...{ startedAt, completedAt: startedAt + latencyMs },
    };
  });
  await logs.append('ai-usage', events.map(toUsageLine));
  await db.write((tx) => addEvents(tx, db.engine, events));
}

/** So many moments between two, in order, more of them at noon than at night. */
function momentsOf(from: number, to: number, count: number, dice: Dice): number[] {
  const moments: number[] = [];
  while (moments.length < count) {
    const moment = Math.floor(from + (to - from) * dice.next());
    const hours = (moment / 3_600_000) % 24;
    if (dice.next() < 0.55 - 0.45 * Math.cos((hours / 24) * 2 * Math.PI)) moments.push(moment);
  }
  return moments.sort((a, b) => a - b);
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
