import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { type Gateway, startGateway } from './testing/gateway.ts';

/**
 * The answers of real providers, sent back as the history of a second turn by clients of each protocol: the provider
 * gets its signatures, thoughts and tool calls as it made them.
 */

const folder = path.resolve(import.meta.dirname, '../../../../shared/data/ai/recordings');
const hasData = existsSync(folder);
if (!hasData) {
  if (process.env['CI'] === 'true') throw new Error(`The recordings are missing: ${folder}`);
  process.stderr.write(`\n*** ${folder} is not on this machine: the tests of second turns are SKIPPED.\n\n`);
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of three protocols.
type Json = any;

/** What a provider must see again. */
interface Made {
  /** Thoughts with their signatures, in order. */
  thoughts: Json[];
  calls: Json[];
  text: string;
}

const linesOf = (text: string) =>
  text
    .split('\n')
    .filter((line) => line !== '')
    .map((line) => JSON.parse(line) as Json);

function madeByAnthropic(file: string, text: string): Made {
  let blocks: Json[] = [];
  if (file.endsWith('.json')) blocks = JSON.parse(text).content ?? [];
  else
    for (const { type, index, content_block, delta } of linesOf(text)) {
      if (type === 'content_block_start') blocks[index] = { ...content_block, json: '' };
      if (type !== 'content_block_delta') continue;
      const block = blocks[index];
      if (delta.type === 'text_delta') block.text += delta.text;
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta.type === 'signature_delta') block.signature = delta.signature;
      if (delta.type === 'input_json_delta') block.json += delta.partial_json;
      if (delta.type === 'compaction_delta') block.content = (block.content ?? '') + (delta.content ?? '');
    }
  const of = (...types: string[]) => blocks.filter((block) => types.includes(block?.type));
  return {
    thoughts: of('thinking', 'redacted_thinking').map(({ type, thinking, signature, data }) =>
      type === 'thinking' ? { type, thinking, signature } : { type, data },
    ),
    calls: of('tool_use').map(({ id, name, input, json }) => ({
      id,
      name,
      input: json ? JSON.parse(json) : input,
    })),
    text: of('text', 'compaction')
      .map((block) => block.text ?? block.content ?? '')
      .join(''),
  };
}

function seenByAnthropic(body: Json): Made {
  const turn = body.messages.find(({ role }: Json) => role === 'assistant');
  const of = (...types: string[]) => (turn?.content ?? []).filter(({ type }: Json) => types.includes(type));
  return {
    thoughts: of('thinking', 'redacted_thinking'),
    calls: of('tool_use').map(({ id, name, input }: Json) => ({ id, name, input })),
    text: of('text')
      .map(({ text }: Json) => text)
      .join(''),
  };
}

/** Signatures of texts and calls apart; thoughts themselves need not come back. */
function signaturesOf(parts: readonly Json[]): Made {
  const placeholder = 'skip_thought_signature_validator';
  const signatureOf = ({ thoughtSignature }: Json) =>
    thoughtSignature === placeholder ? undefined : thoughtSignature;
  const calls = parts.filter(({ functionCall }) => functionCall);
  return {
    thoughts: parts.filter((part) => !part.functionCall && signatureOf(part)).map(signatureOf),
    calls: calls.map((part) => ({
      name: part.functionCall.name,
      args: part.functionCall.args ?? {},
      signature: signatureOf(part),
    })),
    text: parts
      .filter(({ thought, text }) => !thought && typeof text === 'string')
      .map(({ text }) => text)
      .join(''),
  };
}

const madeByGoogle = (file: string, text: string): Made =>
  signaturesOf(
    (file.endsWith('.json') ? [JSON.parse(text)] : linesOf(text)).flatMap(
      ({ candidates }) => candidates?.[0]?.content?.parts ?? [],
    ),
  );

const seenByGoogle = (body: Json): Made =>
  signaturesOf(body.contents.find(({ role }: Json) => role === 'model')?.parts ?? []);

/** Calls whose arguments came in pieces have none in the recording that could be compared part by part. */
const isInPieces = (text: string) => text.includes('partialArgs') || text.includes('willContinue');

describe('second turns with real answers', { skip: !hasData }, () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway('sqlite', { recordings: folder });
    const credentials = [{ apiKey: 'test-key' }];
    const { mock } = gateway;
    await gateway.addProvider({ slug: 'claude', type: 'anthropic', baseUrl: `${mock.url}/v1`, credentials });
    await gateway.addProvider({ slug: 'gem', type: 'gemini', baseUrl: `${mock.url}/v1beta`, credentials });
  });
  after(() => gateway[Symbol.asyncDispose]());

  const ask = async (place: string, body: Json): Promise<string> => {
    const response = await gateway.ask(place, body);
    const text = await response.text();
    assert.equal(response.status, 200, text);
    return text;
  };
  const framesOf = (text: string) =>
    text
      .split('\n')
      .filter((line) => line.startsWith('data: {'))
      .map((line) => JSON.parse(line.slice(6)) as Json);
  const lastBody = () => JSON.parse(gateway.mock.seen.at(-1)?.body ?? '') as Json;
  const tools = (calls: Json[], name: (call: Json) => string) =>
    calls.map((call) => ({
      type: 'function',
      function: { name: name(call), parameters: { type: 'object' } },
    }));

  /** As a client of chat completions keeps it: what streams bring is put together, or kept as it came. */
  async function throughChat(provider: string, model: string, stream: boolean, keepsPieces: boolean) {
    const user = { role: 'user', content: 'Go.' };
    const text = await ask('/chat/completions', { model, messages: [user], stream });
    const message: Json = { role: 'assistant', content: '', reasoning_details: [], tool_calls: [] };
    if (!stream) Object.assign(message, JSON.parse(text).choices[0].message);
    else
      for (const { choices } of framesOf(text)) {
        const delta = choices[0]?.delta ?? {};
        message.content += delta.content ?? '';
        for (const { index, ...call } of delta.tool_calls ?? []) {
          message.tool_calls[index] ??= { ...call, function: { ...call.function, arguments: '' } };
          message.tool_calls[index].function.arguments += call.function?.arguments ?? '';
        }
        for (const detail of delta.reasoning_details ?? []) {
          const known = message.reasoning_details.find(({ index }: Json) => index === detail.index);
          if (!known || keepsPieces) message.reasoning_details.push({ ...detail });
          else
            Object.assign(known, {
              text: (known.text ?? '') + (detail.text ?? ''),
              ...(detail.signature ? { signature: detail.signature } : {}),
            });
        }
      }
    const calls: Json[] = message.tool_calls ?? [];
    const results = calls.map(({ id }) => ({ role: 'tool', tool_call_id: id, content: '{"done":true}' }));
    await ask('/chat/completions', {
      model: `${provider}/next`,
      messages: [user, message, ...results, { role: 'user', content: 'And then?' }],
      ...(calls.length > 0 ? { tools: tools(calls, (call) => call.function.name) } : {}),
    });
  }

  async function throughResponses(provider: string, model: string, stream: boolean) {
    const user = { role: 'user', content: 'Go.' };
    const text = await ask('/responses', { model, input: [user], stream });
    const response = stream
      ? framesOf(text).findLast(({ type }) => /^response\.(completed|incomplete)$/.test(type)).response
      : JSON.parse(text);
    const calls = response.output.filter(({ type }: Json) => type === 'function_call');
    const results = calls.map(({ call_id }: Json) => ({
      ...{ type: 'function_call_output', call_id, output: '{"done":true}' },
    }));
    await ask('/responses', {
      model: `${provider}/next`,
      input: [user, ...response.output, ...results, { role: 'user', content: 'And then?' }],
      ...(calls.length > 0
        ? {
            tools: calls.map(({ name }: Json) => ({
              type: 'function',
              name,
              parameters: { type: 'object' },
            })),
          }
        : {}),
    });
  }

  async function throughMessages(provider: string, model: string, stream: boolean) {
    const user = { role: 'user', content: 'Go.' };
    const text = await ask('/messages', { model, max_tokens: 100, messages: [user], stream });
    const content: Json[] = stream ? [] : JSON.parse(text).content;
    for (const { type, index, content_block, delta } of stream ? framesOf(text) : []) {
      if (type === 'content_block_start') content[index] = { ...content_block, json: '' };
      if (type !== 'content_block_delta') continue;
      const block = content[index];
      if (delta.type === 'text_delta') block.text += delta.text;
      if (delta.type === 'thinking_delta') block.thinking += delta.thinking;
      if (delta.type === 'signature_delta') block.signature = delta.signature;
      if (delta.type === 'input_json_delta') block.json += delta.partial_json;
    }
    const kept = content.map(({ json, ...block }) => (json ? { ...block, input: JSON.parse(json) } : block));
    const calls = kept.filter(({ type }) => type === 'tool_use');
    const results = calls.map(({ id }) => ({
      type: 'tool_result',
      tool_use_id: id,
      content: '{"done":true}',
    }));
    await ask('/messages', {
      model: `${provider}/next`,
      max_tokens: 100,
      messages: [
        user,
        { role: 'assistant', content: kept },
        { role: 'user', content: [...results, { type: 'text', text: 'And then?' }] },
      ],
      tools: calls.map(({ name }) => ({ name, input_schema: { type: 'object' } })),
    });
  }

  const files = (provider: string) => (hasData ? readdirSync(path.join(folder, provider)).sort() : []);

  for (const file of files('anthropic')) {
    const text = readFileSync(path.join(folder, 'anthropic', file), 'utf8');
    if (text.includes('"type":"error"')) continue;
    const stream = file.endsWith('.txt');
    const model = `claude/replay:anthropic/${file}`;
    test(`anthropic/${file}`, async () => {
      const made = madeByAnthropic(file, text);
      for (const keepsPieces of stream ? [true, false] : [false]) {
        await throughChat('claude', model, stream, keepsPieces);
        assert.deepEqual(seenByAnthropic(lastBody()), made, `chat completions, pieces kept: ${keepsPieces}`);
      }
      await throughResponses('claude', model, stream);
      assert.deepEqual(seenByAnthropic(lastBody()), made, 'responses');
    });
  }

  for (const file of files('google')) {
    const text = readFileSync(path.join(folder, 'google', file), 'utf8');
    if (!text.includes('"candidates"') || isInPieces(text)) continue;
    const stream = file.endsWith('.txt');
    const model = `gem/replay:google/${file}`;
    test(`google/${file}`, async () => {
      const made = madeByGoogle(file, text);
      await throughChat('gem', model, stream, true);
      assert.deepEqual(seenByGoogle(lastBody()), made, 'chat completions');
      await throughResponses('gem', model, stream);
      assert.deepEqual(seenByGoogle(lastBody()), made, 'responses');
      await throughMessages('gem', model, stream);
      assert.deepEqual(seenByGoogle(lastBody()), made, 'messages');
    });
  }

  test('results of tools are finished without thinking where the client kept no thoughts', async () => {
    const call = { id: 'toolu_1', type: 'function', function: { name: 'look', arguments: '{}' } };
    const body = (details?: Json[]) => ({
      model: 'claude/next',
      reasoning_effort: 'low',
      messages: [
        { role: 'user', content: 'Go.' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [call],
          ...(details && { reasoning_details: details }),
        },
        { role: 'tool', tool_call_id: 'toolu_1', content: 'Done.' },
      ],
      tools: tools([call], () => 'look'),
    });
    await ask('/chat/completions', body());
    assert.equal(lastBody().thinking, undefined);
    const detail = { type: 'reasoning.text', text: 'Hm.', signature: 'c2ln', format: 'anthropic-claude-v1' };
    await ask('/chat/completions', body([detail]));
    assert.equal(lastBody().thinking.type, 'enabled');
    assert.equal(lastBody().messages[1].content[0].signature, 'c2ln');
  });

  test('pictures in results of tools arrive at every provider', async () => {
    const picture = Buffer.from('picture').toString('base64');
    const source = { type: 'base64', media_type: 'image/png', data: picture };
    const block = { type: 'image', source };
    const body = (model: string) => ({
      model,
      max_tokens: 100,
      tools: [{ name: 'look', input_schema: { type: 'object' } }],
      messages: [
        { role: 'user', content: 'Go.' },
        { role: 'assistant', content: [{ type: 'tool_use', id: 'toolu_1', name: 'look', input: {} }] },
        {
          role: 'user',
          content: [
            {
              type: 'tool_result',
              tool_use_id: 'toolu_1',
              content: [{ type: 'text', text: 'Seen.' }, block],
            },
          ],
        },
      ],
    });
    await ask('/messages', body('gem/next'));
    const [response, inline] = lastBody().contents.at(-1).parts;
    assert.deepEqual(response.functionResponse, { name: 'look', response: { result: 'Seen.' } });
    assert.deepEqual(inline.inlineData, { mimeType: 'image/png', data: picture });
    await ask('/messages', body('mock/next'));
    const [result, user] = lastBody().messages.slice(-2);
    assert.deepEqual(result, { role: 'tool', tool_call_id: 'toolu_1', content: 'Seen.' });
    assert.equal(user.content[0].image_url.url, `data:image/png;base64,${picture}`);
    await ask('/responses', {
      model: 'claude/next',
      tools: [{ type: 'function', name: 'look', parameters: { type: 'object' } }],
      input: [
        { role: 'user', content: 'Go.' },
        { type: 'function_call', call_id: 'toolu_1', name: 'look', arguments: '{}' },
        {
          type: 'function_call_output',
          call_id: 'toolu_1',
          output: [
            { type: 'input_text', text: 'Seen.' },
            { type: 'input_image', image_url: `data:image/png;base64,${picture}` },
          ],
        },
      ],
    });
    const [{ content }] = lastBody().messages.at(-1).content;
    assert.deepEqual(content, [{ type: 'text', text: 'Seen.' }, block]);
  });
});
