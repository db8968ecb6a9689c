import assert from 'node:assert/strict';
import { once } from 'node:events';
import { type ClientRequest, type IncomingMessage, request as send } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import type { MockProvider } from '#testing/ai-provider.ts';
import { engines } from '#testing/engines.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const speech = (fault: string) => ({ model: `mock/fault:${fault}`, voice: 'alloy', input: 'Hello' });

/** When a client goes away, and how often. */
interface Stage {
  name: string;
  times: number;
  path: string;
  body: { model: string } & Record<string, unknown>;
  /** Whether the provider has come that far. */
  isReached(seen: MockProvider['seen'][number]): boolean;
  /** The client has had some of the answer. */
  hasOutput?: true;
  /** The provider has not begun to read the body. */
  isUploading?: true;
}

const chat = '/chat/completions';
const stages: readonly Stage[] = [
  {
    name: 'before the head of the answer',
    times: 20,
    path: chat,
    body: { model: 'mock/fault:silent', messages },
    isReached: (seen) => seen.body !== '',
  },
  {
    name: 'after the head, before any output',
    times: 20,
    path: chat,
    body: { model: 'mock/fault:idle-before-output', messages, stream: true },
    isReached: (seen) => seen.begun,
  },
  {
    name: 'in the middle of a stream',
    times: 20,
    path: chat,
    hasOutput: true,
    body: { model: 'mock/fault:endless', messages, stream: true },
    isReached: (seen) => seen.begun,
  },
  {
    name: 'in the middle of a JSON answer',
    times: 10,
    path: chat,
    body: { model: 'mock/fault:half-json', messages },
    isReached: (seen) => seen.begun,
  },
  {
    name: 'while the body is sent to the provider',
    times: 10,
    path: chat,
    isUploading: true,
    body: {
      model: 'mock/fault:silent.upload',
      messages: [{ role: 'user', content: 'x'.repeat(16 * 1024 * 1024) }],
    },
    isReached: (seen) => seen.body === '',
  },
  {
    name: 'in the bytes of speech',
    times: 20,
    path: '/audio/speech',
    hasOutput: true,
    body: speech('endless-bytes'),
    isReached: (seen) => seen.begun,
  },
];

/** Looks again and again; the deadline is that of the test. */
async function until<Found>(find: () => Found | undefined | Promise<Found | undefined>): Promise<Found> {
  for (;;) {
    const found = await find();
    if (found !== undefined) return found;
    await sleep(2);
  }
}

/** A request on a connection of its own, so that leaving closes that connection. */
function begin({ instance, secret }: Gateway, path: string, headers: Record<string, string> = {}) {
  const request = send(`${instance.url}/ai/v1${path}`, {
    method: 'POST',
    agent: false,
    headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json', ...headers },
  });
  request.on('error', () => {});
  return request;
}

async function firstBytes(request: ClientRequest): Promise<void> {
  const [response] = (await once(request, 'response')) as [IncomingMessage];
  response.on('error', () => {});
  await once(response, 'data');
}

/** Milliseconds from the client's leaving to the close of the provider's connection. */
async function leave(gateway: Gateway, { path, body, isReached, ...stage }: Stage): Promise<number> {
  const { mock } = gateway;
  mock.reset();
  const release = stage.isUploading && mock.holdBodies();
  const request = begin(gateway, path);
  request.end(JSON.stringify(body));
  if (stage.hasOutput) await firstBytes(request);
  const seen = await until(() => mock.seen.find(isReached));
  const left = Date.now();
  request.destroy();
  release?.();
  await mock.closed(seen);
  assert.equal(seen.ended, 'aborted');
  return (seen.endedAt as number) - left;
}

for (const engine of engines) {
  describe(`clients that go away on ${engine}`, () => {
    let gateway: Gateway;
    before(async () => {
      gateway = await startGateway(engine);
      for (const { body } of stages) await gateway.price(body.model, { input: 1_000_000, perRequest: 5 });
    });
    after(() => gateway[Symbol.asyncDispose]());

    test('close the provider’s connection at every stage, and what was used is settled', {
      timeout: 120_000,
    }, async () => {
      await gateway.budgets([{ maxRequests: 1000, maxCostMicros: 1_000_000_000 }]);
      const durations: number[] = [];
      for (const stage of stages)
        for (let time = 0; time < stage.times; time++) durations.push(await leave(gateway, stage));
      assert.equal(durations.length, 100);
      // 100 ms are the promise; of single ones a machine that does something else as well may make more.
      const [median = 0] = durations.toSorted((a, b) => a - b).slice(50);
      assert.ok(median < 100, `${median} ms; of all: ${durations.join(' ')}`);
      let cost = 0;
      for (const { name, times, body, hasOutput } of stages) {
        const events = await until(async () => {
          const found = await gateway.events(`model=${body.model}&status=cancelled&limit=100`);
          return found.length >= times ? found : undefined;
        });
        assert.equal(events.length, times, name);
        for (const event of events) {
          assert.equal(event.errorCode, 'client_disconnected', name);
          assert.ok(event.billableCostMicros >= 5, name);
          assert.equal(event.providerAttempts.length, 1, name);
          if (hasOutput && body['stream']) assert.ok(event.outputTokens > 0, name);
          cost += event.costNanos;
        }
      }
      const { db } = gateway.instance.platform;
      const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
      assert.equal(ledger?.used_requests, 100);
      assert.equal(ledger?.used_nanos, cost);
      assert.deepEqual(await db.selectFrom('ai_pending').selectAll().execute(), []);
      await gateway.budgets([]);
    });

    test('in the middle of their own upload reach no provider', async () => {
      gateway.mock.reset();
      const request = begin(gateway, chat, { 'content-length': '1000000' });
      await new Promise((resolve) => request.write('{"model":"mock/mock-chat","messages":[', resolve));
      request.destroy();
      const answered = await gateway.ask(chat, { model: 'mock/mock-chat', messages });
      assert.equal(answered.status, 200);
      assert.equal(gateway.mock.seen.length, 1);
    });
  });
}

describe('silences of providers, and of clients', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway('sqlite', { settings: { MAINSTAY_AI_IDLE_TIMEOUT: '1s' } });
  });
  after(() => gateway[Symbol.asyncDispose]());

  test('a provider that falls silent in speech is left, and the client is not told that this was all', {
    timeout: 60_000,
  }, async () => {
    const response = await gateway.ask('/audio/speech', speech('idle-bytes'));
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    const [seen] = gateway.mock.seen.slice(-1);
    await gateway.mock.closed(seen as MockProvider['seen'][number]);
    assert.equal(seen?.ended, 'aborted');
    const event = await until(
      async () => (await gateway.events('model=mock/fault:idle-bytes&status=error'))[0],
    );
    assert.equal(event.errorCode, 'provider_timeout');
    assert.equal(event.providerAttempts.at(-1).tag, 'idle_timeout');
  });

  test('a client that takes longer than that to listen gets all of the speech', {
    timeout: 60_000,
  }, async () => {
    const request = begin(gateway, '/audio/speech');
    request.end(JSON.stringify(speech('many-bytes')));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await sleep(1500);
    let length = 0;
    for await (const piece of response) length += (piece as Buffer).length;
    assert.equal(length, 24 * 1024 * 1024);
  });

  test('a client that takes longer than that to read gets the whole stream', {
    timeout: 60_000,
  }, async () => {
    const request = begin(gateway, chat);
    request.end(JSON.stringify({ model: 'mock/fault:many-words', messages, stream: true }));
    const [response] = (await once(request, 'response')) as [IncomingMessage];
    await sleep(1500);
    let text = '';
    for await (const piece of response) text += piece;
    assert.equal(text.match(/word /g)?.length, 240 * 20_000);
    assert.ok(text.endsWith('data: [DONE]\n\n'), text.slice(-200));
    assert.equal(gateway.mock.seen.at(-1)?.ended, 'answered');
  });
});
