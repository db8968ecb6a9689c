import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

const node = runnerSettings.MAINSTAY_RUNNER === 'process' ? '/runtime/bin/node' : process.execPath;
/** Stands for Bun: it is started in the same way, and runs JavaScript. */
const standIn = `#!/bin/sh\n[ "$1" = run ] || exit 9\nshift\nexec ${node} "$@"\n`;
const version = existsSync('/usr/bin/php')
  ? execFileSync('/usr/bin/php', ['-r', 'echo PHP_MAJOR_VERSION, PHP_MINOR_VERSION;']).toString()
  : '';
/** As a configuration may name it. */
const php = /^8[1-4]$/.test(version) ? `php-${version}` : null;

describe('runtimes of functions', () => {
  let folder = '';
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-runtimes-'));
    await mkdir(path.join(folder, 'bun-1/bin'), { recursive: true });
    await writeFile(path.join(folder, 'bun-1/bin/bun'), standIn, { mode: 0o755 });
    instance = await startInstance('sqlite', {
      settings: { ...runnerSettings, MAINSTAY_RUNTIMES: folder },
    });
    tools = deployer(instance);
  });
  after(async () => {
    await instance[Symbol.asyncDispose]();
    await rm(folder, { recursive: true });
  });

  const project = (name: string, runtime: string, content: string): ZipPart[] => [
    {
      name: 'mainstay.json',
      content: JSON.stringify({
        ...{ version: 4, functions: { [name]: { runtime } } },
        routes: [{ source: '/*', destination: name }],
      }),
    },
    { name, content },
  ];

  test('one that the operator has put into the folder runs what asks for it', async () => {
    const source = `require('node:http').createServer((q, s) => s.end(q.url + ' ' + typeof process.env.MAINSTAY_DEPLOYMENT_ID)).listen(process.env.PORT);\n`;
    const { id, host } = await tools.deployed(project('server.js', 'bun-1', source));
    assert.equal((await tools.visit(host, '/a?b=c')).body, '/a?b=c string');
    const { items } = await tools.call('GET', `/deployments/${id}/functions`);
    assert.deepEqual([items[0].name, items[0].runtime], ['server.js', 'bun-1']);
  });

  test('PHP gets every request as a router script', {
    skip: php ? false : 'no PHP is installed',
  }, async () => {
    const source = '<?php echo $_SERVER["REQUEST_URI"], " ", gettype(getenv("MAINSTAY_DEPLOYMENT_ID"));\n';
    const { host } = await tools.deployed(project('web/index.php', php ?? '', source));
    assert.equal((await tools.visit(host, '/a/b?c=d')).body, '/a/b?c=d string');
  });

  test('one that is not installed fails the deployment by name', async () => {
    const absent = php === 'php-81' ? 'php-84' : 'php-81';
    const { status, reason } = await tools.deploy(project('index.php', absent, ''));
    assert.equal(status, 'FAILED');
    assert.match(
      reason,
      new RegExp(`^index\\.php needs the runtime ${absent}, which is not installed .*: bun-1, node-`),
    );
  });
});
