import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { Health } from './relay/health.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const hello = 'Hello from the mock provider.';

// biome-ignore lint/suspicious/noExplicitAny: bodies and events are looked into.
type Json = any;

describe('a request that several providers may serve', () => {
  let gateway: Gateway;
  let made = 0;
  before(async () => {
    const settings = { MAINSTAY_AI_FIRST_BYTE_TIMEOUT: '1s', MAINSTAY_AI_FIRST_TOKEN_TIMEOUT: '1s' };
    gateway = await startGateway('sqlite', { settings });
  });
  after(() => gateway[Symbol.asyncDispose]());

  interface Side {
    /** What the provider does; a model of the mock. */
    upstream: string;
    [field: string]: unknown;
  }

  /** A model that is served by one provider for each side, in this order. */
  async function modelOf(...sides: Side[]): Promise<{ model: string; slugs: string[] }> {
    const model = `maker/model-${++made}`;
    const slugs = sides.map((_, at) => `side-${made}-${at}`);
    for (const [at, { upstream, ...fields }] of sides.entries())
      await gateway.addProvider({
        slug: slugs[at],
        models: [`${model}=${upstream}`],
        priority: 100 - at,
        ...fields,
      });
    gateway.mock.reset();
    return { model, slugs };
  }

  /** Each a conversation of its own, or the provider of the last one would be preferred. */
  const ask = (model: string, rest: object = {}) =>
    gateway.ask('/chat/completions', { model, messages, prompt_cache_key: `key-${++made}`, ...rest });
  const asked = () => gateway.mock.seen.map(({ body }) => JSON.parse(body).model as string);

  async function eventOf(response: Response): Promise<Json> {
    const [event] = await gateway.events(`requestId=${response.headers.get('x-mainstay-request-id')}`);
    return event;
  }

  for (const fault of ['500', '529', 'reset', 'html', 'not-json', 'error-in-200', 'empty', 'cut-json'])
    test(`is served by the next one where the first fails (${fault}), and the row says so`, async () => {
      const { model, slugs } = await modelOf({ upstream: `fault:${fault}` }, { upstream: 'mock-chat' });
      const response = await ask(model);
      assert.equal(response.status, 200);
      assert.equal(((await response.json()) as Json).choices[0].message.content, hello);
      assert.equal(response.headers.get('x-mainstay-provider'), slugs[1]);
      const { providerAttempts, provider, status } = await eventOf(response);
      assert.equal(status, 'success');
      assert.equal(provider, slugs[1]);
      assert.deepEqual(
        providerAttempts.map(({ provider: slug, error }: Json) => [slug, error !== undefined]),
        [
          [slugs[0], true],
          [slugs[0], true],
          [slugs[1], false],
        ],
        'once more, then the next',
      );
    });

  for (const fault of ['cut-before-output', 'error-first', 'idle-before-output'])
    test(`a stream without any output so far (${fault}) begins anew at the next one`, async () => {
      const { model } = await modelOf({ upstream: `fault:${fault}` }, { upstream: 'mock-chat' });
      const text = await (await ask(model, { stream: true })).text();
      const words = [...text.matchAll(/"content":"([^"]+)"/g)].map(([, word]) => word);
      assert.equal(words.join(''), hello);
      assert.equal(text.match(/"role":"assistant"/g)?.length, 1, 'nothing of the first one went out');
      assert.match(text, /data: \[DONE\]\n\n$/);
    });

  test('a stream with output is never taken over', async () => {
    const { model } = await modelOf({ upstream: 'fault:cut' }, { upstream: 'mock-chat' });
    const text = await (await ask(model, { stream: true })).text();
    assert.deepEqual(asked(), ['fault:cut']);
    assert.match(text, /"content":"Half"/);
    assert.doesNotMatch(text, /\[DONE\]/);
  });

  test('a provider that is silent is asked once, then the next one', async () => {
    const { model, slugs } = await modelOf({ upstream: 'fault:silent' }, { upstream: 'mock-chat' });
    const response = await ask(model);
    assert.equal(response.status, 200);
    assert.deepEqual(asked(), ['fault:silent', 'mock-chat']);
    const { providerAttempts } = await eventOf(response);
    assert.deepEqual(
      [providerAttempts[0].provider, providerAttempts[0].tag],
      [slugs[0], 'first_byte_timeout'],
    );
  });

  test('silence everywhere is 504', async () => {
    const { model } = await modelOf({ upstream: 'fault:silent' });
    const response = await ask(model);
    assert.equal(response.status, 504);
    assert.equal(((await response.json()) as Json).error.code, 'provider_timeout');
  });

  for (const [fault, status] of [
    ['400', 400],
    ['filter', 200],
  ] as const)
    test(`what would be the same everywhere (${fault}) is not asked elsewhere`, async () => {
      const { model } = await modelOf({ upstream: `fault:${fault}` }, { upstream: 'mock-chat' });
      const response = await ask(model);
      assert.equal(response.status, status);
      const { choices } = (await response.json()) as Json;
      if (status === 200) assert.equal(choices[0].finish_reason, 'content_filter');
      assert.deepEqual(asked(), [`fault:${fault}`]);
    });

  test('a request that is too long for one is asked elsewhere, once', async () => {
    const { model } = await modelOf({ upstream: 'fault:context' }, { upstream: 'mock-chat' });
    assert.equal((await ask(model)).status, 200);
    assert.deepEqual(asked(), ['fault:context', 'mock-chat']);
  });

  test('a key that is refused makes room for the others of the provider', async () => {
    const credentials = [{ apiKey: 'key-one' }, { apiKey: 'key-two', weight: 3 }];
    const { model } = await modelOf({ upstream: 'fault:401', credentials }, { upstream: 'mock-chat' });
    assert.equal((await ask(model)).status, 200);
    const keys = gateway.mock.seen.slice(0, 2).map(({ headers }) => headers['authorization']);
    assert.deepEqual(keys.sort(), ['Bearer key-one', 'Bearer key-two']);
    assert.deepEqual(asked(), ['fault:401', 'fault:401', 'mock-chat']);
  });

  test('the last one is asked again after the time that it names', async () => {
    const { model } = await modelOf({ upstream: 'fault:429' });
    const response = await ask(model);
    assert.equal(response.status, 429);
    assert.equal(response.headers.get('retry-after'), '1');
    const [first, second] = gateway.mock.seen;
    assert.equal(gateway.mock.seen.length, 2);
    assert.ok((second?.startedAt ?? 0) - (first?.startedAt ?? 0) >= 1000);
  });

  test('one that wants to be left alone for long is left alone', async () => {
    const { model } = await modelOf({ upstream: 'fault:429-long' }, { upstream: 'mock-chat' });
    assert.equal((await ask(model)).status, 200);
    assert.deepEqual(asked(), ['fault:429-long', 'mock-chat']);
  });

  test('one that failed often is not asked for a while, and the row says why', async () => {
    const { model, slugs } = await modelOf({ upstream: 'fault:500' }, { upstream: 'mock-chat' });
    for (let sent = 0; sent < 3; sent++) assert.equal((await ask(model)).status, 200);
    gateway.mock.reset();
    const response = await ask(model);
    assert.equal(response.status, 200);
    assert.deepEqual(asked(), ['mock-chat']);
    const { providerAttempts } = await eventOf(response);
    assert.deepEqual([providerAttempts[0].provider, providerAttempts[0].tag], [slugs[0], 'skipped:breaker']);
  });

  test('the caller orders, restricts and forbids fallbacks', async () => {
    const { model, slugs } = await modelOf({ upstream: 'mock-chat' }, { upstream: 'mock-embedding' });
    const served = async (provider: object) => {
      const response = await ask(model, { provider });
      return response.status === 200 ? response.headers.get('x-mainstay-provider') : response;
    };
    assert.equal(await served({}), slugs[0]);
    assert.equal(await served({ order: [slugs[1]] }), slugs[1]);
    assert.equal(await served({ order: [slugs[1]], restrict_to_order: true }), slugs[1]);
    assert.ok(gateway.mock.seen.every(({ body }) => !('provider' in JSON.parse(body))));
    const refused = (await served({ order: ['nobody'], restrict_to_order: true })) as Response;
    assert.equal(refused.status, 503);
    assert.equal(((await refused.json()) as Json).error.code, 'no_provider');
    const broken = await modelOf({ upstream: 'fault:500' }, { upstream: 'mock-chat' });
    assert.equal((await ask(broken.model, { provider: { allow_fallbacks: false } })).status, 502);
    assert.ok(asked().every((upstream) => upstream === 'fault:500'));
  });

  test('zero data retention is demanded of the provider, by the request or by a policy', async () => {
    const { model, slugs } = await modelOf({ upstream: 'mock-chat' }, { upstream: 'mock-chat', zdr: true });
    const strict = await ask(model, { provider: { require_zdr: true } });
    assert.equal(strict.headers.get('x-mainstay-provider'), slugs[1]);
    const { providerAttempts } = await eventOf(strict);
    assert.deepEqual(
      [providerAttempts[0].provider, providerAttempts[0].tag],
      [slugs[0], 'skipped:require_zdr'],
    );
    const of = `/organizations/${gateway.organizationId}/ai-gateway/policies`;
    const put = (body: object) => gateway.instance.call('PUT', of, { as: 'user', body });
    await put({ requireZdr: true });
    assert.equal((await ask(model)).headers.get('x-mainstay-provider'), slugs[1]);
    await put({ allowFallbacks: false });
    const broken = await modelOf({ upstream: 'fault:500' }, { upstream: 'mock-chat' });
    assert.equal((await ask(broken.model)).status, 502);
    await put({});
  });

  test('the cheaper one goes first where the caller asks for that, and the faster one', async () => {
    const { model, slugs } = await modelOf(
      { upstream: 'mock-chat:slow:20' },
      { upstream: 'mock-chat:slow:1' },
    );
    await gateway.price(`${slugs[0]}/mock-chat:slow:20`, { input: 900_000, output: 900_000 });
    await gateway.price(`${slugs[1]}/mock-chat:slow:1`, { input: 100_000, output: 100_000 });
    const served = async (provider: object) => {
      const response = await ask(model, { stream: true, provider });
      await response.text();
      return response.headers.get('x-mainstay-provider');
    };
    assert.equal(await served({ sort: 'price' }), slugs[1]);
    // Both have to be measured first.
    for (const slug of slugs) await served({ order: [slug] });
    assert.equal(await served({ sort: 'throughput' }), slugs[1]);
    assert.equal(await served({}), slugs[0]);
  });

  test('a conversation stays with the provider that has its cache', async () => {
    const { model, slugs } = await modelOf({ upstream: 'mock-chat' }, { upstream: 'mock-chat' });
    const served = async (rest: object) => (await ask(model, rest)).headers.get('x-mainstay-provider');
    const prompt_cache_key = 'conversation-7';
    assert.equal(await served({ prompt_cache_key, provider: { order: [slugs[1]] } }), slugs[1]);
    assert.equal(await served({ prompt_cache_key }), slugs[1]);
    assert.equal(await served({ prompt_cache_key: 'conversation-8' }), slugs[0]);
    assert.equal(await served({ prompt_cache_key, provider: { order: [slugs[0]] } }), slugs[0]);
  });

  test('a model that cannot do what the request needs is passed over', async () => {
    const { model } = await modelOf({ upstream: 'mock-chat' });
    const put = (capabilities: object, rest: object = {}) =>
      gateway.instance.call('PUT', `/admin/ai-gateway/models/${encodeURIComponent(model)}`, {
        as: 'user',
        body: { prices: 'free', capabilities, ...rest },
      });
    await put({ tools: false, vision: false, json_mode: false }, { contextWindow: 1000 });
    const image = { type: 'image_url', image_url: { url: 'data:image/png;base64,AAAA' } };
    const format = { type: 'json_schema', json_schema: { name: 'x', schema: { type: 'object' } } };
    const long = [{ role: 'user', content: 'word '.repeat(2000) }];
    const needs: [string, object][] = [
      ['tools', { tools: [{ type: 'function', function: { name: 'look' } }] }],
      ['images', { messages: [{ role: 'user', content: [image] }] }],
      ['JSON schemas', { response_format: format }],
      ['longer than the context', { messages: long }],
    ];
    for (const [what, rest] of needs) {
      const response = await ask(model, rest);
      assert.equal(response.status, 400, what);
      assert.match(((await response.json()) as Json).error.message, new RegExp(what));
    }
    assert.deepEqual(asked(), []);
    await put({ tools: true, vision: true, json_mode: true }, { contextWindow: 100_000 });
    for (const [what, rest] of needs) assert.equal((await ask(model, rest)).status, 200, what);
  });

  test('an alias tries its models in order', async () => {
    const broken = await modelOf({ upstream: 'fault:500' });
    const whole = await modelOf({ upstream: 'mock-chat' });
    const of = `/organizations/${gateway.organizationId}/ai-gateway/aliases`;
    const body = { aliases: [{ alias: 'fast', models: [broken.model, whole.model] }] };
    assert.equal((await gateway.instance.call('PUT', of, { as: 'user', body })).status, 200);
    const response = await ask('fast');
    assert.equal(response.status, 200);
    assert.equal(response.headers.get('x-mainstay-model'), whole.model);
    const { modelRequested, modelServed } = await eventOf(response);
    assert.deepEqual([modelRequested, modelServed], ['fast', whole.model]);
  });
});

describe('a provider that takes too long', () => {
  test('is left after the time for all of it', async () => {
    const settings = { MAINSTAY_AI_TOTAL_TIMEOUT: '1s' };
    await using gateway = await startGateway('sqlite', { settings });
    const silent = await gateway.ask('/chat/completions', { model: 'mock/fault:silent', messages });
    assert.equal(silent.status, 504);
    assert.match(((await silent.json()) as Json).error.message, /longer than 1000 ms in all/);
    const endless = await gateway.ask('/chat/completions', {
      ...{ model: 'mock/fault:endless', messages },
      stream: true,
    });
    const text = await endless.text();
    assert.match(text, /"code":"provider_timeout"/);
    assert.doesNotMatch(text, /\[DONE\]/);
  });

  test('is left in the middle of a stream that falls silent', async () => {
    const settings = { MAINSTAY_AI_IDLE_TIMEOUT: '1s' };
    await using gateway = await startGateway('sqlite', { settings });
    const response = await gateway.ask('/chat/completions', {
      ...{ model: 'mock/fault:idle', messages },
      stream: true,
    });
    const text = await response.text();
    assert.match(text, /"content":"Half"/);
    assert.match(text, /"code":"provider_timeout"/);
    assert.doesNotMatch(text, /\[DONE\]/);
  });
});

test('a breaker opens on five failures or half of twenty, and lets one through to see', () => {
  const clock = new TestClock({ still: true });
  const health = new Health(clock);
  const of = { provider: { slug: 'p' }, model: 'm' };
  const ended = (failed: boolean | undefined) => {
    health.begin('k');
    health.end('k', failed, of);
  };
  for (let at = 0; at < 4; at++) ended(true);
  ended(undefined);
  assert.equal(health.state('k'), 'closed', 'clients that leave do not count');
  ended(true);
  assert.equal(health.state('k'), 'open');
  clock.advance(16);
  assert.equal(health.state('k'), 'half_open');
  health.begin('k');
  assert.equal(health.state('k'), 'open', 'one at a time');
  health.end('k', true, of);
  assert.equal(health.state('k'), 'open');
  clock.advance(16);
  ended(false);
  assert.equal(health.state('k'), 'closed');
  for (let at = 0; at < 20; at++) ended(at % 2 === 0);
  assert.equal(health.state('k'), 'open');
});
