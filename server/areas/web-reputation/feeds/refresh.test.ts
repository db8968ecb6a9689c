import assert from 'node:assert/strict';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, beforeEach, describe, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type ListServer, startListServer } from '#testing/list-server.ts';
import { NameIndex } from '../names/index-file.ts';
import { readNames } from '../squat/files.ts';
import { isGenuine, type ProtectedNames } from '../squat/protected-names.ts';
import type { Feed } from './declaration.ts';
import { indexFile, type RefreshOptions, refresh } from './refresh.ts';
import { readStates } from './states.ts';

const day = 86_400_000;

describe('refreshing the lists', () => {
  let server: ListServer;
  let names: ProtectedNames;
  let folder: string;
  let now: number;
  before(async () => {
    server = await startListServer();
    names = await readNames(undefined);
  });
  after(() => server[Symbol.asyncDispose]());
  beforeEach(async (context) => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-feeds-'));
    now = Date.UTC(2026, 0, 1);
    server.asked.length = 0;
    (context as { after?: (f: () => Promise<void>) => void }).after?.(() =>
      rm(folder, { recursive: true, force: true }),
    );
  });

  const feed = (change: Partial<Feed> & { path?: string } = {}): Feed => {
    const { path: at = '/list', ...rest } = change;
    return {
      ...{ id: 'list', status: 'phishing', format: 'plain', licence: 'CC0-1.0', homepage: null, smallest: 2 },
      ...{ except: [], isSparing: false },
      source: { kind: 'url', url: server.url + at, refreshSeconds: 3600, maxBytes: 1_000_000 },
      ...rest,
    };
  };
  const run = (feeds: Feed[], options: Partial<RefreshOptions> = {}) =>
    refresh({
      folder,
      feeds,
      network: true,
      force: false,
      leastShare: 0.5,
      timeoutSeconds: 30,
      userAgent: 'test',
      now,
      isGenuine: (domain) => isGenuine(names, domain),
      ...options,
    });
  const state = async (id = 'list') => (await readStates(folder)).get(id);
  const find = (name: string) => {
    const index = new NameIndex(indexFile(folder));
    const set = index.find(name);
    const listings = set < 0 ? [] : index.listings(set);
    index.close();
    return listings.map((listing) => ({ feed: listing.feed.id, day: listing.day }));
  };
  const put = (list: readonly string[], at = '/list') => server.put(at, `${list.join('\n')}\n`);

  test('a list is taken, and each name known with its feed and since when', async () => {
    put(['evil.example.com', 'www.worse.example', 'bad.com', 'www.bad.net']);
    await run([feed()]);
    assert.deepEqual(find('bad.com'), [{ feed: 'list', day: now / day }]);
    // www. in front means the site.
    assert.equal(find('bad.net').length, 1);
    assert.equal(find('www.bad.net').length, 0);
    put(['bad.com', 'new.com', 'www.bad.net']);
    now += 3 * day;
    await run([feed()]);
    assert.deepEqual(find('bad.com'), [{ feed: 'list', day: now / day - 3 }]);
    assert.deepEqual(find('new.com'), [{ feed: 'list', day: now / day }]);
    assert.equal(find('evil.example.com').length, 0);
  });

  test('an unchanged list is asked for with its ETag, and its age starts over', async () => {
    put(['a.com', 'b.com', 'c.com']);
    await run([feed()]);
    now += 2 * 3_600_000;
    await run([feed()]);
    assert.equal(server.asked.length, 2);
    const { fetchedAt, changedAt } = (await state()) ?? {};
    assert.equal(fetchedAt, now);
    assert.equal(changedAt, now - 2 * 3_600_000);
  });

  test('nothing is asked for before it is due, unless it is forced', async () => {
    put(['a.com', 'b.com']);
    await run([feed()]);
    now += 60_000;
    await run([feed()]);
    assert.equal(server.asked.length, 1);
    await run([feed()], { force: true });
    assert.equal(server.asked.length, 2);
  });

  test('without a network nothing is asked for', async () => {
    await run([feed()], { network: false });
    assert.equal(server.asked.length, 0);
    assert.equal((await state())?.checkedAt, null);
  });

  const bad: Record<string, [answer: () => void, error: RegExp]> = {
    'a 404': [() => server.paths.delete('/list'), /status 404/],
    'a 500': [() => server.paths.set('/list', (r) => r.writeHead(500).end('oops')), /status 500/],
    'a page in HTML': [
      () => server.paths.set('/list', (r) => r.writeHead(200, { 'content-type': 'text/html' }).end('<p>hi')),
      /HTML/,
    ],
    'a page in HTML that says it is text': [
      () => server.put('/list', `<html>\n${'<p>\n'.repeat(50)}a.com\nb.com\nc.com\n`),
      /no list of names/,
    ],
    'a gzip bomb': [
      () =>
        server.paths.set('/list', (r) =>
          r
            .writeHead(200, { 'content-type': 'text/plain', 'content-encoding': 'gzip' })
            .end(gzipSync(Buffer.alloc(50_000_000, 'a.com\n'))),
        ),
      /larger than 1000000 bytes/,
    ],
    'something that is no gzip': [
      () => server.paths.set('/list', (r) => r.writeHead(200, { 'content-encoding': 'gzip' }).end('no gzip')),
      /./,
    ],
    'a list of one line': [() => put(['a.com']), /has 1 names, fewer than the 2/],
    'nothing at all': [() => put([]), /has 0 names/],
    'a list that shrank': [() => put(['a.com', 'b.com']), /fell from 6 to 2/],
    'an answer that never ends': [
      () =>
        server.paths.set('/list', (r) => {
          r.writeHead(200).write('a.com\n');
        }),
      /within 1 s/,
    ],
    'an answer that breaks off': [
      () =>
        server.paths.set('/list', (r) => {
          r.writeHead(200, { 'content-length': '1000' }).write('a.com\nb.com\n');
          setTimeout(() => r.destroy(), 20);
        }),
      /./,
    ],
  };
  for (const [what, [answer, error]] of Object.entries(bad)) {
    test(`${what} leaves the old list in place and is reported`, async () => {
      put(['old1.com', 'old2.com', 'old3.com', 'old4.com', 'old5.com', 'old6.com']);
      await run([feed()]);
      const taken = await state();
      answer();
      now += day;
      await run([feed()], { timeoutSeconds: what === 'an answer that never ends' ? 1 : 30 });
      const after = await state();
      assert.match(after?.error ?? '', error);
      assert.equal(after?.fetchedAt, taken?.fetchedAt);
      assert.equal(after?.names, 6);
      assert.equal(find('old1.com').length, 1);
      // Tried again before the usual time, and taken when it is right again.
      put(['old1.com', 'old2.com', 'old3.com', 'old4.com', 'new.com']);
      now += 3_600_000;
      await run([feed()]);
      assert.equal((await state())?.error, null);
      assert.equal(find('new.com').length, 1);
    });
  }

  test('private names, whole suffixes and well-known owners are refused and counted', async () => {
    put([
      'good1.com',
      'good2.com',
      'com',
      'co.uk',
      '*.github.io',
      'github.io',
      'printer.local',
      'nas.lan',
      'paypal.com',
      'drive.google.com',
      'not a name',
      '10.0.0.1',
      'user.github.io',
    ]);
    await run([feed({ format: 'wildcard' })]);
    const { names: count, refused } = (await state()) ?? {};
    assert.equal(count, 3);
    assert.deepEqual(refused, { malformed: 2, suffix: 3, private: 2, genuine: 2 });
    assert.equal(find('paypal.com').length, 0);
    assert.equal(find('user.github.io').length, 1);
  });

  test('a well-known owner may be a tracker all the same', async () => {
    put(['google-analytics.com', 'a.com']);
    await run([feed({ status: 'tracker' })]);
    assert.equal(find('google-analytics.com').length, 1);
  });

  test('a list that is right about most trackers alone spares well-known owners, and what is named', async () => {
    put(['google.com', 'counter.example.com', 'pixel.com', 'visited.com']);
    await run([feed({ status: 'tracker', isSparing: true, except: ['visited.com'] })]);
    assert.equal(find('pixel.com').length, 1);
    assert.equal(find('google.com').length, 0);
    assert.equal(find('visited.com').length, 0);
  });

  test('a feed that is declared otherwise is fetched again, one that is declared no more is forgotten', async () => {
    put(['a.com', 'b.com', 'c.com', 'd.com']);
    server.put('/other', 'x1.com\nx2.com\n');
    await run([feed(), feed({ id: 'other', path: '/other' })]);
    assert.equal(find('x1.com').length, 1);
    // Half as many names are no fall: it is another list.
    await run([feed({ path: '/other' })]);
    assert.equal(find('a.com').length, 0);
    assert.deepEqual(
      find('x1.com').map((listing) => listing.feed),
      ['list'],
    );
    assert.deepEqual(await readdir(path.join(folder, 'lists')), ['list.names']);
  });

  test('one list that fails does not keep the others out', async () => {
    put(['a.com', 'b.com']);
    await run([feed(), feed({ id: 'gone', path: '/gone' })]);
    assert.equal(find('a.com').length, 1);
    assert.match((await state('gone'))?.error ?? '', /404/);
  });

  test('what a killed process left aside is swept', async () => {
    put(['a.com', 'b.com']);
    await writeFile(path.join(folder, 'names.index.1.abc'), 'half');
    await run([feed()]);
    assert.equal((await readdir(folder)).includes('names.index.1.abc'), false);
  });
});
