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

/** Lints this text as if it stood in that folder. */
async function lint(folder: string, text: string): Promise<{ failed: boolean; output: string }> {
  const file = path.join(root, folder, 'planted.ts');
  await writeFile(file, text);
  try {
    const command = path.join(root, 'node_modules/.bin/biome');
    const { status, stdout, stderr } = spawnSync(command, ['lint', '--colors=off', file], {
      cwd: root,
      encoding: 'utf8',
    });
    return { failed: status !== 0, output: stdout + stderr };
  } finally {
    await rm(file);
  }
}

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

describe('boundaries', () => {
  for (const [what, [folder, text, rule]] of Object.entries(planted)) {
    test(`${what} is refused`, async () => {
      const { failed, output } = await lint(folder, text);
      assert.ok(failed, output);
      assert.match(output, rule);
    });
  }

  test('an area may use the service of another', async () => {
    const { failed, output } = await lint(
      'server/accounts/tokens',
      "import '#accounts/api-keys/service.ts';\n",
    );
    assert.equal(failed, false, output);
  });

  test('files that import each other are refused', async () => {
    const folder = await mkdtemp(path.join(root, 'server/core/planted-'));
    try {
      await writeFile(path.join(folder, 'a.ts'), "import { b } from './b.ts';\nexport const a = () => b;\n");
      await writeFile(path.join(folder, 'b.ts'), "import { a } from './a.ts';\nexport const b = () => a;\n");
      const command = path.join(root, 'node_modules/.bin/biome');
      const { status, stdout, stderr } = spawnSync(command, ['lint', '--colors=off', folder], {
        cwd: root,
        encoding: 'utf8',
      });
      assert.notEqual(status, 0);
      assert.match(stdout + stderr, /noImportCycles/);
    } finally {
      await rm(folder, { recursive: true });
    }
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

describe('types', () => {
  for (const [what, text] of Object.entries(untyped)) {
    test(`${what} is refused`, async () => {
      const folder = await mkdtemp(path.join(root, 'node_modules/.cache/planted-'));
      try {
        await writeFile(path.join(folder, 'x.ts'), text);
        const config = { extends: path.join(root, 'tsconfig.json'), include: ['x.ts'], exclude: [] };
        await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
        const tsc = path.join(root, 'node_modules/.bin/tsc');
        const { status } = spawnSync(tsc, ['--noEmit', '-p', folder], { cwd: root });
        assert.notEqual(status, 0);
      } finally {
        await rm(folder, { recursive: true });
      }
    });
  }
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
