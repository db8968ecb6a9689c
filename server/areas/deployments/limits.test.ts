import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';

const built = [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      version: 4,
      assets: 'out',
      build_commands: ['mkdir out && echo hi > out/index.html'],
    }),
  },
];
const server = (memory: number) => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, functions: { 'server.js': { memory } } },
      routes: [{ source: '/*', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content: "require('node:http').createServer((q, s) => s.end('served')).listen(process.env.PORT);\n",
  },
];

for (const engine of engines)
  describe(`limits of deployments, on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let usage: string;
    before(async () => {
      const settings = {
        MAINSTAY_BUILD_MINUTES_PER_ORGANIZATION: '1',
        MAINSTAY_ORGANIZATION_MEMORY: '512MiB',
        MAINSTAY_DOMAINS_PER_ORGANIZATION: '1',
      };
      instance = await startInstance(engine, { settings: { ...runnerSettings, ...settings } });
      tools = deployer(instance);
      usage = `/organizations/${instance.bootstrapped.organization.id}/deployments/usage`;
    });
    after(() => instance[Symbol.asyncDispose]());

    test('builds count minutes, and fail by name when those of the month are used up', async () => {
      const before = await tools.call('GET', usage);
      const now = new Date();
      const next = new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() + 1, 1)).toISOString();
      assert.deepEqual(before.buildMinutes, { used: 0, limit: 1, resetsAt: next });
      await tools.deployed(built);
      const { db } = instance.platform;
      const rows = await db.selectFrom('build_usage').selectAll().execute();
      assert.deepEqual(
        rows.map((row) => [row.application_id, row.month, row.milliseconds > 0]),
        [[tools.applicationId, now.toISOString().slice(0, 7), true]],
      );
      // Another application of the organization has used the rest.
      const [row] = rows;
      assert.ok(row);
      await db.write((tx) =>
        tx
          .insertInto('build_usage')
          .values({ ...row, application_id: newId(Date.now()), milliseconds: 60_000 })
          .execute(),
      );
      const { status, reason } = await tools.deploy(built);
      assert.equal(status, 'FAILED');
      assert.match(
        reason,
        /^The organization has used its 1 build minute of \d{4}-\d\d\. Builds run again from /,
      );
      assert.match(
        reason,
        /Ask the operator of this instance for more \(MAINSTAY_BUILD_MINUTES_PER_ORGANIZATION\)/,
      );
      assert.ok((await tools.call('GET', usage)).buildMinutes.used >= 1);
      await tools.deployed([{ name: 'index.html', content: 'needs no build' }]);
    });

    test('processes and their memory are shown, and a function that asks for more than all may have fails', async () => {
      const { host } = await tools.deployed(server(256));
      assert.equal((await tools.visit(host, '/')).body, 'served');
      const { instances, memoryBytes } = await tools.call('GET', usage);
      assert.deepEqual(instances, { used: 1, limit: 100 });
      assert.deepEqual(memoryBytes, { used: 256 * 1024 ** 2, limit: 512 * 1024 ** 2 });
      const { status, reason } = await tools.deploy(server(1024));
      assert.equal(status, 'FAILED');
      assert.match(reason, /server\.js is configured with 1024 MB of memory/);
      assert.match(reason, /ask the operator for more \(MAINSTAY_ORGANIZATION_MEMORY\)/);
    });

    test('domains of all applications count together', async () => {
      const add = (domain: string) =>
        instance.call('POST', `/applications/${tools.applicationId}/domains`, {
          as: 'user',
          body: { domain },
        });
      assert.equal((await add('one.example.com')).status, 200);
      assert.deepEqual((await tools.call('GET', usage)).domains, { used: 1, limit: 1 });
      const refused = await add('two.example.com');
      assert.deepEqual(
        [refused.status, refused.body.error],
        [
          403,
          'The applications of the organization have 1 domain together, and 1 is the limit. Delete one, or ask the operator for more.',
        ],
      );
    });

    test('are shown to nobody else', async () => {
      const stranger = await addPerson(instance, `stranger-of-limits-${engine}@example.com`);
      assert.equal((await instance.call('GET', usage, { as: stranger })).status, 404);
      assert.equal((await instance.call('GET', usage, { as: 'application' })).status, 403);
    });
  });
