import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readdir, rm, truncate } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { migrate } from '#core/migrate.ts';
import { emptyHome, engines, testHome } from '#testing/engines.ts';
import { bootstrapCommand, runCommand } from '#testing/process.ts';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/engines.ts';

/** What the commands do when something is missing, wrong, held by another, or full. */

const log = pino({ level: 'silent' });

for (const engine of engines) {
  describe(`trouble on ${engine}`, () => {
    test('a database of a newer version is not started on, with automatic migration or without', async () => {
      await using home = await testHome(engine);
      await runCommand(['migrate'], home.settings);
      const db = await openDatabase(readConfig(home.settings), log);
      await db.write((tx) =>
        tx.insertInto('migrations').values({ name: '9999_future', applied_at: 1 }).execute(),
      );
      await db.close();
      for (const MAINSTAY_AUTO_MIGRATE of ['true', 'false']) {
        const { code, stderr } = await runCommand(['serve'], { ...home.settings, MAINSTAY_AUTO_MIGRATE });
        assert.equal(code, 1);
        assert.match(stderr, /newer version/);
      }
    });

    test('restore refuses the wrong master key before it writes, and can be tried again', async () => {
      await using home = await testHome(engine);
      const before = await bootstrapCommand(home.settings);
      const folder = path.join(home.folder, 'backup');
      assert.equal((await runCommand(['backup', '--to', folder], home.settings)).code, 0);
      await using elsewhere = await emptyHome(engine);
      const restore = (settings: Record<string, string>) =>
        runCommand(['restore', '--from', folder], settings);
      const wrong = await restore({
        ...elsewhere.settings,
        MAINSTAY_MASTER_KEY: randomBytes(32).toString('hex'),
      });
      assert.equal(wrong.code, 2, wrong.stderr);
      assert.match(wrong.stderr, /not the one that this backup was made with\. Nothing was changed/);
      const right = await restore(elsewhere.settings);
      assert.equal(right.code, 0, right.stderr);
      assert.deepEqual(await bootstrapCommand(elsewhere.settings), before);
    });
  });
}

test('a node that waits for the migrations of another says so, and gives up in the end', {
  skip: engines.includes('postgres') ? false : 'PostgreSQL is not on this machine',
}, async () => {
  await using home = await emptyHome('postgres');
  const [one, two] = [
    await openDatabase(readConfig(home.settings), log),
    await openDatabase(readConfig(home.settings), log),
  ];
  const inside = Promise.withResolvers<void>();
  const held = Promise.withResolvers<void>();
  const holding = one.write(
    async () => {
      inside.resolve();
      await held.promise;
    },
    { queue: 'migrations' },
  );
  await inside.promise;
  const said: string[] = [];
  const waiting = {
    say: (text: string) => void said.push(text),
    sayAfterSeconds: 0.05,
    giveUpAfterSeconds: 0.1,
  };
  const migration = { name: '0001_nothing', up: async () => undefined };
  await assert.rejects(
    migrate(two, [migration], waiting),
    /Another node has held the lock of the migrations/,
  );
  assert.match(said.join(), /waiting for it to finish/);
  held.resolve();
  await holding;
  assert.deepEqual(await migrate(two, [migration], waiting), ['0001_nothing']);
  await Promise.all([one.close(), two.close()]);
});

test('what is missing from a backup, or cut, is named', async () => {
  await using home = await testHome('sqlite');
  await bootstrapCommand(home.settings);
  await using elsewhere = await emptyHome('sqlite');
  const damage: [name: string, work: (file: string) => Promise<void>, sentence: RegExp][] = [
    ['database.ndjson.zst', (file) => truncate(file, 100), /database\.ndjson\.zst is not what it was/],
    ['master.key', (file) => rm(file), /master\.key is missing or cannot be read/],
    ['manifest.json', (file) => truncate(file, 100), /manifest\.json is not whole/],
    ['manifest.json', (file) => rm(file), /is not a backup: it has no manifest\.json/],
  ];
  for (const [at, [name, work, sentence]] of damage.entries()) {
    const folder = path.join(home.folder, `backup ${at}`);
    await runCommand(['backup', '--to', folder], home.settings);
    await work(path.join(folder, name));
    const { code, stderr } = await runCommand(['restore', '--from', folder], elsewhere.settings);
    assert.equal(code, 1);
    assert.match(stderr, sentence);
  }
  assert.equal(existsSync(elsewhere.settings['MAINSTAY_DATA_DIR'] ?? ''), false);
});

test('neither backup nor doctor makes anything where nothing is', async () => {
  await using home = await emptyHome('sqlite');
  const dataDir = home.settings['MAINSTAY_DATA_DIR'] ?? '';
  const backup = await runCommand(['backup', '--to', path.join(home.folder, 'backup')], home.settings);
  assert.equal(backup.code, 2);
  assert.match(backup.stderr, /There is no database in .*nothing to back up/);
  const doctor = await runCommand(['doctor'], { ...home.settings, MAINSTAY_PORT: '1' });
  assert.equal(doctor.code, 0, doctor.stdout);
  assert.match(doctor.stdout, /database +none yet/);
  assert.equal(existsSync(dataDir), false);
});

test('a master key that is lost is asked for, and no other is made', async () => {
  await using home = await testHome('sqlite');
  await bootstrapCommand(home.settings);
  const file = path.join(home.settings['MAINSTAY_DATA_DIR'] ?? '', 'master.key');
  await rm(file);
  const { code, stderr } = await runCommand(['serve'], home.settings);
  assert.equal(code, 1);
  assert.match(stderr, /master\.key is missing, and the database was made with the key that it held/);
  assert.equal(existsSync(file), false);
});

const mounts = spawnSync('unshare', ['-rm', 'mount', '-t', 'tmpfs', 'tmpfs', '/mnt']).status === 0;

test('on a full disk the server starts and reads, doctor and backup to elsewhere work, and nothing is left over', {
  skip: mounts ? false : 'this machine lets nobody mount a file system of its own',
}, async () => {
  await using home = await testHome('sqlite');
  const child = path.join(import.meta.dirname, 'full-disk-child.ts');
  const disk = path.join(home.folder, 'disk');
  const script = 'mkdir "$1" && mount -t tmpfs -o size=24m tmpfs "$1" && exec "$2" "$3" "$1" "$4"';
  const { stdout, stderr } = spawnSync(
    'unshare',
    ['-rm', 'sh', '-c', script, 'sh', disk, process.execPath, child, path.join(home.folder, 'backup')],
    { encoding: 'utf8' },
  );
  assert.notEqual(stdout, '', stderr);
  const found = JSON.parse(stdout);
  assert.equal(found.doctor.database, true, stdout);
  assert.equal(found.doctor['master key'], true);
  assert.equal(found.doctor['disk writes'], false);
  assert.equal(found.backup, 0);
  assert.equal(found.readyz, 'degraded');
  assert.equal(found.read, 200);
  assert.equal(found.write, 507);
  assert.deepEqual(found.leftOver, []);
  assert.deepEqual((await readdir(path.join(home.folder, 'backup'))).length, 3);
});
