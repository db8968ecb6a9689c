import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { TestClock } from '#testing/clock.ts';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

/** Answers with its version, and ends where it is asked for /api/end. */
const site = (version: string): ZipPart[] => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, assets: 'public', functions: { 'server.js': {} } },
      routes: [{ source: '/api/*', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content: `require('node:http').createServer((q, s) => q.url === '/api/end' ? process.exit(7) : s.end('${version}')).listen(process.env.PORT);\n`,
  },
  { name: 'public/index.html', content: version },
];

for (const engine of engines)
  describe(`versions that crash again and again, on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let production: string;
    // A busy machine starts five processes in more than a minute.
    const clock = new TestClock({ still: true });
    before(async () => {
      instance = await startInstance(engine, { clock, settings: runnerSettings });
      tools = deployer(instance);
      const path = `/applications/${tools.applicationId}/environments`;
      const { items } = await tools.call('GET', path);
      production = `${path}/${items.find(({ slug }: { slug: string }) => slug === 'production').id}`;
    });
    after(() => instance[Symbol.asyncDispose]());

    /** Until so many ends within a minute are noted. */
    async function crash(host: string, id: string) {
      for (;;) {
        await tools.visit(host, '/api/end');
        const deployment = await tools.call('GET', `/deployments/${id}`);
        if (deployment.crashedAt !== null) return deployment;
        await sleep(20);
      }
    }
    const version = async (host: string) => (await tools.visit(host, '/')).body;

    test('are noted, and continue where nobody asked for more', async () => {
      await tools.deployed(site('one'));
      const { host, id, crashedAt } = await tools.deployed(site('two'));
      assert.equal(crashedAt, null);
      const { live, crashReason } = await crash(host, id);
      assert.equal(live, true);
      assert.equal(crashReason, 'server.js: The process crashed 5 times within a minute: exit code 7.');
      assert.equal(await version(host), 'two');
      assert.match(
        await tools.logOf(id),
        /server\.js: The process crashed 5 times within a minute: exit code 7\./,
      );
      assert.equal((await tools.visit(host, '/api/x')).status, 502);
      clock.advance(61);
      assert.equal((await tools.visit(host, '/api/x')).body, 'two');
    });

    test('give way to the version before, where the environment says so', async () => {
      await tools.call('PATCH', production, { rollBackOnCrash: true });
      const good = await tools.deployed(site('three'));
      const { host, id } = await tools.deployed(site('four'));
      const { live, crashReason } = await crash(host, id);
      assert.equal(live, false);
      assert.match(crashReason, /exit code 7\. Production was rolled back to deployment /);
      assert.ok(crashReason.includes(good.id));
      assert.equal(await version(host), 'three');
      assert.equal((await tools.visit(host, '/api/x')).body, 'three');
      assert.match(await tools.logOf(id), /Production was rolled back to deployment/);
      assert.match(await tools.logOf(good.id), new RegExp(`Live again: deployment ${id} kept crashing`));
      const { organization } = instance.bootstrapped;
      const { items } = await tools.call('GET', `/organizations/${organization.id}/audit-log?limit=2`);
      type Seen = { action: string; actor: { type: string }; target: { id: string } };
      const seen = items.map(({ action, actor, target }: Seen) => [action, actor.type, target.id]);
      assert.deepEqual(seen.sort(), [
        ['deployment.crashed', 'system', id],
        ['deployment.rolled_back', 'system', good.id],
      ]);

      // The one that crashed is nobody's version before, until somebody puts it live again.
      const five = await tools.deployed(site('five'));
      await crash(host, five.id);
      assert.equal(await version(host), 'three');
      await tools.call('POST', `/deployments/${id}/promote`);
      const again = await tools.call('GET', `/deployments/${id}`);
      assert.deepEqual([again.live, again.crashedAt, again.crashReason], [true, null, null]);
    });

    test('stay where they have proven themselves for an hour, or nothing was live before', async () => {
      const { host, id } = await tools.deployed(site('six'));
      clock.advance(3601);
      const { live, crashReason } = await crash(host, id);
      assert.deepEqual([live, await version(host)], [true, 'six']);
      assert.doesNotMatch(crashReason, /went back/);
      const { id: applicationId } = await tools.call('POST', '/applications', {
        name: 'First',
        organizationId: instance.bootstrapped.organization.id,
      });
      const fresh = deployer({
        ...{ url: instance.url, call: instance.call, listeners: instance.listeners },
        ...{ platform: instance.platform, bootstrapped: { application: { id: applicationId } } },
      });
      const { items } = await tools.call('GET', `/applications/${applicationId}/environments`);
      for (const { id: environment } of items)
        await tools.call('PATCH', `/applications/${applicationId}/environments/${environment}`, {
          rollBackOnCrash: true,
        });
      const only = await fresh.deployed(site('only'));
      assert.equal((await crash(only.host, only.id)).live, true);
      assert.match(await tools.logOf(only.id), /Production has no previous deployment to roll back to/);
    });
  });
