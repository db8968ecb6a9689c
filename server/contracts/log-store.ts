import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import type { LogPosition, LogSearch, LogStore, StoredLine } from '#core/log-store.ts';
import type { UsageLine } from '#core/log-streams.ts';
import type { RequestLine } from '#core/request-log.ts';
import { requestLine } from '#testing/request-lines.ts';

const minute = 60_000;
const hour = 3_600_000;
const day = 24 * hour;

/** What every engine of the log promises. `open` opens a new node on one and the same engine, empty at first. */
export function logStoreContract(name: string, open: () => Promise<LogStore>): void {
  describe(`log store contract: ${name}`, () => {
    let logs: LogStore;
    let other: LogStore;
    const now = Date.now();
    /** A moment on which days, hours and minutes begin. */
    const midnight = Math.floor(now / day) * day - day;

    before(async () => {
      logs = await open();
      other = await open();
    });
    after(async () => {
      await other?.[Symbol.asyncDispose]();
      await logs?.[Symbol.asyncDispose]();
    });

    const search = (query: Partial<LogSearch<never>> & { scope: string }) =>
      logs.search('requests', { order: 'newest', limit: 100, count: true, ...query } as LogSearch<never>);
    const paths = (lines: readonly StoredLine[]) => lines.map(({ body }) => body.request.path as string);
    const fill = async (lines: readonly Partial<RequestLine>[]) => {
      const applicationId = newId();
      await logs.append(
        'requests',
        lines.map((line) => requestLine({ applicationId, ...line })),
      );
      return applicationId;
    };

    test('a line that was written is read back by page and by id, with its detail', async () => {
      const applicationId = newId();
      const line = requestLine({
        applicationId,
        path: '/a',
        query: 'x=1&token=hidden',
        requestHeaders: { accept: 'text/html', cookie: 'a=b', authorization: 'Bearer abcdefghijk' },
      });
      logs.write('requests', line);
      await logs.flush();
      const page = await search({ scope: applicationId });
      assert.equal(page.lines.length, 1);
      assert.deepEqual(page.total, { count: 1, capped: false });
      assert.equal(page.next, undefined);
      assert.deepEqual(
        [page.lines[0]?.id, page.lines[0]?.at, page.lines[0]?.weight],
        [line.id, line.startedAt, 1],
      );
      assert.equal(page.lines[0]?.body.request.query, 'x=1&token=[redacted]');
      const found = await other.find('requests', applicationId, line.id);
      assert.deepEqual(found?.detail.requestHeaders, {
        accept: 'text/html',
        cookie: '[redacted]',
        authorization: '[redacted]',
      });
      assert.equal(await logs.find('requests', newId(), line.id), null);
      assert.equal(await logs.find('requests', applicationId, newId()), null);
    });

    test('pages follow each other without a gap or a repeat, in both orders, across days and equal moments', async () => {
      const lines = Array.from({ length: 60 }, (_, at) => ({
        path: `/${at}`,
        // Five of each moment, over two days.
        startedAt: midnight + day - 6 * minute + Math.floor(at / 5) * minute,
      }));
      const scope = await fill(lines);
      for (const order of ['newest', 'oldest'] as const) {
        const seen: StoredLine[] = [];
        let next: LogPosition | undefined;
        do {
          const page = await search({ scope, order, limit: 7, after: next });
          assert.deepEqual(page.total, { count: 60, capped: false });
          seen.push(...page.lines);
          next = page.next;
        } while (next);
        const expected = seen.toSorted((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1));
        if (order === 'newest') expected.reverse();
        assert.deepEqual(
          seen.map(({ id }) => id),
          expected.map(({ id }) => id),
        );
        assert.equal(new Set(paths(seen)).size, 60);
      }
      const skipped = await search({ scope, order: 'oldest', limit: 3, offset: 10 });
      assert.deepEqual(
        skipped.lines.map(({ at }) => at),
        [2, 2, 2].map((at) => midnight + day - 6 * minute + at * minute),
      );
    });

    test('every filter holds, alone and with others, literally', async () => {
      const bucket = newId();
      const scope = await fill([
        { path: '/a/100%_x', status: 500, method: 'POST', storageBucketId: bucket, error: 'Upstream gone' },
        { path: '/a/1000_x', status: 404, cacheStatus: 'hit' },
        { path: '/A/other', status: 200, cacheStatus: 'miss', hostname: 'Two.example.com' },
        { path: '/a/*', status: null },
      ]);
      const find = async (...filters: LogSearch<string>['filters'] & object) => {
        const page = await search({ scope, filters: filters as never, order: 'oldest' });
        assert.equal(page.total?.count, page.lines.length);
        return paths(page.lines).sort();
      };
      assert.deepEqual(await find({ column: 'status', in: [500, 404] }), ['/a/1000_x', '/a/100%_x'].sort());
      assert.deepEqual(await find({ column: 'status', in: [null] }), ['/a/*']);
      assert.deepEqual(await find({ column: 'family', in: [2] }), ['/A/other']);
      assert.deepEqual(await find({ column: 'method', in: ['POST'] }), ['/a/100%_x']);
      assert.deepEqual(await find({ column: 'hostname', in: ['two.example.com'] }), ['/A/other']);
      assert.deepEqual(await find({ column: 'path', prefix: '/a/100%' }), ['/a/100%_x']);
      assert.deepEqual(await find({ column: 'path', prefix: '/a/*' }), ['/a/*']);
      assert.deepEqual(await find({ columns: ['path', 'error'], contains: '%_' }), ['/a/100%_x']);
      assert.deepEqual(await find({ columns: ['path', 'error'], contains: 'GONE' }), ['/a/100%_x']);
      assert.deepEqual(await find({ column: 'cacheHit', in: [1] }), ['/a/1000_x']);
      assert.deepEqual(await find({ column: 'cacheStatus', in: [null] }), ['/a/*', '/a/100%_x']);
      assert.deepEqual(
        await find({ column: 'storageBucketId', in: [bucket] }, { column: 'status', in: [500] }),
        ['/a/100%_x'],
      );
      assert.deepEqual(
        await find({ column: 'storageBucketId', in: [bucket] }, { column: 'status', in: [404] }),
        [],
      );
      assert.deepEqual(await find({ column: 'durationMs', min: 12 }), [
        '/A/other',
        '/a/*',
        '/a/100%_x',
        '/a/1000_x',
      ]);
      assert.deepEqual(await find({ column: 'durationMs', min: 13 }), []);
      assert.deepEqual(await find({ column: 'method', in: ["' or 1=1 --", 'GET\\'] }), []);
    });

    test('ranges may begin or end before 1970', async () => {
      const scope = await fill([{ path: '/in-range', startedAt: midnight }]);
      const longAgo = Date.parse('0001-01-01T00:00:00Z');
      assert.equal((await search({ scope, from: longAgo })).total?.count, 1);
      assert.equal((await search({ scope, to: longAgo })).total?.count, 0);
      for (const [from, to, count] of [
        [-day, day - 1, 0],
        [-2 * day, -day - 1, 0],
        [-day, midnight + day - 1, 1],
      ] as const) {
        const series = await logs.series('requests', { scope, from, to, stepMilliseconds: day });
        assert.equal(series.total.count, count);
        const top = await logs.top('requests', { scope, from, to, column: 'path', limit: 1 });
        assert.equal(top.rows.length, count);
      }
    });

    test('many lines are found, counted to ten thousand, and charted, whether they are sealed or not', async () => {
      const applicationId = newId();
      const lines = Array.from({ length: 40_000 }, (_, at) =>
        requestLine({
          applicationId,
          path: `/p/${at % 30_000}/x`,
          status: at % 100 === 0 ? 500 : 200,
          durationMs: (at % 1000) + 1,
          startedAt: midnight + hour + at,
          ...(at === 12_345 ? { storageObjectId: applicationId } : {}),
        }),
      );
      for (let at = 0; at < lines.length; at += 5000)
        await logs.append('requests', lines.slice(at, at + 5000));
      const all = await search({ scope: applicationId });
      assert.deepEqual(all.total, { count: 10_000, capped: true });
      assert.deepEqual(
        all.lines.map(({ id }) => id),
        lines
          .slice(-100)
          .map(({ id }) => id)
          .reverse(),
      );
      const rare = await search({
        scope: applicationId,
        filters: [{ column: 'storageObjectId', in: [applicationId] }] as never,
      });
      assert.deepEqual(
        rare.lines.map(({ id }) => id),
        [lines[12_345]?.id],
      );
      const prefix = await search({
        scope: applicationId,
        filters: [{ column: 'path', prefix: '/p/4321/' }] as never,
      });
      assert.deepEqual(
        prefix.lines.map(({ id }) => id),
        [lines[34_321]?.id, lines[4321]?.id],
      );
      const errors = await search({
        scope: applicationId,
        filters: [{ column: 'status', in: [500] }] as never,
        limit: 10,
      });
      assert.deepEqual(errors.total, { count: 400, capped: false });
      const found = await logs.find('requests', applicationId, lines[777]?.id ?? '');
      assert.equal(found?.body.request.path, '/p/777/x');
      const middle = await search({
        scope: applicationId,
        from: midnight + hour + 20_000,
        to: midnight + hour + 20_009,
      });
      assert.equal(middle.total?.count, 10);

      for (const filters of [[], [{ column: 'method', in: ['GET'] }]] as const) {
        const { steps: series, total } = await logs.series('requests', {
          scope: applicationId,
          from: midnight,
          to: midnight + day - 1,
          stepMilliseconds: hour,
          filters: filters as never,
        });
        assert.equal(series.length, 1);
        const [step] = series;
        assert.deepEqual([total.count, total.groups, total.sums], [step?.count, step?.groups, step?.sums]);
        assert.deepEqual(
          [step?.at, step?.count, step?.groups, step?.sums['bytes']],
          [midnight + hour, 40_000, { 2: 39_600, 5: 400 }, 40_000_000],
        );
        assert.ok(Math.abs((step?.p50 ?? 0) - 500) < 15, String(step?.p50));
        assert.ok(Math.abs((step?.p99 ?? 0) - 990) < 25, String(step?.p99));
        assert.equal(step?.values, 40_000);
        assert.ok(Math.abs((step?.total ?? 0) - 40_000 * 500.5) < 1000);
      }
      const top = await logs.top('requests', { scope: applicationId, column: 'path', limit: 2 });
      assert.deepEqual(
        top.rows.map(({ count }) => count),
        [2, 2],
      );
      assert.equal(top.complete, true);
    });

    test('beginnings of paths are found in folders and beside them', async () => {
      const applicationId = newId();
      const lines = Array.from({ length: 17_000 }, (_, at) =>
        requestLine({
          applicationId,
          path: at % 2 ? `/shop/${at % 7}/${at}` : `/shop/${at}`,
          startedAt: midnight + at,
        }),
      );
      await logs.append('requests', lines);
      for (const prefix of ['/', '/sho', '/shop/', '/shop/3', '/shop/3/', '/shop/3/1', '/shop/4/44', '/x']) {
        const { total } = await search({
          scope: applicationId,
          filters: [{ column: 'path', prefix }] as never,
          limit: 1,
        });
        const count = lines.filter(({ path }) => path.startsWith(prefix)).length;
        assert.deepEqual(total, { count: Math.min(count, 10_000), capped: count > 10_000 }, prefix);
      }
    });

    test('what was stored is handed on in the order of storing, once, by any node', async () => {
      const applicationId = newId();
      const late = requestLine({ applicationId, path: '/late', startedAt: now - 30 * minute });
      await logs.append('requests', [requestLine({ applicationId, path: '/first' })]);
      await other.append('requests', [late]);
      const from = { stored: 0, id: '' };
      const until = Date.now() + minute;
      const [first, second, ...rest] = await logs.changes('requests', {
        scope: applicationId,
        after: from,
        until,
        limit: 10,
      });
      assert.deepEqual(
        [first?.body.request.path, second?.body.request.path, rest.length],
        ['/first', '/late', 0],
      );
      assert.ok(second?.detail.requestHeaders);
      const after = { stored: first?.stored ?? 0, id: first?.id ?? '' };
      const next = await other.changes('requests', { scope: applicationId, after, until, limit: 10 });
      assert.deepEqual(paths(next), ['/late']);
    });

    test('lines of a scope are purged, and no others', async () => {
      const [gone, kept] = [await fill([{ path: '/gone' }]), await fill([{ path: '/kept' }])];
      await logs.purge('requests', gone);
      assert.deepEqual((await search({ scope: gone })).lines, []);
      assert.deepEqual(paths((await search({ scope: kept })).lines), ['/kept']);
    });

    test('an AI usage event that is written again replaces the one before', async () => {
      const organizationId = newId();
      const event = (status: UsageLine['status'], totalTokens: number): UsageLine => ({
        id: '0195c11c-0000-7000-8000-0000000000ff',
        organizationId,
        applicationId: null,
        requestId: 'r',
        apiKeyId: null,
        authenticatedUserId: null,
        callerEndUserId: null,
        model: 'm',
        provider: null,
        status,
        inputTokens: 1,
        outputTokens: 1,
        totalTokens,
        billableCostMicros: 5,
        latencyMs: 3,
        startedAt: midnight,
        event: { status },
      });
      await logs.append('ai-usage', [event('pending', 0)]);
      await logs.append('ai-usage', [event('success', 7)]);
      await other.appendJson('ai-usage', [JSON.stringify([event('error', 6), event('success', 7)])]);
      const page = await logs.search('ai-usage', {
        scope: organizationId,
        order: 'newest',
        limit: 10,
        count: true,
      });
      assert.deepEqual(
        page.lines.map(({ body }) => body.status),
        ['success'],
      );
      assert.deepEqual(page.total, { count: 1, capped: false });
      const { steps: series } = await logs.series('ai-usage', {
        ...{ scope: organizationId, from: midnight, to: midnight + day - 1, stepMilliseconds: day },
      });
      assert.deepEqual([series[0]?.count, series[0]?.sums['totalTokens']], [1, 7]);
      const top = await logs.top('ai-usage', { scope: organizationId, column: 'model', limit: 5 });
      assert.deepEqual(top.rows[0], {
        value: 'm',
        count: 1,
        groups: { success: 1 },
        sums: { inputTokens: 1, outputTokens: 1, totalTokens: 7, billableCostMicros: 5 },
      });
    });

    test('lines of a deployment keep their order and are found by their words', async () => {
      const [applicationId, deploymentId] = [newId(), newId()];
      const levels = ['INFO', 'ERROR'] as const;
      for (let seq = 0; seq < 20; seq++)
        logs.write('runtime-logs', {
          ...{ id: newId(now), organizationId: newId(), applicationId, deploymentId, functionId: null },
          source: 'build',
          level: levels[seq % 2] ?? 'INFO',
          message: `Step ${seq}\nof 20`,
          seq,
          at: now,
        });
      await logs.flush();
      const page = await logs.search('runtime-logs', {
        ...{ scope: applicationId, order: 'oldest', limit: 5, offset: 5, count: true },
        filters: [{ column: 'deploymentId', in: [deploymentId] }],
      });
      assert.deepEqual(
        page.lines.map(({ body }) => body.seq),
        [5, 6, 7, 8, 9],
      );
      assert.deepEqual(page.total, { count: 20, capped: false });
      const errors = await logs.search('runtime-logs', {
        ...{ scope: applicationId, order: 'oldest', limit: 5, count: true },
        filters: [
          { column: 'level', in: ['ERROR'] },
          { columns: ['message'], contains: 'step 1' },
        ],
      });
      assert.deepEqual(
        errors.lines.map(({ body }) => body.seq),
        [1, 11, 13, 15, 17],
      );
    });

    test('lines that stand for others count as many', async () => {
      const applicationId = newId();
      const line = { ...requestLine({ applicationId, startedAt: midnight }), weight: 10 };
      await logs.append('requests', [line]);
      const range = { scope: applicationId, from: midnight, to: midnight + hour - 1, stepMilliseconds: hour };
      const { total: step } = await logs.series('requests', range);
      assert.deepEqual([step.count, step.sums['bytes'], step.values], [10, 10_000, 10]);
      const top = await logs.top('requests', { scope: applicationId, column: 'path', limit: 1 });
      assert.equal(top.rows[0]?.count, 10);
    });
  });
}
