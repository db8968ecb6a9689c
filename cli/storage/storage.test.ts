import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rm, utimes, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { asideOf, removeLeftovers } from './leftovers.ts';
import { filesBelow } from './local.ts';
import { keyOf, pathBelow, placeOf } from './places.ts';

const objectId = '0192f0c1-2345-7abc-8def-0123456789ab';

async function temporaryFolder(): Promise<AsyncDisposable & { folder: string }> {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-storage-'));
  return { folder, [Symbol.asyncDispose]: () => rm(folder, { recursive: true, force: true }) };
}

test('a bucket is told from a path, a drive of Windows too', () => {
  const remote = (key: string, isFolder: boolean) => ({ kind: 'remote', bucket: 'photos', key, isFolder });
  assert.deepEqual(placeOf('photos:2026/a b.jpg'), remote('2026/a b.jpg', false));
  assert.deepEqual(placeOf('photos:/in/'), remote('in/', true));
  assert.deepEqual(placeOf('photos:new\nline'), remote('new\nline', false));
  for (const [text, isFolder] of [
    ['C:\\Users\\a b\\x.txt', false],
    ['c:photos', false],
    ['C:\\new\\', true],
    ['./photos:x', false],
    ['../up/', true],
  ] as const)
    assert.deepEqual(placeOf(text), { kind: 'local', path: text, isFolder });
  assert.deepEqual(placeOf('-'), { kind: 'pipe' });
});

test('keys have slashes, whatever separates folders here', () => {
  assert.equal(keyOf('in/', 'a b\\ä 👋\\c.txt', '\\'), 'in/a b/ä 👋/c.txt');
  assert.equal(keyOf('', 'a\\b', '/'), 'a\\b', 'a backslash is a letter of names on Linux');
});

test('a key becomes a file below the folder, or is refused where the platform has no such name', () => {
  assert.equal(pathBelow('C:\\back', 'deep/er/a b.txt', 'win32'), 'C:\\back\\deep\\er\\a b.txt');
  assert.equal(pathBelow('/back', 'it\'s "a"\n👋.txt', 'linux'), '/back/it\'s "a"\n👋.txt');
  const bad = [
    'a/../../b',
    '..',
    'a\\..\\..\\b',
    'C:\\x',
    'a:stream',
    'what?',
    'new\nline',
    'CON',
    'nul.txt',
  ];
  for (const key of [...bad, 'com1', 'dot.', 'space ', 'a|b', '"quoted"'])
    assert.throws(() => pathBelow('C:\\back', key, 'win32'), { message: /cannot be a file here/ }, key);
  for (const key of ['../x', 'a/./b', 'nul\0', ''])
    assert.throws(() => pathBelow('/back', key, 'linux'), { message: /cannot be a file here/ }, key);
});

test('what was broken off is kept for a week, and not more than a thousand of it', async () => {
  await using temporary = await temporaryFolder();
  const { folder } = temporary;
  const state = path.join(folder, 'state');
  const now = Date.now();
  const daysAgo = (days: number) => new Date(now - days * 86_400_000);
  const make = async (file: string, content: unknown, days: number) => {
    await mkdir(path.dirname(file), { recursive: true });
    await writeFile(file, typeof content === 'string' ? content : JSON.stringify(content));
    await utimes(file, daysAgo(days), daysAgo(days));
  };
  const aside = (name: string) => asideOf(path.join(folder, name), objectId);
  for (const [name, days] of [
    ['old.bin', 8],
    ['young.bin', 6],
  ] as const) {
    await make(aside(name), 'half', days);
    await make(path.join(state, 'downloads', `${name}.json`), { file: aside(name), parts: [0] }, days);
    await make(path.join(state, 'uploads', `${name}.json`), { id: 'x', url: 'http://x/', size: 1 }, days);
  }
  // A note leads to halves of downloads alone.
  const own = path.join(folder, 'own.txt');
  await make(own, 'mine', 30);
  await make(path.join(state, 'downloads', 'wrong.json'), { file: own, parts: [] }, 8);
  await make(path.join(state, 'downloads', 'broken.json'), '{', 8);
  for (let count = 0; count < 1001; count++)
    await make(path.join(state, 'uploads', `${count}.json`), '{}', 1 + count / 10_000);

  await removeLeftovers(state, now);
  assert.deepEqual((await readdir(folder)).sort(), [path.basename(aside('young.bin')), 'own.txt', 'state']);
  assert.deepEqual(await readdir(path.join(state, 'downloads')), ['young.bin.json']);
  const uploads = await readdir(path.join(state, 'uploads'));
  assert.equal(uploads.length, 1000);
  assert.ok(!uploads.includes('1000.json') && !uploads.includes('young.bin.json'), 'the oldest go first');
  await removeLeftovers(path.join(folder, 'none'), now);

  const files = await filesBelow(folder, new AbortController().signal);
  assert.ok(files.some(({ relative }) => relative === 'own.txt'));
  assert.ok(!files.some(({ relative }) => relative.endsWith('.part')), 'halves are never uploaded');
});
