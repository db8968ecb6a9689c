import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { promisify } from 'node:util';
import { runtimes } from '../scripts/runtimes.ts';
import { build } from './build.ts';
import { type Bench, ok, openBench, site, visit } from './testing/command-line.ts';

/** The package as it is published, installed in an empty folder, in each runtime that it promises. */

const commands: Record<string, string | undefined> = {
  'the pinned Node': process.execPath,
  'Node 20.0': runtimes['node'],
  Bun: runtimes['bun'],
};

describe('the packed command line', () => {
  let folder: string;
  let bench: Bench;
  let main: string;
  before(async () => {
    folder = await mkdtemp(path.join(tmpdir(), 'mainstay-packed-'));
    const [dist, home] = [path.join(folder, 'dist'), path.join(folder, 'home')];
    await build(dist);
    await mkdir(home);
    const run = promisify(execFile);
    const quiet = ['--offline', '--no-fund', '--no-audit', '--loglevel=error'];
    const { stdout } = await run('npm', ['pack', '--silent', '--pack-destination', home], { cwd: dist });
    await writeFile(path.join(home, 'package.json'), '{}');
    await run('npm', ['install', ...quiet, `./${stdout.trim()}`], { cwd: home });
    main = path.join(home, 'node_modules/.bin/mainstay');
    bench = await openBench('sqlite');
  });
  after(async () => {
    await bench[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true });
  });

  test('depends on no package', async () => {
    const dist = path.join(folder, 'dist');
    const manifest = JSON.parse(await readFile(path.join(dist, 'package.json'), 'utf8'));
    assert.ok(!Object.keys(manifest).some((key) => /dependencies/i.test(key)));
  });

  for (const [name, runtime] of Object.entries(commands)) {
    const skip =
      runtime === undefined && !process.env['CI']
        ? `${name} is not here; node scripts/runtimes.ts fetches it`
        : false;
    test(`signs in, deploys, copies and explains in ${name}`, { skip }, async () => {
      const env = { MAINSTAY_CONFIG_DIR: path.join(folder, `config of ${name}`) };
      const run = (args: string[], cwd = bench.folder) =>
        bench.run(args, { cwd, env, command: [runtime ?? '', main] });
      assert.match(ok(await run(['--version'])).stdout, /^\d+\.\d+\.\d+\n$/);
      ok(await run(['login', bench.url, '--token', bench.key('user')]));
      assert.equal(JSON.parse(ok(await run(['whoami', '--json'])).stdout).url, bench.url);

      const project = await site(bench, `project in ${name}`, `<h1>${name}</h1>`);
      await writeFile(path.join(project, 'it\'s "quoted" 👋.txt'), 'x');
      const deployed = ok(await run(['deploy', '--prod'], project)).stdout.trim();
      assert.equal(await visit(bench, deployed), `<h1>${name}</h1>`);

      const at = ['--app', 'Web', '--env', 'production'];
      const bucket = name.toLowerCase().replaceAll(/[ .]/g, '-');
      ok(await run(['storage', 'mb', bucket, ...at]));
      // In two parts.
      await writeFile(path.join(project, 'large.bin'), new Uint8Array(9 * 1024 * 1024).fill(7));
      ok(await run(['storage', 'cp', '-r', '.', `${bucket}:`, ...at], project));
      ok(await run(['storage', 'cp', '-r', `${bucket}:`, 'back', ...at], project));
      for (const file of ['large.bin', 'it\'s "quoted" 👋.txt'])
        assert.ok(
          (await readFile(path.join(project, 'back', file))).equals(await readFile(path.join(project, file))),
        );

      const missing = await run(['api', 'GET', '/nothing']);
      assert.equal(missing.code, 5);
      assert.match(missing.stderr, /Request id: /);
      const away = await run(['apps', '--token', 'x', '--url', 'http://127.0.0.1:9']);
      assert.deepEqual([away.code, away.stderr.includes('Could not reach')], [7, true]);
    });
  }
});
