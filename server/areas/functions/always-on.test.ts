import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines, testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';

/** Says when it starts, and which version it is. */
const site = (version: string) => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, functions: { 'server.js': {} } },
      routes: [{ source: '/*', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content:
      `console.log('${version} stands by');\n` +
      `require('node:http').createServer((q, s) => s.end('${version}')).listen(process.env.PORT);\n`,
  },
];

for (const engine of engines)
  describe(`an environment that is always on, on ${engine}`, () => {
    test('starts its functions without a request: after a switch, and after a restart', async () => {
      await using home = await testHome(engine);
      let id = '';
      {
        await using instance = await startInstance(engine, { home, settings: runnerSettings });
        const { call, applicationId, deployed } = deployer(instance);
        const { items } = await call('GET', `/applications/${applicationId}/environments`);
        const production = items.find(({ slug }: { slug: string }) => slug === 'production');
        const path = `/applications/${applicationId}/environments/${production.id}`;
        assert.equal((await call('PATCH', path, { alwaysOn: true })).alwaysOn, true);
        ({ id } = await deployed(site('one')));
        await printed(instance, id, 1);
        ({ id } = await deployed(site('two')));
        await printed(instance, id, 1);
      }
      await using instance = await startInstance(engine, { home, settings: runnerSettings });
      await printed(instance, id, 2);
    });
  });

/** Until so many processes have said that they start. */
async function printed(
  instance: Awaited<ReturnType<typeof startInstance>>,
  id: string,
  count: number,
): Promise<void> {
  for (;;) {
    await instance.platform.logs.flush();
    const { body } = await instance.call('GET', `/deployments/${id}/runtime-logs?q=stands+by`, {
      as: 'user',
    });
    if (body.items.length >= count) return;
    await sleep(50);
  }
}
