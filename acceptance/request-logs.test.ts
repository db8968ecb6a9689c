import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../sdk/index.ts';
import { clientOf, plainFetch, refusal } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

for (const name of targetNames) {
  describe(`request logs on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let client: Client;
    let owner: Client;
    let id: string;
    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'application');
      owner = clientOf(target, 'user');
      id = target.applicationId;
    });
    after(() => target[Symbol.asyncDispose]());

    test('a list, statistics and an export of a time without requests are empty', async () => {
      const range = { from: '2020-01-01', to: '2020-01-02' };
      assert.deepEqual(await client.requestLogs.list(id, range), { items: [], total: 0 });
      const stats = await client.requestLogs.stats(id, { ...range, interval: '1d' });
      assert.deepEqual(
        [stats.total.requests, stats.total.p95, stats.series.length, stats.top.paths],
        [0, null, 2, []],
      );
      for await (const request of await client.requestLogs.export(id, range)) assert.fail(request.id);
    });

    test('what cannot be meant is refused, and what is not there is not found', async () => {
      await refusal(400, client.requestLogs.list(id, { from: '2020-02-01', to: '2020-01-01' }));
      await refusal(400, client.requestLogs.list(id, { status: 'x' }));
      await refusal(400, client.requestLogs.list(id, { cursor: 'x' }));
      await refusal(404, client.requestLogs.get(id, randomUUID()));
      await refusal(404, client.requestLogs.list(randomUUID()));
    });

    test('a live tail opens as server-sent events', async () => {
      const call = await plainFetch(target, 'application');
      const end = new AbortController();
      const response = await call(`/applications/${id}/requests/stream`, { signal: end.signal });
      assert.equal(response.status, 200);
      assert.match(response.headers.get('content-type') ?? '', /^text\/event-stream/);
      end.abort();
    });

    test('a log drain is created, read, changed and deleted, and shows no secret', async () => {
      const drain = await owner.logDrains.create(id, {
        name: 'acceptance',
        type: 'ndjson',
        url: 'https://logs.example.com/in?key=hidden',
        enabled: false,
        headers: { authorization: 'hidden' },
      });
      const { items } = await owner.logDrains.list(id);
      assert.equal(JSON.stringify(items).includes('hidden'), false);
      assert.deepEqual(await owner.logDrains.get(id, drain.id), drain);
      assert.equal((await owner.logDrains.update(id, drain.id, { name: 'renamed' })).name, 'renamed');
      await owner.logDrains.delete(id, drain.id);
      await refusal(404, owner.logDrains.get(id, drain.id));
    });
  });
}
