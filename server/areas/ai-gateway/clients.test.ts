import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { ChatOpenAI } from '@langchain/openai';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import { generateText, jsonSchema, streamText, tool } from 'ai';
import OpenAI from 'openai';
import { type Gateway, startGateway } from './testing/gateway.ts';

/** Unmodified clients from npm against the gateway, with the mock behind it. */
describe('clients of OpenAI’s protocol', () => {
  let gateway: Gateway;
  let baseURL: string;
  before(async () => {
    gateway = await startGateway('sqlite');
    baseURL = `${gateway.instance.url}/ai/v1`;
  });
  after(() => gateway[Symbol.asyncDispose]());

  const text = 'Hello from the mock provider.';
  const messages = [{ role: 'user' as const, content: 'Say hello.' }];
  const model = 'mock/mock-chat';
  const openai = () => new OpenAI({ baseURL, apiKey: gateway.secret, maxRetries: 0 });

  test('openai: an answer, a stream, a stream helper and tools', async () => {
    const client = openai();
    const whole = await client.chat.completions.create({ model, messages });
    assert.equal(whole.choices[0]?.message.content, text);
    let streamed = '';
    for await (const chunk of await client.chat.completions.create({ model, messages, stream: true }))
      streamed += chunk.choices[0]?.delta.content ?? '';
    assert.equal(streamed, text);
    const helper = client.chat.completions.stream({
      model,
      messages,
      stream_options: { include_usage: true },
    });
    assert.equal(await helper.finalContent(), text);
    assert.equal((await helper.totalUsage()).completion_tokens, 6);
    const weather = {
      type: 'function' as const,
      function: { name: 'weather', parameters: { type: 'object' } },
    };
    const called = await client.chat.completions.create({ model, messages, tools: [weather] });
    assert.equal(called.choices[0]?.finish_reason, 'tool_calls');
  });

  test('openai: a stream that is cut throws', async () => {
    for (const fault of ['cut', 'no-done', 'malformed', 'error-in-stream']) {
      const stream = await openai().chat.completions.create({
        model: `mock/fault:${fault}`,
        messages,
        stream: true,
      });
      await assert.rejects(async () => {
        for await (const _ of stream);
      }, fault);
    }
  });

  test('openai: a refusal is its error, with the code', async () => {
    await assert.rejects(openai().chat.completions.create({ model: 'mock/fault:400', messages }), (error) => {
      assert.ok(error instanceof OpenAI.BadRequestError);
      assert.equal(error.code, 'bad_value');
      return true;
    });
  });

  test('ai with @ai-sdk/openai-compatible: text, stream and tools', async () => {
    const provider = createOpenAICompatible({
      name: 'mainstay',
      baseURL,
      apiKey: gateway.secret,
      includeUsage: true,
    });
    const whole = await generateText({ model: provider(model), prompt: 'Say hello.' });
    assert.equal(whole.text, text);
    assert.equal(whole.usage.outputTokens, 6);
    const stream = streamText({ model: provider(model), prompt: 'Say hello.' });
    assert.equal(await stream.text, text);
    assert.equal((await stream.usage).outputTokens, 6);
    const weather = tool({
      inputSchema: jsonSchema<{ city: string }>({ type: 'object', properties: { city: { type: 'string' } } }),
    });
    const called = streamText({
      model: provider(model),
      prompt: 'Weather?',
      tools: { weather: weather as never },
    });
    const [call] = await called.toolCalls;
    assert.deepEqual((call as { input: unknown } | undefined)?.input, { city: 'Paris' });
    assert.equal(await called.finishReason, 'tool-calls');
  });

  test('@openrouter/ai-sdk-provider: text and stream', async () => {
    const provider = createOpenRouter({ baseURL, apiKey: gateway.secret });
    assert.equal((await generateText({ model: provider.chat(model), prompt: 'Say hello.' })).text, text);
    assert.equal(await streamText({ model: provider.chat(model), prompt: 'Say hello.' }).text, text);
  });

  test('@langchain/openai: text and stream', async () => {
    const chat = new ChatOpenAI({ model, apiKey: gateway.secret, configuration: { baseURL }, maxRetries: 0 });
    assert.equal((await chat.invoke('Say hello.')).content, text);
    let streamed = '';
    for await (const chunk of await chat.stream('Say hello.')) streamed += chunk.content;
    assert.equal(streamed, text);
  });
});
