import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { json } from 'node:stream/consumers';
import { test } from 'node:test';
import { register } from 'prom-client';
import { startTraces } from '#http/traces.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];

// biome-ignore lint/suspicious/noExplicitAny: spans and records are looked into.
type Json = any;

test('a request is a span by the conventions for models, with one for each attempt, and without its content', async () => {
  const spans: Json[] = [];
  const collector = createServer(async (request, response) => {
    const body = (await json(request)) as Json;
    for (const { scopeSpans } of body.resourceSpans)
      for (const scope of scopeSpans) spans.push(...scope.spans);
    response.end('{}');
  });
  collector.listen(0, '127.0.0.1');
  await once(collector, 'listening');
  const { port } = collector.address() as { port: number };
  const url = `http://127.0.0.1:${port}/v1/traces`;
  const traces = await startTraces({ collector: new URL(url), samplePercent: 100 });
  try {
    await using gateway = await startGateway('sqlite', { settings: { MAINSTAY_TRACES_URL: url } });
    await gateway.addProvider({ slug: 'whole', priority: 1, models: ['maker/two=mock-chat'] });
    await gateway.addProvider({ slug: 'failing', priority: 9, models: ['maker/two=fault:context'] });
    const response = await gateway.ask('/chat/completions', { model: 'maker/two', messages, max_tokens: 50 });
    assert.equal(response.status, 200);
    await response.text();
    await traces.close();
    const attributesOf = ({ attributes }: Json) =>
      Object.fromEntries(attributes.map(({ key, value }: Json) => [key, Object.values(value)[0]]));
    const request = spans.find(({ name }) => name === 'chat maker/two');
    const seen = attributesOf(request);
    assert.equal(seen['gen_ai.operation.name'], 'chat');
    assert.equal(seen['gen_ai.request.model'], 'maker/two');
    const attempts = spans.filter(({ parentSpanId }) => parentSpanId === request.spanId).map(attributesOf);
    const tried = attempts.filter((attributes) => attributes['mainstay.provider']);
    assert.deepEqual(
      tried.map((attributes) => attributes['mainstay.provider']),
      ['failing', 'whole'],
    );
    assert.ok(Number(tried[1]?.['gen_ai.usage.output_tokens']) > 0);
    assert.ok(Number(tried[1]?.['gen_ai.usage.input_tokens']) > 0);
    assert.doesNotMatch(JSON.stringify(spans), /Say hello/);
  } finally {
    collector.close();
  }
});

test('metrics count requests, tokens and cost by provider and model', async () => {
  await using gateway = await startGateway('sqlite');
  await gateway.price('mock/counted', { input: 1_000_000, output: 1_000_000 });
  const response = await gateway.ask('/chat/completions', { model: 'mock/counted', messages, stream: true });
  await response.text();
  await gateway.ask('/chat/completions', { model: 'mock/made-up-by-a-caller/x', messages: [] });
  // The list reads what has been settled, so metrics have it, too.
  const [event] = await gateway.events('model=mock/counted');
  const said = await register.metrics();
  const of = (name: string, rest = '') =>
    Number(
      new RegExp(`^${name}\\{provider="mock",model="mock/counted"${rest}\\} (\\S+)$`, 'm').exec(said)?.[1],
    );
  assert.equal(of('mainstay_ai_requests_total', ',status="success"'), 1);
  assert.equal(of('mainstay_ai_tokens_total', ',direction="output"'), event.outputTokens);
  assert.equal(of('mainstay_ai_tokens_total', ',direction="input"'), event.inputTokens);
  assert.equal(Math.round(of('mainstay_ai_cost_dollars_total') * 1e6), event.billableCostMicros);
  assert.match(said, /mainstay_ai_first_token_seconds_count\{provider="mock",model="mock\/counted"\} 1/);
  assert.doesNotMatch(said, /made-up-by-a-caller/);
});

test('at 50, 80 and 100 % of a budget the answer, the audit log and the admins say so, once each', async () => {
  await using mail = await startMailServer();
  await using gateway = await startGateway('sqlite', {
    settings: { MAINSTAY_SMTP_URL: mail.url, MAINSTAY_MAIL_FROM: 'mainstay@example.com' },
  });
  const [budget] = await gateway.budgets([{ maxRequests: 10, period: 'day' }]);
  const warnings: (string | null)[] = [];
  for (let sent = 0; sent < 10; sent++) {
    const response = await gateway.ask('/chat/completions', { model: 'mock/mock-chat', messages });
    assert.equal(response.status, 200);
    await response.text();
    warnings.push(response.headers.get('x-mainstay-budget-warning'));
    // What is used is settled before the next is asked for: the list waits for it.
    await gateway.events();
  }
  assert.ok(
    warnings.slice(0, 4).every((warning) => warning === null),
    JSON.stringify(warnings),
  );
  assert.ok(warnings.includes(`50; id=${budget?.id}`), JSON.stringify(warnings));
  assert.equal(warnings.at(-1), `80; id=${budget?.id}`);
  await mail.emailTo('owner@example.com', '100 % of');
  const { body } = await gateway.instance.call(
    'GET',
    `/organizations/${gateway.organizationId}/audit-log?action=ai_budget.warned`,
    { as: 'user' },
  );
  const told = body.items.filter(({ action }: Json) => action === 'ai_budget.warned');
  assert.deepEqual(told.map(({ details }: Json) => details.percent).sort(), [100, 50, 80]);
  assert.equal(mail.emails.filter((email) => email.includes('50 % of')).length, 1);
});
