import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { ownFeedsFile, readFeeds } from './declaration.ts';

describe('a feeds file', () => {
  let folder: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-feeds-'));
  });
  after(() => rm(folder, { recursive: true, force: true }));

  const read = async (feeds: unknown) => {
    const file = path.join(folder, 'feeds.json');
    await writeFile(file, typeof feeds === 'string' ? feeds : JSON.stringify({ feeds }));
    return readFeeds(file);
  };
  const right = {
    id: 'a',
    status: 'phishing',
    format: 'plain',
    url: 'https://lists.example/a',
    licence: 'MIT',
  };

  test('ours is right, and no feed of it has a licence that forbids business', async () => {
    const feeds = await readFeeds(ownFeedsFile);
    assert.ok(feeds.length > 10);
    for (const { licence } of feeds) assert.doesNotMatch(licence, /NC|non-?commercial/i);
  });

  test('units are read, and files are relative to it', async () => {
    const [online, local] = await read([
      { ...right, refresh: '12h', maxSize: '2MiB' },
      { ...right, id: 'b', url: undefined, file: 'lists/b.txt' },
    ]);
    assert.deepEqual(online?.source, {
      kind: 'url',
      url: right.url,
      refreshSeconds: 43_200,
      maxBytes: 2 ** 21,
    });
    assert.deepEqual(local?.source, { kind: 'file', file: path.join(folder, 'lists/b.txt') });
  });

  const wrong: Record<string, [feeds: unknown, error: RegExp]> = {
    'no JSON': ['{', /feeds\.json/],
    'an unknown field': [[{ ...right, colour: 'red' }], /colour/],
    'an unknown status': [[{ ...right, status: 'neutral' }], /status/],
    'no licence': [[{ ...right, licence: undefined }], /licence/],
    'the same id twice': [[right, right], /two feeds are called "a"/],
    'no source': [[{ ...right, url: undefined }], /needs a "url"/],
    'two sources': [[{ ...right, file: 'x' }], /not both/],
    'a refresh of a second': [[{ ...right, refresh: '1s' }], /"refresh"/],
    'a module over the network': [[{ ...right, format: 'module' }], /"module"/],
    'another protocol': [[{ ...right, url: 'file:///etc/passwd' }], /url/],
  };
  for (const [what, [feeds, error]] of Object.entries(wrong)) {
    test(`with ${what} is refused, and says where`, async () => {
      await assert.rejects(read(feeds), error);
    });
  }
});
