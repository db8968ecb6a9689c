import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import type { RequestLine } from '#core/request-log.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { requestLine } from '#testing/request-lines.ts';

const as = 'application';

for (const engine of engines) {
  describe(`/applications/{id}/requests on ${engine}`, () => {
    let instance: Instance;
    let own: string;
    before(async () => {
      instance = await startInstance(engine, { settings: { MAINSTAY_LIVE_STREAMS: '16' } });
      own = instance.bootstrapped.application.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    const write = async (...lines: Partial<RequestLine>[]) => {
      const written = lines.map((line) => requestLine({ applicationId: own, ...line }));
      for (const line of written) instance.platform.logs.write('requests', line);
      await instance.platform.logs.flush();
      return written;
    };
    const get = (query: Record<string, string> = {}, path = '') =>
      instance.call('GET', `/applications/${own}/requests${path}?${new URLSearchParams(query)}`, { as });

    test('a summary and its detail have the shape that clients know, with every reference', async () => {
      const [deploymentId, functionId, assetId, bucketId, objectId] = [
        newId(),
        newId(),
        newId(),
        newId(),
        newId(),
      ];
      const [line] = await write({
        ...{ deploymentId, deploymentFunctionId: functionId, deploymentAssetId: assetId },
        deploymentFunction: { name: 'api', path: '/api', region: 'eu-1' },
        deploymentAsset: { path: '/logo.svg', objectKey: 'assets/logo.svg' },
        ...{ storageBucketId: bucketId, storageBucket: { name: 'files', slug: 'files-1' } },
        ...{ storageObjectId: objectId, storageObject: { key: 'a.txt', contentType: null } },
        ...{ method: 'POST', hostname: 'shop.example.com', path: '/shape', query: 'a=1&access_token=x' },
        status: 502,
        cacheStatus: 'stale',
        region: 'eu-1',
        edgeLocation: 'FRA',
        error: 'The function ended.',
        requestBodyBytes: 1,
        responseBodyBytes: 2,
        bytesSent: 3,
        durationMs: 4.5,
        address: '203.0.113.77',
        requestHeaders: { referer: 'https://a.example/x?token=1', 'user-agent': 'curl/8', 'x-api-key': 'k' },
        responseHeaders: { 'content-length': 2, 'set-cookie': ['a=b', 'c=d'] },
      });
      const { status, body } = await get({ pathPrefix: '/shape' });
      assert.equal(status, 200);
      const summary = {
        id: line?.id,
        application: { id: own, name: 'Web' },
        deployment: { id: deploymentId, status: 'ACTIVE' },
        deploymentFunction: { id: functionId, name: 'api', path: '/api', region: 'eu-1' },
        deploymentAsset: { id: assetId, path: '/logo.svg', objectKey: 'assets/logo.svg' },
        storageBucket: { id: bucketId, name: 'files', slug: 'files-1' },
        storageObject: { id: objectId, key: 'a.txt', contentType: null },
        request: {
          method: 'POST',
          hostname: 'shop.example.com',
          path: '/shape',
          query: 'a=1&access_token=[redacted]',
          ...{ protocol: 'HTTP/1.1', country: null, userAgent: 'curl/8' },
          referer: 'https://a.example/x?token=[redacted]',
        },
        response: { status: 502, cacheStatus: 'stale', cacheHit: true, region: 'eu-1', edgeLocation: 'FRA' },
        metrics: { requestBodyBytes: 1, responseBodyBytes: 2, bytesSent: 3, durationMs: 4.5 },
        startedAt: new Date(line?.startedAt ?? 0).toISOString(),
        completedAt: new Date(line?.completedAt ?? 0).toISOString(),
        ...{ bot: true, error: 'The function ended.', truncated: false, sampleWeight: 1 },
      };
      assert.deepEqual(body, { items: [summary], total: 1 });
      const detail = await get({}, `/${line?.id}`);
      assert.deepEqual(detail.body, {
        ...summary,
        requestHeaders: {
          referer: 'https://a.example/x?token=[redacted]',
          'user-agent': 'curl/8',
          'x-api-key': '[redacted]',
        },
        responseHeaders: { 'content-length': '2', 'set-cookie': '[redacted]' },
        clientAddress: '203.0.113.0',
        clientSubdivision: null,
      });
    });

    test('every filter of the API is applied, alone and together with others', async () => {
      const hostname = `${newId()}.example.com`;
      const startedAt = Date.parse('2026-03-04T12:00:00.000Z');
      const [first, second] = await write(
        {
          ...{ hostname, startedAt, method: 'PUT', status: 404, cacheStatus: 'hit', path: '/one/100%' },
          ...{ region: 'eu-1', edgeLocation: 'FRA', deploymentId: newId(), storageObjectId: newId() },
        },
        { hostname, startedAt: startedAt + 86_400_000, path: '/two', error: 'Broken pipe', status: null },
      );
      const ids = async (query: Record<string, string>) =>
        (await get({ hostname, ...query })).body.items.map(({ id }: { id: string }) => id);
      assert.deepEqual(await ids({}), [second?.id, first?.id]);
      const onlyFirst: Record<string, string>[] = [
        { method: 'put,delete' },
        { status: '404' },
        { statusFamily: '4' },
        { statusFamily: '4xx,5xx' },
        { cacheStatus: 'hit' },
        { cacheHit: 'true' },
        { pathPrefix: '/one/100%' },
        { region: 'eu-1' },
        { edgeLocation: 'FRA' },
        { deploymentId: (first?.deploymentId ?? '').toUpperCase() },
        { storageObjectId: first?.storageObjectId ?? '' },
        { to: '2026-03-04' },
        { from: '2026-03-04T12:00:00Z', to: '2026-03-04T12:00:00.000+00:00' },
        { q: '100%' },
        { method: 'PUT', status: '404', cacheHit: 'true', from: '2026-03-04' },
      ];
      for (const query of onlyFirst) assert.deepEqual(await ids(query), [first?.id], JSON.stringify(query));
      for (const query of [{ q: 'broken PIPE' }, { from: '2026-03-05' }])
        assert.deepEqual(await ids(query), [second?.id], JSON.stringify(query));
      for (const query of [
        { method: 'PUT', status: '500' },
        { q: '_wo' },
        { pathPrefix: '/%' },
        { country: 'DE' },
      ])
        assert.deepEqual(await ids(query), [], JSON.stringify(query));
    });

    test('pages are followed by their cursor, with the same total', async () => {
      const hostname = `${newId()}.example.com`;
      const lines = await write(...Array.from({ length: 25 }, (_, at) => ({ hostname, path: `/${at}` })));
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const { body } = await get({ hostname, limit: '10', ...(cursor ? { cursor } : {}) });
        assert.equal(body.total, 25);
        seen.push(...body.items.map(({ id }: { id: string }) => id));
        cursor = body.nextCursor;
      } while (cursor);
      const expected = lines.toSorted((a, b) => b.startedAt - a.startedAt || (a.id < b.id ? 1 : -1));
      assert.deepEqual(
        seen,
        expected.map(({ id }) => id),
      );
    });

    test('what cannot be meant is refused by name', async () => {
      const refused: [Record<string, string>, RegExp][] = [
        [{ from: '2026-02-02', to: '2026-02-01' }, /"from" must not be later/],
        [{ from: 'yesterday' }, /"from" must be an ISO 8601/],
        [{ to: '2026-13-01' }, /"to"/],
        [{ from: '2026-02-30' }, /"from" must be an ISO 8601/],
        [{ to: '2025-02-29T10:00:00Z' }, /"to"/],
        [{ status: '99' }, /"status"/],
        [{ status: 'ok' }, /"status"/],
        [{ statusFamily: '7' }, /"statusFamily"/],
        [{ method: 'GE T' }, /"method"/],
        [{ deploymentId: 'x' }, /"deploymentId"/],
        [{ cacheStatus: 'warm' }, /"cacheStatus"/],
        [{ cacheHit: 'perhaps' }, /"cacheHit"/],
        [{ country: 'Germany' }, /"country"/],
        [{ limit: '0' }, /"limit"/],
        [{ limit: '101' }, /"limit"/],
        [{ page: '2' }, /"cursor"/],
        [{ cursor: 'bm9uc2Vuc2U' }, /"cursor"/],
      ];
      for (const [query, sentence] of refused) {
        const { status, body } = await get(query);
        assert.deepEqual(
          [status, sentence.test(body.error)],
          [400, true],
          `${JSON.stringify(query)}: ${body.error}`,
        );
      }
      for (const query of [{ from: '1990-01-01', to: '2090-01-01' }, { unknown: 'x' }, { method: 'BREW' }])
        assert.equal((await get(query)).status, 200);
    });

    test('another application, another tenant and another scope see nothing', async () => {
      const [line] = await write({ path: '/secret' });
      const other = newId();
      const [foreign] = await write({ applicationId: other });
      const call = (path: string, who: string = as) => instance.call('GET', path, { as: who as 'user' });
      assert.equal((await call(`/applications/${other}/requests`)).status, 404);
      assert.equal((await call(`/applications/${own}/requests/${foreign?.id}`)).status, 404);
      assert.equal((await call(`/applications/${own}/requests/none`)).status, 404);
      assert.equal((await call(`/applications/${own}/requests/${newId()}`)).status, 404);
      assert.equal((await instance.call('GET', `/applications/${own}/requests`)).status, 401);
      for (const who of ['user', 'organization'])
        assert.equal(
          (await call(`/applications/${own}/requests/${line?.id?.toUpperCase()}`, who)).status,
          200,
        );
    });

    test('lines that are enormous or strange are cut and masked, and never lost', async () => {
      const hostname = `${newId()}.example.com`;
      await write({
        hostname,
        path: `/${'ä'.repeat(60_000)}`,
        query: `sig=${'x'.repeat(60_000)}`,
        requestHeaders: {
          'user-agent': 'u'.repeat(20_000),
          __proto__x: 'a\r\nb\u0000',
          'x-forwarded-for': '203.0.113.9, 2001:db8:1:2::3',
          forwarded: 'for=203.0.113.9',
          location: 'https://user:password@a.example/?X-Amz-Signature=abc&b=1',
          authorization: 'Bearer abc.def',
        },
        error: 'Failed with eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiIxMjM0In0.c2lnbmF0dXJl',
      });
      const { body } = await get({ hostname });
      const [item] = body.items;
      assert.equal(item.truncated, true);
      assert.equal(item.request.path.length, 2048);
      assert.ok(item.request.path.endsWith('…'));
      assert.equal(item.error, 'Failed with [redacted]');
      const { requestHeaders } = (await get({}, `/${item.id}`)).body;
      assert.equal(requestHeaders['x-forwarded-for'], '203.0.113.0, 2001:db8:1::');
      assert.equal(requestHeaders['forwarded'], '[redacted]');
      assert.equal(
        requestHeaders['location'],
        'https://[redacted]@a.example/?X-Amz-Signature=[redacted]&b=1',
      );
      assert.equal(requestHeaders['authorization'], '[redacted]');
      assert.equal(requestHeaders['__proto__x'], 'a\r\nb\u0000');
    });

    test('statistics add up, by step and in total, with the commonest values', async () => {
      const hostname = `${newId()}.example.com`;
      const at = Date.parse('2026-02-10T10:00:00Z');
      await write(
        ...Array.from({ length: 100 }, (_, index) => ({
          ...{ hostname, startedAt: at + index * 60_000, durationMs: index + 1, bytesSent: 10 },
          ...{ path: index % 4 ? '/many' : '/few', status: index % 10 ? 200 : 500 },
          requestHeaders: { 'user-agent': 'curl/8', referer: 'https://news.example.com/x' },
          ...(index < 50 ? { cacheStatus: 'hit' as const } : {}),
        })),
      );
      const query = { hostname, from: '2026-02-10', to: '2026-02-10', interval: '1h' };
      const { status, body } = await get(query, '/stats');
      assert.equal(status, 200);
      assert.deepEqual([body.intervalSeconds, body.series.length], [3600, 24]);
      const { total } = body;
      assert.deepEqual(
        [
          total.requests,
          total.families['2xx'],
          total.families['5xx'],
          total.bytes,
          total.cacheHits,
          total.mean,
        ],
        [100, 90, 10, 1000, 50, 50.5],
      );
      assert.ok(Math.abs(total.p95 - 95) < 3);
      const requests = body.series.map((step: { requests: number }) => step.requests);
      assert.deepEqual(requests.slice(9, 13), [0, 60, 40, 0]);
      assert.equal(body.series[10].at, '2026-02-10T10:00:00.000Z');
      assert.deepEqual(body.top.paths, [
        { value: '/many', requests: 75, errors: 5, bytes: 750 },
        { value: '/few', requests: 25, errors: 5, bytes: 250 },
      ]);
      assert.deepEqual(body.top.agents[0].value, 'curl');
      assert.deepEqual(body.top.referrers[0].value, 'news.example.com');
      // Without filters the same comes from roll-ups.
      const all = await get({ ...query, hostname: '', top: '0' }, '/stats');
      assert.deepEqual(all.body.series, body.series);
      assert.deepEqual(all.body.top.paths, []);
      const day = await get({ from: '2020-01-01', to: '2020-01-01' }, '/stats');
      assert.deepEqual([day.body.total.requests, day.body.total.p50], [0, null]);
      const years = await get({ hostname, from: '1900-01-01', to: '2100-01-01' }, '/stats');
      assert.deepEqual([years.body.total.requests, years.body.series.length], [100, 151]);
      assert.equal(years.body.intervalSeconds % 86_400, 0);
      assert.equal(
        (await get({ from: '2026-01-01', to: '2026-02-01', interval: '1m' }, '/stats')).status,
        400,
      );
    });

    test('an export has every line that fits, one after the other', async () => {
      const hostname = `${newId()}.example.com`;
      await write(...Array.from({ length: 1200 }, (_, at) => ({ hostname, path: `/${at}` })));
      const { status, headers, body } = await get({ hostname }, '/export');
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson; charset=utf-8']);
      const lines = (body as string)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(new Set(lines.map(({ request }) => request.path)).size, 1200);
      const listed = await get({ hostname, limit: '3' });
      assert.deepEqual(lines.slice(0, 3), listed.body.items);
      assert.equal((await get({ hostname, limit: '5' }, '/export')).body.trimEnd().split('\n').length, 5);
      assert.equal((await get({ status: 'x' }, '/export')).status, 400);
    });

    test('a live tail sends what fits, continues where it broke off, and ends with its token', async () => {
      const hostname = `${newId()}.example.com`;
      const key = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'tail', applicationId: own, scopes: ['network:requests:read'] },
      });
      assert.equal(key.status, 200, JSON.stringify(key.body));
      const token = await fetchToken(instance.url, key.body);
      const open = (headers = {}) =>
        fetch(`${instance.url}/applications/${own}/requests/stream?hostname=${hostname}&status=500`, {
          headers: { authorization: `Bearer ${token}`, ...headers },
        });
      const response = await open();
      assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      const events = eventsOf(response);
      assert.match((await events.next()) ?? '', /^retry: 2000\nid: \d+\.0{8}-0000-0000-0000-0{12}\n: open$/);
      const [, second] = await write({ hostname, status: 200 }, { hostname, status: 500 });
      const event = await events.next();
      const [, eventId, data] = /^event: request\nid: (.*)\ndata: (.*)$/.exec(event ?? '') ?? [];
      assert.equal(JSON.parse(data ?? '').id, second?.id);
      await write({ hostname, status: 500, path: '/third' });
      const resumed = eventsOf(await open({ 'last-event-id': eventId }));
      await resumed.next();
      assert.match((await resumed.next()) ?? '', /"path":"\/third"/);
      await resumed.cancel();
      const revoked = await instance.call('DELETE', `/api-keys/${key.body.id}`, { as: 'user' });
      assert.equal(revoked.status, 204);
      let last: string | undefined;
      do last = await events.next();
      while (last !== undefined);
    });

    test('an organization has at most a quarter of the live tails, whatever its applications', async () => {
      const made = await instance.call('POST', '/applications', {
        as: 'user',
        body: { organizationId: instance.bootstrapped.organization.id, name: 'Second' },
      });
      const token = await instance.token('user');
      const tail = (applicationId: string) =>
        fetch(`${instance.url}/applications/${applicationId}/requests/stream`, {
          headers: { authorization: `Bearer ${token}` },
        });
      // Those of other tests may not have been noticed to be gone.
      const opened = async (applicationId: string) => {
        for (;;) {
          const response = await tail(applicationId);
          if (response.status === 200) return response;
          await response.body?.cancel();
        }
      };
      const open: Response[] = [];
      for (const id of [own, own, made.body.id, made.body.id]) open.push(await opened(id));
      const fifth = await tail(made.body.id);
      assert.equal(fifth.status, 429);
      assert.match(await fifth.text(), /The organization has too many live streams open/);
      for (const { body } of open) await body?.cancel();
      await (await opened(made.body.id)).body?.cancel();
    });
  });
}

/** Blocks of a stream of server-sent events, one after the other; undefined at its end. */
function eventsOf(response: Response) {
  const reader = (response.body as ReadableStream).pipeThrough(new TextDecoderStream() as never).getReader();
  let text = '';
  return {
    async next(): Promise<string | undefined> {
      for (;;) {
        const end = text.indexOf('\n\n');
        if (end >= 0) {
          const block = text.slice(0, end);
          text = text.slice(end + 2);
          return block;
        }
        const { value, done } = await reader.read();
        if (done) return undefined;
        text += value;
      }
    },
    cancel: () => reader.cancel(),
  };
}
