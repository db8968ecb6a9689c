import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** Files of this machine, which a build can name and not read. */
const files = { 'index.html': 'canary', 'server.js': 'canary', 'index.mjs': 'canary' };

describe('links that a build leaves', { skip: sandboxMissing ?? false }, () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  let outside = '';
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
    outside = await mkdtemp(path.join(tmpdir(), 'mainstay-outside-'));
    for (const [name, content] of Object.entries(files)) await writeFile(path.join(outside, name), content);
  });
  after(async () => {
    await instance[Symbol.asyncDispose]();
    await rm(outside, { recursive: true });
  });

  const building = (command: string, more: object = {}) => ({
    name: 'mainstay.json',
    content: JSON.stringify({ version: 4, build_commands: [command], ...more }),
  });

  test('in the place of the root directory lead nowhere', async () => {
    const { organization } = instance.bootstrapped;
    const body = { organizationId: organization.id, name: 'Rooted', rootDirectory: 'apps/web' };
    const { id: applicationId } = await tools.call('POST', '/applications', body);
    const { name, content } = building(
      `cd / && mv /app/apps /app/moved && mkdir /app/apps && ln -s ${outside} /app/apps/web`,
      {
        assets: '.',
      },
    );
    const { status, reason } = await tools.deploy([{ name: `apps/web/${name}`, content }], { applicationId });
    assert.equal(status, 'FAILED');
    assert.match(reason, /left a link in the place of the root directory/);
  });

  for (const [framework, folder] of [
    ['next', '.next/standalone'],
    ['nuxt', '.output/server'],
  ] as const)
    test(`in the place of what ${framework} gathers lead nowhere`, async () => {
      const parent = path.posix.dirname(folder);
      const { status, reason } = await tools.deploy([
        { name: 'package.json', content: JSON.stringify({ dependencies: { [framework]: '*' } }) },
        building(`mkdir -p ${parent} && ln -s ${outside} ${folder}`),
      ]);
      assert.equal(status, 'FAILED');
      assert.match(reason, new RegExp(`left a link in the place of ${folder.replace('.', '\\.')}`));
    });

  test('in the place of published folders and files lead nowhere', async () => {
    for (const command of [
      `ln -s ${outside} out`,
      `mkdir out && ln -s ${outside}/index.html out/index.html`,
    ]) {
      const { status, reason } = await tools.deploy([building(command, { assets: 'out' })]);
      assert.equal(status, 'FAILED');
      assert.match(reason, /leads out of the project/);
    }
  });
});
