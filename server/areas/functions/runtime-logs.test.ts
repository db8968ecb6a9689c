import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { register } from 'prom-client';
import { newId } from '#core/ids.ts';
import type { RuntimeLine } from '#core/log-streams.ts';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import { requestLine } from '#testing/request-lines.ts';
import { Meter } from './meter.ts';
import type { FunctionOf } from './pool.ts';

const step = 300_000;
interface Line {
  id: string;
  function: string | null;
  level: string;
  message: string;
}
const messages = (lines: readonly Line[]) => lines.map(({ message }) => message);

for (const engine of engines) {
  describe(`runtime logs and metrics of deployments on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    before(async () => {
      instance = await startInstance(engine, { settings: runnerSettings });
      tools = deployer(instance);
    });
    after(() => instance[Symbol.asyncDispose]());

    const create = async (): Promise<string> =>
      (await tools.call('POST', '/deployments', { applicationId: tools.applicationId })).id;
    const write = async (deploymentId: string, ...lines: Partial<RuntimeLine>[]) => {
      const { logs } = instance.platform;
      for (const [seq, line] of lines.entries()) {
        const at = line.at ?? Date.now();
        logs.write('runtime-logs', {
          ...{ id: newId(at), organizationId: instance.bootstrapped.organization.id, deploymentId, at, seq },
          ...{ applicationId: tools.applicationId, functionId: 'api.js', source: 'runtime', level: 'INFO' },
          ...{ message: '', ...line },
        });
      }
      await logs.flush();
    };
    const get = (id: string, query: Record<string, string> = {}, path = '/runtime-logs') =>
      instance.call('GET', `/deployments/${id}${path}?${new URLSearchParams(query)}`, { as: 'user' });

    test('lines come newest first, narrowed down by every filter, page after page', async () => {
      const [id, other] = [await create(), await create()];
      const at = Date.parse('2026-03-04T12:00:00.000Z');
      await write(
        id,
        { at, message: 'first 100%_' },
        { at: at + 1000, message: 'second', level: 'ERROR' },
        { at: at + 2000, message: 'third', functionId: 'jobs/tidy.js' },
        { at: at + 3000, message: 'built', source: 'build' },
        { at: at + 86_400_000, message: 'Fourth' },
      );
      await write(other, { at, message: 'of another' });
      const found = async (query: Record<string, string>) => {
        const { status, body } = await get(id, query);
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.total, body.items.length);
        return messages(body.items);
      };
      assert.deepEqual(await found({}), ['Fourth', 'third', 'second', 'first 100%_']);
      assert.deepEqual(await found({ function: 'jobs/tidy.js' }), ['third']);
      assert.deepEqual(await found({ function: 'jobs/tidy.js,none.js' }), ['third']);
      assert.deepEqual(await found({ level: 'error' }), ['second']);
      assert.deepEqual(await found({ level: 'ERROR,INFO', to: '2026-03-04' }), [
        'third',
        'second',
        'first 100%_',
      ]);
      assert.deepEqual(await found({ q: 'FOURTH' }), ['Fourth']);
      assert.deepEqual(await found({ q: '%_' }), ['first 100%_']);
      assert.deepEqual(await found({ from: '2026-03-04T12:00:01Z', to: '2026-03-04T12:00:02Z' }), [
        'third',
        'second',
      ]);
      const page = (await get(id, { limit: '3' })).body;
      assert.equal(page.total, 4);
      const rest = (await get(id, { limit: '3', cursor: page.nextCursor })).body;
      assert.deepEqual([messages(rest.items), rest.total, rest.nextCursor], [['first 100%_'], 4, undefined]);
      const { id: lineId, ...line } = rest.items[0];
      assert.match(lineId, /^[0-9a-f-]{36}$/);
      assert.deepEqual(line, {
        ...{ deploymentId: id, function: 'api.js', level: 'INFO', message: 'first 100%_' },
        createdAt: '2026-03-04T12:00:00.000Z',
      });
      assert.equal((await get(other, { cursor: page.nextCursor })).status, 400);
      for (const query of [{ level: 'LOUD' }, { from: 'x' }, { from: '2026-02-01', to: '2026-01-01' }])
        for (const path of ['', '/export', '/stream'])
          assert.equal((await get(id, query, `/runtime-logs${path}`)).status, 400, JSON.stringify(query));
    });

    test('an export has every line that fits, one after the other', async () => {
      const id = await create();
      await write(id, ...Array.from({ length: 1200 }, (_, at) => ({ message: `line ${at}\nof it` })));
      const { status, headers, body } = await get(id, {}, '/runtime-logs/export');
      assert.deepEqual([status, headers.get('content-type')], [200, 'application/x-ndjson; charset=utf-8']);
      const lines = (body as string)
        .trimEnd()
        .split('\n')
        .map((line) => JSON.parse(line) as Line);
      assert.equal(new Set(messages(lines)).size, 1200);
      assert.deepEqual(lines.slice(0, 3), (await get(id, { limit: '3' })).body.items);
      const five = await get(id, { limit: '5' }, '/runtime-logs/export');
      assert.equal(five.body.trimEnd().split('\n').length, 5);
    });

    test('a live tail sends what fits, and ends with its token', async () => {
      const [id, other] = [await create(), await create()];
      const key = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'tail', applicationId: tools.applicationId, scopes: ['network:requests:read'] },
      });
      assert.equal(key.status, 200, JSON.stringify(key.body));
      const token = await fetchToken(instance.url, key.body);
      const response = await fetch(`${instance.url}/deployments/${id}/runtime-logs/stream?level=ERROR`, {
        headers: { authorization: `Bearer ${token}` },
      });
      assert.equal(response.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      const reader = (response.body as ReadableStream)
        .pipeThrough(new TextDecoderStream() as never)
        .getReader();
      let text = '';
      while (!text.includes(': open\n\n')) text += (await reader.read()).value ?? '';
      await write(other, { message: 'of another', level: 'ERROR' });
      await write(id, { message: 'quiet' }, { message: 'loud', level: 'ERROR' });
      while (!text.includes('event: line')) text += (await reader.read()).value ?? '';
      while (!text.endsWith('\n\n')) text += (await reader.read()).value ?? '';
      const [, data] = /^event: line\nid: .*\ndata: (.*)$/m.exec(text) ?? [];
      assert.deepEqual(JSON.parse(data ?? ''), (await get(id, { level: 'ERROR' })).body.items[0]);
      assert.doesNotMatch(text, /quiet|of another/);
      assert.equal((await instance.call('DELETE', `/api-keys/${key.body.id}`, { as: 'user' })).status, 204);
      while (!(await reader.read()).done);
    });

    test('what a function prints is a line of its deployment', {
      skip: sandboxMissing ?? false,
    }, async () => {
      const { id, host } = await tools.deployed([
        {
          name: 'mainstay.json',
          content: JSON.stringify({
            ...{ version: 4, functions: { 'api/*.mjs': {} } },
            routes: [{ source: '/api', destination: 'api/index.mjs' }],
          }),
        },
        {
          name: 'api/index.mjs',
          content:
            'export default { fetch(request) { const { pathname } = new URL(request.url); ' +
            'console.log("asked for", pathname); console.error("wrong at", pathname); return new Response("done"); } };\n',
        },
      ]);
      const [named] = (await tools.call('GET', `/deployments/${id}/functions`)).items;
      const asked = await tools.visit(host, '/api');
      assert.equal(asked.status, 200, asked.body);
      let lines: Line[] = [];
      // What a process prints reaches the server a moment after its answer.
      while (lines.length < 2) {
        await instance.platform.logs.flush();
        lines = (await get(id, { q: 'asked for /api' })).body.items;
        lines.push(...(await get(id, { q: 'wrong at /api', level: 'ERROR' })).body.items);
      }
      assert.deepEqual(
        lines.map(({ function: name, level, message }) => [name, level, message]),
        [
          [named.name, 'INFO', 'asked for /api'],
          [named.name, 'ERROR', 'wrong at /api'],
        ],
      );
      let { total, functions } = (await get(id, {}, '/metrics')).body;
      while (total.requests < 1 || functions[0].requests < 1) {
        await instance.platform.logs.flush();
        ({ total, functions } = (await get(id, {}, '/metrics')).body);
      }
      assert.deepEqual(
        [functions.length, functions[0].id, functions[0].name, functions[0].requests, total.families['2xx']],
        [1, named.id, named.name, 1, 1],
      );
      const started = /^mainstay_function_events_total\{event="(cold|prewarmed)_start"\} 1$/m;
      assert.match(await register.metrics(), started);
    });

    test('metrics join requests and what processes did, by step and for one function', async () => {
      const id = await create();
      const at = Date.parse('2026-04-05T10:00:00.000Z');
      const lines = [10, 20, 30].map((durationMs, index) =>
        requestLine({
          ...{ applicationId: tools.applicationId, deploymentId: id, durationMs, bytesSent: 100 },
          ...{ startedAt: at + index * step, status: index === 2 ? 500 : 200 },
        }),
      );
      await instance.platform.logs.append('requests', lines);
      let now = at;
      const meter = new Meter({ db: instance.platform.db, clock: { now: () => now } });
      const of = (deploymentId: string, name: string) =>
        ({ deploymentId, wanted: { name } }) as unknown as FunctionOf;
      meter.count(of(id, 'api.js'), 'coldStarts');
      meter.count(of(id, 'jobs.js'), 'coldStarts');
      meter.count(of(newId(), 'api.js'), 'crashes');
      meter.sample(of(id, 'api.js'), { runMilliseconds: step / 2, cpuMicroseconds: 4000, memoryBytes: 1000 });
      now += step;
      meter.count(of(id, 'api.js'), 'wakes');
      meter.sample(of(id, 'api.js'), { runMilliseconds: 2 * step, cpuMicroseconds: 6000, memoryBytes: 4000 });
      await meter.flush();
      const range = { from: '2026-04-05T10:00:00Z', to: '2026-04-05T10:14:59Z' };
      const { status, body } = await get(id, { ...range, interval: '5m' }, '/metrics');
      assert.equal(status, 200, JSON.stringify(body));
      type Figures = Record<string, number | null>;
      const row = (one: Figures) =>
        [
          'requests',
          'coldStarts',
          'wakes',
          'crashes',
          'cpuMilliseconds',
          'memoryBytes',
          'memoryPeakBytes',
          'instances',
        ].map((name) => one[name]);
      assert.deepEqual([body.intervalSeconds, body.series[1].at], [300, '2026-04-05T10:05:00.000Z']);
      assert.deepEqual(body.series.map(row), [
        [1, 2, 0, 0, 4, 1000, 1000, 0.5],
        [1, 0, 1, 0, 6, 4000, 4000, 2],
        [1, 0, 0, 0, 0, null, null, 0],
      ]);
      assert.deepEqual(row(body.total), [3, 2, 1, 0, 10, 2500, 4000, 0.833]);
      const { families, bytes, mean } = body.total;
      assert.deepEqual([families['2xx'], families['5xx'], bytes, mean], [2, 1, 300, 20]);
      const hour = (await get(id, { ...range, interval: '1h' }, '/metrics')).body;
      assert.deepEqual(hour.series.map(row), [[3, 2, 1, 0, 10, 2500, 4000, 0.208]]);
      const one = (await get(id, { ...range, function: 'jobs.js' }, '/metrics')).body;
      assert.deepEqual(row(one.total), [0, 1, 0, 0, 0, null, null, 0]);
      assert.equal((await get(id, { ...range, interval: '1m' }, '/metrics')).status, 400);
      const years = (await get(id, { from: '2000-01-01', to: '2026-12-31' }, '/metrics')).body;
      assert.deepEqual([years.total.requests, years.intervalSeconds % 86_400], [3, 0]);
      assert.ok(years.series.length <= 151, `${years.series.length} steps`);
    });

    test('are shown to nobody else, and to no token without the scope', async () => {
      const id = await create();
      const stranger = await addPerson(instance, `stranger-of-logs-${engine}@example.com`);
      const key = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'no logs', applicationId: tools.applicationId, scopes: ['network:deployments:read'] },
      });
      const token = await fetchToken(instance.url, key.body);
      for (const path of ['/runtime-logs', '/runtime-logs/stream', '/runtime-logs/export', '/metrics']) {
        const foreign = await instance.call('GET', `/deployments/${id}${path}`, { as: stranger });
        assert.equal(foreign.status, 404, path);
        const missing = await instance.call('GET', `/deployments/${newId()}${path}`, { as: 'user' });
        assert.equal(missing.status, 404, path);
        const headers = { authorization: `Bearer ${token}` };
        const refused = await fetch(`${instance.url}/deployments/${id}${path}`, { headers });
        assert.equal(refused.status, 403, path);
      }
    });
  });
}
