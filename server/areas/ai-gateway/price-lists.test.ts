import assert from 'node:assert/strict';
import { mkdtemp, rm, utimes, writeFile } from 'node:fs/promises';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { Catalogue } from './catalogue/catalogue.ts';
import { readPriceFile } from './catalogue/price-list.ts';
import { describePrices } from './service.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const model = 'mock/mock-chat';
const listOf = (input: number, asOf?: string) =>
  JSON.stringify({ ...(asOf && { asOf }), models: { [model]: { prices: { input, output: 0 } } } });

/** An address that answers with a price list, as long as it is told to. */
async function startLists() {
  let answer = (_request: IncomingMessage, response: ServerResponse): unknown => response.end();
  let asked = 0;
  const server = createServer((request, response) => {
    asked++;
    answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/prices.json?token=secret`,
    answerWith(next: typeof answer) {
      answer = next;
    },
    get asked() {
      return asked;
    },
    async [Symbol.asyncDispose]() {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function fetchNow({ instance }: Gateway) {
  const answer = await instance.call('POST', '/admin/ai-gateway/price-lists/refresh', { as: 'user' });
  assert.equal(answer.status, 200, JSON.stringify(answer.body));
  return answer.body;
}

async function priceOf({ instance }: Gateway) {
  const { body } = await instance.call('GET', '/admin/ai-gateway/models', { as: 'user' });
  return body.items.find(({ id }: { id: string }) => id === model);
}

for (const engine of engines) {
  test(`prices by an address on ${engine}: fetched, dated, kept while it fails, and below what is set by hand`, async () => {
    await using lists = await startLists();
    lists.answerWith((_request, response) => response.end(listOf(1_000_000, '2026-10-01')));
    const settings = {
      MAINSTAY_AI_CATALOGUE_URL: lists.url,
      MAINSTAY_AI_CATALOGUE_PRIVATE_ADDRESSES: '127.0.0.1',
    };
    await using gateway = await startGateway(engine, { settings });
    const first = await fetchNow(gateway);
    assert.equal(first.source, 'url');
    assert.equal(first.name, lists.url.replace(/\?.*/, ''), 'what may be secret is not shown');
    assert.equal(first.asOf, '2026-10-01T00:00:00.000Z');
    assert.equal(first.failure, null);
    const priced = await priceOf(gateway);
    assert.deepEqual(
      [priced.source, priced.prices.input, priced.prices.source, priced.prices.asOf],
      ['file', 1_000_000, 'file 2026-10-01', '2026-10-01T00:00:00.000Z'],
    );
    const messages = [{ role: 'user', content: 'Say hello.' }];
    assert.equal((await gateway.ask('/chat/completions', { model, messages })).status, 200);
    const [event] = await gateway.events();
    assert.equal(event.unitPrices.source, 'file 2026-10-01');
    assert.equal(event.billableCostMicros, Math.ceil(event.inputTokens));

    const wrong: [(request: IncomingMessage, response: ServerResponse) => unknown, RegExp][] = [
      [(_request, response) => response.writeHead(500).end(), /it answers 500/],
      [(_request, response) => response.writeHead(302, { location: '/other' }).end(), /it answers 302/],
      [(_request, response) => response.end('{"models":'), /not JSON/],
      [
        (_request, response) => response.end('{"models":{"a/b":{"prices":{"input":-1}}}}'),
        /wrong at \/models/,
      ],
      [(_request, response) => response.end(listOf(5, 'yesterday')), /no date/],
      [(_request, response) => response.destroy(), /cannot be reached/],
    ];
    for (const [answer, reason] of wrong) {
      lists.answerWith(answer);
      const state = await fetchNow(gateway);
      assert.match(state.failure, reason);
      assert.equal(state.asOf, '2026-10-01T00:00:00.000Z');
      assert.equal(state.fetchedAt, first.fetchedAt);
      assert.equal((await priceOf(gateway)).prices.input, 1_000_000);
    }
    const { db } = gateway.instance.platform;
    const config = { aiCatalogueFile: undefined, aiCatalogueUrl: new URL(lists.url) };
    await assert.rejects(describePrices(db, config), /the last attempt failed: it cannot be reached/);
    // A server that starts now has what was fetched last.
    const snapshot = await new Catalogue(db, { file: undefined, url: config.aiCatalogueUrl }).now();
    assert.equal(snapshot.get(model)?.pricesAt(Date.now())?.tiers[0]?.rates.input, 1_000_000);

    const tags: unknown[] = [];
    lists.answerWith((request, response) => {
      tags.push(request.headers['if-none-match']);
      if (request.headers['if-none-match'] === '"2"') return response.writeHead(304).end();
      const headers = { etag: '"2"', 'last-modified': 'Sun, 01 Nov 2026 12:00:00 GMT' };
      return response.writeHead(200, headers).end(listOf(2_000_000));
    });
    for (let time = 0; time < 2; time++) {
      const state = await fetchNow(gateway);
      assert.equal(state.failure, null);
      assert.equal(state.asOf, '2026-11-01T12:00:00.000Z');
      assert.equal((await priceOf(gateway)).prices.input, 2_000_000);
    }
    assert.deepEqual(tags, [undefined, '"2"']);

    await gateway.price(model, { input: 7 });
    const set = await priceOf(gateway);
    assert.deepEqual([set.source, set.prices.input, set.prices.source], ['override', 7, 'operator']);
    assert.ok(Date.now() - Date.parse(set.prices.asOf) < 600_000);
  });
}

describe('the price list of the operator', () => {
  test('is not fetched from a private address that is not allowed', async () => {
    await using lists = await startLists();
    await using gateway = await startGateway('sqlite', {
      settings: { MAINSTAY_AI_CATALOGUE_URL: lists.url },
    });
    const state = await fetchNow(gateway);
    assert.match(state.failure, /not public; MAINSTAY_AI_CATALOGUE_PRIVATE_ADDRESSES allows it/);
    assert.deepEqual([state.asOf, state.fetchedAt], [null, null]);
    assert.equal(lists.asked, 0);
    const { body } = await gateway.instance.call('GET', '/admin/ai-gateway/price-lists', { as: 'user' });
    assert.deepEqual(
      body.items.map(({ source }: { source: string }) => source),
      ['bundled', 'url'],
    );
  });

  test('is a file with a date of its own, or that of the file; a wrong one stops the start', async () => {
    const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-prices-'));
    try {
      const file = path.join(folder, 'prices.json');
      await writeFile(file, listOf(3_000_000));
      await utimes(file, new Date('2026-11-05T06:00:00Z'), new Date('2026-11-05T06:00:00Z'));
      const settings = { MAINSTAY_AI_CATALOGUE_FILE: file };
      await using gateway = await startGateway('sqlite', { settings });
      const { prices } = await priceOf(gateway);
      assert.deepEqual([prices.input, prices.asOf], [3_000_000, '2026-11-05T06:00:00.000Z']);
      const refused = await gateway.instance.call('POST', '/admin/ai-gateway/price-lists/refresh', {
        as: 'user',
      });
      assert.equal(refused.status, 404);
      const { db } = gateway.instance.platform;
      await writeFile(file, listOf(3_000_000, '2020-01-01'));
      const config = { aiCatalogueFile: file, aiCatalogueUrl: undefined };
      await assert.rejects(describePrices(db, config), /of 2020-01-01, \d+ days old/);
      assert.match(
        await describePrices(db, { ...config, aiCatalogueFile: undefined }),
        /^genai-prices [\d.]+: of 20\d\d-\d\d-\d\d/,
      );
      await writeFile(file, '{"models": []}');
      await assert.rejects(readPriceFile(file), /MAINSTAY_AI_CATALOGUE_FILE: .*wrong at \/models/);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  });
});
