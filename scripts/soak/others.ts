import assert from 'node:assert/strict';
import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { sweepRevokedTokens } from '../../server/accounts/tokens/service.ts';
import { TestClock } from '../../server/testing/clock.ts';
import { engines, testHome } from '../../server/testing/engines.ts';
import { fetchToken, startInstance } from '../../server/testing/instance.ts';
import { startRedis } from '../redis.ts';
import { after, type Campaign, randomBetween } from './campaign.ts';

/** A cache server that freezes: every increment is counted once, and none that was refused is. */
const frozenCache: Campaign = {
  name: 'a cache server that freezes',
  short: true,
  missing: () => (process.env['TEST_REDIS_URL'] ? undefined : 'Redis or Valkey'),
  async run(seconds) {
    const redis = await startRedis();
    assert.ok(redis);
    await using stack = new AsyncDisposableStack();
    stack.use(redis);
    const settings = { MAINSTAY_CACHE_URL: redis.url, MAINSTAY_CACHE_TIMEOUT: '1s' };
    const instance = stack.use(await startInstance('sqlite', { settings }));
    const isOver = after(seconds);
    const counts = { done: 0, refused: 0, unknown: 0 };
    const increment = () =>
      instance.call('POST', '/fastcache/batch', {
        as: 'application',
        body: { operations: [{ op: 'increment', key: 'n', by: 1 }] },
      });
    const writer = async () => {
      while (!isOver()) {
        const { status } = await increment();
        if (status === 200) counts.done++;
        else if (status === 500) counts.unknown++;
        else counts.refused++;
      }
    };
    const load = Promise.all([writer(), writer(), writer(), writer()]);
    while (!isOver()) {
      process.kill(redis.pid(), 'SIGSTOP');
      await sleep(randomBetween(200, 2000));
      process.kill(redis.pid(), 'SIGCONT');
      await sleep(randomBetween(100, 500));
    }
    await load;
    const isLate = after(10);
    let answer = await increment();
    while (answer.status !== 200 && !isLate()) answer = await increment();
    assert.equal(answer.status, 200, answer.body.error);
    const total = Number(answer.body.results[0].item.value) - 1;
    const { done, unknown } = counts;
    assert.ok(total >= done && total <= done + unknown, `${total} counted: ${JSON.stringify(counts)}`);
    return `${total} counted, ${JSON.stringify(counts)}`;
  },
};

/** Instances that were first started at any time, and nodes ahead of the others that sweep. */
const clocks: Campaign = {
  name: 'clocks that are wrong',
  async run(seconds) {
    const isOver = after(seconds);
    let rounds = 0;
    do {
      const engine = engines[rounds % engines.length] ?? 'sqlite';
      await using home = await testHome(engine);
      const clock = new TestClock();
      const ahead = Math.round(randomBetween(1, 400 * 86_400));
      clock.advance(ahead);
      await (await startInstance(engine, { home, clock }))[Symbol.asyncDispose]();
      await using instance = await startInstance(engine, { home });
      const made = await instance.call('POST', '/api-keys', { as: 'user', body: { name: 'now' } });
      assert.equal(made.status, 200, `first started ${ahead} s ahead`);
      const token = await fetchToken(instance.url, made.body);
      const revoked = await fetch(`${instance.url}/oauth2/revoke`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${made.body.id}:${made.body.secret}`)}` },
        body: new URLSearchParams({ token }),
      });
      assert.equal(revoked.status, 200);
      await sweepRevokedTokens(instance.platform.db, Date.now() + Math.round(randomBetween(0, 3_000_000)));
      await using other = await startInstance(engine, { home });
      assert.equal((await other.call('GET', '/api-keys', { as: { token } })).status, 401);
      rounds++;
    } while (!isOver());
    return `${rounds} rounds`;
  },
};

const own = ['-rm', 'sh', '-c'];

/** A disk with no byte left. */
const disks: Campaign = {
  name: 'a full disk',
  missing: () =>
    spawnSync('unshare', [...own, 'mount -t tmpfs tmpfs /mnt']).status === 0
      ? undefined
      : 'the right to mount a file system of its own',
  async run(seconds) {
    const isOver = after(seconds);
    const child = path.join(import.meta.dirname, '../../server/commands/full-disk-child.ts');
    const script = 'mkdir "$1" && mount -t tmpfs -o size="$4" tmpfs "$1" && exec "$2" "$3" "$1" "$1-backup"';
    let rounds = 0;
    do {
      await using home = await testHome('sqlite');
      const size = `${Math.round(randomBetween(16, 64))}m`;
      const parameters = [path.join(home.folder, 'disk'), process.execPath, child, size];
      const run = spawn('unshare', [...own, script, 'sh', ...parameters], {
        stdio: ['ignore', 'pipe', 'inherit'],
      });
      let output = '';
      run.stdout.on('data', (chunk) => (output += chunk));
      await once(run, 'close');
      const found = JSON.parse(output);
      assert.deepEqual(
        [found.doctor.database, found.backup, found.readyz, found.read, found.write, found.leftOver],
        [true, 0, 'degraded', 200, 507, []],
        size,
      );
      rounds++;
    } while (!isOver());
    return `${rounds} disks`;
  },
};

export const otherCampaigns: Campaign[] = [frozenCache, clocks, disks];
