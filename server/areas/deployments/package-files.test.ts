import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

/** Tells all files and links of its package. */
const lister = `import fs from 'node:fs';
const all = fs.readdirSync('/app', { recursive: true, withFileTypes: true })
  .filter((one) => !one.isDirectory())
  .map((one) => (one.parentPath + '/' + one.name).replace('/app/', '') + (one.isSymbolicLink() ? ' -> ' + fs.readlinkSync(one.parentPath + '/' + one.name) : ''));
export default { fetch: () => Response.json(all.sort()) };
`;

describe('files of a function', { skip: runnerSettings.MAINSTAY_RUNNER === 'trusted' }, () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
  });
  after(() => instance[Symbol.asyncDispose]());

  const project = (functions: object, more: ZipPart[] = []): ZipPart[] => [
    {
      name: 'mainstay.json',
      content: JSON.stringify({
        ...{ version: 4, functions },
        routes: Object.keys(functions).map((name) => ({ source: `/${name}`, destination: name })),
      }),
    },
    { name: 'api/a.mjs', content: lister },
    { name: 'api/b.mjs', content: lister },
    ...['data/one.json', 'data/two.json', 'data/deep/three.json', 'notes.md', '-x'].map((name) => ({
      name,
      content: '{}',
    })),
    ...more,
  ];
  const all = ['-x', 'api/a.mjs', 'api/b.mjs', 'data/deep/three.json', 'data/one.json', 'data/two.json'];

  test('are those of the project, but for what it excludes and does not include again', async () => {
    const excluding = { excludeFiles: ['data/**', '*.md', 'api/**'], includeFiles: 'data/o*.json' };
    const parts = project({ 'api/a.mjs': excluding, 'api/b.mjs': {} });
    const { host, log } = await tools.deployed(parts);
    const filesOf = async (name: string) => JSON.parse((await tools.visit(host, `/${name}`)).body);
    assert.deepEqual(await filesOf('api/a.mjs'), ['-x', 'api/a.mjs', 'data/one.json', 'mainstay.json'], log);
    assert.deepEqual(await filesOf('api/b.mjs'), [...all, 'mainstay.json', 'notes.md']);
    assert.match(log, /api\/a\.mjs is packed with \d+ files and folders of the project\./);
  });

  test('have the symbolic links that it asks for, and other functions have not', async () => {
    const symlinks = { 'config/current.json': '../data/one.json', 'api/more': 'a.mjs' };
    const parts = project({ 'api/a.mjs': { symlinks }, 'api/b.mjs': {} });
    const { host } = await tools.deployed(parts);
    const filesOf = async (name: string) => JSON.parse((await tools.visit(host, `/${name}`)).body);
    const linksOf = (files: string[]) => files.filter((name) => name.includes('->'));
    assert.deepEqual(linksOf(await filesOf('api/a.mjs')), [
      'api/more -> a.mjs',
      'config/current.json -> ../data/one.json',
    ]);
    assert.deepEqual(linksOf(await filesOf('api/b.mjs')), []);
  });

  for (const [what, symlinks, reason] of [
    ['leads out of the project', { 'x/y': '../../etc' }, /must lie in the project/],
    ['leads to a place of the machine', { x: '/etc/passwd' }, /must lie in the project/],
    ['lies outside of the project', { '../x': 'api' }, /must lie in the project/],
    ['is in the place of a file', { 'notes.md': 'api' }, /in the place of a file/],
    ['lies in what is a file', { 'notes.md/x': '../api' }, /is no folder/],
  ] as const)
    test(`a symbolic link that ${what} fails the deployment`, async () => {
      const parts = project({ 'api/a.mjs': { symlinks } });
      const deployment = await tools.deploy(parts);
      assert.equal(deployment.status, 'FAILED');
      assert.match(deployment.reason, reason);
    });
});
