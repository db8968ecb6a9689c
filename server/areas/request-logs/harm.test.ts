import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { test } from 'node:test';
import { countryFile } from '#testing/country-file.ts';
import { testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { requestLine } from '#testing/request-lines.ts';

/** Of the log itself, whatever database the instance has. */

const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

test('while the disk of the log is full requests go on, it says so once, and every line is there once there is room', {
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
