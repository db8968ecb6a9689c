import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import OpenAI from 'openai';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { engines } from '#testing/engines.ts';
import { finderOf } from './guard/finders.ts';
import { TextRules } from './guard/texts.ts';
import { rewriteStrings } from './json/strings.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const card = '4111 1111 1111 1111';
const key = 'sk-proj-abcdefghijklmnopqrstuvwxyz123456';
const say = (content: string, rest: object = {}) => ({
  model: 'mock/echo',
  messages: [{ role: 'user', content }],
  ...rest,
});

interface Hook extends AsyncDisposable {
  url: string;
  // biome-ignore lint/suspicious/noExplicitAny: what the webhook was asked.
  asked: any[];
  answer: (stage: string) => { status: number; body: string } | undefined;
}

async function startHook(): Promise<Hook> {
  const hook = {
    url: '',
    asked: [],
    answer: () => ({ status: 200, body: '{"action":"allow"}' }),
  } as unknown as Hook;
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const piece of request) text += piece;
    const question = JSON.parse(text);
    hook.asked.push(question);
    const said = hook.answer(question.stage);
    if (said) response.writeHead(said.status, { 'content-type': 'application/json' }).end(said.body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  hook.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/check`;
  hook[Symbol.asyncDispose] = async () => {
    server.closeAllConnections();
    await new Promise((resolve) => server.close(resolve));
  };
  return hook;
}

for (const engine of engines) {
  describe(`guardrails and kept answers on ${engine}`, () => {
    let gateway: Gateway;
    let hook: Hook;
    let of: string;
    const policy = async (body: object) => {
      const answer = await gateway.instance.call('PUT', `${of}/policies`, { as: 'user', body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body.policy;
    };
    const sentOn = () => JSON.parse(gateway.mock.seen.at(-1)?.body ?? '{}');
    const streamed = async (content: string) => {
      const client = new OpenAI({
        baseURL: `${gateway.instance.url}/ai/v1`,
        apiKey: gateway.secret,
        maxRetries: 0,
      });
      let text = '';
      const stream = await client.chat.completions.create({
        model: 'mock/echo',
        messages: [{ role: 'user', content }],
        stream: true,
      });
      for await (const chunk of stream) text += chunk.choices[0]?.delta.content ?? '';
      return text;
    };
    before(async () => {
      hook = await startHook();
      gateway = await startGateway(engine, {
        settings: {
          MAINSTAY_AI_WEBHOOK_PRIVATE_ADDRESSES: '127.0.0.1/32',
          MAINSTAY_AI_WEBHOOK_TIMEOUT: '1s',
        },
      });
      of = `/organizations/${gateway.organizationId}/ai-gateway`;
      await gateway.price('mock/echo', { input: 1_000_000, output: 2_000_000 });
    });
    after(async () => {
      await gateway[Symbol.asyncDispose]();
      await hook[Symbol.asyncDispose]();
    });

    test('what a request must not hold is redacted, and every other byte continues as it came', async () => {
      const kept = await policy({
        guardrails: [
          { type: 'card', on: 'request', action: 'redact' },
          { type: 'email', on: 'request', action: 'redact' },
          { type: 'api_key', on: 'request', action: 'redact' },
          { type: 'pattern', pattern: '(?i)project\\s+falcon', on: 'request', action: 'redact' },
        ],
      });
      assert.equal(kept.guardrails.length, 4);
      const body = `{ "messages":[{"role":"user","content":"Card ${card}, ann@example.com, ${key}; Project  Falcon \\u00e4"}],\n "zeta":1.0,"model" : "mock/echo" }`;
      assert.equal((await gateway.ask('/chat/completions', body)).status, 200);
      assert.equal(
        gateway.mock.seen.at(-1)?.body,
        `{ "messages":[{"role":"user","content":"Card [redacted:card], [redacted:email], [redacted:api_key]; [redacted:pattern] ä"}],\n "zeta":1.0,"model" : "echo" }`,
      );
      const plain = `{ "messages":[{"role":"user","content":"\\u00e4"}],"model":"mock/echo"}`;
      await gateway.ask('/chat/completions', plain);
      assert.equal(
        gateway.mock.seen.at(-1)?.body,
        `{ "messages":[{"role":"user","content":"\\u00e4"}],"model":"echo"}`,
      );
    });

    test('a request that a guardrail refuses is 403, is not sent on, and leaves a row', async () => {
      await policy({ guardrails: [{ type: 'card', on: 'both', action: 'refuse' }] });
      gateway.mock.reset();
      const response = await gateway.ask('/chat/completions', say(`Charge ${card}`));
      assert.equal(response.status, 403);
      const { error } = (await response.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'policy_denied');
      assert.match(error.message, /organization.*guardrails/);
      assert.doesNotMatch(error.message, /4111/);
      assert.equal(gateway.mock.seen.length, 0);
      const [event] = await gateway.events();
      assert.deepEqual([event.status, event.errorCode], ['error', 'policy_denied']);
    });

    test('answers are redacted, also in streams in which the words are cut', async () => {
      await policy({
        guardrails: [
          { type: 'card', on: 'response', action: 'redact' },
          { type: 'email', on: 'response', action: 'redact' },
          { type: 'api_key', on: 'response', action: 'redact' },
          { type: 'pattern', pattern: 'falcon', on: 'response', action: 'redact' },
        ],
      });
      const text = `Card ${card} and ann@example.com and ${key} of falcon, and some words more than that.`;
      const redacted =
        'Card [redacted:card] and [redacted:email] and [redacted:api_key] of [redacted:pattern], and some words more than that.';
      const whole = await gateway.ask('/chat/completions', say(text));
      assert.equal(((await whole.json()) as OpenAI.ChatCompletion).choices[0]?.message.content, redacted);
      assert.equal(sentOn().messages[0].content, text);
      assert.equal(await streamed(text), redacted);
      for (const path of ['/messages', '/responses']) {
        const rest = { stream: true, max_tokens: 500, input: text };
        const { messages, ...others } = say(text, rest);
        const body = path === '/messages' ? { ...others, messages } : others;
        const answer = await (await gateway.ask(path, body)).text();
        assert.doesNotMatch(answer, /4111 1|ann@|sk-proj|falcon/, path);
        assert.match(answer, /redacted/, path);
      }
    });

    test('a stream that a guardrail refuses ends with an error, and what it cost is charged', async () => {
      await policy({ guardrails: [{ type: 'card', on: 'response', action: 'refuse' }] });
      const response = await gateway.ask(
        '/chat/completions',
        say(`First some words, then ${card} and more`, { stream: true }),
      );
      const text = await response.text();
      assert.match(text, /"code":"policy_denied"[^\n]*"choices":\[\]}\n\n$/);
      assert.doesNotMatch(text, /4111 1|\[DONE\]/);
      const whole = await gateway.ask('/chat/completions', say(card));
      assert.equal(whole.status, 403);
      const [event] = await gateway.events();
      assert.equal(event.errorCode, 'policy_denied');
      assert.ok(event.billableCostMicros > 0);
    });

    test('expressions that do not run in linear time, and patterns that are none, are refused', async () => {
      const bad = [
        { type: 'pattern', pattern: '(a)\\1', on: 'request', action: 'redact' },
        { type: 'pattern', pattern: '(?=a)', on: 'request', action: 'redact' },
        { type: 'pattern', pattern: '(', on: 'request', action: 'redact' },
        { type: 'pattern', on: 'request', action: 'redact' },
        { type: 'card', pattern: 'x', on: 'request', action: 'redact' },
        { type: 'card', on: 'sideways', action: 'redact' },
      ];
      for (const guardrail of bad) {
        const body = { guardrails: [guardrail] };
        assert.equal(
          (await gateway.instance.call('PUT', `${of}/policies`, { as: 'user', body })).status,
          400,
        );
      }
      const body = { webhookUrl: 'ftp://example.com' };
      assert.equal((await gateway.instance.call('PUT', `${of}/policies`, { as: 'user', body })).status, 400);
    });

    test('a webhook is asked before and after, and refuses either; silence refuses, too', async () => {
      assert.equal((await policy({ webhookUrl: hook.url })).webhookUrl, hook.url);
      assert.equal((await gateway.ask('/chat/completions', say('Hi there'))).status, 200);
      assert.deepEqual(
        hook.asked.map(({ stage }) => stage),
        ['request', 'response'],
      );
      assert.equal(hook.asked[0].request.messages[0].content, 'Hi there');
      assert.equal(hook.asked[1].response.choices[0].message.content, 'Hi there');
      assert.equal(await streamed('Words in a stream'), 'Words in a stream');
      assert.equal(hook.asked.at(-1).text, 'Words in a stream');
      const refusing = (stage: string) => {
        hook.answer = (asked) => ({
          status: 200,
          body: asked === stage ? '{"action":"refuse","reason":"Not on Sundays."}' : '',
        });
      };
      for (const stage of ['request', 'response']) {
        refusing(stage);
        for (const stream of [false, true]) {
          const response = await gateway.ask('/chat/completions', say('Hi', { stream }));
          assert.equal(response.status, 403);
          assert.match(await response.text(), /Not on Sundays\./);
        }
      }
      hook.answer = () => ({ status: 500, body: '' });
      assert.equal((await gateway.ask('/chat/completions', say('Hi'))).status, 403);
      hook.answer = () => undefined;
      const late = await gateway.ask('/chat/completions', say('Hi'));
      assert.equal(late.status, 403);
      assert.match(await late.text(), /within 1000 ms/);
      await policy({});
    });

    test('an answer is kept where a header or a policy asks for it, and costs nothing the second time', async () => {
      const ask = (content: string, headers: Record<string, string>, rest: object = {}) =>
        gateway.ask('/chat/completions', say(content, rest), headers);
      const ttl = { 'x-mainstay-cache-ttl': '60' };
      gateway.mock.reset();
      const first = await ask('Keep me', ttl);
      assert.equal(first.headers.get('x-mainstay-cache'), 'miss');
      const original = (await first.json()) as { cost_micros: number };
      assert.ok(original.cost_micros > 0);
      const again = await gateway.ask(
        '/chat/completions',
        `{"messages": [{"content":"Keep me","role":"user"}], "model": "mock/echo", "metadata": {"turn": "2"}}`,
        ttl,
      );
      assert.equal(again.headers.get('x-mainstay-cache'), 'hit');
      assert.equal(again.headers.get('x-mainstay-cost-micros'), '0');
      assert.deepEqual(await again.json(), { ...original, cost_micros: 0 });
      assert.equal(gateway.mock.seen.length, 1);
      const [event] = await gateway.events();
      assert.deepEqual([event.cacheHit, event.billableCostMicros, event.status], [true, 0, 'success']);
      assert.equal((await ask('Keep me', {})).headers.get('x-mainstay-cache'), null);

      await policy({ cacheTtlSeconds: 60 });
      const stream = { stream: true, stream_options: { include_usage: true } };
      const streamedFirst = await (await ask('In a stream', {}, stream)).text();
      const replayed = await ask('In a stream', {}, stream);
      assert.equal(replayed.headers.get('x-mainstay-cache'), 'hit');
      assert.equal(await replayed.text(), streamedFirst.replace(/"cost_micros":\d+/, '"cost_micros":0'));
      assert.equal(
        (await ask('In a stream', { 'x-mainstay-cache-ttl': '0' }, stream)).headers.get('x-mainstay-cache'),
        null,
      );
      await policy({ cacheTtlSeconds: 0 });
      assert.equal((await ask('In a stream', ttl, stream)).headers.get('x-mainstay-cache'), null);
      await policy({});
      for (const bad of ['-1', 'x', '99999999'])
        assert.equal((await ask('x', { 'x-mainstay-cache-ttl': bad })).status, 400);
    });

    test('a failure is never kept, and another tenant never sees what is', async () => {
      const ttl = { 'x-mainstay-cache-ttl': '60' };
      for (let time = 0; time < 2; time++) {
        const failed = await gateway.ask(
          '/chat/completions',
          { ...say('x'), model: 'mock/fault:no-done', stream: true },
          ttl,
        );
        assert.equal(failed.headers.get('x-mainstay-cache'), 'miss');
        await failed.text();
      }
      await (await gateway.ask('/chat/completions', say('Mine alone'), ttl)).json();
      const other = await gateway.ask('/chat/completions', say('Mine alone'), {
        ...ttl,
        authorization: `Bearer ${await gateway.instance.token('organization')}`,
      });
      assert.equal(other.status, 200);
      assert.equal(other.headers.get('x-mainstay-cache'), 'miss');
    });
  });
}

test('cards are told by their check digit, and other numbers are left alone', () => {
  const { find } = finderOf({ type: 'card', on: 'both', action: 'redact' });
  const found = (text: string) => find(text).map(({ start, end }) => text.slice(start, end));
  for (const number of [
    '4111111111111111',
    '4111-1111-1111-1111',
    '378282246310005',
    '6011 0009 9013 9424',
    '5555555555554444',
  ])
    assert.deepEqual(found(`pay ${number}, please`), [number]);
  assert.deepEqual(found('4111111111111111 5555555555554444'), ['4111111111111111', '5555555555554444']);
  for (const text of [
    '4111111111111112',
    'order 1234567890123456',
    'v4111111111111111',
    '0000000000000000',
    '20261122083712345',
  ])
    assert.deepEqual(found(text), [], text);
});

test('looking for something takes time in proportion to the text, whatever it is', () => {
  const rules = new TextRules(
    [
      {
        name: 'organization',
        body: {
          guardrails: [
            ...(['card', 'email', 'api_key'] as const).map((type) => ({
              type,
              on: 'both' as const,
              action: 'redact' as const,
            })),
            { type: 'pattern', pattern: '(a|aa)+b', on: 'both', action: 'redact' },
          ],
        },
      },
    ],
    'request',
  );
  for (const piece of [
    'a',
    '4',
    '4 ',
    '@',
    'a@',
    'a.',
    'sk-',
    '-----BEGIN PRIVATE KEY-----',
    'eyJ.',
    '\\"',
  ]) {
    const text = piece.repeat(200_000 / piece.length);
    const took = cpuMilliseconds(() => rules.apply(text));
    assert.ok(took < 2000, `${piece}: ${took} ms`);
  }
});

test('strings of JSON are rewritten where they stand, and ids and data are left alone', () => {
  const text = `{"a" : [ "x\\"y", {"id":"x","b":"x"} ], "data":"x", "n":1e400, "u":"data:image/png;base64,xx"}`;
  const seen: string[] = [];
  const result = rewriteStrings(text, (value) => {
    seen.push(value);
    return value === 'x' ? 'y"' : value;
  });
  assert.deepEqual(seen, ['x"y', 'x']);
  assert.equal(result, text.replace('"b":"x"', '"b":"y\\""'));
  assert.equal(
    rewriteStrings(text, (value) => value),
    undefined,
  );
});
