import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { publint } from 'publint';
import { build } from './build.ts';

test('the package as it is published is sound, and checks a configuration', async () => {
  const dist = await mkdtemp(path.join(tmpdir(), 'mainstay-config-'));
  try {
    await build(dist);
    assert.deepEqual((await publint({ pkgDir: dist, strict: true })).messages, []);
    const { checkConfiguration } = await import(pathToFileURL(path.join(dist, 'index.js')).href);
    assert.deepEqual(checkConfiguration('mainstay.json', { version: 4 }), { version: 4 });
    assert.throws(() => checkConfiguration('mainstay.json', { version: 4, assets: 5 }), /assets/);
  } finally {
    await rm(dist, { recursive: true, force: true });
  }
});
