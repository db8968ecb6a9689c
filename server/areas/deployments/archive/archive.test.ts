import assert from 'node:assert/strict';
import { mkdtemp, readFile, readlink, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { link, type ZipOptions, type ZipPart, zip } from '#testing/zip.ts';
import { ArchiveError, checkArchive } from './check.ts';
import { extractArchive } from './extract.ts';

const limits = { entries: 200, bytes: 4 * 1024 * 1024 };
let folder = '';
let count = 0;
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mainstay-archive-'));
});
after(() => rm(folder, { recursive: true }));

/** Unpacks the bytes and returns the folder. */
async function unpack(bytes: Buffer): Promise<string> {
  count += 1;
  const file = path.join(folder, `${count}.zip`);
  const target = path.join(folder, `${count}`);
  await writeFile(file, bytes);
  await using archive = await checkArchive(file, limits);
  await extractArchive(archive, target);
  return target;
}

const long = 'a'.repeat(256);
const deep = Array(65).fill('d').join('/');
const unicodePath = (name: string) => {
  const data = Buffer.concat([Buffer.from([1, 0, 0, 0, 0]), Buffer.from(name)]);
  const head = Buffer.alloc(4);
  head.writeUInt16LE(0x7075, 0);
  head.writeUInt16LE(data.length, 2);
  return Buffer.concat([head, data]);
};
const ok: ZipPart = { name: 'a.txt', content: 'a' };
const inner = zip([ok]);

const attacks: [what: string, parts: ZipPart[], why: RegExp, options?: ZipOptions][] = [
  ['an absolute name', [{ name: '/etc/passwd' }], /absolute name/],
  ['a drive letter', [{ name: 'C:/x' }], /drive letter/],
  ['a backslash', [{ name: 'a\\b' }], /backslash/],
  ['..', [{ name: '../x' }], /segment "\.\."/],
  ['.. inside', [{ name: 'a/../../x' }], /segment "\.\."/],
  ['.', [{ name: './x' }], /segment "\."/],
  ['an empty name', [{ name: '' }], /empty name/],
  ['an empty segment', [{ name: 'a//b' }], /empty segment/],
  ['NUL', [{ name: 'a\0b' }], /control characters/],
  ['a line break', [{ name: 'a\nb' }], /control characters/],
  ['DEL', [{ name: 'a\x7fb' }], /control characters/],
  ['256 bytes a segment', [{ name: `x/${long}` }], /segment of more than 255/],
  ['1 025 bytes', [{ name: Array(9).fill('b'.repeat(120)).join('/') }], /more than 1024 bytes/],
  ['65 levels', [{ name: deep }], /64 folders deep/],
  ['a name that is no UTF-8', [{ name: Buffer.from([0xff, 0xfe]) }], /not UTF-8/],
  ['another name in the Unicode path field', [{ name: 'a', extra: unicodePath('../b') }], /second name/],
  ['a socket', [{ name: 's', mode: 0o140644 }], /device, a socket or a pipe/],
  ['a pipe', [{ name: 's', mode: 0o010644 }], /device, a socket or a pipe/],
  ['a character device', [{ name: 's', mode: 0o020644 }], /device, a socket or a pipe/],
  ['a block device', [{ name: 's', mode: 0o060644 }], /device, a socket or a pipe/],
  ['a set-user-id file', [{ name: 's', mode: 0o104755 }], /set-user-id/],
  ['a set-group-id file', [{ name: 's', mode: 0o102755 }], /set-user-id or set-group-id/],
  ['a folder with content', [{ name: 's/', content: 'x', mode: 0o040755 }], /folder with content/],
  ['a folder that is called a file', [{ name: 's', mode: 0o040755 }], /does not fit its kind/],
  ['a link to an absolute path', [link('l', '/etc/passwd')], /target that is absolute/],
  ['a link out of the root', [link('l', '../x')], /leads out of the archive/],
  ['a link out of the root from below', [link('d/l', '../../x')], /leads out of the archive/],
  ['a link out through a link', [link('a/b', '..'), link('l', 'a/b/../x')], /leads out of the archive/],
  ['a link to itself', [link('l', 'l')], /leads back to itself/],
  ['two links to each other', [link('a', 'b'), link('b', 'a')], /leads back to itself/],
  ['a link without a target', [{ name: 'l', mode: 0o120777 }], /without a target/],
  ['a link with NUL', [link('l', 'a\0b')], /no path has/],
  ['an entry below a link', [link('l', 'd'), { name: 'l/x', content: 'a' }], /below a symbolic link/],
  ['an entry below a file', [ok, { name: 'a.txt/x', content: 'a' }], /below a file/],
  ['a name twice', [ok, ok], /stands twice/],
  ['a name twice but for case', [ok, { name: 'A.TXT' }], /stands twice/],
  ['a name twice but for normalization', [{ name: 'é' }, { name: 'e\u0301' }], /stands twice/],
  ['folders that differ by case', [{ name: 'Dir/a' }, { name: 'dir/b' }], /the same on some systems/],
  ['a file and a folder of one name', [{ name: 'x' }, { name: 'X/y' }], /the same on some systems/],
  ['encryption', [{ name: 'a', method: 8, flags: 0x801 }], /encrypted/],
  ['strong encryption', [{ name: 'a', method: 8, flags: 0x841 }], /encrypt/],
  ['a masked directory', [{ name: 'a', flags: 0x2800 }], /encrypted/],
  ['bzip2', [{ name: 'a', method: 12 }], /compression method 12/],
  ['another name in the local header', [{ ...ok, local: { name: 'b.txt' } }], /local header/],
  ['another method in the local header', [{ ...ok, local: { method: 8 } }], /local header/],
  ['another checksum in the local header', [{ ...ok, local: { crc: 1 } }], /local header/],
  ['another size in the local header', [{ ...ok, local: { size: 9 } }], /local header/],
  ['other flags in the local header', [{ ...ok, local: { flags: 0 } }], /local header/],
  ['a wrong checksum', [{ ...ok, crc: 7 }], /wrong checksum/],
  ['a size that is too small', [{ name: 'a', content: 'x'.repeat(100), size: 50 }], /does not unpack/],
  ['a size that is too large', [{ name: 'a', content: 'x'.repeat(100), size: 500 }], /does not unpack/],
  [
    'a stored file of another size',
    [{ name: 'a', content: 'abc', method: 0, size: 2 }],
    /no valid ZIP|size mismatch/,
  ],
  ['a ratio over 200', [{ name: 'bomb', content: Buffer.alloc(2 * 1024 * 1024) }], /times its size/],
  [
    'a ratio that is only stated',
    [{ name: 'bomb', content: 'x'.repeat(100), size: 2_000_000_000 }],
    /times its size/,
  ],
  [
    'more bytes than allowed',
    Array.from({ length: 40 }, (_, at) => ({
      name: `b${at}`,
      content: Buffer.alloc(1024 * 1024, at),
      size: 1024 * 1024,
    })),
    /larger than 4194304 bytes|times its size/,
  ],
  ['more entries than allowed', Array.from({ length: 201 }, (_, at) => ({ name: `e${at}` })), /201 entries/],
  ['entries that overlap', [ok, { ...ok, name: 'a.txt', at: 0 }], /twice|overlap/],
  [
    'entries that share bytes',
    [
      { name: 'a', content: 'x'.repeat(90) },
      { name: 'b', content: 'x'.repeat(90), at: 0 },
    ],
    /local header|overlap/,
  ],
  ['data between entries', [{ ...ok, gap: Buffer.from('hidden') }, { name: 'b' }], /belongs to no entry/],
  ['data before the first entry', [ok], /belongs to no entry/, { before: Buffer.from('#!/bin/sh\n') }],
  ['data before the directory', [ok], /belongs to no entry/, { beforeDirectory: Buffer.from('hidden') }],
  ['data before the end', [ok], /between its directory and its end/, { beforeEnd: Buffer.from('hidden') }],
  ['data behind the end', [ok], /bytes behind its end/, { after: Buffer.from('hidden') }],
  [
    'an archive in the comment',
    [ok],
    /several end records|behind its end|overlap|no valid ZIP/,
    { comment: inner },
  ],
  [
    'a directory that states too few entries',
    [ok, { name: 'b' }],
    /belongs to no entry|no valid ZIP/,
    { entryCount: 1 },
  ],
  ['a directory that states too many entries', [ok], /no valid ZIP/, { entryCount: 2 }],
  ['no entries', [], /archive is empty/],
  ['folders only', [{ name: 'a/', mode: 0o040755 }], /archive is empty/],
];

describe('archives that are refused', () => {
  for (const [what, parts, why, options] of attacks) {
    test(what, async () => {
      const archive = zip(parts, options);
      const before = process.cpuUsage().user;
      await assert.rejects(unpack(archive), { name: ArchiveError.name, message: why });
      // 200 ms in the design; of processor time, since others may use the machine as well.
      assert.ok(process.cpuUsage().user - before < 1_000_000, 'takes too long');
    });
  }

  test('a file that is no archive', async () => {
    await assert.rejects(unpack(Buffer.from('hello')), /no ZIP archive/);
    await assert.rejects(unpack(Buffer.alloc(0)), /no ZIP archive/);
    await assert.rejects(unpack(Buffer.alloc(70_000, 'PK\x05\x06')), ArchiveError);
  });

  test('an archive that is cut short', async () => {
    const whole = zip([{ name: 'a', content: 'x'.repeat(1000) }, ok]);
    for (let length = 0; length < whole.length; length += 7)
      await assert.rejects(unpack(whole.subarray(0, length)), ArchiveError);
  });

  test('an archive with one changed byte is refused or the same', async () => {
    const whole = zip([{ name: 'a', content: 'content of a file '.repeat(20) }, ok]);
    for (let at = 0; at < whole.length; at += 3) {
      const changed = Buffer.from(whole);
      changed.writeUInt8(changed.readUInt8(at) ^ 0x41, at);
      const target = await unpack(changed).catch((error) => {
        assert.ok(error instanceof ArchiveError, String(error));
        return null;
      });
      if (target) assert.equal(await readFile(path.join(target, 'a.txt'), 'utf8').catch(() => 'a'), 'a');
    }
  });
});

describe('archives that are unpacked', () => {
  test('files, folders, links and the executable bit', async () => {
    const target = await unpack(
      zip([
        { name: 'dir/', mode: 0o040755 },
        { name: 'dir/run.sh', content: '#!/bin/sh\n', mode: 0o100755 },
        { name: 'deep/er/text.txt', content: 'text '.repeat(100) },
        { name: 'grüße.txt', content: 'hello' },
        link('dir/text', '../deep/er/text.txt'),
        link('later', 'dist/index.js'),
        link('self', 'dir/../deep'),
        { name: 'nested.zip', content: inner },
        { name: 'empty' },
      ]),
    );
    assert.equal(await readFile(path.join(target, 'dir/text'), 'utf8'), 'text '.repeat(100));
    assert.equal((await stat(path.join(target, 'dir/run.sh'))).mode & 0o777, 0o755);
    assert.equal((await stat(path.join(target, 'grüße.txt'))).mode & 0o777, 0o644);
    assert.equal(await readlink(path.join(target, 'later')), 'dist/index.js');
    assert.deepEqual(await readFile(path.join(target, 'nested.zip')), inner);
    assert.equal((await stat(path.join(target, 'empty'))).size, 0);
  });

  test('a comment, entries of another system, and a name that looks like an end record', async () => {
    const target = await unpack(
      zip([{ name: 'a', content: 'PK\x05\x06 in a file' }, ok], { comment: Buffer.from('made by hand') }),
    );
    assert.equal(await readFile(path.join(target, 'a'), 'utf8'), 'PK\x05\x06 in a file');
  });
});
