import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Redis } from 'ioredis';
import pg from 'pg';
import { newId } from '#core/ids.ts';
import type { ServiceEngine } from '#core/service-engine.ts';
import { TestClock } from '#testing/clock.ts';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';
import { startPostgres, type TestPostgres } from '../../../scripts/postgres.ts';
import { startRedis, type TestRedis } from '../../../scripts/redis.ts';
import { openPostgresService } from '../../adapters/services/postgres.ts';
import { openRedisService } from '../../adapters/services/redis.ts';
import { Services } from './service.ts';

const adminPassword = 'the operator has it';

interface GuardedPostgres {
  engine: TestPostgres;
  /** Of its superuser, before and after the door is closed. */
  open: URL;
  url: URL;
  /** From then on it demands passwords, as engines of services must. */
  close(): Promise<void>;
}

async function guardedPostgres(): Promise<GuardedPostgres | undefined> {
  const engine = await startPostgres();
  if (!engine) return undefined;
  const url = new URL(engine.url);
  url.password = adminPassword;
  return {
    ...{ engine, url, open: new URL(engine.url) },
    async close() {
      const client = new pg.Client({ connectionString: engine.url });
      await client.connect();
      await client.query(`alter role postgres password '${adminPassword}'`);
      const { rows } = await client.query('show hba_file');
      const rule = 'host all all 127.0.0.1/32 scram-sha-256';
      await client.query(`copy (select '${rule}') to '${rows[0].hba_file}'`);
      await client.query('select pg_reload_conf()');
      await client.end();
    },
  };
}

async function redisOf(url: string): Promise<Redis> {
  const client = new Redis(url, { lazyConnect: true, enableReadyCheck: false, retryStrategy: () => null });
  client.on('error', () => {});
  await client.connect();
  return client;
}

const app = (services: string): ZipPart[] => [
  {
    name: 'mainstay.yaml',
    content: `version: 4\nfunctions:\n  f.mjs: {}\nroutes:\n  - { source: /*, destination: f.mjs }\nservices:\n${services}`,
  },
  {
    name: 'f.mjs',
    content:
      "import net from 'node:net';\n" +
      'const { DATABASE_URL, REDIS_URL, KEYS } = process.env;\n' +
      '/** What the engine says first to bytes of its protocol. */\n' +
      'const say = (url, bytes) => new Promise((resolve, reject) => { const { hostname, port } = new URL(url); const s = net.connect(Number(port), hostname, () => s.write(bytes)); s.once("data", (d) => { s.destroy(); resolve(d.toString("latin1")); }); s.once("error", reject); });\n' +
      'export default { async fetch(request) {\n' +
      '  if (request.method === "HEAD") return new Response();\n' +
      '  const { username, password } = new URL(REDIS_URL);\n' +
      '  return Response.json({ DATABASE_URL, REDIS_URL, KEYS, redis: await say(REDIS_URL, `AUTH ${username} ${password}\\r\\n`), postgres: await say(DATABASE_URL, Buffer.from([0, 0, 0, 8, 4, 210, 22, 47])) });\n' +
      '} };\n',
  },
];

describe('services', { skip: sandboxMissing ?? false }, () => {
  let postgres: GuardedPostgres;
  let redis: TestRedis;
  let redisUrl: URL;
  before(async () => {
    const found = await guardedPostgres();
    const started = await startRedis();
    if (!found || !started) throw new Error('PostgreSQL and Redis are needed.');
    postgres = found;
    redis = started;
    redisUrl = new URL(redis.url);
    redisUrl.password = adminPassword;
  });
  after(async () => {
    await redis?.[Symbol.asyncDispose]();
    await postgres?.engine[Symbol.asyncDispose]();
  });

  test('an engine that lets anybody in is refused', async () => {
    await using openPostgres = openPostgresService(postgres.open);
    await assert.rejects(openPostgres.ensure('app_x', 'y'), /lets anybody in without a password/);
    await using openRedis = openRedisService(new URL(redis.url));
    await assert.rejects(openRedis.ensure('app_x', 'y'), /lets anybody in without a password/);
    await postgres.close();
    await redis.command('config', 'set', 'requirepass', adminPassword);
  });

  test('a database is its role’s alone, and goes with all that is in it', async () => {
    await using engine = openPostgresService(postgres.url);
    await Promise.all([engine.ensure('app_one', 'first'), engine.ensure('app_one', 'first')]);
    await engine.ensure('app_two', 'second');
    const connect = async (name: string, password: string, database = name) => {
      const url = new URL(`/${database}`, postgres.url);
      url.username = name;
      url.password = password;
      const client = new pg.Client({ connectionString: url.href });
      client.on('error', () => {});
      await client.connect();
      return client;
    };
    const one = await connect('app_one', 'first');
    await one.query('create table notes (text text)');
    await assert.rejects(one.query('create database more'), /permission denied/);
    await assert.rejects(connect('app_one', 'first', 'app_two'), /permission denied/);
    await assert.rejects(connect('app_one', 'second'), /password authentication failed/);
    await engine.ensure('app_one', 'changed');
    await assert.rejects(connect('app_one', 'first'), /password authentication failed/);
    await engine.drop('app_one');
    await engine.drop('app_one');
    await assert.rejects(connect('app_one', 'changed'));
    await engine.drop('app_two');
  });

  test('a user of Redis reaches the keys of its prefix, and learns nothing of others', async () => {
    await using engine = openRedisService(redisUrl);
    await engine.ensure('app_one', 'first');
    await engine.ensure('app_two', 'second');
    const one = await redisOf(redis.url.replace('//', '//app_one:first@'));
    const two = await redisOf(redis.url.replace('//', '//app_two:second@'));
    await one.set('app_one:a', '1');
    await two.set('app_two:a', '2');
    assert.equal(await one.get('app_one:a'), '1');
    for (const [command, ...args] of [
      ...[['get', 'app_two:a'], ['set', 'other', 'x'], ['keys', '*'], ['scan', '0'], ['flushall']],
      ...[['randomkey'], ['dbsize'], ['config', 'get', '*'], ['acl', 'list'], ['client', 'list']],
      ...[['publish', 'app_two:news', 'x'], ['pubsub', 'channels'], ['function', 'list'], ['monitor']],
      ['eval', "return redis.call('get', 'app_two:a')", '0'],
    ] as [string, ...string[]][])
      await assert.rejects(one.call(command, ...args), /NOPERM|permission|can't access/, command);
    await engine.drop('app_one');
    await assert.rejects(redisOf(redis.url.replace('//', '//app_one:first@')).then((c) => c.ping()));
    assert.equal(await two.get('app_two:a'), '2');
    const admin = await redisOf(redisUrl.href);
    assert.equal(await admin.exists('app_one:a'), 0);
    await engine.drop('app_two');
    for (const client of [one, two, admin]) client.disconnect();
  });

  for (const engine of engines)
    describe(`of deployments on ${engine}`, () => {
      let instance: Instance;
      let tools: ReturnType<typeof deployer>;
      before(async () => {
        instance = await startInstance(engine, {
          settings: {
            ...{ ...runnerSettings, MAINSTAY_SERVICES_POSTGRES_URL: postgres.url.href },
            MAINSTAY_SERVICES_REDIS_URL: redisUrl.href,
          },
        });
        tools = deployer(instance);
      });
      after(() => instance[Symbol.asyncDispose]());

      test('code finds both engines by its variables, and the next version finds the same', async () => {
        const both = '  redis: ~\n  postgres: ~\n';
        const first = await tools.deployed(app(both));
        const seen = JSON.parse((await tools.visit(first.host, '/')).body);
        assert.match(
          seen.DATABASE_URL,
          /^postgres:\/\/app_[0-9a-f]{32}:[0-9a-f]{48}@127\.0\.0\.1:5432\/app_/,
        );
        assert.deepEqual([seen.redis, seen.postgres], ['+OK\r\n', 'N']);
        const { items } = await tools.call('GET', `/deployments/${first.id}/variables`);
        const ofServices = items.filter(({ source }: { source: string }) => source === 'service');
        assert.deepEqual(
          ofServices.map(({ key, sensitive }: { key: string; sensitive: boolean }) => `${key} ${sensitive}`),
          [
            ...['DATABASE_URL true', 'PGDATABASE false', 'PGHOST false', 'PGPASSWORD true', 'PGPORT false'],
            ...['PGUSER false', 'REDIS_HOST false', 'REDIS_PASSWORD true', 'REDIS_PORT false'],
            ...['REDIS_PREFIX false', 'REDIS_URL true', 'REDIS_USERNAME false'],
          ],
        );
        const named =
          '  redis:\n    envBindings: { url: REDIS_URL, prefix: KEYS }\n  postgres:\n    envBindings: { url: DATABASE_URL }\n';
        const second = await tools.deployed(app(named));
        const again = JSON.parse((await tools.visit(second.host, '/')).body);
        assert.deepEqual([again.DATABASE_URL, again.REDIS_URL], [seen.DATABASE_URL, seen.REDIS_URL]);
        assert.equal(again.KEYS, `${new URL(seen.REDIS_URL).username}:`);
        const audited = await tools.call(
          'GET',
          `/organizations/${instance.bootstrapped.organization.id}/audit-log?limit=100`,
        );
        const made = audited.items.filter(({ action }: { action: string }) => action === 'service.created');
        assert.equal(made.length, 2);
        assert.ok(!JSON.stringify(audited).includes(new URL(seen.REDIS_URL).password));
      });

      test('what belongs to a deleted environment is dropped after the grace, and an application’s with it', async () => {
        const { db, vault, log } = instance.platform;
        const clock = new TestClock({ still: true });
        const dropped: string[] = [];
        let isAway = false;
        const redisEngine: ServiceEngine = {
          ...{ kind: 'redis', address: { host: 'x', port: 1, tls: false } },
          ensure: async () => {},
          async drop(name) {
            if (isAway) throw new Error('away');
            dropped.push(name);
          },
          [Symbol.asyncDispose]: async () => {},
        };
        const { application, organization } = instance.bootstrapped;
        const services = new Services({
          ...{ db, vault, clock, log, graceMilliseconds: 3600_000 },
          engines: new Map([['redis', redisEngine]]),
          addressFor: ({ address }) => address,
          ownerOf: async () => ({ organizationId: organization.id }),
        });
        const place = { organizationId: organization.id, applicationId: newId(), environmentId: newId() };
        const [{ value: user = '' } = {}] = await services.provide(place, {
          redis: { envBindings: { user: 'USER' } },
        });
        await services.sweep();
        clock.advance(3599);
        await services.sweep();
        assert.deepEqual(dropped, []);
        clock.advance(2);
        isAway = true;
        await assert.rejects(services.sweep(), /away/);
        isAway = false;
        await services.sweep();
        await services.sweep();
        assert.deepEqual(dropped, [user]);
        const { items } = await tools.call('GET', `/applications/${application.id}/environments`);
        const kept = { ...place, environmentId: items[0].id };
        const other = new Services({
          ...{ db, vault, clock, log, graceMilliseconds: 0 },
          engines: new Map([['redis', redisEngine]]),
          addressFor: ({ address }) => address,
          ownerOf: async () => null,
        });
        await other.purge(kept.applicationId);
        assert.deepEqual(dropped, [user]);
        await other.purge(application.id);
        assert.equal(dropped.length, 2);
      });
    });

  test('without an engine the deployment fails and names the setting', async () => {
    await using instance = await startInstance('sqlite', { settings: runnerSettings });
    const deployment = await deployer(instance).deploy(app('  redis: ~\n'));
    assert.equal(deployment.status, 'FAILED');
    assert.match(deployment.reason, /services\.redis.*MAINSTAY_SERVICES_REDIS_URL/);
  });
});
