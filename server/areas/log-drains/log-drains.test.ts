import assert from 'node:assert/strict';
import { createServer, type IncomingHttpHeaders } from 'node:http';
import type { AddressInfo } from 'node:net';
import { text } from 'node:stream/consumers';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { requestLine } from '#testing/request-lines.ts';

interface Delivery {
  headers: IncomingHttpHeaders;
  body: string;
}

/** A collector that answers with the statuses of the list, and then with 200. */
async function startCollector(statuses: number[] = []) {
  const waiting: PromiseWithResolvers<Delivery>[] = [];
  const arrived: Delivery[] = [];
  const server = createServer(async (request, response) => {
    const delivery = { headers: request.headers, body: await text(request) };
    response.writeHead(statuses.shift() ?? 200).end();
    const waiter = waiting.shift();
    if (waiter) waiter.resolve(delivery);
    else arrived.push(delivery);
  });
  server.listen(0, '127.0.0.1');
  await new Promise((resolve) => server.once('listening', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/logs?key=secret-in-address`,
    next(): Promise<Delivery> {
      const delivery = arrived.shift();
      if (delivery) return Promise.resolve(delivery);
      const waiter = Promise.withResolvers<Delivery>();
      waiting.push(waiter);
      return waiter.promise;
    },
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

for (const engine of engines) {
  describe(`log drains on ${engine}`, () => {
    let instance: Instance;
    let own: string;
    before(async () => {
      instance = await startInstance(engine, {
        settings: {
          MAINSTAY_LOG_DRAIN_PRIVATE_ADDRESSES: '127.0.0.1/32',
          MAINSTAY_LOG_DRAINS_PER_APPLICATION: '3',
        },
      });
      own = instance.bootstrapped.application.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    const call = (method: string, path = '', body?: unknown) =>
      instance.call(method, `/applications/${own}/log-drains${path}`, { as: 'user', body });
    const write = async (path: string) => {
      const line = requestLine({ applicationId: own, path });
      instance.platform.logs.write('requests', line);
      await instance.platform.logs.flush();
      return line;
    };

    test('requests are sent on as NDJSON, again while the collector refuses them, and no secret is shown', async () => {
      await using collector = await startCollector([503]);
      const created = await call('POST', '', {
        ...{ name: ' Warehouse ', type: 'ndjson', url: collector.url },
        headers: { authorization: 'Bearer secret-in-header' },
      });
      assert.equal(created.status, 200, JSON.stringify(created.body));
      const { id, createdAt, updatedAt, ...drain } = created.body;
      assert.deepEqual(drain, {
        ...{ applicationId: own, name: 'Warehouse', type: 'ndjson', url: collector.url.split('?')[0] },
        headerNames: ['authorization'],
        enabled: true,
        status: 'waiting',
        lastError: null,
        lastDeliveredAt: null,
      });
      const line = await write('/sent');
      const [refused, accepted] = [await collector.next(), await collector.next()];
      assert.equal(accepted.body, refused.body);
      assert.equal(accepted.headers['authorization'], 'Bearer secret-in-header');
      assert.equal(accepted.headers['content-type'], 'application/x-ndjson');
      const sent = accepted.body
        .trimEnd()
        .split('\n')
        .map((text) => JSON.parse(text));
      assert.deepEqual(
        sent.map(({ id: sentId }) => sentId),
        [line.id],
      );
      assert.ok(sent[0].requestHeaders['user-agent']);
      const changed = await call('PATCH', `/${id}`, { enabled: false, name: 'Off' });
      assert.deepEqual(
        [changed.body.enabled, changed.body.status, changed.body.name],
        [false, 'disabled', 'Off'],
      );
      const listed = await call('GET');
      assert.equal(listed.body.total, 1);
      const records = await instance.call(
        'GET',
        `/organizations/${instance.bootstrapped.organization.id}/audit-log?limit=100`,
        { as: 'user' },
      );
      const said = JSON.stringify([listed.body, (await call('GET', `/${id}`)).body, records.body]);
      assert.equal(/secret-in/.test(said), false);
      assert.match(said, /log_drain\.created/);
      assert.equal((await call('DELETE', `/${id}`)).status, 204);
      assert.equal((await call('GET', `/${id}`)).status, 404);
    });

    test('a test tells what the collector says, in the form of OpenTelemetry', async () => {
      await using collector = await startCollector([202, 404]);
      const { body } = await call('POST', '', {
        name: 'Collector',
        type: 'otlp',
        url: collector.url,
        enabled: false,
      });
      const good = await call('POST', `/${body.id}/test`);
      assert.deepEqual([good.body.ok, good.body.status, good.body.error], [true, 202, null]);
      const { resourceLogs } = JSON.parse((await collector.next()).body);
      const [record] = resourceLogs[0].scopeLogs[0].logRecords;
      assert.equal(record.body.stringValue, 'GET /mainstay-log-drain-test 200');
      assert.deepEqual(resourceLogs[0].resource.attributes[0], {
        key: 'service.name',
        value: { stringValue: 'Web' },
      });
      const bad = await call('POST', `/${body.id}/test`);
      assert.deepEqual([bad.body.ok, bad.body.error], [false, 'The collector responded with 404.']);
      for (const url of ['http://169.254.169.254/latest', 'http://[::1]:1/', 'http://10.0.0.1/']) {
        await call('PATCH', `/${body.id}`, { url });
        const inside = await call('POST', `/${body.id}/test`);
        assert.match(inside.body.error, /not public/);
      }
      await call('DELETE', `/${body.id}`);
    });

    test('what cannot be meant is refused, and the number is bounded', async () => {
      const drain = { name: 'x', type: 'ndjson', url: 'https://logs.example.com/' };
      const refused = [
        { ...drain, name: ' ' },
        { ...drain, type: 'syslog' },
        { ...drain, url: 'ftp://logs.example.com/' },
        { ...drain, url: 'https://user:password@logs.example.com/' },
        { ...drain, headers: { 'Content-Length': '1' } },
        { ...drain, headers: { 'x-a': 'b\r\nc: d' } },
        { ...drain, headers: { 'x-ä': 'b' } },
        { ...drain, unknown: 1 },
      ];
      for (const body of refused)
        assert.equal((await call('POST', '', body)).status, 400, JSON.stringify(body));
      for (const status of [200, 200, 200, 403])
        assert.equal((await call('POST', '', { ...drain, enabled: false })).status, status);
      assert.equal((await call('PATCH', `/${newId()}`, { name: 'y' })).status, 404);
      assert.equal((await call('PATCH', '/none', { name: 'y' })).status, 404);
      const foreign = await instance.call('GET', `/applications/${newId()}/log-drains`, { as: 'user' });
      assert.equal(foreign.status, 404);
      const application = await instance.call('GET', `/applications/${own}/log-drains`, {
        as: 'application',
      });
      assert.equal(application.status, 403);
    });
  });
}
