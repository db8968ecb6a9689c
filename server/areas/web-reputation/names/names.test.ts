import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { hashName, toHashKey } from './hash.ts';
import { NameIndex } from './index-file.ts';
import { writeIndex } from './index-writer.ts';
import { openHashKey } from './key-file.ts';
import { readList, writeList } from './list-file.ts';
import { NameCollector, type SortedNames } from './sorted-names.ts';

const key = toHashKey(Uint8Array.from([0, 1, 2, 3, 4, 5, 6, 7]));

test('the hash is HalfSipHash-2-4 with 64 bits, as its authors publish it', () => {
  // The first vectors of vectors.h: the inputs are 0, 1, 2, ... n - 1.
  const published = [
    '218d1f59b9b83cc8',
    'be552412f8387315',
    '064f39ef7c50eb57',
    'ce0f1a45f7060679',
    'd5e78a175be52ea1',
  ];
  const into = new Uint32Array(2);
  for (const [length, expected] of published.entries()) {
    const text = String.fromCharCode(...Array.from({ length }, (_, i) => i));
    hashName(key, text, 0, into, 0);
    assert.equal(Buffer.from(into.buffer).toString('hex'), expected);
  }
});

function names(
  list: readonly string[],
  day: number,
  options: { without?: string[]; before?: SortedNames } = {},
) {
  const collector = new NameCollector(key);
  for (const name of list) collector.add(name);
  const without = new NameCollector(key);
  for (const name of options.without ?? []) without.add(name);
  return collector.sorted({ day, without, before: options.before });
}

describe('the name index', () => {
  let folder: string;
  let file: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-names-'));
    file = path.join(folder, 'names.index');
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const feeds = [
    { id: 'one', status: 'spam', isLocal: true },
    { id: 'two', status: 'phishing', isLocal: false },
  ] as const;
  const about = { feeds, fingerprint: 'f', builtAt: 5 };

  test('every name is found with the lists that have it and the days since when, and no other name', async () => {
    const first = Array.from({ length: 20_000 }, (_, i) => `a${i}.example.com`);
    const second = [...first.slice(0, 10), ...Array.from({ length: 5000 }, (_, i) => `b${i}.example.org`)];
    const count = await writeIndex(file, key, about, [names(first, 100), names(second, 200)]);
    assert.equal(count, 24_990 + 10);
    const index = new NameIndex(file);
    for (const name of first.slice(10)) {
      assert.deepEqual(index.listings(index.find(name)), [{ feed: feeds[0], day: 100 }], name);
    }
    for (const name of second.slice(0, 10)) {
      assert.deepEqual(index.listings(index.find(name)), [
        { feed: feeds[0], day: 100 },
        { feed: feeds[1], day: 200 },
      ]);
    }
    for (let i = 0; i < 20_000; i++) assert.equal(index.find(`c${i}.example.net`), -1);
    assert.deepEqual(index.about.coverage, {
      spam: { local: 19_990, all: 19_990 },
      phishing: { local: 0, all: 5010 },
    });
    index.close();
  });

  test('a name is found from where it begins in another', async () => {
    await writeIndex(file, key, about, [names(['example.com'], 1), names([], 1)]);
    const index = new NameIndex(file);
    assert.ok(index.find('www.example.com', 4) >= 0);
    assert.equal(index.find('www.example.com'), -1);
    index.close();
  });

  test('an empty index finds nothing', async () => {
    await writeIndex(file, key, { ...about, feeds: [] }, []);
    const index = new NameIndex(file);
    assert.equal(index.find('example.com'), -1);
    index.close();
  });

  test('one that was cut short, or is something else, is refused', async () => {
    await writeIndex(file, key, about, [names(['example.com'], 1), names([], 1)]);
    await truncate(file, (await readFile(file)).length - 1);
    assert.throws(() => new NameIndex(file));
    await writeFile(file, 'something else');
    assert.throws(() => new NameIndex(file));
  });

  test('names keep the day since which they are listed; what is excepted is left out, what is repeated kept once', () => {
    const before = names(['a.com', 'b.com'], 10);
    const later = names(['b.com', 'c.com', 'c.com', 'd.com'], 20, { without: ['d.com'], before });
    assert.equal(later.days.length, 2);
    assert.deepEqual([...later.days].sort(), [10, 20]);
  });

  test('a list is read back as it was written, and one that was cut short is none', async () => {
    const list = path.join(folder, 'x.names');
    const sorted = names(['a.com', 'b.com', 'c.com'], 7);
    await writeList(list, { about: { etag: 'ü' }, names: sorted });
    const read = await readList<{ etag: string }>(list);
    assert.equal(read?.about.etag, 'ü');
    assert.deepEqual(read?.names, sorted);
    await truncate(list, (await readFile(list)).length - 1);
    assert.equal(await readList(list), undefined);
  });

  test('of many that make the key at once, all end with the same', async () => {
    const keys = await Promise.all(Array.from({ length: 20 }, () => openHashKey(folder)));
    assert.equal(new Set(keys.map(({ k0, k1 }) => `${k0} ${k1}`)).size, 1);
  });
});
