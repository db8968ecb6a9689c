import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import Anthropic from '@anthropic-ai/sdk';
import OpenAI from 'openai';
import { type Gateway, startGateway } from './testing/gateway.ts';

/** Mistral's reasoning models write content as a list of parts, as its documentation and recordings of it show. */

const thinking = (text: string) => ({ type: 'thinking', thinking: [{ type: 'text', text }] });
const part = (text: string) => ({ type: 'text', text });
const common = { id: 'made-by-mistral', created: 1_769_088_912, model: 'magistral-medium-2507' };
const usage = { prompt_tokens: 10, total_tokens: 56, completion_tokens: 46 };

const whole = {
  ...{ ...common, object: 'chat.completion', usage },
  choices: [
    {
      index: 0,
      finish_reason: 'stop',
      message: {
        role: 'assistant',
        tool_calls: null,
        content: [
          thinking('Two and two.'),
          part('It is 4'),
          { type: 'reference', reference_ids: [1] },
          part('.'),
        ],
      },
    },
  ],
};
const chunks = [
  { role: 'assistant', content: [thinking('Two and')] },
  { content: [thinking(' two.')] },
  { content: [part('It is 4')] },
  { content: [{ type: 'reference', reference_ids: [1] }, part('.')] },
].map((delta) => ({
  ...{ ...common, object: 'chat.completion.chunk' },
  choices: [{ index: 0, delta, finish_reason: null }],
}));
const lastChunk = {
  ...{ ...common, object: 'chat.completion.chunk', usage },
  choices: [{ index: 0, delta: { content: '' }, finish_reason: 'stop' }],
};

describe('content in parts', () => {
  let folder: string;
  let gateway: Gateway;
  let openai: OpenAI;
  let anthropic: Anthropic;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-mistral-'));
    await writeFile(path.join(folder, 'whole.json'), JSON.stringify(whole));
    const lines = [...chunks, lastChunk].map((chunk) => JSON.stringify(chunk));
    await writeFile(path.join(folder, 'stream.chunks.txt'), lines.join('\n'));
    gateway = await startGateway('sqlite', { recordings: folder });
    await gateway.addProvider({ slug: 'mistral' });
    const { url } = gateway.instance;
    openai = new OpenAI({ baseURL: `${url}/ai/v1`, apiKey: gateway.secret, maxRetries: 0 });
    anthropic = new Anthropic({ baseURL: `${url}/ai`, apiKey: gateway.secret, maxRetries: 0 });
  });
  after(async () => {
    await gateway[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  const question = { role: 'user', content: 'What is 2 + 2?' } as const;
  const sent = () => JSON.parse(gateway.mock.seen.at(-1)?.body ?? '');

  test('of an answer is text, with the thoughts beside it', async () => {
    const { choices } = await openai.chat.completions.create({
      model: 'mistral/replay:whole.json',
      messages: [question],
    });
    const message = choices[0]?.message as { content: unknown; reasoning_content?: unknown };
    assert.equal(message.content, 'It is 4.');
    assert.equal(message.reasoning_content, 'Two and two.');
  });

  test('of a stream is text, with the thoughts beside it', async () => {
    const stream = await openai.chat.completions.create({
      ...{ model: 'mistral/replay:stream.chunks.txt', messages: [question], stream: true },
    });
    let [text, thought] = ['', ''];
    for await (const chunk of stream) {
      const delta = chunk.choices[0]?.delta as { content?: string | null; reasoning_content?: string };
      assert.ok(!Array.isArray(delta?.content));
      text += delta?.content ?? '';
      thought += delta?.reasoning_content ?? '';
    }
    assert.deepEqual([text, thought], ['It is 4.', 'Two and two.']);
  });

  for (const file of ['whole.json', 'stream.chunks.txt'])
    test(`is read by a client of Anthropic's protocol (${file})`, async () => {
      const model = `mistral/replay:${file}`;
      const body = { model, max_tokens: 1000, messages: [question] };
      const { content } = file.endsWith('.json')
        ? await anthropic.messages.create(body)
        : await anthropic.messages.stream(body).finalMessage();
      assert.deepEqual(content, [
        { type: 'thinking', thinking: 'Two and two.', signature: '' },
        { type: 'text', text: 'It is 4.' },
      ]);
      await anthropic.messages.create({
        ...{ ...body, model: 'mistral/replay:whole.json' },
        messages: [question, { role: 'assistant', content }, { role: 'user', content: 'And 3 + 3?' }],
      });
      assert.deepEqual(sent().messages[1], {
        role: 'assistant',
        content: [thinking('Two and two.'), part('It is 4.')],
      });
    });

  test('goes back as parts in a second turn, without the fields that Mistral refuses', async () => {
    const turn = { role: 'assistant', content: 'It is 4.', reasoning_content: 'Two and two.' };
    const again = { role: 'user', content: 'And 3 + 3?' };
    const answer = await gateway.ask('/chat/completions', {
      model: 'mistral/replay:whole.json',
      messages: [question, turn, again],
    });
    assert.equal(answer.status, 200);
    assert.deepEqual(sent().messages, [
      question,
      { role: 'assistant', content: [thinking('Two and two.'), part('It is 4.')] },
      again,
    ]);
  });

  test('of other providers is left as the client wrote it', async () => {
    const turn = { role: 'assistant', content: 'It is 4.', reasoning_content: 'Two and two.' };
    await gateway.ask('/chat/completions', {
      model: 'mock/replay:whole.json',
      messages: [question, turn, question],
    });
    assert.deepEqual(sent().messages[1], turn);
  });
});
