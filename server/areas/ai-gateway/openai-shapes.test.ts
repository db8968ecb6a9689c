import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { assertEventShape, assertShape, hasOpenAiDocument } from '#testing/openai-document.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

/**
 * What clients of OpenAI's protocol are answered, against OpenAI's own document, from providers of all protocols.
 * Beside what the document has, answers carry `cost_micros`, lists of models `items`, and an error inside a chat stream
 * `choices: []`; it allows other fields. Videos have the fields of our contract in place of OpenAI's, and are not here.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers, which the document judges.
type Json = any;

const messages = [{ role: 'user', content: 'Say hello.' }];
const schema = { type: 'object', properties: { city: { type: 'string' } } };
const backends = {
  'a provider that speaks OpenAI’s protocol': 'mock/mock-chat',
  'a provider with Responses of its own': 'own/mock-chat',
  Anthropic: 'claude/some-claude',
  Gemini: 'gem/some-gemini',
};

function eventsOf(text: string): Json[] {
  return text
    .split('\n')
    .filter((line) => line.startsWith('data: {'))
    .map((line) => JSON.parse(line.slice('data: '.length)));
}

/** Until a response is complete its usage is null in OpenAI's streams, too; the document has no null there. */
function withoutNoUsage(response: Json): Json {
  const { usage, ...rest } = response;
  return usage === null && rest.status !== 'completed' ? rest : response;
}

function assertEvent(event: Json): void {
  const { response } = event;
  assertEventShape(response ? { ...event, response: withoutNoUsage(response) } : event);
}

describe('answers in the shapes of OpenAI’s document', { skip: !hasOpenAiDocument }, () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway('sqlite');
    const { mock } = gateway;
    const credentials = [{ apiKey: 'test-key' }];
    const at = (folder: string) => ({ baseUrl: `${mock.url}/${folder}`, credentials });
    await gateway.addProvider({ slug: 'own', type: 'openai', ...at('v1') });
    await gateway.addProvider({ slug: 'claude', type: 'anthropic', ...at('v1') });
    await gateway.addProvider({ slug: 'gem', type: 'gemini', ...at('v1beta') });
    await gateway.addProvider({ slug: 'named', models: ['one', 'two'] });
    for (const model of Object.values(backends)) await gateway.price(model, { input: 1000, output: 2000 });
  });
  after(() => gateway[Symbol.asyncDispose]());

  async function answer(path: string, body: unknown, status = 200): Promise<Json> {
    const response = await gateway.ask(path, body);
    const text = await response.text();
    assert.equal(response.status, status, text);
    return JSON.parse(text);
  }

  async function stream(path: string, body: object): Promise<Json[]> {
    const response = await gateway.ask(path, { ...body, stream: true });
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return eventsOf(text);
  }

  for (const [name, model] of Object.entries(backends)) {
    const turns = {
      text: {},
      'a tool call': { tools: [{ type: 'function', function: { name: 'weather', parameters: schema } }] },
    };
    for (const [what, tools] of Object.entries(turns))
      test(`chat completions with ${what} from ${name}, whole and in chunks`, async () => {
        const whole = await answer('/chat/completions', { model, messages, ...tools });
        assertShape('CreateChatCompletionResponse', whole);
        assert.ok(Number.isInteger(whole.cost_micros));
        const stream_options = { include_usage: true };
        const chunks = await stream('/chat/completions', { model, messages, stream_options, ...tools });
        for (const chunk of chunks) assertShape('CreateChatCompletionStreamResponse', chunk);
        assert.equal(chunks.at(-2).choices[0].finish_reason, what === 'text' ? 'stop' : 'tool_calls');
        assert.ok(chunks.at(-1).usage.completion_tokens > 0);
      });

    const calls = {
      text: {},
      'a tool call': { tools: [{ type: 'function', name: 'weather', parameters: schema, strict: false }] },
    };
    for (const [what, tools] of Object.entries(calls))
      test(`responses with ${what} from ${name}, whole and in events`, async () => {
        const whole = await answer('/responses', { model, input: 'Say hello.', ...tools });
        assertShape('Response', whole);
        const events = await stream('/responses', { model, input: 'Say hello.', ...tools });
        for (const event of events) assertEvent(event);
        assert.equal(events[0].type, 'response.created');
        assert.equal(events.at(-1).type, 'response.completed');
        assert.ok(events.at(-1).response.usage.output_tokens > 0);
      });
  }

  test('embeddings from both kinds of provider', async () => {
    for (const model of ['mock/embed', 'gem/some-embedding'])
      assertShape('CreateEmbeddingResponse', await answer('/embeddings', { model, input: ['a', 'b'] }));
  });

  test('images, a transcription and models', async () => {
    assertShape(
      'ImagesResponse',
      await answer('/images/generations', { model: 'mock/draw', prompt: 'A cat', n: 2 }),
    );
    const base = `${gateway.instance.url}/ai/v1`;
    const headers = { authorization: `Bearer ${gateway.secret}` };
    const form = new FormData();
    form.set('model', 'mock/hear');
    form.set('file', new File([new Uint8Array(4000)], 'a.wav'));
    const heard = await fetch(`${base}/audio/transcriptions`, { method: 'POST', headers, body: form });
    assert.equal(heard.status, 200);
    assertShape('CreateTranscriptionResponseJson', await heard.json());
    const models = (await (await fetch(`${base}/models`, { headers })).json()) as Json;
    assertShape('ListModelsResponse', models);
    assert.ok(models.data.length >= 2);
    const one = await fetch(`${base}/models/named%2Fone`, { headers });
    assert.equal(one.status, 200);
    assertShape('Model', await one.json());
  });

  const failures: Record<string, [number, string, unknown]> = {
    'a body that is no JSON': [400, '/chat/completions', '{"model"'],
    'an unknown model': [404, '/chat/completions', { model: 'nobody/nothing', messages }],
    'a request that the provider refuses': [400, '/chat/completions', { model: 'mock/fault:400', messages }],
    'a key that the provider refuses': [502, '/chat/completions', { model: 'mock/fault:401', messages }],
    'a limit of the provider': [429, '/responses', { model: 'mock/fault:429-long', input: 'x' }],
    'a provider that fails': [502, '/embeddings', { model: 'mock/fault:500', input: 'x' }],
    'an error inside a 200': [502, '/responses', { model: 'mock/fault:error-in-200', input: 'x' }],
    'images without end': [400, '/images/generations', { model: 'mock/draw', prompt: 'x', n: 1_000_000 }],
    'speech without text': [400, '/audio/speech', { model: 'mock/speak', voice: 'alloy' }],
    'a path that is not there': [404, '/nothing', {}],
  };
  for (const [what, [status, path, body]] of Object.entries(failures))
    test(`the failure of ${what}`, async () => {
      assertShape('ErrorResponse', await answer(path, body, status));
    });

  test('failures in the middle of a stream', async () => {
    for (const fault of ['cut', 'no-done', 'malformed', 'error-in-stream']) {
      const chunks = await stream('/chat/completions', { model: `mock/fault:${fault}`, messages });
      const last = chunks.pop();
      assertShape('ErrorResponse', last);
      assert.deepEqual(last.choices, []);
      assert.ok(chunks.length > 0);
      for (const chunk of chunks) assertShape('CreateChatCompletionStreamResponse', chunk);
      const events = await stream('/responses', { model: `mock/fault:${fault}`, input: 'x' });
      for (const event of events) assertEvent(event);
      assert.deepEqual(
        events.slice(-2).map(({ type }) => type),
        ['response.failed', 'error'],
      );
    }
  });
});
