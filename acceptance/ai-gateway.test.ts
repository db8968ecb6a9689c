import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
import { generateText, streamText } from 'ai';
import OpenAI from 'openai';
import type { Client } from '../sdk/index.ts';
import { type MockProvider, startAiProvider } from '../server/testing/ai-provider.ts';
import { clientOf, nobody, plainFetch, refusal, time, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** A provider of models on this machine stands behind the instance, which has to be able to reach it. */
for (const name of targetNames) {
  describe(`the AI gateway on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let mock: MockProvider;
    let owner: Client;
    let application: Client;
    let openai: OpenAI;
    let providerId: string;
    const slug = `mock-${randomUUID().slice(0, 8)}`;
    const model = `${slug}/mock-chat`;
    const text = 'Hello from the mock provider.';
    const messages = [{ role: 'user' as const, content: 'Say hello.' }];
    before(async () => {
      mock = await startAiProvider();
      target = await openTarget(name);
      owner = clientOf(target, 'user');
      application = clientOf(target, 'application');
      openai = new OpenAI({ ...application.ai.openai({ endUserId: 'ann' }), maxRetries: 0 });
      const provider = await owner.aiProviders.createShared({
        ...{ slug, type: 'openai-compatible', baseUrl: `${mock.url}/v1`, allowPrivate: true },
        models: ['mock-chat', 'fault:cut', 'fault:500'],
      });
      providerId = provider.id;
    });
    after(async () => {
      await owner.aiGateway.replaceBudgets(target.organizationId, { budgets: [] });
      await owner.aiGateway.replacePolicy(target.organizationId, {});
      await owner.aiProviders.resetModel(model).catch(() => {});
      await owner.aiProviders.deleteShared(providerId);
      await target[Symbol.asyncDispose]();
      await mock[Symbol.asyncDispose]();
    });

    test('a provider is tried by its button, and shows its models', async () => {
      const tried = await owner.aiProviders.testShared(providerId);
      assert.deepEqual([tried.ok, tried.error], [true, null]);
      assert.ok(tried.models.includes('mock-chat'));
      assert.ok((await openai.models.list()).data.some(({ id }) => id === model));
      assert.equal((await openai.models.retrieve(model)).id, model);
      await refusal(
        400,
        owner.aiProviders.createShared({
          slug: `${slug}-x`,
          type: 'openai-compatible',
          baseUrl: 'http://127.0.0.1:9/v1',
        }),
      );
    });

    test('answers and streams, priced, as the packages of others read them', async () => {
      const price = { input: 1_000_000, output: 2_000_000 };
      const set = await owner.aiProviders.setModel(model, { prices: price });
      assert.equal(set.prices?.input, 1_000_000);
      const whole = await openai.chat.completions.create({ model, messages });
      assert.equal(whole.choices[0]?.message.content, text);
      assert.ok((whole as unknown as { cost_micros: number }).cost_micros > 0);
      const compatible = createOpenAICompatible(application.ai.aiSdk());
      assert.equal((await generateText({ model: compatible(model), prompt: 'Say hello.' })).text, text);
      assert.equal(await streamText({ model: compatible(model), prompt: 'Say hello.' }).text, text);
      const anthropic = new Anthropic({ ...(await application.ai.anthropic()), apiKey: null, maxRetries: 0 });
      const said = await anthropic.messages.create({ model, max_tokens: 100, messages });
      assert.deepEqual(said.content[0], { type: 'text', text });
      const response = await openai.responses.create({ model, input: 'Say hello.' });
      assert.equal(response.output_text, text);
    });

    test('a stream that is cut throws, and a provider that fails is a 502', async () => {
      const stream = await openai.chat.completions.create({
        model: `${slug}/fault:cut`,
        messages,
        stream: true,
      });
      await assert.rejects(async () => {
        for await (const _ of stream);
      });
      await assert.rejects(openai.chat.completions.create({ model: `${slug}/fault:500`, messages }), {
        status: 502,
      });
    });

    test('usage is listed, summed up by model, provider, application and user, and exported', async () => {
      const { organizationId } = target;
      const summary = await owner.aiGateway.usageSummary(organizationId);
      assert.ok(summary.summary.requestCount >= 7);
      const byModel = summary.byModel.find(({ label }) => label === model);
      assert.ok(byModel && byModel.costMicros > 0);
      assert.ok(summary.byProvider.some(({ label }) => label === slug));
      assert.ok(summary.byApplication.some(({ label }) => label === target.applicationId));
      assert.ok(summary.byUser.some(({ label }) => label === 'ann'));
      const series = await owner.aiGateway.usageSeries(organizationId, {
        groupBy: 'model',
        interval: 'hour',
      });
      assert.ok(series.items.some(({ label, requests }) => label === model && requests > 0));
      const page = await owner.aiGateway.listRequests(organizationId, { provider: slug, limit: 2 });
      assert.equal(page.items.length, 2);
      assert.ok(page.nextCursor);
      const ids = new Set<string>();
      for await (const event of owner.aiGateway.listRequests(organizationId, { provider: slug, limit: 2 })) {
        assert.match(event.id, uuid);
        assert.match(event.startedAt, time);
        ids.add(event.id);
      }
      assert.equal(ids.size, page.total);
      const [first] = page.items;
      const detail = await owner.aiGateway.getRequest(organizationId, first?.id ?? '');
      assert.ok(detail.providerAttempts?.some(({ durationMs }) => typeof durationMs === 'number'));
      await refusal(404, owner.aiGateway.getRequest(organizationId, nobody));
      const csv = await owner.aiGateway.exportUsage(organizationId);
      assert.ok(csv.startsWith('id,requestId,'));
      assert.ok(csv.includes(first?.id ?? 'none'));
    });

    test('a budget refuses what it cannot pay for, and says who can raise it', async () => {
      const { organizationId } = target;
      const { items } = await owner.aiGateway.replaceBudgets(organizationId, {
        budgets: [{ maxRequestCostMicros: 1 }],
      });
      const error = await openai.chat.completions.create({ model, messages, max_tokens: 50 }).then(
        () => undefined,
        (thrown) => thrown,
      );
      assert.ok(error instanceof OpenAI.APIError);
      assert.deepEqual([error.status, error.code], [402, 'budget_exceeded']);
      assert.match(error.message, new RegExp(`budget ${items[0]?.id}.*admin of the organization`, 's'));
      await owner.aiGateway.replaceBudgets(organizationId, { budgets: [] });
    });

    test('from nothing to a budget, as the manual walks', async () => {
      const { organizationId } = target;
      const own = `${slug}-walk`;
      const walked = `${own}/mock-chat`;
      const provider = await owner.aiProviders.createShared({
        ...{ slug: own, type: 'openai-compatible', baseUrl: `${mock.url}/v1`, allowPrivate: true },
        models: ['mock-chat'],
      });
      try {
        await owner.aiProviders.setModel(walked, { prices: { input: 100_000, output: 400_000 } });
        const answer = await openai.chat.completions.create({ model: walked, messages, max_tokens: 50 });
        const { cost_micros: cost } = answer as unknown as { cost_micros: number };
        assert.ok(cost > 0);
        const { items } = await owner.aiGateway.listRequests(organizationId, { provider: own, limit: 1 });
        assert.equal(items[0]?.billableCostMicros, cost);
        // One cent. 100 000 tokens of output could cost four.
        const { items: budgets } = await owner.aiGateway.replaceBudgets(organizationId, {
          budgets: [{ maxCostMicros: 10_000 }],
        });
        await openai.chat.completions.create({ model: walked, messages, max_tokens: 50 });
        const [budget] = (await owner.aiGateway.listBudgets(organizationId)).items;
        assert.ok(budget && budget.used.costMicros > 0);
        const refused = await openai.chat.completions
          .create({ model: walked, messages, max_tokens: 100_000 })
          .catch((error: unknown) => error);
        assert.ok(refused instanceof OpenAI.APIError);
        assert.deepEqual([refused.status, refused.code], [402, 'budget_exceeded']);
        assert.match(refused.message, /of 10000 micro-dollars/);
        assert.match(refused.message, new RegExp(`budget ${budgets[0]?.id}.*admin of the organization`, 's'));
      } finally {
        await owner.aiGateway.replaceBudgets(organizationId, { budgets: [] });
        await owner.aiProviders.resetModel(walked).catch(() => {});
        await owner.aiProviders.deleteShared(provider.id);
      }
    });

    test('policies allow, redact, keep answers and explain', async () => {
      const { organizationId } = target;
      await owner.aiGateway.replacePolicy(organizationId, { allowedProviders: ['nobody'] });
      const body = { model, messages };
      const explained = await owner.aiGateway.explain(organizationId, { path: '/chat/completions', body });
      assert.deepEqual(
        explained.candidates.map(({ verdict, rule }) => [verdict, rule]),
        [['skipped', 'policy:allowedProviders']],
      );
      await assert.rejects(openai.chat.completions.create({ model, messages }), {
        status: 403,
        code: 'policy_denied',
      });
      await owner.aiGateway.replacePolicy(organizationId, {
        guardrails: [{ type: 'email', on: 'request', action: 'redact' }],
        cacheTtlSeconds: 60,
      });
      const content = 'Write to ann@example.com.';
      const ask = () =>
        openai.chat.completions.create({ model, messages: [{ role: 'user', content }] }).withResponse();
      assert.equal((await ask()).response.headers.get('x-mainstay-cache'), 'miss');
      assert.match(mock.seen.at(-1)?.body ?? '', /Write to \[redacted:email\]\./);
      assert.equal((await ask()).response.headers.get('x-mainstay-cache'), 'hit');
      await owner.aiGateway.replacePolicy(organizationId, {});
    });

    test('what cannot be meant is refused in the shape of the protocol', async () => {
      const call = await plainFetch(target, 'application');
      const post = (body: string, type = 'application/json') =>
        call('/ai/v1/chat/completions', { method: 'POST', body, headers: { 'content-type': type } });
      const cases: [number, Response][] = [
        [400, await post('{"model"')],
        [415, await post('x', 'text/plain')],
        [404, await post(JSON.stringify({ model: 'no/such', messages }))],
        [400, await post(JSON.stringify({ model, messages, n: 1_000_000 }))],
      ];
      for (const [status, response] of cases) {
        assert.equal(response.status, status);
        const { error } = (await response.json()) as { error: object };
        assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'type']);
      }
      const nobodys = await plainFetch(target, undefined);
      assert.equal((await nobodys('/ai/v1/models')).status, 401);
      await refusal(
        400,
        owner.aiGateway.replacePolicy(target.organizationId, {
          guardrails: [{ type: 'pattern', pattern: '(?=x)', on: 'both', action: 'refuse' }],
        }),
      );
    });
  });
}
