import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { engines, testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { JsonBody } from './json/body.ts';
import { sweepDead } from './ledger/sweep.ts';
import { type Gateway, startGateway } from './testing/gateway.ts';
import { insertEvents } from './usage/store.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const clients = 256;

/** All rows of the organization, page by page. */
async function everyEvent(gateway: Gateway): Promise<{ costNanos: number }[]> {
  const all = [];
  let cursor: string | undefined;
  do {
    const of = `/organizations/${gateway.organizationId}/ai-gateway/usage/requests?limit=100`;
    const { body } = await gateway.instance.call('GET', cursor ? `${of}&cursor=${cursor}` : of, {
      as: 'user',
    });
    all.push(...body.items);
    cursor = body.nextCursor;
  } while (cursor);
  return all;
}

for (const engine of engines) {
  describe(`budgets on ${engine}`, () => {
    test('two nodes and 256 clients admit exactly as many as are paid for', async () => {
      await using home = await testHome(engine);
      await using gateway = await startGateway(engine, { home });
      await using second = await startInstance(engine, { home });
      await gateway.price('mock/mock-chat', { perRequest: 1000 });
      const admitted = 100;
      await gateway.budgets([{ maxCostMicros: admitted * 1000, period: 'month' }]);
      const ask = async (url: string) => {
        const response = await fetch(`${url}/ai/v1/chat/completions`, {
          method: 'POST',
          headers: { authorization: `Bearer ${gateway.secret}`, 'content-type': 'application/json' },
          body: JSON.stringify({ model: 'mock/mock-chat', messages, max_tokens: 3 }),
        });
        await response.arrayBuffer();
        return response.status;
      };
      const urls = [gateway.instance.url, second.url];
      const statuses = await Promise.all(
        Array.from({ length: clients }, (_, at) => ask(urls[at % 2] as string)),
      );
      assert.equal(statuses.filter((status) => status === 200).length, admitted, statuses.join(' '));
      assert.equal(statuses.filter((status) => status === 402).length, clients - admitted);
      // Both nodes have written what they know.
      await gateway.events();
      await second.call('GET', `/organizations/${gateway.organizationId}/ai-gateway/usage/requests`, {
        as: 'user',
      });
      const { db } = gateway.instance.platform;
      const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
      const rows = await everyEvent(gateway);
      const spent = rows.reduce((sum, { costNanos }) => sum + costNanos, 0);
      assert.equal(ledger?.used_nanos, spent);
      assert.equal(spent, admitted * 1_000_000);
      const leases = await db.selectFrom('ai_leases').selectAll().execute();
      assert.equal(
        ledger?.held_nanos,
        leases.reduce((sum, lease) => sum + lease.nanos, 0),
      );
    });

    test('what a dead process left under way is charged as held, once', async () => {
      await using gateway = await startGateway(engine);
      await gateway.price('mock/fault:idle', { perRequest: 1000 });
      await gateway.budgets([{ maxCostMicros: 100_000 }]);
      const { db } = gateway.instance.platform;
      const controller = new AbortController();
      const hanging = fetch(`${gateway.instance.url}/ai/v1/chat/completions`, {
        method: 'POST',
        signal: controller.signal,
        headers: { authorization: `Bearer ${gateway.secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({ model: 'mock/fault:idle', messages, max_tokens: 3, stream: true }),
      });
      await hanging;
      const [pending] = await db.selectFrom('ai_pending').selectAll().execute();
      assert.ok(pending, 'the request is written down before it is sent on');
      const later = { now: () => Date.now() + 120_000 };
      const write = (tx: Parameters<typeof insertEvents>[0], events: Parameters<typeof insertEvents>[2]) =>
        insertEvents(tx, db.engine, events);
      await sweepDead({ db, clock: later, write });
      await sweepDead({ db, clock: later, write });
      controller.abort();
      await sleep(100);
      const events = await gateway.events();
      assert.equal(events.length, 1);
      assert.equal(events[0].errorCode, 'interrupted');
      const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
      assert.equal(ledger?.used_nanos, 1_000_000);
      assert.equal(ledger?.held_nanos, 0);
    });
  });
}

test('edits of a body leave every other byte as it is, whatever is removed, changed and added', () => {
  const names = ['model', 'provider', 'a', 'b', 'stream'];
  for (let mask = 0; mask < 2 ** (names.length * 2); mask++) {
    const present = names.filter((_, at) => mask & (1 << at));
    const touched = names.filter((_, at) => mask & (1 << (at + names.length)));
    const text = `{ ${present.map((name) => `"${name}" : 1.0`).join(' ,\n ')} }`;
    const edits = new Map(touched.map((name, at) => [name, at % 2 === 0 ? undefined : '"new"']));
    const result = Buffer.concat(new JsonBody(Buffer.from(text)).spliced(edits)).toString();
    const expected = Object.fromEntries(present.map((name) => [name, 1] as [string, unknown]));
    for (const [name, value] of edits) {
      if (value === undefined) delete expected[name];
      else expected[name] = 'new';
    }
    assert.deepEqual(JSON.parse(result), expected, `${text} ${JSON.stringify([...edits])} ${result}`);
    for (const name of present) if (!edits.has(name)) assert.ok(result.includes(`"${name}" : 1.0`), result);
  }
});
