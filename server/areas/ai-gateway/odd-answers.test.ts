import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { createOpenRouter } from '@openrouter/ai-sdk-provider';
import OpenAI from 'openai';
import { type Gateway, startGateway } from './testing/gateway.ts';
import { streamed, whole } from './testing/read-answers.ts';

/**
 * Answers that the makers document and that the recordings do not show. Read through the gateway and by the maker's own
 * package they are the same.
 */

// biome-ignore lint/suspicious/noExplicitAny: answers of three protocols.
type Json = any;

const usage = { input_tokens: 20, output_tokens: 9 };
const message = (content: Json[], rest: Json = {}): Json => ({
  ...{ id: 'msg_1', type: 'message', role: 'assistant', model: 'claude', stop_sequence: null },
  ...{ content, stop_reason: 'end_turn', usage, ...rest },
});
const start = (rest: Json = {}): Json => ({
  type: 'message_start',
  message: message([], { stop_reason: null, usage: { ...usage, output_tokens: 1 }, ...rest }),
});
const block = (index: number, content_block: Json, ...deltas: Json[]): Json[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map((delta) => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
];
const said = (index: number, text: string) =>
  block(index, { type: 'text', text: '' }, { type: 'text_delta', text });
const end = (reason: string | null, counts: Json = { output_tokens: 9 }): Json[] => [
  { type: 'message_delta', delta: { stop_reason: reason, stop_sequence: null }, usage: counts },
  { type: 'message_stop' },
];
const citation = {
  type: 'web_search_result_location',
  url: 'https://example.com/a',
  title: 'A',
  encrypted_index: 'aWR4',
  cited_text: 'It rains.',
};
const search = { type: 'server_tool_use', id: 'srvtoolu_1', name: 'web_search', input: { query: 'rain' } };
const found = {
  type: 'web_search_tool_result',
  tool_use_id: 'srvtoolu_1',
  content: [
    { type: 'web_search_result', url: citation.url, title: 'A', encrypted_content: 'eA==', page_age: null },
  ],
};

/** A list is a stream. */
const anthropic: Record<string, Json> = {
  'redacted thoughts': message([
    { type: 'thinking', thinking: 'Hm.', signature: 'c2ln' },
    { type: 'redacted_thinking', data: 'b3BhcXVl' },
    { type: 'text', text: 'Yes.' },
  ]),
  'redacted thoughts in a stream': [
    start(),
    ...block(0, { type: 'redacted_thinking', data: 'b3BhcXVl' }),
    ...block(
      1,
      { type: 'thinking', thinking: '', signature: '' },
      { type: 'thinking_delta', thinking: 'Hm.' },
      { type: 'signature_delta', signature: 'c2ln' },
    ),
    ...said(2, 'Yes.'),
    ...end('end_turn', { output_tokens: 9, output_tokens_details: { thinking_tokens: 4 } }),
  ],
  'a search with citations': message([
    { type: 'text', text: 'Looking. ' },
    search,
    found,
    { type: 'text', text: 'It rains.', citations: [citation] },
  ]),
  'a search in a stream': [
    start(),
    ...said(0, 'Looking. '),
    ...block(1, { ...search, input: {} }, { type: 'input_json_delta', partial_json: '{"query":"rain"}' }),
    ...block(2, found),
    ...block(
      3,
      { type: 'text', text: '', citations: [] },
      { type: 'citations_delta', citation },
      { type: 'text_delta', text: 'It rains.' },
    ),
    ...end('end_turn', { ...usage, server_tool_use: { web_search_requests: 1 } }),
  ],
  'a turn that pauses': message([{ type: 'text', text: 'Wait.' }], { stop_reason: 'pause_turn' }),
  'a refusal': message([], { stop_reason: 'refusal' }),
  'a full context': [start(), ...said(0, 'So'), ...end('model_context_window_exceeded')],
  'an end of an unknown kind': [start(), ...said(0, 'So'), ...end('compaction')],
  'an end without a reason': [start(), ...said(0, 'So'), ...end(null)],
  'caches for five minutes and for an hour': message([{ type: 'text', text: 'Yes.' }], {
    usage: {
      ...usage,
      cache_read_input_tokens: 1000,
      cache_creation_input_tokens: 700,
      cache_creation: { ephemeral_5m_input_tokens: 500, ephemeral_1h_input_tokens: 200 },
    },
  }),
  'caches in a stream, told at the end': [
    start({ usage: { ...usage, cache_read_input_tokens: 0, cache_creation_input_tokens: 0 } }),
    ...said(0, 'Yes.'),
    ...end('end_turn', {
      ...{ input_tokens: 25, output_tokens: 9 },
      ...{ cache_read_input_tokens: 1000, cache_creation_input_tokens: 700 },
    }),
  ],
  'a call without input': [
    start(),
    ...block(
      0,
      { type: 'tool_use', id: 'toolu_1', name: 'now', input: {} },
      { type: 'input_json_delta', partial_json: '' },
    ),
    ...end('tool_use'),
  ],
  'two calls with pings between': [
    start(),
    { type: 'ping' },
    ...block(
      0,
      { type: 'tool_use', id: 'toolu_1', name: 'look', input: {} },
      { type: 'input_json_delta', partial_json: '' },
      { type: 'input_json_delta', partial_json: '{"city": "Pa' },
      { type: 'input_json_delta', partial_json: 'ris"}' },
    ),
    { type: 'ping' },
    ...block(
      1,
      { type: 'tool_use', id: 'toolu_2', name: 'look', input: {} },
      { type: 'input_json_delta', partial_json: '{"city": "Rome"}' },
    ),
    ...end('tool_use'),
  ],
  'calls of running code, whole at the beginning': [
    start({
      content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: { city: 'Paris' } }],
      stop_reason: 'tool_use',
    }),
    ...end('tool_use'),
  ],
  'a compaction that comes whole': [
    start(),
    ...block(0, { type: 'compaction', content: 'So far: rain.', signature: 'c2ln' }),
    ...said(1, 'Yes.'),
    ...end('end_turn'),
  ],
  'an error in the middle': [
    start(),
    ...said(0, 'So'),
    { type: 'error', error: { type: 'overloaded_error', message: 'Overloaded' } },
  ],
  'a second message in the middle of one': [
    start(),
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'So' } },
    start({ id: 'msg_2' }),
    ...end('end_turn'),
  ],
};

const counts = { promptTokenCount: 11, candidatesTokenCount: 5, totalTokenCount: 16 };
const made = (parts: Json[], rest: Json = { finishReason: 'STOP' }, of: Json = counts): Json => ({
  candidates: [{ content: { parts, role: 'model' }, index: 0, ...rest }],
  usageMetadata: of,
  modelVersion: 'gemini',
  responseId: 'r1',
});
const going = { index: 0 };
const look = (args: Json) => ({ functionCall: { name: 'look', args } });

const google: Record<string, Json> = {
  'a signed call with an id': made([
    { functionCall: { id: 'fc_1', name: 'look', args: { city: 'Paris' } }, thoughtSignature: 'c2ln' },
    { functionCall: { id: 'fc_2', name: 'look', args: { city: 'Rome' } } },
  ]),
  'signed text in a stream': [
    made([{ text: 'Hm.', thought: true }], going),
    made([{ text: 'Yes.' }], going),
    made([{ text: '', thoughtSignature: 'c2ln' }]),
  ],
  'several candidates': {
    ...made([{ text: 'One.' }]),
    candidates: [
      { content: { parts: [{ text: 'One.' }] }, index: 0, finishReason: 'STOP' },
      { content: { parts: [{ text: 'Two.' }] }, index: 1, finishReason: 'STOP' },
    ],
  },
  'code that was run': [
    made([{ executableCode: { language: 'PYTHON', code: 'print(4)' } }], going),
    made([{ codeExecutionResult: { outcome: 'OUTCOME_OK', output: '4\n' } }], going),
    made([{ text: 'Four.' }]),
  ],
  'a refused prompt': { promptFeedback: { blockReason: 'SAFETY' }, usageMetadata: { promptTokenCount: 11 } },
  'a refused prompt in a stream': [
    { promptFeedback: { blockReason: 'PROHIBITED_CONTENT' }, usageMetadata: { promptTokenCount: 11 } },
  ],
  'a refused prompt with a candidate': {
    ...made([], going),
    promptFeedback: { blockReason: 'SAFETY' },
  },
  'an answer cut for safety': [
    made([{ text: 'So' }], going),
    made([], { finishReason: 'SAFETY', safetyRatings: [] }),
  ],
  'all classes of usage': made(
    [{ text: 'Yes.' }],
    { finishReason: 'MAX_TOKENS' },
    {
      ...{ promptTokenCount: 900, cachedContentTokenCount: 700, candidatesTokenCount: 5 },
      ...{ thoughtsTokenCount: 40, toolUsePromptTokenCount: 30, totalTokenCount: 975 },
      promptTokensDetails: [{ modality: 'TEXT', tokenCount: 900 }],
    },
  ),
  'usage behind the end': [
    made([{ text: 'Yes.' }]),
    { usageMetadata: { ...counts, thoughtsTokenCount: 7, totalTokenCount: 23 }, responseId: 'r1' },
  ],
  'a call behind the end': [made([{ text: 'Looking.' }]), made([look({ city: 'Paris' })])],
  'a call without a name': [made([{ functionCall: {} }, { text: 'Yes.' }])],
  'a call whose arguments say that they go on': [
    made(
      [
        {
          functionCall: {
            name: 'look',
            partialArgs: [{ jsonPath: '$.city', stringValue: 'Pa', willContinue: true }],
          },
        },
      ],
      going,
    ),
    made(
      [
        {
          functionCall: { partialArgs: [{ jsonPath: '$.city', stringValue: 'ris' }], willContinue: false },
        },
      ],
      going,
    ),
    made([]),
  ],
  'null where nothing is': [
    made(
      [
        {
          functionCall: {
            ...{ name: 'look', args: { city: 'Paris' } },
            ...{ id: null, partialArgs: null, willContinue: null },
          },
        },
      ],
      going,
    ),
    made([], { finishReason: 'STOP', finishMessage: null }),
  ],
  'an error in the middle': [
    made([{ text: 'So' }], going),
    { error: { code: 503, message: 'Overloaded', status: 'UNAVAILABLE' } },
  ],
};

const chunk = (delta: Json, finish_reason: string | null = null, rest: Json = {}): Json => ({
  ...{ id: 'c1', object: 'chat.completion.chunk', created: 1, model: 'm' },
  choices: [{ index: 0, delta, finish_reason }],
  ...rest,
});
const called = (call: Json) => chunk({ tool_calls: [call] });
const fn = (name: string | null, text: string) => ({ name, arguments: text });
const chatUsage = { prompt_tokens: 9, completion_tokens: 4, total_tokens: 13 };

const compatible: Record<string, Json> = {
  'thoughts as reasoning': [
    chunk({ role: 'assistant', content: null, reasoning: 'Hm.' }),
    chunk({ content: null, reasoning: ' So.' }),
    chunk({ content: 'Yes.', reasoning: null, tool_calls: null }),
    chunk({}, 'stop', { usage: chatUsage }),
  ],
  'thoughts as details too': [
    chunk({
      ...{ role: 'assistant', content: '', reasoning: 'Hm.' },
      reasoning_details: [{ type: 'reasoning.text', text: 'Hm.', format: 'unknown', index: 0 }],
    }),
    chunk({ content: 'Yes.' }, 'stop'),
    chunk({ content: '' }, null, { choices: [], usage: chatUsage }),
  ],
  'usage in every chunk': [
    chunk({ role: 'assistant', content: 'Ye' }, null, { usage: { ...chatUsage, completion_tokens: 1 } }),
    chunk({ content: 's.' }, null, { usage: { ...chatUsage, completion_tokens: 2 } }),
    chunk({}, 'stop', { usage: chatUsage }),
  ],
  'an empty beginning': [
    { ...chunk({}), id: '', model: '', choices: [], prompt_filter_results: [] },
    chunk({ role: 'assistant', content: '' }),
    chunk({ content: 'Yes.' }),
    chunk({}, 'stop'),
  ],
  'an empty reason until the end': [
    chunk({ role: 'assistant', content: 'Ye' }, ''),
    chunk({ content: 's.' }, ''),
    chunk({}, 'stop'),
  ],
  'calls that all have the index 0': [
    called({ index: 0, id: 'call_a', type: 'function', function: fn('look', '{"city":"Paris"}') }),
    called({ index: 0, id: 'call_b', type: 'function', function: fn('look', '{"city":"Rome"}') }),
    chunk({}, 'tool_calls'),
  ],
  'calls that begin at index 1': [
    called({ index: 1, id: 'call_a', type: 'function', function: fn('look', '') }),
    called({ index: 1, function: fn(null, '{"city":"Paris"}') }),
    called({ index: 2, id: 'call_b', type: 'function', function: fn('now', '{}') }),
    chunk({}, 'tool_calls'),
  ],
  'calls with neither index nor id': [
    called({ function: fn('look', '{"city":"Paris"}') }),
    called({ function: fn('now', '{}') }),
    chunk({}, 'tool_calls'),
  ],
  'a call in pieces whose id is empty later': [
    called({ index: 0, id: 'call_a', type: 'function', function: fn('look', '') }),
    called({ index: 0, id: '', function: fn('', '{"city":') }),
    called({ index: 0, id: '', function: fn('', '"Paris"}') }),
    chunk({}, 'tool_calls'),
  ],
  'a refusal': [chunk({ role: 'assistant', content: null, refusal: 'No.' }), chunk({}, 'stop')],
};

describe('answers that are documented and were not recorded', () => {
  let gateway: Gateway;
  let recordings: string;
  before(async () => {
    recordings = mkdtempSync(path.join(tmpdir(), 'mainstay-answers-'));
    const makers = { anthropic, google, compatible };
    for (const [maker, answers] of Object.entries(makers)) {
      mkdirSync(path.join(recordings, maker));
      for (const [name, answer] of Object.entries(answers)) {
        const text = Array.isArray(answer)
          ? answer.map((event) => JSON.stringify(event)).join('\n')
          : JSON.stringify(answer);
        writeFileSync(path.join(recordings, fileOf(maker, name, answer)), text);
      }
    }
    gateway = await startGateway('sqlite', { recordings });
    const credentials = [{ apiKey: 'test-key' }];
    const { mock } = gateway;
    await gateway.addProvider({ slug: 'claude', type: 'anthropic', baseUrl: `${mock.url}/v1`, credentials });
    await gateway.addProvider({ slug: 'gem', type: 'gemini', baseUrl: `${mock.url}/v1beta`, credentials });
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    rmSync(recordings, { recursive: true });
  });

  const fileOf = (maker: string, name: string, answer: Json) =>
    `${maker}/${name.replaceAll(/\W+/g, '-')}.${Array.isArray(answer) ? 'chunks.txt' : 'json'}`;
  const through = (model: string) =>
    createOpenAICompatible({
      name: 'mainstay',
      baseURL: `${gateway.instance.url}/ai/v1`,
      apiKey: gateway.secret,
      includeUsage: true,
    }).languageModel(model);

  /** What goes wrong goes wrong both ways; each says so in its own words. */
  async function same(ours: Json, direct: Json, answer: Json): Promise<void> {
    const run = Array.isArray(answer) ? streamed : whole;
    const failed = () => 'failed';
    assert.deepEqual(await run(ours).catch(failed), await run(direct).catch(failed));
  }

  for (const [name, answer] of Object.entries(anthropic))
    test(`anthropic: ${name}`, async () => {
      const file = fileOf('anthropic', name, answer);
      const direct = createAnthropic({ baseURL: `${gateway.mock.url}/v1`, apiKey: 'test-key' });
      await same(through(`claude/replay:${file}`), direct.languageModel(`replay:${file}`), answer);
    });

  for (const [name, answer] of Object.entries(google))
    test(`google: ${name}`, async () => {
      const file = fileOf('google', name, answer);
      const direct = createGoogleGenerativeAI({ baseURL: `${gateway.mock.url}/v1beta`, apiKey: 'test-key' });
      await same(through(`gem/replay:${file}`), direct.languageModel(`replay:${file}`), answer);
    });

  for (const [name, answer] of Object.entries(compatible))
    test(`openai-compatible: ${name}`, async () => {
      const file = fileOf('compatible', name, answer);
      const direct = createOpenAICompatible({ name: 'direct', baseURL: `${gateway.mock.url}/v1` });
      await same(through(`mock/replay:${file}`), direct.languageModel(`replay:${file}`), answer);
    });

  const openai = () => new OpenAI({ baseURL: `${gateway.instance.url}/ai/v1`, apiKey: gateway.secret });

  for (const name of [
    'calls that all have the index 0',
    'calls that begin at index 1',
    'calls with neither index nor id',
  ])
    test(`the openai package puts together ${name}`, async () => {
      const file = fileOf('compatible', name, []);
      const stream = openai().chat.completions.stream({
        model: `mock/replay:${file}`,
        messages: [{ role: 'user', content: 'Go.' }],
      });
      const { choices } = await stream.finalChatCompletion();
      const calls = choices[0]?.message.tool_calls ?? [];
      assert.equal(calls.length, 2);
      for (const call of calls) {
        assert.match(call.id, /^call_/);
        assert.ok(call.type === 'function' && JSON.parse(call.function.arguments));
      }
    });

  test('thoughts called reasoning and refusals reach clients of every protocol', async () => {
    const ask = async (place: string, body: Json) => {
      const response = await gateway.ask(place, body);
      assert.equal(response.status, 200);
      return response.text();
    };
    const thoughts = `mock/replay:${fileOf('compatible', 'thoughts as reasoning', [])}`;
    const refused = `mock/replay:${fileOf('compatible', 'a refusal', [])}`;
    const turn = { role: 'user', content: 'Go.' };
    const messages = (model: string) => ({ model, max_tokens: 10, stream: true, messages: [turn] });
    assert.match(await ask('/messages', messages(thoughts)), /"thinking_delta","thinking":"Hm\."/);
    assert.match(await ask('/messages', messages(refused)), /"text_delta","text":"No\."/);
    const input = (model: string) => ({ model, stream: true, input: [turn] });
    assert.match(await ask('/responses', input(thoughts)), /reasoning_summary_text.delta.*"delta":"Hm\."/);
    assert.match(await ask('/responses', input(refused)), /output_text.delta.*"delta":"No\."/);
  });
});

describe('pictures that Gemini makes', () => {
  const picture = Buffer.from('picture').toString('base64');
  const parts = [
    { text: 'Here: ' },
    { inlineData: { mimeType: 'image/png', data: picture }, thoughtSignature: 'c2ln' },
  ];
  const answers: Record<string, Json> = {
    'whole.json': made(parts),
    'stream.chunks.txt': [made(parts.slice(0, 1), going), made(parts.slice(1))],
  };
  let gateway: Gateway;
  let recordings: string;
  before(async () => {
    recordings = mkdtempSync(path.join(tmpdir(), 'mainstay-answers-'));
    for (const [file, answer] of Object.entries(answers))
      writeFileSync(
        path.join(recordings, file),
        (Array.isArray(answer) ? answer : [answer]).map((event) => JSON.stringify(event)).join('\n'),
      );
    gateway = await startGateway('sqlite', { recordings });
    await gateway.addProvider({
      slug: 'gem',
      type: 'gemini',
      baseUrl: `${gateway.mock.url}/v1beta`,
      credentials: [{ apiKey: 'test-key' }],
    });
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    rmSync(recordings, { recursive: true });
  });

  test('arrive as OpenRouter’s package reads them, whole and in streams', async () => {
    const openrouter = createOpenRouter({
      baseURL: `${gateway.instance.url}/ai/v1`,
      apiKey: gateway.secret,
    });
    const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Draw.' }] }];
    const { content } = await openrouter.chat('gem/replay:whole.json').doGenerate({ prompt });
    const isFile = ({ type }: { type: string }) => type === 'file';
    assert.equal(content.filter(isFile).length, 1);
    const { stream } = await openrouter.chat('gem/replay:stream.chunks.txt').doStream({ prompt });
    const seen = [];
    for await (const part of stream) seen.push(part);
    assert.equal(seen.filter(isFile).length, 1);
  });

  test('and their signatures go back with them', async () => {
    const turn = { role: 'user', content: 'Draw.' };
    const first = await gateway.ask('/chat/completions', {
      model: 'gem/replay:whole.json',
      messages: [turn],
    });
    const { message: answer } = ((await first.json()) as Json).choices[0];
    const next = { role: 'user', content: 'Bluer.' };
    const second = await gateway.ask('/chat/completions', {
      model: 'gem/next',
      messages: [turn, answer, next],
    });
    assert.equal(second.status, 200);
    const { contents } = JSON.parse(gateway.mock.seen.at(-1)?.body ?? '');
    assert.deepEqual(contents[1].parts, parts);
  });

  test('one answer a request: several are refused with the reason', async () => {
    const body = { model: 'gem/next', n: 2, messages: [{ role: 'user', content: 'Go.' }] };
    const response = await gateway.ask('/chat/completions', body);
    assert.equal(response.status, 400);
    const { error } = (await response.json()) as Json;
    assert.match(error.message, /one answer a request; send "n": 1/);
  });
});
