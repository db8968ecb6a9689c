import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { emptyHome, engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance } from '#testing/instance.ts';
import { bootstrapCommand, runCommand } from '#testing/process.ts';
import { tables, transientTables } from '../platform/areas.ts';
import { readConfig } from '../platform/config.ts';
import { openDatabase } from '../platform/engines.ts';
import { openPlatform } from '../platform/platform.ts';

const log = pino({ level: 'silent' });

describe('the command line', () => {
  test('help is on every command, and says what its options mean', async () => {
    const overview = await runCommand(['--help'], {});
    assert.equal(overview.code, 0);
    for (const name of ['serve', 'bootstrap', 'migrate', 'rotate-keys', 'backup', 'restore', 'doctor']) {
      assert.match(overview.stdout, new RegExp(`\\n {2}${name} `));
      const { code, stdout } = await runCommand([name, '--help'], {});
      assert.equal(code, 0);
      assert.match(stdout, new RegExp(`Usage: mainstay-server ${name}`));
    }
  });

  test('a wrong setting stops the start, is named with what was expected, and all are named at once', async () => {
    const { code, stderr } = await runCommand(['serve'], {
      MAINSTAY_PORT: 'eighty',
      MAINSTAY_DATABASE_URL: 'mysql://user:hunter2@localhost/x',
      MAINSTAY_BODY_LIMIT: '1 KB',
      MAINSTAY_SIGNING_KEY_ROTATION: '1s',
    });
    assert.equal(code, 2);
    assert.match(stderr, /MAINSTAY_PORT: "eighty" is not a whole number from 0 to 65535/);
    assert.match(stderr, /MAINSTAY_DATABASE_URL: its value is not an absolute address/);
    assert.match(stderr, /MAINSTAY_BODY_LIMIT/);
    assert.match(stderr, /MAINSTAY_SIGNING_KEY_ROTATION/);
    assert.equal(stderr.includes('hunter2'), false);
  });

  test('unknown commands, unknown options and missing ones are mistakes with a sentence', async () => {
    for (const args of [['dance'], ['migrate', '--fast'], ['backup'], ['bootstrap', '--email', 'nobody']]) {
      const { code, stderr } = await runCommand(args, {});
      assert.equal(code, 2, args.join(' '));
      assert.match(stderr, /^mainstay-server: /);
    }
  });
});

for (const engine of engines) {
  describe(`commands on ${engine}`, () => {
    test('bootstrap prints keys that work, and the same ones again; also several at once', async () => {
      await using home = await testHome(engine);
      const results = await Promise.all([1, 2, 3].map(() => bootstrapCommand(home.settings)));
      const [first] = results;
      for (const result of results) assert.deepEqual(result, first);
      assert.deepEqual(await bootstrapCommand(home.settings), first);
      assert.deepEqual(Object.keys(first?.keys ?? {}), ['user', 'organization', 'application']);
      await using instance = await startInstance(engine, { home });
      for (const key of Object.values(first?.keys ?? {})) await fetchToken(instance.url, key);
    });

    test('bootstrap makes a new key for one that was revoked', async () => {
      await using home = await testHome(engine);
      const before = await bootstrapCommand(home.settings);
      await using instance = await startInstance(engine, { home });
      const path = `/api-keys/${before.keys.application.id}`;
      assert.equal((await instance.call('DELETE', path, { as: 'organization' })).status, 204);
      const after = await bootstrapCommand(home.settings);
      assert.notEqual(after.keys.application.id, before.keys.application.id);
      assert.deepEqual(after.keys.user, before.keys.user);
    });

    test('ten nodes can migrate one empty database at once', async () => {
      await using home = await emptyHome(engine);
      const results = await Promise.all(
        Array.from({ length: 10 }, () => runCommand(['migrate'], home.settings)),
      );
      for (const { code, stderr } of results) assert.equal(code, 0, stderr);
      const applied = results.filter(({ stdout }) => stdout.includes('applied 0001_foundation'));
      assert.equal(applied.length, 1);
    });

    test('a database of a newer version is left alone', async () => {
      await using home = await testHome(engine);
      await runCommand(['migrate'], home.settings);
      const db = await openDatabase(readConfig(home.settings), log);
      await db.write(async (tx) => {
        await tx.insertInto('migrations').values({ name: '9999_future', applied_at: 1 }).execute();
      });
      await db.close();
      const { code, stderr } = await runCommand(['serve'], { ...home.settings, MAINSTAY_PORT: '0' });
      assert.equal(code, 1);
      assert.match(stderr, /newer version/);
    });

    test('without automatic migration the start asks for it', async () => {
      await using home = await emptyHome(engine);
      const { code, stderr } = await runCommand(['serve'], {
        ...home.settings,
        MAINSTAY_AUTO_MIGRATE: 'false',
      });
      assert.equal(code, 1);
      assert.match(stderr, /mainstay-server migrate/);
    });

    test('the wrong master key stops the start with a clear sentence', async () => {
      await using home = await testHome(engine);
      await bootstrapCommand(home.settings);
      const wrong = { ...home.settings, MAINSTAY_MASTER_KEY: randomBytes(32).toString('hex') };
      const { code, stderr } = await runCommand(['serve'], wrong);
      assert.equal(code, 1);
      assert.match(stderr, /The master key is not the one that this database was created with/);
    });

    test('a backup taken while the server writes restores to one moment, on either engine', async () => {
      await using home = await testHome(engine);
      await using instance = await startInstance(engine, { home });
      let stop = false;
      const writing = (async () => {
        for (let count = 0; !stop; count++) {
          await instance.call('POST', '/api-keys', { as: 'user', body: { name: `key ${count}` } });
        }
      })();
      const folder = path.join(home.folder, 'backup');
      const backup = await runCommand(['backup', '--to', folder], home.settings);
      stop = true;
      await writing;
      assert.equal(backup.code, 0, backup.stderr);
      assert.equal(
        (await runCommand(['backup', '--to', folder], home.settings)).code,
        2,
        'never over another',
      );
      for (const name of await readdir(folder)) {
        assert.equal((await stat(path.join(folder, name))).mode & 0o077, 0, `${name} is private`);
      }
      for (const target of engines) {
        await using elsewhere = await emptyHome(target);
        const restored = await runCommand(['restore', '--from', folder], elsewhere.settings);
        assert.equal(restored.code, 0, restored.stderr);
        const again = await runCommand(['restore', '--from', folder], elsewhere.settings);
        assert.equal(again.code, 2);
        assert.match(again.stderr, /not empty/);
        await using copy = await startInstance(target, { home: elsewhere });
        assert.deepEqual(copy.bootstrapped, instance.bootstrapped);
        // One moment: a key never without its secret and its audit record.
        const { db } = copy.platform;
        const keys = await db.selectFrom('api_keys').select('id').execute();
        const secrets = await db.selectFrom('api_key_secrets').select('api_key_id').execute();
        const records = await db
          .selectFrom('audit_log')
          .select('target_id')
          .where('action', '=', 'api_key.created')
          .execute();
        assert.deepEqual(new Set(secrets.map((row) => row.api_key_id)), new Set(keys.map((row) => row.id)));
        assert.equal(records.length, keys.length);
      }
    });

    test('a damaged backup is refused before anything is written', async () => {
      await using home = await testHome(engine);
      await bootstrapCommand(home.settings);
      const folder = path.join(home.folder, 'backup');
      await runCommand(['backup', '--to', folder], home.settings);
      const file = path.join(folder, 'database.ndjson.zst');
      const bytes = await readFile(file);
      await writeFile(file, bytes.subarray(0, bytes.length - 10));
      await using elsewhere = await emptyHome(engine);
      const { code, stderr } = await runCommand(['restore', '--from', folder], elsewhere.settings);
      assert.equal(code, 1);
      assert.match(stderr, /damaged/);
    });

    test('a backup without the master key is restored with the key from elsewhere', async () => {
      await using home = await testHome(engine);
      const before = await bootstrapCommand(home.settings);
      const folder = path.join(home.folder, 'backup');
      await runCommand(['backup', '--to', folder, '--without-master-key'], home.settings);
      await using elsewhere = await emptyHome(engine);
      assert.equal((await runCommand(['restore', '--from', folder], elsewhere.settings)).code, 2);
      const masterKey = await readFile(
        path.join(home.settings['MAINSTAY_DATA_DIR'] ?? '', 'master.key'),
        'utf8',
      );
      const settings = { ...elsewhere.settings, MAINSTAY_MASTER_KEY: masterKey.trim() };
      const restored = await runCommand(['restore', '--from', folder], settings);
      assert.equal(restored.code, 0, restored.stderr);
      assert.deepEqual(await bootstrapCommand(settings), before);
    });

    test('rotate-keys replaces both keys while the server runs', async () => {
      await using home = await testHome(engine);
      await using instance = await startInstance(engine, {
        home,
        settings: { MAINSTAY_SIGNING_KEY_LEAD: '0s' },
      });
      const kids = async () => (await instance.call('GET', '/.well-known/jwks.json')).body.keys.length;
      assert.equal(await kids(), 2);
      const { code, stdout, stderr } = await runCommand(['rotate-keys'], {
        ...home.settings,
        MAINSTAY_SIGNING_KEY_LEAD: '0s',
      });
      assert.equal(code, 0, stderr);
      assert.match(stdout, /Data key 2/);
      assert.equal(await kids(), 3);
      await fetchToken(instance.url, instance.bootstrapped.keys.user);
    });

    test('a new master key takes over after rotate-keys', async () => {
      await using home = await testHome(engine);
      const before = await bootstrapCommand(home.settings);
      const file = path.join(home.folder, 'new.key');
      await writeFile(file, randomBytes(32).toString('base64'));
      const { code, stderr } = await runCommand(
        ['rotate-keys', '--new-master-key-file', file],
        home.settings,
      );
      assert.equal(code, 0, stderr);
      const moved = { ...home.settings, MAINSTAY_MASTER_KEY_FILE: file };
      assert.deepEqual(await bootstrapCommand(moved), before);
      assert.equal((await runCommand(['bootstrap', '--json', ...bootstrapArguments], home.settings)).code, 1);
    });

    test('doctor finds a healthy instance healthy, and names what is not', async () => {
      await using home = await testHome(engine);
      await bootstrapCommand(home.settings);
      const healthy = await runCommand(['doctor'], { ...home.settings, MAINSTAY_PORT: '1' });
      assert.equal(healthy.code, 0, healthy.stdout);
      const wrong = { ...home.settings, MAINSTAY_PORT: '1', MAINSTAY_PROT: '4000' };
      const { code, stdout } = await runCommand(['doctor', '--json'], {
        ...wrong,
        MAINSTAY_MASTER_KEY: randomBytes(32).toString('hex'),
      });
      assert.equal(code, 1);
      const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; text: string }[] };
      const bad = findings.filter(({ ok }) => !ok).map(({ check }) => check);
      assert.deepEqual(bad, ['settings', 'master key']);
      assert.match(findings.find(({ check }) => check === 'settings')?.text ?? '', /MAINSTAY_PROT/);
      assert.match(
        findings.find(({ check }) => check === 'master key')?.text ?? '',
        /Set MAINSTAY_MASTER_KEY to/,
      );
    });

    test('every table is in the list that backups follow', async () => {
      await using home = await testHome(engine);
      await using platform = await openPlatform(readConfig(home.settings), log);
      const present = (await platform.db.introspection.getTables()).map(({ name }) => name);
      const listed = new Set<string>([...tables, ...transientTables]);
      assert.deepEqual(
        present.filter((name) => !listed.has(name)),
        [],
      );
      assert.deepEqual(
        tables.filter((name) => !present.includes(name)),
        [],
      );
    });
  });
}

const bootstrapArguments = [
  ...['--email', 'owner@example.com', '--password', 'correct horse battery'],
  ...['--organization', 'Acme', '--application', 'Web'],
];

test('bootstrap refuses a password that sign-up would refuse', async () => {
  await using home = await testHome('sqlite');
  const weak = bootstrapArguments.with(3, 'password1');
  const { code, stderr } = await runCommand(['bootstrap', ...weak], home.settings);
  assert.equal(code, 2);
  assert.match(stderr, /--password: The password is too easy to guess/);
});

describe('the master key', () => {
  test('is made once, private, and shared by processes that start together', async () => {
    await using home = await testHome('sqlite');
    await Promise.all([1, 2, 3, 4].map(() => bootstrapCommand(home.settings)));
    const dataDir = home.settings['MAINSTAY_DATA_DIR'] ?? '';
    assert.equal((await stat(path.join(dataDir, 'master.key'))).mode & 0o777, 0o600);
    assert.deepEqual(
      (await readdir(dataDir)).filter((name) => name.startsWith('master.key')),
      ['master.key'],
    );
  });

  test('a file that holds none is named', async () => {
    await using home = await testHome('sqlite');
    const dataDir = home.settings['MAINSTAY_DATA_DIR'] ?? '';
    await mkdir(dataDir, { recursive: true });
    await writeFile(path.join(dataDir, 'master.key'), 'too short');
    const { code, stderr } = await runCommand(['serve'], home.settings);
    assert.equal(code, 1);
    assert.match(stderr, /master\.key does not hold a master key/);
  });
});
