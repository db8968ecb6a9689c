import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { startTraces } from '#http/traces.ts';
import { startInstance } from '#testing/instance.ts';

interface Span {
  name: string;
  traceId: string;
  spanId: string;
  parentSpanId?: string;
  attributes: { key: string; value: Record<string, unknown> }[];
}

test('a traced request reaches the collector with its queries below it, under the trace of the caller', async () => {
  const spans: Span[] = [];
  const collector = createServer(async (request, response) => {
    const body = (await json(request)) as { resourceSpans: { scopeSpans: { spans: Span[] }[] }[] };
    for (const resource of body.resourceSpans)
      for (const scope of resource.scopeSpans) spans.push(...scope.spans);
    response.end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as { port: number };
  const url = `http://127.0.0.1:${port}/v1/traces`;
  const traces = await startTraces({ collector: new URL(url), samplePercent: 0 });
  try {
    await using instance = await startInstance('sqlite', { settings: { MAINSTAY_TRACES_URL: url } });
    const traceId = '0af7651916cd43dd8448eb211c80319c';
    await instance.call('GET', '/api-keys?limit=3', {
      as: 'user',
      headers: { traceparent: `00-${traceId}-b7ad6b7169203331-01` },
    });
    await instance.call('GET', '/healthz');
    await traces.close();
    const request = spans.find((span) => span.name === 'GET /api-keys');
    assert.equal(request?.traceId, traceId);
    assert.equal(request?.parentSpanId, 'b7ad6b7169203331');
    const attributes = Object.fromEntries(
      request?.attributes.map(({ key, value }) => [key, Object.values(value)[0]]) ?? [],
    );
    assert.equal(attributes['http.response.status_code'], 200);
    const queries = spans.filter((span) => span.name === 'query' && span.parentSpanId === request?.spanId);
    assert.ok(queries.length >= 2);
    assert.equal(
      JSON.stringify(queries).includes(instance.bootstrapped.user.id),
      false,
      'no values in the SQL',
    );
    assert.ok(
      !spans.some((span) => span.name === 'GET /healthz'),
      'nobody asked for this one, and 0 % are sampled',
    );
  } finally {
    collector.close();
  }
});
