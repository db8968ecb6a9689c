import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { describe, test } from 'node:test';
import { duration, integer, list, readSettings, size, url } from '#core/settings.ts';
import {
  auditLogFile,
  auditLogPage,
  productsSchema,
  productsSchemaFile,
  settingsFile,
  settingsPage,
} from '../../scripts/docs.ts';
import { readConfig, unknownSettings } from './config.ts';

describe('settings', () => {
  test('docs/settings.md, the actions of docs/audit-log.md and the schema of products are what `npm run docs` writes', async () => {
    assert.equal(await readFile(settingsFile, 'utf8'), settingsPage());
    const auditLog = await readFile(auditLogFile, 'utf8');
    assert.equal(auditLog, auditLogPage(auditLog));
    assert.equal(await readFile(productsSchemaFile, 'utf8'), productsSchema());
  });

  test('nothing has to be set', () => {
    const config = readConfig({});
    assert.equal(config.baseUrl, 'http://localhost:4000');
    assert.equal(config.host, '127.0.0.1');
    assert.equal(config.databaseUrl, undefined);
  });

  test('an empty variable counts as absent', () => {
    assert.equal(readConfig({ MAINSTAY_PORT: '', MAINSTAY_BASE_URL: ' ' }).port, 4000);
  });

  test('the base address follows the port, and loses its last slash', () => {
    assert.equal(readConfig({ MAINSTAY_PORT: '5000' }).baseUrl, 'http://localhost:5000');
    assert.equal(readConfig({ MAINSTAY_BASE_URL: 'https://m.example/' }).baseUrl, 'https://m.example');
    assert.throws(() => readConfig({ MAINSTAY_BASE_URL: 'https://m.example/?a=b' }), /no query/);
  });

  test('two master keys are one too many', () => {
    const both = { MAINSTAY_MASTER_KEY: 'a'.repeat(64), MAINSTAY_MASTER_KEY_FILE: '/x' };
    assert.throws(() => readConfig(both), /both set/);
  });

  test('a mistyped name is found', () => {
    assert.deepEqual(unknownSettings({ MAINSTAY_PROT: '1', PATH: '/bin', MAINSTAY_PORT: '1' }), [
      'MAINSTAY_PROT',
    ]);
  });

  const one = { name: 'X', meaning: '' };
  const read = (setting: Parameters<typeof readSettings>[0][string], value: string) =>
    readSettings({ x: setting }, { X: value }).x;

  test('lengths of time, sizes, lists and addresses are read, and what is none is refused', () => {
    const time = duration({ ...one, fallback: '1m' });
    assert.equal(read(time, '90'), 90);
    assert.equal(read(time, '15m'), 900);
    assert.equal(read(time, '30d'), 2_592_000);
    const bytes = size({ ...one, fallback: '1MiB' });
    assert.equal(read(bytes, '64KiB'), 65_536);
    assert.equal(read(bytes, '512B'), 512);
    assert.deepEqual(read(list({ ...one }), 'a, b,,c'), ['a', 'b', 'c']);
    assert.equal(
      read(url({ ...one, protocols: ['https:'] }), 'https://x.example/').href,
      'https://x.example/',
    );
    for (const [setting, value] of [
      [time, '1 week'],
      [time, '-5'],
      [bytes, '1MB'],
      [url({ ...one, protocols: ['https:'] }), 'http://x.example/'],
      [integer({ ...one, fallback: 1, min: 1, max: 5 }), '6'],
      [integer({ ...one, fallback: 1, min: 1, max: 5 }), '0x2'],
    ] as const) {
      assert.throws(() => read(setting, value), /^SettingsError: X: "/);
    }
  });
});
