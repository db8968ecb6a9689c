import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { systemSource } from '#accounts/audit-log/service.ts';
import { parseSchedule } from '#areas/deployments/service.ts';
import { TestClock } from '#testing/clock.ts';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { engines, type TestHome, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';
import { type ZipPart, zip } from '#testing/zip.ts';
import { nextAfter, Scheduler, type SchedulerDeps } from './scheduler.ts';

const scheduled = (
  schedule: string,
  source = 'export default { fetch: () => new Response() };\n',
): ZipPart[] => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({ version: 4, functions: { 'jobs/*.mjs': { schedule } } }),
  },
  { name: 'jobs/tidy.mjs', content: source },
];

test('the next moment of a schedule', () => {
  const at = Date.UTC(2026, 0, 30, 12, 0, 30);
  for (const [text, from, expected] of [
    ['rate(5 minutes)', at - 60_000, '2026-01-30T12:04:30.000Z'],
    ['rate(5 minutes)', at - 300_000, '2026-01-30T12:05:30.000Z'],
    ['rate(1 hour)', at - 7_200_001, '2026-01-30T13:00:29.999Z'],
    ['cron(0 3 * * ? *)', at, '2026-01-31T03:00:00.000Z'],
    ['cron(0/15 * ? * 2-6 *)', at, '2026-01-30T12:15:00.000Z'],
    ['cron(0 0 1 * ? *)', at, '2026-02-01T00:00:00.000Z'],
    ['cron(0 0 1 1 ? 2020)', at, null],
  ] as const) {
    const next = nextAfter(parseSchedule(text), at, from);
    assert.equal(next === null ? null : new Date(next).toISOString(), expected, text);
  }
});

for (const engine of engines) {
  describe(`schedules on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let clock: TestClock;
    let calls: { name: string; dueAt: number }[];
    let schedulers: Scheduler[];
    before(async () => {
      clock = new TestClock({ still: true });
      // Nothing calls here but what the tests call.
      instance = await startInstance(engine, { clock, settings: { MAINSTAY_RUNNER: 'none' } });
      tools = deployer(instance);
    });
    after(() => instance[Symbol.asyncDispose]());
    beforeEach(() => {
      calls = [];
      schedulers = [];
    });

    const node = (call: SchedulerDeps['call'] = async () => 200) => {
      const { db, blobs, log } = instance.platform;
      const counting: SchedulerDeps['call'] = (of, wanted, dueAt, signal) => {
        calls.push({ name: wanted.name, dueAt });
        return call(of, wanted, dueAt, signal);
      };
      const one = new Scheduler({ db, clock, log, blobs: blobs.deployments, call: counting });
      schedulers.push(one);
      return one;
    };
    const look = async () => {
      await Promise.all(schedulers.map((one) => one.look()));
      await Promise.all(schedulers.map((one) => one.settled()));
    };
    const begun = async () => {
      while (calls.length === 0) await new Promise((done) => setTimeout(done, 5));
    };
    const list = (path = '') => tools.call('GET', `/applications/${tools.applicationId}/schedules${path}`);
    const lastRun = async () => (await list('/runs?limit=1')).items[0];

    test('of two nodes one calls what is due, and its run is seen', async () => {
      const { id } = await tools.deployed(scheduled('rate(5 minutes)'));
      node();
      node();
      await look();
      const { items } = await list();
      assert.equal(items.length, 1);
      assert.deepEqual(
        [items[0].functionName, items[0].schedule, items[0].deploymentId, items[0].running, items[0].lastRun],
        ['jobs/tidy.mjs', 'rate(5 minutes)', id, false, null],
      );
      assert.equal(Date.parse(items[0].nextRunAt), clock.now() + 300_000);
      clock.advance(299);
      await look();
      assert.equal(calls.length, 0);
      clock.advance(1);
      await Promise.all([look(), look(), look()]);
      assert.deepEqual(calls, [{ name: 'jobs/tidy.mjs', dueAt: clock.now() }]);
      const run = await lastRun();
      assert.deepEqual(
        [run.status, run.responseStatus, run.error, run.deploymentId],
        ['SUCCEEDED', 200, null, id],
      );
      const { lastRun: shown } = (await list()).items[0];
      assert.deepEqual([shown.id, shown.status, shown.responseStatus], [run.id, 'SUCCEEDED', 200]);
      clock.advance(300);
      await look();
      assert.equal(calls.length, 2);
      assert.equal((await list('/runs')).total, 2);
      assert.notEqual((await list()).items[0].lastRun.id, run.id);
    });

    test('a run that fails says why', async () => {
      await tools.deployed(scheduled('rate(6 minutes)'));
      let result: () => Promise<number> = async () => 503;
      node(() => result());
      await look();
      clock.advance(360);
      await look();
      const answered = await lastRun();
      assert.deepEqual([answered.status, answered.error], ['FAILED', 'The function responded with 503.']);
      result = () => Promise.reject(new Error('It ended 5 times within a minute.'));
      clock.advance(360);
      await look();
      const thrown = await lastRun();
      assert.deepEqual([thrown.responseStatus, thrown.error], [null, 'It ended 5 times within a minute.']);
    });

    test('one that is still running is not begun again; the missed one is made up once', async () => {
      await tools.deployed(scheduled('rate(1 minute)'));
      const { promise, resolve } = Promise.withResolvers<number>();
      const slow = node(() => promise);
      await slow.look();
      clock.advance(60);
      await slow.look();
      await begun();
      assert.equal((await list()).items[0].running, true);
      clock.advance(20);
      await slow.look();
      resolve(200);
      await slow.settled();
      assert.equal(calls.length, 1);
      // Eight minutes in which no node was there.
      clock.advance(480);
      await look();
      await look();
      assert.equal(calls.length, 2);
    });

    test('what is more than ten minutes late is passed over, and said', async () => {
      await tools.deployed(scheduled('rate(2 hours)'));
      node();
      await look();
      clock.advance(7200 + 601);
      await look();
      assert.equal(calls.length, 0);
      const run = await lastRun();
      assert.deepEqual([run.status, run.startedAt], ['MISSED', null]);
      assert.match(run.error, /ten minutes/);
      clock.advance(7200 - 601);
      await look();
      assert.equal(calls.length, 1);
    });

    test('a node that was lost loses its lease, and another one calls next', async () => {
      await tools.deployed(scheduled('rate(3 minutes)'));
      const { promise, resolve } = Promise.withResolvers<number>();
      const lost = node(() => promise);
      await lost.look();
      clock.advance(180);
      await lost.look();
      await begun();
      const other = node();
      clock.advance(180);
      await other.look();
      await other.settled();
      assert.equal(calls.length, 2);
      const { items } = await list('/runs?limit=2');
      assert.deepEqual(
        items.map(({ status, error }: { status: string; error: string | null }) => [status, error]),
        [
          ['SUCCEEDED', null],
          ['FAILED', 'The server stopped while it was running.'],
        ],
      );
      // Too late: its lease is another's.
      resolve(200);
      await lost.settled();
      assert.equal((await list('/runs?limit=2')).items[1].status, 'FAILED');
    });

    test('one that is run on demand runs immediately, is never two, and leaves the next time as it was', async () => {
      await tools.deployed(scheduled('rate(8 minutes)'));
      let answer = Promise.withResolvers<number>();
      const one = node(() => answer.promise);
      await look();
      const { id, nextRunAt } = (await list()).items[0];
      clock.advance(470);
      await look();
      const wanted = { applicationId: tools.applicationId, environmentId: null, scheduleId: id };
      const begun = await one.runNow(systemSource, wanted);
      assert.deepEqual([begun.status, begun.manual, begun.due_at], ['RUNNING', 1, clock.now()]);
      assert.equal((await list()).items[0].running, true);
      await assert.rejects(one.runNow(systemSource, wanted), { kind: 'conflict' });
      // Due while it runs: made up afterwards.
      clock.advance(15);
      await one.look();
      assert.equal(calls.length, 1);
      answer.resolve(200);
      await one.settled();
      const run = await lastRun();
      assert.deepEqual([run.id, run.status, run.manual], [begun.id, 'SUCCEEDED', true]);
      answer = Promise.withResolvers<number>();
      answer.resolve(204);
      await look();
      const madeUp = await lastRun();
      assert.deepEqual([madeUp.status, madeUp.manual, madeUp.dueAt], ['SUCCEEDED', false, nextRunAt]);
      await assert.rejects(one.runNow(systemSource, { ...wanted, environmentId: id }), { kind: 'not_found' });
      await assert.rejects(one.runNow(systemSource, { ...wanted, applicationId: id }), { kind: 'not_found' });
      await tools.deployed([{ name: 'index.html', content: 'no functions' }]);
      await assert.rejects(one.runNow(systemSource, wanted), {
        kind: 'conflict',
        message: /No live deployment/,
      });
    });

    test('only what is live is called', async () => {
      const old = await tools.deployed(scheduled('rate(7 minutes)'));
      node();
      await look();
      await tools.deployed([{ name: 'index.html', content: 'no functions' }]);
      clock.advance(420);
      await look();
      assert.equal(calls.length, 0);
      assert.deepEqual((await list()).items, []);
      await tools.call('POST', `/deployments/${old.id}/rollback`);
      await look();
      assert.equal(calls.length, 1);
    });

    test('a stranger sees neither schedules nor runs', async () => {
      const stranger = await addPerson(instance, `schedules-${engine}@example.com`);
      for (const path of ['', '/runs'])
        assert.equal(
          (
            await instance.call('GET', `/applications/${tools.applicationId}/schedules${path}`, {
              as: stranger,
            })
          ).status,
          404,
        );
    });
  });

  describe(`a scheduled function on two nodes on ${engine}`, { skip: sandboxMissing ?? false }, () => {
    let home: TestHome;
    const nodes: Instance[] = [];
    const clock = new TestClock();
    before(async () => {
      home = await testHome(engine);
      for (let at = 0; at < 2; at++) {
        nodes.push(await startInstance(engine, { home, clock, settings: runnerSettings }));
      }
    });
    after(async () => {
      for (const one of nodes) await one[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    });

    test('gets one GET with the header that names its schedule', async () => {
      const [first] = nodes as [Instance];
      const tools = deployer(first);
      const source =
        'export default { fetch(r) { if (r.method === "HEAD") return new Response(); const h = r.headers; const ok = r.method === "GET" && h.get("x-mainstay-schedule") === "rate(1 hour)" && Date.parse(h.get("x-mainstay-scheduled-at")) > 0; return new Response("", { status: ok ? 202 : 400 }); } };\n';
      const { id } = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
      await tools.upload(id, zip(scheduled('rate(1 hour)', source)));
      const path = `/applications/${tools.applicationId}/schedules`;
      const until = async (look: () => Promise<boolean>) => {
        while (!(await look())) await new Promise((resolve) => setTimeout(resolve, 100));
      };
      await until(async () => (await tools.call('GET', `/deployments/${id}`)).status === 'ACTIVE');
      await until(async () => (await tools.call('GET', path)).total === 1);
      clock.advance(3600);
      await until(async () => (await tools.call('GET', `${path}/runs`)).items[0]?.finishedAt);
      const { items } = await tools.call('GET', `${path}/runs`);
      assert.deepEqual(
        items.map(({ status, responseStatus }: { status: string; responseStatus: number }) => [
          status,
          responseStatus,
        ]),
        [['SUCCEEDED', 202]],
      );
      const [schedule] = (await tools.call('GET', path)).items;
      const begun = await tools.call('POST', `${path}/${schedule.id}/run`);
      assert.deepEqual([begun.status, begun.manual, begun.scheduleId], ['RUNNING', true, schedule.id]);
      const newest = async () => (await tools.call('GET', `${path}/runs`)).items[0];
      await until(async () => (await newest()).finishedAt);
      const { id: last, status, responseStatus } = await newest();
      assert.deepEqual([last, status, responseStatus], [begun.id, 'SUCCEEDED', 202]);
      const member = await addPerson(first, `runs-${engine}@example.com`);
      await setRole(first, member, 'MEMBER');
      const refused = await first.call('POST', `${path}/${schedule.id}/run`, { as: member });
      assert.equal(refused.status, 403);
    });
  });
}
