import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '../../server/core/ids.ts';
import type { RuntimeLine } from '../../server/core/log-streams.ts';
import { TestClock } from '../../server/testing/clock.ts';
import { deployer, runnerSettings, sandboxMissing } from '../../server/testing/deploying.ts';
import { type Dashboard, faultsOf, openDashboard } from './screen.ts';

/** Says nothing when it is tried before it goes live. */
const api =
  'export default { fetch(request) { const { pathname } = new URL(request.url); ' +
  'if (pathname === "/api") console.log("asked for", pathname); return new Response("done"); } };\n';
const project = [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      version: 4,
      functions: { 'api/*.mjs': {}, 'jobs/*.mjs': { schedule: 'rate(1 minute)' } },
      routes: [{ source: '/api', destination: 'api/index.mjs' }],
    }),
  },
  { name: 'api/index.mjs', content: api },
  { name: 'jobs/tidy.mjs', content: 'export default { fetch: () => new Response() };\n' },
];

describe('what a deployment prints and uses', { skip: sandboxMissing ?? false }, () => {
  const clock = new TestClock();
  let dashboard: Dashboard;
  let tools: ReturnType<typeof deployer>;
  let base: string;
  let deployment: { id: string; host: string };
  const write = async (lines: Partial<RuntimeLine>[]) => {
    const { logs } = dashboard.instance.platform;
    for (const [seq, line] of lines.entries()) {
      const at = line.at ?? Date.now();
      logs.write('runtime-logs', {
        ...{ id: newId(at), organizationId: dashboard.organizationId, deploymentId: deployment.id, at, seq },
        ...{ applicationId: tools.applicationId, functionId: 'api/index.mjs', source: 'runtime' },
        ...{ level: 'INFO', message: '', ...line },
      });
    }
    await logs.flush();
  };
  before(async () => {
    dashboard = await openDashboard({ settings: runnerSettings, clock });
    tools = deployer(dashboard.instance);
    base = `/o/acme/apps/${tools.applicationId}`;
    deployment = await tools.deployed(project);
    const at = Date.now() - 600_000;
    await write(
      Array.from({ length: 600 }, (_, index) => ({
        ...{ at: at + index, message: `printed ${index}` },
        ...(index === 570 ? { level: 'ERROR', message: 'it broke' } : {}),
        ...(index === 580 ? { functionId: 'jobs/tidy.mjs', message: 'tidied up' } : {}),
      })),
    );
  });
  after(() => dashboard?.[Symbol.asyncDispose]());

  test('lines are shown from their end, and narrowed by filters of the address', async () => {
    const { page, open } = dashboard;
    await open(`${base}/deployments/${deployment.id}`);
    await page.getByRole('link', { name: 'Runtime logs' }).click();
    const log = page.getByRole('log', { name: 'Runtime logs' });
    await log.getByText('printed 599').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Load older lines of 600' }).click();
    await page.getByText('600 lines').waitFor();
    await log.focus();
    await page.keyboard.press('Home');
    await log.getByText('printed 0', { exact: true }).waitFor();
    assert.ok((await log.locator('[data-line]').count()) < 120);

    // By the keyboard alone.
    await page.getByRole('button', { name: 'Filter by Level' }).press('Enter');
    await page.getByRole('menuitem', { name: 'Error' }).press('Enter');
    await page.waitForURL(/level=ERROR/);
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.reload();
    await log.getByText('it broke').waitFor();
    await page.getByRole('button', { name: 'Remove the filter Level' }).click();
    await page.getByRole('button', { name: 'Filter by Function' }).click();
    await page.getByRole('menuitem', { name: 'jobs/tidy.mjs' }).click();
    await log.getByText('tidied up').waitFor();
    await page.getByText('1 line', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Function' }).click();
    await page.locator('main h1').click();
    await page.keyboard.press('/');
    await page.keyboard.type('PRINTED 59');
    await page.getByText('11 lines').waitFor();
    assert.match(page.url(), /filter=/);
  });

  test('what the live deployment prints appears as it is printed', async () => {
    const { page, open } = dashboard;
    await open(`${base}/logs/runtime?live=on&filter=asked`);
    await page.locator('button[aria-pressed=true] .text-accent').first().waitFor();
    await page.locator('button[aria-pressed=true]').filter({ hasText: 'Stop live' }).waitFor();
    const answer = await tools.visit(deployment.host, '/api');
    assert.equal(answer.status, 200, answer.body);
    await page.getByRole('log').getByText('asked for /api').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Stop live' }).click();
    await page.getByRole('button', { name: 'Go live' }).waitFor();
  });

  test('metrics show requests and processes over time, of all functions and of one', async () => {
    const { page, open, instance } = dashboard;
    assert.equal((await tools.visit(deployment.host, '/api')).status, 200);
    for (let requests = 0; requests < 1; ) {
      await instance.platform.logs.flush();
      const { functions } = await tools.call('GET', `/deployments/${deployment.id}/metrics`);
      requests = functions.find(({ name }: { name: string }) => name === 'api/index.mjs').requests;
    }
    await open(`${base}/deployments/${deployment.id}/metrics`);
    await page.getByRole('heading', { name: /^[1-9]\d* requests/ }).waitFor();
    for (const chart of [
      ...['Requests', 'Error rate', 'Duration', 'Memory', 'Instances', 'Starts', 'CPU time'],
      'Crashes and rejected requests',
    ])
      await page.getByRole('img', { name: chart, exact: true }).waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    const [, starts] = await page.getByRole('button', { name: 'Show as a table' }).all();
    await starts?.click();
    await page.getByRole('region', { name: 'Error rate, as a table' }).waitFor();
    await page.getByRole('row', { name: /jobs\/tidy\.mjs/ }).press('Enter');
    await page.waitForURL(/function=jobs/);
    await page.getByRole('heading', { name: '0 requests' }).waitFor();
    await page.getByRole('button', { name: 'Remove the filter Function' }).click();
    await page.getByRole('heading', { name: /^[1-9]\d* requests/ }).waitFor();
  });

  test('schedules say when they run next and how they ran last, and lead to what was printed', async () => {
    const { page, open } = dashboard;
    const path = `/applications/${tools.applicationId}/schedules`;
    const schedule = async () => (await tools.call('GET', path)).items[0];
    const until = async (holds: (one: Awaited<ReturnType<typeof schedule>>) => boolean) => {
      while (!holds(await schedule())) await new Promise((done) => setTimeout(done, 100));
    };
    await until((one) => one !== undefined);
    clock.advance(60);
    await until(({ lastRun }) => lastRun?.status === 'SUCCEEDED');
    await open(`${base}/deployments`);
    await page.getByRole('link', { name: 'Schedules' }).click();
    const row = page.getByRole('table', { name: 'Schedules' }).getByRole('row', { name: /jobs\/tidy\.mjs/ });
    await row.getByText('rate(1 minute)').waitFor();
    await row.getByText('Succeeded').waitFor();
    const runs = page.getByRole('table', { name: 'Runs' });
    await runs
      .getByRole('row', { name: /jobs\/tidy\.mjs.*200/ })
      .first()
      .waitFor();
    await page.waitForLoadState('networkidle');
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
    await page.getByRole('button', { name: 'Run jobs/tidy.mjs now' }).click();
    await page.getByText('Run started').waitFor();
    await runs
      .getByRole('row', { name: /A person/ })
      .first()
      .waitFor();
    await until(({ lastRun }) => lastRun?.manual && lastRun.status === 'SUCCEEDED');
    await row.press('Enter');
    await page.waitForURL(/\/logs\?function=jobs/);
    await page.getByRole('log').getByText('tidied up').waitFor();
  });

  test('an application without schedules sees how to get one', async () => {
    const { page, open } = dashboard;
    const { id } = await tools.call('POST', `/applications`, {
      name: 'Quiet',
      organizationId: dashboard.organizationId,
    });
    await open(`/o/acme/apps/${id}/deployments/schedules`);
    await page.getByText('No schedules').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await open(`/o/acme/apps/${id}/logs/runtime`);
    await page.getByText('Nothing live in').waitFor();
    assert.deepEqual(await faultsOf(page), []);
    await page.setViewportSize({ width: 1280, height: 860 });
  });
});
