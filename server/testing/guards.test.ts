import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { describe, test } from 'node:test';
import type { Topic } from '#core/news.ts';
import type { Area } from '#http/area.ts';
import { areas, settingsSections } from '../platform/areas.ts';

/** Each guard of `npm run check` has a planted violation here that must fail: a guard that stopped biting is found. */

const root = path.join(import.meta.dirname, '../..');

const planted: Record<string, [folder: string, text: string, rule: RegExp]> = {
  'core that imports http': ['server/core', "import '#http/access.ts';\n", /noRestrictedImports/],
  'core that imports an area': [
    'server/core',
    "import '#accounts/tokens/service.ts';\n",
    /noRestrictedImports/,
  ],
  'http that imports an area': [
    'server/http',
    "import '#accounts/tokens/service.ts';\n",
    /noRestrictedImports/,
  ],
  'http that imports an adapter': [
    'server/http',
    "import '#adapters/sqlite/open.ts';\n",
    /noRestrictedImports/,
  ],
  'an area that imports an adapter': [
    'server/accounts/tokens',
    "import '#adapters/sqlite/open.ts';\n",
    /noRestrictedImports/,
  ],
  'an area that reaches into another': [
    'server/accounts/tokens',
    "import '#accounts/api-keys/store.ts';\n",
    /noRestrictedImports/,
  ],
  "an area that takes another's composition": [
    'server/areas/whois',
    "import '#accounts/users/index.ts';\n",
    /noRestrictedImports/,
  ],
  'an area of accounts that imports a product': [
    'server/accounts/tokens',
    "import '#areas/whois/service.ts';\n",
    /noRestrictedImports/,
  ],
  'an area that climbs out by a relative path': [
    'server/accounts/tokens',
    "import '../api-keys/store.ts';\n",
    /noRestrictedImports/,
  ],
  'an adapter that imports http': [
    'server/adapters/sqlite',
    "import '#http/access.ts';\n",
    /noRestrictedImports/,
  ],
  'the environment read outside the start': [
    'server/accounts/tokens',
    "export const x = process.env['HOME'];\n",
    /noProcessEnv/,
  ],
  'a line on the console': ['server/core', "console.log('x');\n", /noConsole/],
};

const allowed = 'an area that uses the service of another';
planted[allowed] = ['server/accounts/tokens', "import '#accounts/api-keys/service.ts';\n", /^$/];
const cycle: Record<string, string> = {
  'a.ts': "import { b } from './b.ts';\nexport const a = () => b;\n",
  'b.ts': "import { a } from './a.ts';\nexport const b = () => a;\n",
};

/** Lints all of these at once, since looking through the project takes most of the time. Resolves with the rules broken, by file. */
async function lint(files: ReadonlyMap<string, string>): Promise<Map<string, string>> {
  try {
    for (const [file, text] of files) await writeFile(path.join(root, file), text);
    const command = path.join(root, 'node_modules/.bin/biome');
    const parameters = ['lint', '--colors=off', '--max-diagnostics=none', ...files.keys()];
    const { stdout, stderr } = spawnSync(command, parameters, { cwd: root, encoding: 'utf8' });
    const broken = new Map([...files.keys()].map((file) => [file, '']));
    for (const [, file = '', rule] of (stdout + stderr).matchAll(/^(\S+\.ts)(?::\d+:\d+)? (lint\/\S+)/gm))
      broken.set(file, `${broken.get(file)} ${rule}`.trim());
    return broken;
  } finally {
    for (const file of files.keys()) await rm(path.join(root, file), { force: true });
  }
}

describe('boundaries', async () => {
  const fileOf = (what: string) => `${planted[what]?.[0]}/planted-${Object.keys(planted).indexOf(what)}.ts`;
  const folder = path.relative(root, await mkdtemp(path.join(root, 'server/core/planted-')));
  const texts = [
    ...Object.entries(planted).map(([what, [, text]]) => [fileOf(what), text] as const),
    ...Object.entries(cycle).map(([name, text]) => [`${folder}/${name}`, text] as const),
  ];
  const broken = await lint(new Map(texts));
  await rm(path.join(root, folder), { recursive: true });

  for (const [what, [, , rule]] of Object.entries(planted)) {
    const verdict = what === allowed ? 'accepted' : 'refused';
    test(`${what} is ${verdict}`, () => assert.match(broken.get(fileOf(what)) ?? '', rule));
  }

  test('files that import each other are refused', () => {
    assert.match(broken.get(`${folder}/a.ts`) ?? '', /noImportCycles/);
  });
});

const untyped: Record<string, string> = {
  'an enum': 'export enum Colour { Red }\n',
  'a parameter property': 'export class A { constructor(private x: number) {} }\n',
  'an unused local': 'export function f() { const x = 1; }\n',
  'an index that may be missing': 'export const first = (a: number[]): number => a[0];\n',
};

describe('composition', () => {
  test('every area is in the list', async () => {
    for (const room of ['accounts', 'areas']) {
      for (const name of await readdir(path.join(root, 'server', room))) {
        const face = (await import(`../${room}/${name}/index.ts`)) as { area: Area };
        assert.ok((areas as readonly Area[]).includes(face.area), `${room}/${name}`);
      }
    }
  });

  test('no two settings have the same key or the same name', () => {
    const all = settingsSections.flatMap(({ group }) => Object.entries(group));
    assert.equal(new Set(all.map(([key]) => key)).size, all.length);
    assert.equal(new Set(all.map(([, { name }]) => name)).size, all.length);
  });
});

// @ts-expect-error: a topic that nobody declared; `npm run check` fails when this compiles.
'memberships' satisfies Topic;

describe('types', async () => {
  const folder = await mkdtemp(path.join(root, 'node_modules/.cache/planted-'));
  const names = Object.keys(untyped);
  for (const [at, text] of Object.values(untyped).entries())
    await writeFile(path.join(folder, `${at}.ts`), text);
  const config = { extends: path.join(root, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
  await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
  const command = path.join(root, 'node_modules/.bin/tsc');
  const { stdout } = spawnSync(command, ['--noEmit', '--pretty', 'false', '-p', folder], {
    cwd: root,
    encoding: 'utf8',
  });
  await rm(folder, { recursive: true });
  for (const [at, what] of names.entries())
    test(`${what} is refused`, () => assert.match(stdout, new RegExp(`/${at}\\.ts\\(.*error`)));
});

describe('dead code', () => {
  test('an export that nobody uses is refused', async () => {
    const file = path.join(root, 'server/core/planted.ts');
    await writeFile(file, 'export const planted = 1;\n');
    try {
      const { status, stdout } = spawnSync(path.join(root, 'node_modules/.bin/knip'), [], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.notEqual(status, 0);
      assert.match(stdout, /planted/);
    } finally {
      await rm(file);
    }
  });
});
