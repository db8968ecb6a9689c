import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { checkConfiguration, defineConfig, loadConfiguration, mistakesOf, unknownKeys } from './index.ts';

test('a configuration of everything is valid', () => {
  const configuration = defineConfig({
    version: 4,
    assets: 'public',
    build_commands: ['npm ci'],
    env: { LOG_LEVEL: 'info' },
    functions: {
      'src/*.ts': {
        memory: 256,
        max_duration: 30,
        runtime: 'node-26',
        includeFiles: 'data/**',
        schedule: 'rate(1 day)',
      },
    },
    routes: [
      { source: '/api/*', destination: 'src/api.ts', has: [{ type: 'header', key: 'x', value: 'y' }] },
      {
        source: '/old',
        destination: '/new',
        redirect: true,
        statusCode: 308,
        missing: [{ type: 'host', value: 'a' }],
      },
    ],
    images: { widths: [640], formats: ['image/webp'], variants: { small: { width: 10, fit: 'cover' } } },
    services: {
      redis: { eviction: true },
      postgres: null,
      storage: { buckets: { photos: { visibility: 'public' }, b12: null } },
    },
    regions: null,
  });
  assert.deepEqual(mistakesOf(configuration), []);
  assert.equal(checkConfiguration('mainstay.yaml', configuration), configuration);
});

for (const [value, expected] of [
  [null, ['the file must be an object']],
  [{}, ['the file lacks "version"']],
  [{ version: 3 }, ['version must be 4']],
  [{ version: 4, assets: 5 }, ['assets must be text']],
  [{ version: 4, functions: { 'a.ts': { memory: 1 } } }, ['functions["a.ts"].memory must be at least 128']],
  [{ version: 4, functions: { a: { runtime: 'cobol' } } }, [/^functions\.a\.runtime must be one of node-16/]],
  [
    { version: 4, functions: { a: { includeFiles: 5 } } },
    ['functions.a.includeFiles must be text or a list'],
  ],
  [{ version: 4, routes: [{ destination: 'x' }] }, ['routes[0] lacks "source"']],
  [{ version: 4, routes: [{ source: '/', has: [{ type: 'cookie' }] }] }, ['routes[0].has[0] lacks "key"']],
  [
    { version: 4, routes: [{ source: '/', has: [{ type: 'host', value: 'a', x: 1 }] }] },
    ['routes[0].has[0] has the unknown key "x"'],
  ],
  [{ version: 4, images: { widths: [1, 1] } }, ['images.widths must not have the same item twice']],
  [{ version: 4, images: { colour: true } }, ['images has the unknown key "colour"']],
  [
    { version: 4, services: { storage: { buckets: { A: null } } } },
    [/^services\.storage\.buckets\.A must match/],
  ],
  [{ version: 4, presets: ['x'] }, ['presets[0] must be an address']],
  [{ version: 4, env: { '': 'x' } }, ['env[""] must not be empty']],
] as const)
  test(`${JSON.stringify(value)} is refused with its place`, () => {
    const found = mistakesOf(value);
    assert.equal(found.length, expected.length, found.join('; '));
    for (const [at, one] of expected.entries())
      if (typeof one === 'string') assert.equal(found[at], one);
      else assert.match(found[at] ?? '', one);
  });

test('unknown keys at the top are known to be without effect, whatever they are called', () => {
  assert.deepEqual(unknownKeys({ version: 4, toString: 1, constructor: 2 } as never), [
    'toString',
    'constructor',
  ]);
});

test('the first file that is there is read, by whoever can read it', async () => {
  const folder = await mkdtemp(path.join(tmpdir(), 'mainstay-config-'));
  const evaluate = {
    module: async () => ({ version: 4 as const, assets: 'm' }),
    yaml: () => ({ version: 4, assets: 'y' }),
  };
  try {
    assert.equal(await loadConfiguration(folder, evaluate), null);
    await writeFile(path.join(folder, 'mainstay.json'), '{"version": 4, "assets": "j"}');
    assert.equal((await loadConfiguration(folder, evaluate))?.configuration.assets, 'j');
    await writeFile(path.join(folder, 'mainstay.yaml'), 'anything');
    assert.deepEqual(await loadConfiguration(folder, evaluate), {
      file: 'mainstay.yaml',
      configuration: { version: 4, assets: 'y' },
    });
    await writeFile(path.join(folder, 'mainstay.ts'), 'anything');
    assert.equal((await loadConfiguration(folder, evaluate))?.file, 'mainstay.ts');
    await rm(path.join(folder, 'mainstay.ts'));
    await writeFile(path.join(folder, 'mainstay.yaml'), '');
    await assert.rejects(loadConfiguration(folder, evaluate), { message: 'mainstay.yaml: is empty' });
  } finally {
    await rm(folder, { recursive: true });
  }
});
