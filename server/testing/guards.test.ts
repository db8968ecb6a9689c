import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, describe, test } from 'node:test';
import type { AuditAction } from '#accounts/audit-log/service.ts';
import type { Topic } from '#core/notifications.ts';
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

const allowed = { folder: 'server/accounts/tokens', text: "import '#accounts/api-keys/service.ts';\n" };
const circle = [
  "import { b } from './b.ts';\nexport const a = () => b;\n",
  "import { a } from './a.ts';\nexport const b = () => a;\n",
];

describe('boundaries', () => {
  const files = Object.entries(planted).map(([what, [folder, text, rule]], index) => ({
    ...{ what, text, rule },
    file: `${folder}/planted-${index}.ts`,
  }));
  const allowedFile = `${allowed.folder}/planted-allowed.ts`;
  let circleFolder: string;
  let output: string;
  /** The rules that the file breaks. */
  const rulesOf = (file: string) =>
    output
      .split('\n')
      .filter((line) => line.startsWith(`${file}:`))
      .join('\n');

  // In one run: to know what imports what, Biome reads the whole project each time.
  before(async () => {
    circleFolder = await mkdtemp(path.join(root, 'server/core/planted-'));
    const written = [
      ...files.map(({ file, text }) => ({ file: path.join(root, file), text })),
      { file: path.join(root, allowedFile), text: allowed.text },
      ...circle.map((text, index) => ({ file: path.join(circleFolder, `${'ab'[index]}.ts`), text })),
    ];
    try {
      for (const { file, text } of written) await writeFile(file, text);
      const paths = written.map(({ file }) => path.relative(root, file));
      const { stdout, stderr } = spawnSync(
        path.join(root, 'node_modules/.bin/biome'),
        ['lint', '--colors=off', '--max-diagnostics=none', ...paths],
        { cwd: root, encoding: 'utf8' },
      );
      output = stdout + stderr;
    } finally {
      for (const { file } of written) await rm(file, { force: true });
      await rm(circleFolder, { recursive: true });
    }
  });

  for (const { what, file, rule } of files)
    test(`${what} is refused`, () => assert.match(rulesOf(file), rule, output));

  test('an area may use the service of another', () => assert.equal(rulesOf(allowedFile), '', output));

  test('files that import each other are refused', () =>
    assert.match(rulesOf(`${path.relative(root, circleFolder)}/a.ts`), /noImportCycles/, output));
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

  test('queries stand in stores alone', async () => {
    const query = /\.(selectFrom|insertInto|updateTable|deleteFrom)\(|\bsql(<[^`]*>)?`/;
    // What Better Auth asks of any database.
    const adapter = 'accounts/idp/accounts/adapter.ts';
    for (const room of ['accounts', 'areas', 'http']) {
      for (const name of await readdir(path.join(root, 'server', room), { recursive: true })) {
        const file = path.join(room, name);
        if (!file.endsWith('.ts') || /store\.ts$|\.test\.ts$|\/testing\//.test(file) || file === adapter)
          continue;
        const text = await readFile(path.join(root, 'server', file), 'utf8');
        assert.doesNotMatch(text, query, `${file}: move the query to a store.`);
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

// @ts-expect-error: an audit action that is not in the table.
'api_key.craeted' satisfies AuditAction;

describe('types', () => {
  let output: string;
  before(async () => {
    const folder = await mkdtemp(path.join(root, 'node_modules/.cache/planted-'));
    try {
      for (const [index, text] of Object.values(untyped).entries())
        await writeFile(path.join(folder, `planted-${index}.ts`), text);
      const config = { extends: path.join(root, 'tsconfig.json'), include: ['*.ts'], exclude: [] };
      await writeFile(path.join(folder, 'tsconfig.json'), JSON.stringify(config));
      const tsc = path.join(root, 'node_modules/.bin/tsc');
      output = spawnSync(tsc, ['--noEmit', '-p', folder], { cwd: root, encoding: 'utf8' }).stdout;
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  for (const [index, what] of Object.keys(untyped).entries())
    test(`${what} is refused`, () => assert.match(output, new RegExp(`planted-${index}\\.ts.*error TS`)));
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
