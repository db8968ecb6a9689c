import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { type ListServer, startListServer } from '#testing/list-server.ts';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { FeedData } from './data.ts';
import { ownFeedsFile } from './declaration.ts';

const domain = (text: string): DomainName => {
  const read = readDomain(text);
  assert.ok(isDomain(read));
  return read;
};

describe('the names in use', () => {
  let server: ListServer;
  let home: string;
  before(async () => {
    server = await startListServer();
    home = await mkdtemp(path.join(tmpdir(), 'mainstay-data-'));
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await rm(home, { recursive: true, force: true });
  });

  let folders = 0;
  const open = (folder = path.join(home, String(++folders)), feedsFile = ownFeedsFile) =>
    new FeedData({
      log: pino({ level: 'silent' }),
      settings: {
        ...{ folder, feedsFile, protectedNamesFile: undefined, network: true },
        ...{ leastShare: 0.5, timeoutSeconds: 60, userAgent: 'test' },
      },
    });
  const declare = async (name: string) => {
    const file = path.join(home, `${name}.json`);
    const feed = {
      id: 'online',
      status: 'malware',
      format: 'plain',
      licence: 'CC0-1.0',
      url: `${server.url}/${name}`,
    };
    await writeFile(file, JSON.stringify({ feeds: [feed] }));
    return file;
  };

  test('the first start makes its index without a network, a second one opens it at once', async () => {
    const folder = path.join(home, 'first');
    await using first = open(folder);
    await first.ready();
    assert.equal(first.find(domain('a.b.mailinator.com'))?.status, 'disposable_email');
    assert.equal(first.find(domain('example.com')), undefined);
    assert.equal(server.asked.length, 0);
    await using second = open(folder);
    const start = performance.now();
    await second.ready();
    assert.ok(performance.now() - start < 4000);
    assert.equal(second.about?.count, first.about?.count);
  });

  test('people keep their mailboxes at portals, schools and companies that lists call disposable', async () => {
    await using data = open();
    await data.ready();
    for (const name of 'tom.com 21cn.com sdf.org nus.edu.sg test.de oath.com keemail.me'.split(' '))
      assert.equal(data.find(domain(name)), undefined, name);
  });

  test('relay services win over lists that call them disposable', async () => {
    await using data = open();
    await data.ready();
    // Both lists have them, by the packages of the day.
    for (const name of [
      '33mail.com',
      'anonaddy.com',
      'x.anonaddy.me',
      'privaterelay.appleid.com',
      'duck.com',
    ]) {
      assert.equal(data.find(domain(name))?.status, 'relay_email', name);
    }
  });

  test('many that start at once end with one index', async () => {
    const folder = path.join(home, 'crowd');
    const crowd = Array.from({ length: 4 }, () => open(folder));
    await Promise.all(crowd.map((each) => each.ready()));
    assert.equal(new Set(crowd.map((each) => each.about?.builtAt)).size, 1);
    for (const each of crowd) await each[Symbol.asyncDispose]();
  });

  test('what one process fetched, the others of its machine use as well', async () => {
    const file = await declare('shared');
    server.put('/shared', 'evil1.com\nevil2.com\n');
    const folder = path.join(home, 'shared');
    await using one = open(folder, file);
    await using other = open(folder, file);
    await one.ready();
    await other.ready();
    assert.equal(other.find(domain('evil1.com')), undefined);
    // An index that lies there already is looked over beside the start; one at a time refreshes.
    await other.refresh({ network: false });
    await one.tend(Date.now());
    assert.equal(one.find(domain('evil1.com'))?.status, 'malware');
    await other.reopen();
    assert.equal(other.find(domain('sub.evil1.com'))?.name, 'evil1.com');
  });

  test('nothing is started where nothing is due', async () => {
    const file = await declare('due');
    server.put('/due', 'evil1.com\nevil2.com\n');
    await using data = open(undefined, file);
    await data.ready();
    await data.tend(Date.now());
    const asked = server.asked.length;
    await data.tend(Date.now());
    assert.equal(server.asked.length, asked);
    await data.tend(Date.now() + 86_400_000);
    // The thread goes by its own clock, which has not moved.
    assert.equal(server.asked.length, asked);
  });

  test('look-ups continue while a new list of 200 000 names is taken, and none waits for it', async () => {
    const file = await declare('large');
    const list = (from: number) => Array.from({ length: 200_000 }, (_, i) => `n${from + i}.com`).join('\n');
    server.put('/large', list(0));
    await using data = open(undefined, file);
    await data.ready();
    await data.refresh();
    server.put('/large', list(100_000));
    let longest = 0;
    let lookups = 0;
    let isOver = false;
    const load = (async () => {
      while (!isOver) {
        const took = cpuMilliseconds(() => {
          for (let i = 0; i < 100; i++)
            assert.ok(data.find(domain(`n${100_000 + (lookups++ % 100_000)}.com`)));
        });
        longest = Math.max(longest, took);
        await new Promise((resolve) => setImmediate(resolve));
      }
    })();
    await data.refresh({ force: true });
    isOver = true;
    await load;
    assert.ok(data.find(domain('n299999.com')));
    assert.equal(data.find(domain('n0.com')), undefined);
    assert.ok(lookups > 1000);
    // A hundred at a time: the time of one is a hundredth of it. Generous, for machines that do much else.
    assert.ok(longest < 200, `${longest} ms`);
  });

  test('a feeds file that breaks while the server runs leaves what is there in use', async () => {
    const file = await declare('broken');
    server.put('/broken', 'evil1.com\nevil2.com\n');
    await using data = open(undefined, file);
    await data.ready();
    await data.refresh();
    await writeFile(file, '{');
    await data.refresh({ force: true });
    assert.equal(data.find(domain('evil1.com'))?.status, 'malware');
  });
});
