import assert from 'node:assert/strict';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { createAnthropic } from '@ai-sdk/anthropic';
import { createGoogleGenerativeAI } from '@ai-sdk/google';
import { createOpenAICompatible } from '@ai-sdk/openai-compatible';
import { type Gateway, startGateway } from './testing/gateway.ts';
import { streamed, whole } from './testing/read-answers.ts';

/**
 * Answers of real providers, replayed by the mock: what a client of OpenAI's protocol reads through the gateway is what
 * the provider's own package reads from the provider.
 */

const folder = path.resolve(import.meta.dirname, '../../../../shared/data/ai/recordings');
const hasData = existsSync(folder);
if (!hasData) {
  if (process.env['CI'] === 'true') throw new Error(`The recordings are missing: ${folder}`);
  process.stderr.write(`\n*** ${folder} is not on this machine: the tests of real answers are SKIPPED.\n\n`);
}

/** Content as a list of parts. */
const inParts = /"choices":.*"content":\[/;
describe('real answers through the gateway', { skip: !hasData }, () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway('sqlite', { recordings: folder });
    const credentials = [{ apiKey: 'test-key' }];
    const { mock } = gateway;
    await gateway.addProvider({ slug: 'claude', type: 'anthropic', baseUrl: `${mock.url}/v1`, credentials });
    await gateway.addProvider({ slug: 'gem', type: 'gemini', baseUrl: `${mock.url}/v1beta`, credentials });
  });
  after(() => gateway[Symbol.asyncDispose]());

  const through = (model: string) =>
    createOpenAICompatible({
      name: 'mainstay',
      baseURL: `${gateway.instance.url}/ai/v1`,
      apiKey: gateway.secret,
      includeUsage: true,
    }).languageModel(model);

  const files = (provider: string) => (hasData ? readdirSync(path.join(folder, provider)).sort() : []);

  for (const file of files('anthropic')) {
    test(`anthropic/${file}`, async () => {
      const direct = createAnthropic({ baseURL: `${gateway.mock.url}/v1`, apiKey: 'test-key' }).languageModel(
        `replay:anthropic/${file}`,
      );
      const ours = through(`claude/replay:anthropic/${file}`);
      const run = file.endsWith('.json') ? whole : streamed;
      assert.deepEqual(await run(ours), await run(direct));
    });
  }

  for (const file of files('google')) {
    const text = readFileSync(path.join(folder, 'google', file), 'utf8');
    // Others are of another API (interactions), or errors.
    if (!text.includes('"candidates"')) continue;
    test(`google/${file}`, async () => {
      const direct = createGoogleGenerativeAI({
        baseURL: `${gateway.mock.url}/v1beta`,
        apiKey: 'test-key',
      }).languageModel(`replay:google/${file}`);
      const ours = through(`gem/replay:google/${file}`);
      const run = file.endsWith('.json') ? whole : streamed;
      assert.deepEqual(await run(ours), await run(direct));
    });
  }

  for (const provider of [
    'alibaba',
    'deepseek',
    'groq',
    'mistral',
    'openai-compatible',
    'perplexity',
    'azure',
    'xai',
  ]) {
    for (const file of files(provider)) {
      const text = readFileSync(path.join(folder, provider, file), 'utf8');
      if (!text.includes('"choices"') || inParts.test(text)) continue;
      test(`${provider}/${file}`, async () => {
        const direct = createOpenAICompatible({
          name: 'direct',
          baseURL: `${gateway.mock.url}/v1`,
          includeUsage: true,
        });
        const ours = through(`mock/replay:${provider}/${file}`);
        const run = file.endsWith('.json') ? whole : streamed;
        const expected = await run(direct.languageModel(`replay:${provider}/${file}`)).catch(
          (error: Error) => error.name,
        );
        assert.deepEqual(await run(ours).catch((error: Error) => error.name), expected);
      });
    }
  }

  // That package refuses content in parts, and Mistral's own is not installed here.
  const reasoning = 'mistral-reasoning.chunks.txt';
  test(`mistral/${reasoning}`, async () => {
    assert.match(readFileSync(path.join(folder, 'mistral', reasoning), 'utf8'), inParts);
    assert.deepEqual(await streamed(through(`mock/replay:mistral/${reasoning}`)), {
      text: '2 + 2 = 4',
      reasoning: 'The user is asking for 2+2. This is basic arithmetic. 2+2=4.',
      ...{ calls: [], finish: 'stop', usage: { input: 10, cached: 0, written: 0, output: 46, reasoning: 0 } },
    });
  });
});
