import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomInt } from 'node:crypto';
import { readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { newBlobsUrl } from '#testing/blobs.ts';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { createDatabase, engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance, toAnswer } from '#testing/instance.ts';
import { bootstrapCommand, startProcess } from '#testing/process.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';
import type { ZipPart } from '#testing/zip.ts';
import { freePort, startPostgres } from '../../../scripts/postgres.ts';

/** What happens when something that deployments need fails, row by row of the design. */

const deadlineMilliseconds = 120_000;

async function until(what: string, look: () => Promise<boolean>): Promise<void> {
  const end = performance.now() + deadlineMilliseconds;
  while (!(await look())) {
    assert.ok(performance.now() < end, `${what}: not within ${deadlineMilliseconds / 1000} s`);
    await sleep(50);
  }
}

/** Pages, and a server that says its version. */
const site = (version: string, more: object = {}): ZipPart[] => [
  {
    name: 'mainstay.json',
    content: JSON.stringify({
      ...{ version: 4, assets: 'public', functions: { 'server.js': {} }, ...more },
      routes: [{ source: '/api/*', destination: 'server.js' }],
    }),
  },
  {
    name: 'server.js',
    content: `require('node:http').createServer((q, s) => s.end('${version}')).listen(process.env.PORT);\n`,
  },
  { name: 'public/index.html', content: `page ${version}` },
  { name: 'public/other.html', content: `other ${version}` },
  { name: 'public/large.bin', content: Buffer.alloc(400_000, version) },
];

/** Names a process that a build starts, so that it is known from outside. */
const longSleep = () => `sleep ${randomInt(100_000, 1_000_000)}`;
const isRunning = (command: string) =>
  spawnSync('ps', ['-eo', 'args'], { encoding: 'utf8' }).stdout.split('\n').includes(command);

describe('builds that do not end', { skip: sandboxMissing ?? false }, () => {
  test('one that is cancelled is killed with all that it started, twice is fine, and the next begins', async () => {
    await using instance = await startInstance('sqlite', { settings: runnerSettings });
    const tools = deployer(instance);
    const command = longSleep();
    const { host } = await tools.deployed(site('one'));
    const stuck = await begin(tools, site('stuck', { build_commands: [`echo begun; ${command} & wait`] }));
    await until('the build begins', async () => isRunning(command));
    const next = await begin(tools, site('two'));
    await tools.call('POST', `/deployments/${stuck}/cancel`);
    await tools.call('POST', `/deployments/${stuck}/cancel`);
    const { status, reason } = await tools.ended(stuck);
    assert.deepEqual([status, reason], ['FAILED', 'Cancelled.']);
    await until('its processes end', async () => !isRunning(command));
    assert.equal((await tools.ended(next)).status, 'ACTIVE');
    assert.equal((await tools.visit(host, '/api/x')).body, 'two');
    assert.equal((await tools.call('POST', `/deployments/${stuck}/cancel`)).status, 'FAILED');
  });

  test('one that takes too long is ended, and says so; what answered continues', async () => {
    await using instance = await startInstance('sqlite', {
      settings: { ...runnerSettings, MAINSTAY_BUILD_SECONDS: '2s' },
    });
    const tools = deployer(instance);
    const { host } = await tools.deployed(site('one'));
    const command = longSleep();
    const { status, reason, log } = await tools.deploy(site('slow', { build_commands: [command] }));
    assert.equal(status, 'FAILED');
    assert.match(reason, /took longer than 2 s/);
    assert.match(log, /took longer than 2 s/);
    assert.equal(isRunning(command), false);
    assert.equal((await tools.visit(host, '/api/x')).body, 'one');
  });
});

async function begin(tools: ReturnType<typeof deployer>, parts: ZipPart[]): Promise<string> {
  const { id } = await tools.call('POST', '/deployments', { applicationId: tools.applicationId });
  await tools.send(id, parts);
  return id;
}

describe('the database is away', {
  skip: engines.includes('postgres') ? false : 'PostgreSQL is not on this machine',
}, () => {
  test('what is deployed answers, deploying is 503, and both work again afterwards', async () => {
    const postgres = await startPostgres();
    assert.ok(postgres);
    try {
      const { url } = await createDatabase(postgres.url);
      await using instance = await startInstance('sqlite', {
        settings: { ...runnerSettings, MAINSTAY_DATABASE_URL: url },
      });
      const tools = deployer(instance);
      const { host } = await tools.deployed(site('one'));
      const answers = async () => {
        for (const [path, body] of [
          ['/', 'page one'],
          ['/other', 'other one'],
          ['/api/x', 'one'],
        ] as const)
          assert.deepEqual(
            [(await tools.visit(host, path)).status, (await tools.visit(host, path)).body],
            [200, body],
          );
      };
      await answers();
      await postgres.stop();
      const create = () =>
        instance.call('POST', '/deployments', { as: 'user', body: { applicationId: tools.applicationId } });
      const refused = await create();
      assert.equal(refused.status, 503);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      await answers();
      await postgres.start();
      await until('the database is found again', async () => (await create()).status === 200);
      assert.equal((await tools.deployed(site('two'))).host, host);
      assert.equal((await tools.visit(host, '/api/x')).body, 'two');
    } finally {
      await postgres[Symbol.asyncDispose]();
    }
  });
});

const s3Url = process.env['TEST_S3_URL'];
describe('the engine of blobs is away', { skip: s3Url ? false : 'this run has no S3 engine' }, () => {
  test('what was read and what runs continues, the rest is 503 with Retry-After', async () => {
    const { hostname, port } = new URL(s3Url ?? '');
    await using proxy = await startTcpProxy({ host: hostname, port: Number(port) });
    const blobs = newBlobsUrl().replace(
      encodeURIComponent(s3Url ?? ''),
      encodeURIComponent(`http://127.0.0.1:${proxy.port}`),
    );
    await using instance = await startInstance('sqlite', {
      settings: { ...runnerSettings, MAINSTAY_BLOBS_URL: blobs },
    });
    const tools = deployer(instance);
    const { host } = await tools.deployed(site('one'));
    assert.equal((await tools.visit(host, '/')).body, 'page one');
    assert.equal((await tools.visit(host, '/api/x')).body, 'one');
    proxy.refuse();
    assert.equal((await tools.visit(host, '/')).body, 'page one');
    assert.equal((await tools.visit(host, '/api/x')).body, 'one');
    for (const path of ['/other', '/large.bin']) {
      const { status, headers } = await tools.visit(host, path);
      assert.equal(status, 503, path);
      assert.ok(Number(headers['retry-after']) >= 1);
    }
    await proxy.accept();
    assert.equal((await tools.visit(host, '/other')).body, 'other one');
    assert.equal((await tools.visit(host, '/large.bin')).status, 200);
  });
});

for (const engine of engines)
  describe(`a server that is killed in the middle of a build, on ${engine}`, {
    skip: sandboxMissing ?? false,
  }, () => {
    test('takes its sandboxes with it, leaves nothing behind, and the next one ends the deployment', async () => {
      await using home = await testHome(engine);
      const settings = {
        ...{ ...home.settings, ...runnerSettings, MAINSTAY_BASE_URL: 'http://mainstay.test' },
        MAINSTAY_GATEWAY_PORT: String(await freePort()),
      };
      const { keys, application } = await bootstrapCommand(settings);
      const ports = async () => ({ port: await freePort(), adminPort: await freePort() });
      const connected = async (url: string) => {
        const token = await fetchToken(url, keys.user);
        return deployer({
          ...{ url, bootstrapped: { application } },
          listeners: new Map([['applications', `http://127.0.0.1:${settings.MAINSTAY_GATEWAY_PORT}`]]),
          call: async (method, path, { body } = {}) =>
            toAnswer(
              await fetch(`${url}${path}`, {
                method,
                headers: {
                  authorization: `Bearer ${token}`,
                  ...(body === undefined ? {} : { 'content-type': 'application/json' }),
                },
                ...(body === undefined ? {} : { body: JSON.stringify(body) }),
              }),
            ),
        });
      };
      const first = await startProcess(settings, await ports());
      const tools = await connected(first.url);
      const { host } = await tools.deployed(site('one'));
      const command = longSleep();
      // The second time it goes through.
      const build = `[ -f /cache/seen ] || { touch /cache/seen; ${command}; }`;
      const id = await begin(tools, site('two', { build_commands: [build] }));
      await until('the build begins', async () => isRunning(command));
      await first.end('SIGKILL');
      await until('its processes end', async () => !isRunning(command));

      await using second = await startProcess(settings, await ports());
      const again = await connected(second.url);
      assert.equal((await again.visit(host, '/')).body, 'page one');
      assert.equal((await again.visit(host, '/api/x')).body, 'one');
      const { status, reason } = await again.ended(id);
      assert.equal(status, 'ACTIVE', reason);
      assert.equal((await again.visit(host, '/api/x')).body, 'two');
      const left = (await readdir(tmpdir())).filter((name) => name.startsWith(`mainstay-run-${first.pid}-`));
      assert.deepEqual(left, []);
    });
  });
