import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, ok } from '../command-line.ts';

/** Files to buckets and back, and networks that break meanwhile. */
export function storageCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('files are uploaded and downloaded, whatever their names', async () => {
    const from = path.join(bench.folder, 'odd names');
    const names = ["it's.txt", 'a "b".txt', 'new\nline.txt', '👋 ä.txt', 'deep/er/#?%.txt', 'empty'];
    for (const name of names) {
      await mkdir(path.dirname(path.join(from, name)), { recursive: true });
      await writeFile(path.join(from, name), name === 'empty' ? '' : `content of ${name}`);
    }
    const app = ['--app', 'Web', '--env', 'production'];
    ok(await bench.run(['storage', 'mb', 'files', ...app]));
    ok(await bench.run(['storage', 'cp', '-r', 'odd names', 'files:in/', ...app]));
    ok(await bench.run(['storage', 'sync', 'files:in/', 'back', ...app]));
    const back = (
      await readdir(path.join(bench.folder, 'back'), { recursive: true, withFileTypes: true })
    ).filter((one) => one.isFile());
    assert.equal(back.length, names.length);
    for (const name of names)
      assert.equal(
        await readFile(path.join(bench.folder, 'back', name), 'utf8'),
        await readFile(path.join(from, name), 'utf8'),
      );
    const again = ok(
      await bench.run(['storage', 'sync', 'odd names', 'files:in/', '--dry-run', '--json', ...app]),
    );
    assert.deepEqual(JSON.parse(again.stdout).files, []);
    const piped = ok(
      await bench.run(['storage', 'cp', '-', 'files:piped', ...app], { input: 'through a pipe' }),
    );
    assert.equal(piped.code, 0);
    assert.equal(ok(await bench.run(['storage', 'cp', 'files:piped', '-', ...app])).stdout, 'through a pipe');
    const { stdout: address } = ok(await bench.run(['storage', 'presign', 'files:piped', ...app]));
    assert.equal(await (await fetch(address.trim())).text(), 'through a pipe');
    ok(await bench.run(['storage', 'rm', 'files:in/', '-r', '--yes', ...app]));
    assert.equal((await bench.run(['storage', 'cp', 'files:in/empty', 'x', ...app])).code, 5);
  });

  test('a large file goes in parts, and one that was broken off resumes where it stopped', async () => {
    const file = path.join(bench.folder, 'large.bin');
    const bytes = randomBytes(20 * 1024 * 1024);
    await writeFile(file, bytes);
    const app = ['--app', 'Web', '--env', 'production'];
    ok(await bench.run(['storage', 'mb', 'large', ...app]));
    const state = path.join(bench.folder, 'config/state/uploads');
    await mkdir(state, { recursive: true });
    bench.files.stall();
    const noted = new Promise<void>((resolve) => {
      const watcher = watch(state, (_event, name) => {
        if (!name?.endsWith('.json')) return;
        watcher.close();
        resolve();
      });
    });
    const first = bench.start(['storage', 'cp', 'large.bin', 'large:', ...app]);
    await noted;
    first.child.kill('SIGINT');
    assert.equal((await first.ended).code, 130);
    bench.files.resume();
    const uploads = async () => {
      const { id } = bench.instance.bootstrapped.application;
      const path = `/applications/${id}/storage/buckets/large/uploads?environment=production`;
      return JSON.parse(ok(await bench.run(['api', path])).stdout);
    };
    // One part is there already, as if the first command had got so far.
    const { items } = await uploads();
    const [open] = await readUploads(state);
    const part = await fetch(open?.url ?? '', {
      method: 'PUT',
      headers: { 'upload-offset': '8388608', 'content-type': 'application/offset+octet-stream' },
      body: bytes.subarray(8_388_608, 16_777_216),
    });
    assert.equal(part.status, 204, await part.text());
    const empty = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
    assert.deepEqual(JSON.parse(empty.stdout).objects, [], 'nothing to see of half an upload');
    bench.files.loseRequest('PUT /uploads');
    ok(await bench.run(['storage', 'cp', 'large.bin', 'large:', ...app]));
    assert.deepEqual(await readdir(state), []);
    const list = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
    const [object] = JSON.parse(list.stdout).objects;
    assert.equal(object.checksumSha256, createHash('sha256').update(bytes).digest('hex'));
    assert.deepEqual(
      (await uploads()).items.map(({ id, state }: { id: string; state: string }) => [id, state]),
      [[items[0].id, 'completed']],
    );
  });

  test('a download is a whole file or none, and resumes where it stopped', async () => {
    const app = ['--app', 'Web', '--env', 'production'];
    const folder = path.join(bench.folder, 'down');
    await mkdir(folder);
    const cut = ['storage', 'cp', 'large:large.bin', 'down/', ...app];
    const state = path.join(bench.folder, 'config/state/downloads');
    await mkdir(state, { recursive: true });
    bench.files.stall();
    const first = bench.start(cut);
    while ((await readdir(folder)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
    first.child.kill('SIGINT');
    assert.equal((await first.ended).code, 130);
    bench.files.resume();
    const [aside = '', ...others] = await readdir(folder);
    assert.match(aside, /^\.large\.bin\.[0-9a-f]{12}\.part$/);
    assert.deepEqual(others, []);

    const bytes = await readFile(path.join(bench.folder, 'large.bin'));
    bench.files.loseRequest('GET /signed');
    ok(await bench.run(cut));
    assert.deepEqual(await readdir(folder), ['large.bin']);
    assert.ok((await readFile(path.join(folder, 'large.bin'))).equals(bytes));
    assert.deepEqual(await readdir(state), []);

    // What a broken connection brought counts only where the checksum of the whole is right.
    const changed = path.join(folder, aside);
    await writeFile(changed, randomBytes(bytes.length));
    const list = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
    const [object] = JSON.parse(list.stdout).objects;
    const name = createHash('sha256').update(JSON.stringify([changed, object.id, bytes.length]));
    await writeFile(
      path.join(state, `${name.digest('hex')}.json`),
      JSON.stringify({ file: changed, parts: [0] }),
    );
    const refused = await bench.run(cut);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, /large\.bin was corrupted in transit: its SHA-256 does not match/);
    assert.deepEqual([await readdir(folder), await readdir(state)], [['large.bin'], []]);
    ok(await bench.run(cut));
  });
}

async function readUploads(folder: string): Promise<{ url: string }[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
}
