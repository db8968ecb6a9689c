import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { glob, mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { publint } from 'publint';
import { build } from './build.ts';
import { describeTypes } from './generate.ts';

test('the types are those of openapi.json; `npm run openapi` writes both', async () => {
  const isCurrent =
    (await readFile(new URL('./api.ts', import.meta.url), 'utf8')) === (await describeTypes());
  assert.ok(isCurrent, 'sdk/api.ts is out of date');
});

describe('the package as it is published', () => {
  let dist: string;
  before(async () => {
    dist = await mkdtemp(path.join(tmpdir(), 'mainstay-sdk-'));
    await build(dist);
  });
  after(() => rm(dist, { recursive: true, force: true }));

  test('publint finds nothing', async () => {
    assert.deepEqual((await publint({ pkgDir: dist, strict: true })).messages, []);
  });

  test('are-the-types-wrong finds nothing', async () => {
    const attw = fileURLToPath(
      new URL('../node_modules/@arethetypeswrong/cli/dist/index.js', import.meta.url),
    );
    const args = [attw, '--pack', dist, '--profile', 'esm-only', '--format', 'json'];
    const { stdout } = await promisify(execFile)(process.execPath, args);
    const { problems } = JSON.parse(stdout);
    // What require() gets is what Node says of every package that is ESM only.
    const kinds = Object.keys(problems ?? {}).filter((kind) => kind !== 'CJSResolvesToESM');
    assert.deepEqual(kinds, []);
  });

  test('it depends on no package, and on nothing that only one runtime has', async () => {
    const manifest = JSON.parse(await readFile(path.join(dist, 'package.json'), 'utf8'));
    assert.deepEqual(
      Object.keys(manifest).filter((key) => /dependencies/i.test(key)),
      [],
    );
    for await (const file of glob('**/*.js', { cwd: dist })) {
      const text = await readFile(path.join(dist, file), 'utf8');
      for (const [, from] of text.matchAll(/\bfrom\s+['"]([^'"]+)/g))
        assert.match(String(from), /^\.\.?\/.*\.js$/);
      assert.doesNotMatch(text, /\b(process|Buffer|Deno|Bun|window|document)\b\./);
    }
  });
});
