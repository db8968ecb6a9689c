import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import Anthropic from '@anthropic-ai/sdk';
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

  test('openai: responses, whole and streamed, from a provider of chat completions', async () => {
    const client = openai();
    const whole = await client.responses.create({ model, input: 'Say hello.' });
    assert.equal(whole.output_text, text);
    const stream = client.responses.stream({ model, input: 'Say hello.' });
    const end = await stream.finalResponse();
    assert.equal(end.output_text, text);
    assert.equal(end.usage?.output_tokens, 6);
    await assert.rejects(client.responses.stream({ model: 'mock/fault:cut', input: 'x' }).finalResponse());
  });

  test('openai: embeddings, images, speech, a transcription and models', async () => {
    const client = openai();
    const made = await client.embeddings.create({ model: 'mock/embed', input: ['a', 'b'] });
    assert.equal(made.data.length, 2);
    assert.equal((await client.images.generate({ model: 'mock/draw', prompt: 'a cat' })).data?.length, 1);
    const speech = await client.audio.speech.create({ model: 'mock/speak', voice: 'alloy', input: 'Hello' });
    assert.equal((await speech.arrayBuffer()).byteLength, 4096);
    const file = new File([new Uint8Array(4000)], 'a.wav');
    const heard = await client.audio.transcriptions.create({ model: 'mock/hear', file });
    assert.equal(heard.text, text);
    assert.match(gateway.mock.seen.at(-1)?.body ?? '', /name="model"\r\n\r\nhear\r\n/);
    const video = await client.videos.create({ model: 'mock/film' as 'sora-2', prompt: 'a cat' });
    assert.equal((await client.videos.retrieve(video.id)).status, 'in_progress');
    assert.equal((await client.videos.retrieve(video.id)).status, 'completed');
    assert.equal((await (await client.videos.downloadContent(video.id)).arrayBuffer()).byteLength, 5000);
    await assert.rejects(client.videos.retrieve('video_of_somebody'), OpenAI.NotFoundError);
    await gateway.addProvider({ slug: 'named', models: ['one', 'two'] });
    const ids = (await client.models.list()).data.map(({ id }) => id);
    assert.ok(ids.includes('named/one'));
    assert.equal((await client.models.retrieve('named/one')).id, 'named/one');
  });

  test('openai: embeddings from Gemini, as numbers and in base64', async () => {
    const credentials = [{ apiKey: 'test-key' }];
    const { mock } = gateway;
    await gateway.addProvider({ slug: 'gem', type: 'gemini', baseUrl: `${mock.url}/v1beta`, credentials });
    for (const encoding_format of [undefined, 'float'] as const) {
      const made = await openai().embeddings.create({
        model: 'gem/some-embedding',
        input: ['a', 'b'],
        ...(encoding_format ? { encoding_format } : {}),
      });
      assert.deepEqual(
        made.data.map(({ embedding }) => embedding),
        [
          [0, 0.5, 1],
          [0, 0.5, 1],
        ],
      );
    }
    assert.match(mock.seen.at(-1)?.path ?? '', /models\/some-embedding:batchEmbedContents$/);
    const tokens = { model: 'gem/some-embedding', input: [[1, 2]] };
    await assert.rejects(openai().embeddings.create(tokens), OpenAI.BadRequestError);
  });

  test('@anthropic-ai/sdk: messages, streams and tools, from both kinds of provider', async () => {
    const credentials = [{ apiKey: 'test-key' }];
    const { mock } = gateway;
    await gateway.addProvider({ slug: 'claude', type: 'anthropic', baseUrl: `${mock.url}/v1`, credentials });
    const client = new Anthropic({
      baseURL: `${gateway.instance.url}/ai`,
      apiKey: gateway.secret,
      maxRetries: 0,
    });
    for (const name of [model, 'claude/some-claude']) {
      const request = { model: name, max_tokens: 100, messages };
      const whole = await client.messages.create(request);
      assert.deepEqual(whole.content[0], { type: 'text', text });
      const stream = client.messages.stream(request);
      assert.equal(await stream.finalText(), text);
      const tools = [{ name: 'weather', input_schema: { type: 'object' as const } }];
      const called = await client.messages.stream({ ...request, tools }).finalMessage();
      assert.equal(called.stop_reason, 'tool_use');
      const [block] = called.content;
      assert.deepEqual(block?.type === 'tool_use' && block.input, { city: 'Paris' });
      assert.ok((await client.messages.countTokens({ model: name, messages })).input_tokens > 0);
    }
    await assert.rejects(
      client.messages.stream({ model: 'mock/fault:cut', max_tokens: 9, messages }).finalMessage(),
    );
    await assert.rejects(
      client.messages.create({ model: 'no/such', max_tokens: 9, messages }),
      Anthropic.NotFoundError,
    );
  });
});
