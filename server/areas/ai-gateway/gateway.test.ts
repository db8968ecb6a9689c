import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const chat = (model: string, rest: object = {}) => ({ model, messages, ...rest });

for (const engine of engines) {
  describe(`chat completions through one provider on ${engine}`, () => {
    let gateway: Gateway;
    before(async () => {
      gateway = await startGateway(engine);
      await gateway.price('mock/mock-chat', { input: 1_000_000, output: 2_000_000 });
    });
    after(() => gateway[Symbol.asyncDispose]());

    test('an answer carries its cost, and a row is written', async () => {
      const response = await gateway.ask('/chat/completions', chat('mock/mock-chat'), {
        'x-mainstay-end-user-id': 'end user 7',
      });
      assert.equal(response.status, 200);
      // biome-ignore lint/suspicious/noExplicitAny: looked into below.
      const body = (await response.json()) as any;
      const { prompt_tokens, completion_tokens } = body.usage;
      const micros = prompt_tokens + 2 * completion_tokens;
      assert.equal(body.cost_micros, micros);
      assert.equal(response.headers.get('x-mainstay-cost-micros'), String(micros));
      assert.equal(response.headers.get('x-mainstay-model'), 'mock/mock-chat');
      const [event] = await gateway.events(`requestId=${response.headers.get('x-mainstay-request-id')}`);
      assert.equal(event.status, 'success');
      assert.equal(event.billableCostMicros, micros);
      assert.equal(event.inputTokens, prompt_tokens);
      assert.equal(event.callerEndUserId, 'end user 7');
      assert.equal(event.usageSource, 'provider');
      assert.equal(event.billingSubjectType, 'application');
      assert.equal(event.providerAttempts.at(-1).provider, 'mock');
    });

    test('the body continues byte for byte but for the model', async () => {
      gateway.mock.reset();
      const body = `{ "messages":[{"role":"user","content":"\\u00e4"}],\n "zeta":1.0, "10":1, "big":12345678901234567890,"model" : "mock/mock-chat","provider":{"order":["mock"]} }`;
      const response = await gateway.ask('/chat/completions', body);
      assert.equal(response.status, 200, await response.clone().text());
      assert.equal(
        gateway.mock.seen.at(-1)?.body,
        `{ "messages":[{"role":"user","content":"\\u00e4"}],\n "zeta":1.0, "10":1, "big":12345678901234567890,"model" : "mock-chat" }`,
      );
    });

    test('a stream passes through, without the usage that nobody asked for', async () => {
      const response = await gateway.ask('/chat/completions', chat('mock/mock-chat', { stream: true }));
      const text = await response.text();
      assert.match(text, /data: \[DONE\]\n\n$/);
      assert.doesNotMatch(text, /"usage"/);
      const asked = await gateway.ask(
        '/chat/completions',
        chat('mock/mock-chat', { stream: true, stream_options: { include_usage: true } }),
      );
      assert.match(await asked.text(), /"cost_micros":\d+/);
    });

    test('a budget that is used up refuses with 402 and says why, and counts no more than it allows', async () => {
      const [budget] = await gateway.budgets([{ maxRequests: 2, period: 'day' }]);
      const statuses = [];
      for (let sent = 0; sent < 4; sent++) {
        const response = await gateway.ask('/chat/completions', chat('mock/mock-chat', { max_tokens: 4 }));
        statuses.push(response.status);
        if (response.status !== 402) await response.arrayBuffer();
        else {
          const { error } = (await response.json()) as { error: { code: string; message: string } };
          assert.equal(error.code, 'budget_exceeded');
          assert.match(error.message, new RegExp(`budget ${budget?.id}`));
        }
      }
      assert.deepEqual(statuses, [200, 200, 402, 402]);
      const of = `/organizations/${gateway.organizationId}/ai-gateway/budgets`;
      const { body } = await gateway.instance.call('GET', of, { as: 'user' });
      assert.equal(body.items[0].used.requests, 2);
      await gateway.budgets([]);
    });

    test('near the limit a request without a bound gets the output that is still paid for', async () => {
      gateway.mock.reset();
      await gateway.budgets([{ maxCostMicros: 400, period: 'day' }]);
      const response = await gateway.ask('/chat/completions', chat('mock/mock-chat'));
      assert.equal(response.status, 200, await response.clone().text());
      const sent = JSON.parse(gateway.mock.seen.at(-1)?.body ?? '{}');
      const bytes = Buffer.byteLength(JSON.stringify(chat('mock/mock-chat')));
      assert.equal(sent.max_tokens, Math.floor((400 - bytes) / 2));
      await gateway.budgets([]);
    });

    test('a model that is called by its provider stays there when another serves one of that name', async () => {
      const twins = ['twin-one', 'twin-two'];
      for (const slug of twins) {
        await gateway.addProvider({ slug, models: ['mock-chat'] });
        await gateway.price(`${slug}/mock-chat`, { input: 1 });
      }
      for (const slug of twins) {
        const response = await gateway.ask('/chat/completions', chat(`${slug}/mock-chat`));
        assert.equal(response.status, 200);
        assert.equal(response.headers.get('x-mainstay-provider'), slug);
      }
    });

    test('a model without a price is refused where a budget counts costs', async () => {
      await gateway.budgets([{ maxCostMicros: 1_000_000 }]);
      const response = await gateway.ask('/chat/completions', chat('mock/unpriced'));
      assert.equal(response.status, 400);
      assert.equal(((await response.json()) as { error: { code: string } }).error.code, 'model_unpriced');
      await gateway.budgets([]);
      const free = await gateway.ask('/chat/completions', chat('mock/unpriced'));
      assert.equal(free.status, 200);
      assert.equal(((await free.json()) as { cost_micros?: number }).cost_micros, undefined);
      const [event] = await gateway.events('model=mock/unpriced&status=success');
      assert.equal(event.pricing, 'unpriced');
    });

    const broken = ['cut', 'cut-mid-event', 'no-done', 'no-finish', 'malformed', 'error-in-stream'];
    for (const fault of broken) {
      test(`a stream that fails in the middle (${fault}) ends with an error and never with [DONE]`, async () => {
        const response = await gateway.ask(
          '/chat/completions',
          chat(`mock/fault:${fault}`, { stream: true }),
        );
        assert.equal(response.status, 200);
        const text = await response.text();
        assert.match(text, /"content":"Half"/);
        assert.match(text, /data: {"error":{[^\n]*"choices":\[\]}\n\n$/);
        assert.doesNotMatch(text, /\[DONE\]/);
        const [event] = await gateway.events(`model=mock/fault:${fault}`);
        assert.equal(event.status, 'error');
        assert.equal(event.usageSource, 'estimated');
      });
    }

    const refused: Record<string, [number, string]> = {
      '400': [400, 'bad_value'],
      '401': [502, 'provider_error'],
      '429-long': [429, 'rate_limit_exceeded'],
      '500': [502, 'provider_error'],
      'error-in-200': [502, 'provider_error'],
      'not-json': [502, 'provider_error'],
      'cut-json': [502, 'provider_error'],
      reset: [502, 'provider_error'],
    };
    for (const [fault, [status, code]] of Object.entries(refused)) {
      test(`a provider that fails (${fault}) is answered ${status}`, async () => {
        const response = await gateway.ask('/chat/completions', chat(`mock/fault:${fault}`));
        assert.equal(response.status, status);
        const text = await response.text();
        assert.equal(JSON.parse(text).error.code, code, text);
        assert.doesNotMatch(text, /sk-secret/);
      });
    }

    test('the provider hears immediately that the client is gone, and what was used is settled', async () => {
      gateway.mock.reset();
      for (let time = 0; time < 10; time++) {
        const controller = new AbortController();
        const response = await fetch(`${gateway.instance.url}/ai/v1/chat/completions`, {
          method: 'POST',
          signal: controller.signal,
          headers: { authorization: `Bearer ${gateway.secret}`, 'content-type': 'application/json' },
          body: JSON.stringify(chat('mock/fault:endless', { stream: true })),
        });
        await response.body?.getReader().read();
        const left = Date.now();
        controller.abort();
        const seen = gateway.mock.seen[time];
        while (seen?.ended === 'open' && Date.now() - left < 10_000)
          await new Promise((resolve) => setTimeout(resolve, 2));
        assert.equal(seen?.ended, 'aborted');
        // 100 ms are the goal; ten times that for a machine that does something else as well.
        assert.ok((seen?.endedAt ?? 0) - left < 1000, `${(seen?.endedAt ?? 0) - left} ms`);
      }
      const events = await gateway.events('model=mock/fault:endless');
      assert.equal(events.length, 10);
      for (const event of events) {
        assert.equal(event.status, 'cancelled');
        assert.ok(event.outputTokens > 0);
      }
    });

    const bad: Record<string, [number, unknown]> = {
      'no JSON': [400, '{"model"'],
      'a list': [400, '[]'],
      'a name given twice': [400, '{"model":"mock/mock-chat","messages":[{"role":"user","role":"x"}]}'],
      'no model': [400, { messages }],
      'no messages': [400, { model: 'mock/mock-chat' }],
      'an unknown model': [404, chat('nobody/nothing')],
      'n of a million': [400, chat('mock/mock-chat', { n: 1_000_000 })],
      'max_tokens below zero': [400, chat('mock/mock-chat', { max_tokens: -1 })],
      'tools that are none': [400, chat('mock/mock-chat', { tools: 'x' })],
    };
    for (const [what, [status, body]] of Object.entries(bad)) {
      test(`${what} is answered ${status} in OpenAI's shape`, async () => {
        const response = await gateway.ask('/chat/completions', body);
        assert.equal(response.status, status);
        const { error } = (await response.json()) as { error: Record<string, unknown> };
        assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'type']);
      });
    }

    test('ids that a shared provider made are refused: another organization may have made them', async () => {
      const conversation = { model: 'mock/mock-chat', input: 'x', previous_response_id: 'resp_1' };
      assert.equal((await gateway.ask('/responses', conversation)).status, 404);
      const file = [{ role: 'user', content: [{ type: 'file', file: { file_id: 'file-1' } }] }];
      assert.equal(
        (await gateway.ask('/chat/completions', { model: 'mock/mock-chat', messages: file })).status,
        404,
      );
    });

    test('policies, limits a minute and explain tell the rule', async () => {
      const of = `/organizations/${gateway.organizationId}/ai-gateway`;
      const put = (body: object) => gateway.instance.call('PUT', `${of}/policies`, { as: 'user', body });
      assert.equal((await put({ allowedModels: ['other/*'] })).status, 200);
      const denied = await gateway.ask('/chat/completions', chat('mock/mock-chat'));
      assert.equal(denied.status, 403);
      const { error } = (await denied.json()) as { error: { code: string; message: string } };
      assert.equal(error.code, 'policy_denied');
      assert.match(error.message, /allowedModels/);
      const asked = { path: '/chat/completions', body: chat('mock/mock-chat') };
      const { body } = await gateway.instance.call('POST', `${of}/explain`, { as: 'user', body: asked });
      assert.deepEqual(
        [body.candidates[0].verdict, body.candidates[0].rule],
        ['skipped', 'policy:allowedModels'],
      );
      await put({ requestsPerMinute: 3 });
      const video = await gateway.ask('/videos', { model: 'mock/fault:400', prompt: 'a cat' });
      assert.equal(video.status, 400, 'a refusal has the headers, too');
      assert.equal(video.headers.get('x-ratelimit-limit-requests'), '3');
      const statuses = [];
      for (let sent = 0; sent < 3; sent++) {
        const response = await gateway.ask('/chat/completions', chat('mock/mock-chat'));
        statuses.push(response.status);
        assert.equal(response.headers.get('x-ratelimit-limit-requests'), '3');
        await response.arrayBuffer();
      }
      assert.deepEqual(statuses, [200, 200, 429]);
      await put({});
    });

    test('an endpoint that is not there is refused in the shape of the protocol, whatever the method', async () => {
      for (const method of ['GET', 'POST', 'DELETE'])
        for (const path of ['/ai/v1/nothing', '/ai/v1/messages/nothing']) {
          const response = await fetch(`${gateway.instance.url}${path}`, { method });
          assert.equal(response.status, 404, `${method} ${path}`);
          const { error } = (await response.json()) as { error: { message: string } };
          assert.ok(error.message.startsWith(`There is no endpoint ${method} ${path}.`), error.message);
        }
    });

    test('no key, a wrong key and a key with other scopes are refused', async () => {
      const ask = (authorization?: string) =>
        gateway.ask(
          '/chat/completions',
          chat('mock/mock-chat'),
          authorization === undefined ? {} : { authorization },
        );
      assert.equal((await ask('')).status, 401);
      assert.equal((await ask('Bearer mst_nonsense')).status, 401);
      const all = gateway.instance.bootstrapped.keys.application.secret;
      assert.equal((await ask(`Bearer ${all}`)).status, 403);
      assert.equal((await ask(`Bearer ${await gateway.instance.token('application')}`)).status, 200);
    });
  });
}
