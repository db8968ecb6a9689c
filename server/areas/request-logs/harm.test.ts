import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { newId } from '#core/ids.ts';
import { countryFile } from '#testing/country-file.ts';
import { testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { runCommand } from '#testing/process.ts';
import { requestLine } from '#testing/request-lines.ts';

/** Of the log itself, whatever database the instance has. */

const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

test('while the disk of the log is full requests continue, it says so once, and every line is there once there is room', {
  skip: mounts ? false : 'this machine lets nobody mount a file system of its own',
}, async () => {
  await using home = await testHome('sqlite');
  const dataDir = path.join(home.folder, 'disk');
  await mkdir(path.join(dataDir, 'logs'), { recursive: true, mode: 0o700 });
  const child = path.join(import.meta.dirname, 'full-disk-child.ts');
  const script = 'mount -t tmpfs -o size=16m tmpfs "$1/logs" && exec "$2" "$3" "$1"';
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, 'sh', dataDir, process.execPath, child],
    { encoding: 'utf8', timeout: 120_000 },
  );
  assert.notEqual(stdout, '', stderr);
  assert.deepEqual(JSON.parse(stdout), {
    ...{ answers: ['200 content'], before: true, whileFull: { failed: 1, recovered: 0 } },
    ...{ after: true, dropped: 0, failed: 1, recovered: 1 },
  });
});

test('the country and the region of a client come from the database of the operator', async () => {
  await using home = await testHome('sqlite');
  const file = path.join(home.folder, 'countries.mmdb');
  const networks = [
    {
      network: '203.0.113.0/24',
      record: { country: { iso_code: 'DE' }, subdivisions: [{ iso_code: 'BE' }, { iso_code: 'XX' }] },
    },
    // As DB-IP has it: a region by its name alone.
    {
      network: '2001:db8:77::/48',
      record: { country: { iso_code: 'FR' }, subdivisions: [{ names: { en: 'Brittany' } }] },
    },
    { network: '198.51.100.128/25', record: { continent: { code: 'EU' } } },
  ];
  await writeFile(file, countryFile(networks));
  await using instance = await startInstance('sqlite', {
    home,
    settings: { MAINSTAY_REQUEST_LOG_COUNTRIES: file },
  });
  const applicationId = instance.bootstrapped.application.id;
  const expected: [address: string, country: string | null, region: string | null][] = [
    ['203.0.113.77', 'DE', 'BE'],
    ['2001:db8:77::9', 'FR', null],
    ['198.51.100.200', null, null],
    ['198.51.100.1', null, null],
    ['2001:db8:78::9', null, null],
    ['no address', null, null],
  ];
  const lines = expected.map(([address]) => requestLine({ applicationId, address }));
  for (const line of lines) instance.platform.logs.write('requests', line);
  await instance.platform.logs.flush();
  const get = async (rest: string) =>
    (await instance.call('GET', `/applications/${applicationId}/requests${rest}`, { as: 'application' }))
      .body;
  for (const [index, [address, country, region]] of expected.entries()) {
    const { request, clientSubdivision } = await get(`/${lines[index]?.id}`);
    assert.deepEqual([request.country, clientSubdivision], [country, region], address);
  }
  const found = await get('?country=DE,FR');
  assert.deepEqual(
    found.items.map(({ id }: { id: string }) => id).sort(),
    [lines[0]?.id, lines[1]?.id].sort(),
  );
  const { top } = await get('/stats?interval=1h');
  const countries = top.countries.map(({ value }: { value: string | null }) => value);
  assert.deepEqual(countries.filter((value: string | null) => value !== null).sort(), ['DE', 'FR']);
});

test('an export of very many lines needs no more memory than one of few', { timeout: 300_000 }, async () => {
  await using instance = await startInstance('sqlite');
  const applicationId = instance.bootstrapped.application.id;
  const count = 40_000;
  const step = 4000;
  const start = Date.now() - 86_400_000 - count * step;
  for (let at = 0; at < count; ) {
    const lines = Array.from({ length: 5000 }, () => {
      const startedAt = start + at * step;
      return requestLine({ id: newId(startedAt), applicationId, startedAt, path: `/${at++}` });
    });
    await instance.platform.logs.append('requests', lines);
  }

  const response = await fetch(`${instance.url}/applications/${applicationId}/requests/export`, {
    headers: { authorization: `Bearer ${await instance.token('application')}` },
  });
  assert.equal(response.status, 200);
  const text = (response.body as ReadableStream<Uint8Array<ArrayBuffer>>).pipeThrough(
    new TextDecoderStream(),
  );
  const memory: number[] = [];
  let seen = 0;
  let bytes = 0;
  let rest = '';
  for await (const piece of text) {
    bytes += piece.length;
    const lines = (rest + piece).split('\n');
    rest = lines.pop() ?? '';
    for (const line of lines) {
      seen++;
      const number = /"path":"\/(\d+)"/.exec(line)?.[1];
      if (number !== String(count - seen)) assert.fail(`line ${seen} is that of /${number}`);
      if (seen % 5000 === 2500) memory.push(memoryInUse());
    }
  }
  assert.deepEqual([seen, rest], [count, '']);
  // The least of some moments: what is just on its way is no growth.
  const half = memory.length / 2;
  const growth = Math.min(...memory.slice(half)) - Math.min(...memory.slice(0, half));
  const mib = 1024 * 1024;
  assert.ok(bytes > 24 * mib, `${bytes} bytes are too few to tell`);
  // What was sent by then would be another half of it.
  assert.ok(growth < bytes / 2 - 2 * mib, `${Math.round(growth / mib)} MiB more than in its first half`);
});

/** Bytes that something holds on to, in this thread. */
function memoryInUse(): number {
  setFlagsFromString('--expose-gc');
  (runInNewContext('gc') as () => void)();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

test('a database of countries that is missing or none stops the start with a sentence', async () => {
  await using home = await testHome('sqlite');
  const none = path.join(home.folder, 'none.mmdb');
  await writeFile(none, 'no database');
  const missing = path.join(home.folder, 'missing.mmdb');
  for (const [file, why] of [
    [none, /which is no such database/],
    [missing, /cannot be read \(ENOENT\)/],
  ] as const) {
    const settings = { MAINSTAY_DATA_DIR: home.folder, MAINSTAY_REQUEST_LOG_COUNTRIES: file };
    const { code, stderr } = await runCommand(['serve'], settings);
    assert.equal(code, 2, stderr);
    assert.match(stderr, why);
    assert.ok(stderr.includes(file), stderr);
  }
});
