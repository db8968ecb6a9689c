import assert from 'node:assert/strict';
import { readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, ok, site } from '../command-line.ts';

/** Variables, cache, credentials of S3, any endpoint. */
export function applicationCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('variables are set, run with, pulled, pushed and compared', async () => {
    const folder = await site(bench, 'vars', '');
    ok(await bench.run(['link', '--app', 'vars', '--create'], { cwd: folder }));
    const value = 'a "b" \\ $c\nd 👋';
    ok(await bench.run(['env', 'set', `ONE=${value}`, 'TWO=2'], { cwd: folder }));
    ok(
      await bench.run(['env', 'set', 'SECRET', '--sensitive', '--env', 'preview'], {
        cwd: folder,
        input: 's3\n',
      }),
    );
    const script = 'process.stdout.write(JSON.stringify([process.env.ONE, process.env.SECRET ?? null]))';
    const run = ok(
      await bench.run(['env', 'run', '--env', 'preview', '--', process.execPath, '-e', script], {
        cwd: folder,
      }),
    );
    assert.deepEqual(JSON.parse(run.stdout), [value, null]);
    assert.equal((await bench.run(['env', 'run', '--', 'sh', '-c', 'exit 7'], { cwd: folder })).code, 7);

    ok(await bench.run(['env', 'pull'], { cwd: folder }));
    const file = path.join(folder, '.env.local');
    assert.equal((await stat(file)).mode & 0o777, 0o600);
    await writeFile(file, `${await readFile(file, 'utf8')}THREE=3\n`);
    assert.equal((await bench.run(['env', 'push'], { cwd: folder })).code, 0);
    const differences = await bench.run(['env', 'diff', '.env.local', 'preview', '--json'], {
      cwd: folder,
    });
    assert.deepEqual(JSON.parse(differences.stdout), [{ key: 'SECRET', status: 'only_right' }]);
    ok(await bench.run(['env', 'rm', 'TWO', '--yes'], { cwd: folder }));
  });

  test('the cache counts, for an admin and for the application itself', async () => {
    ok(await bench.run(['cache', 'set', 'n', '41', '--app', 'Web']));
    assert.equal(ok(await bench.run(['cache', 'incr', 'n', '--app', 'Web'])).stdout, '42\n');
    const itself = ['--token', bench.key('application'), '--url', bench.url];
    assert.equal(ok(await bench.run(['cache', 'get', 'n', ...itself])).stdout, '42');
    assert.equal((await bench.run(['cache', 'get', 'none', ...itself])).code, 5);
  });

  test('any endpoint answers, page by page too', async () => {
    const all = ok(await bench.run(['api', '/applications?limit=1', '--paginate']));
    assert.ok(JSON.parse(all.stdout).length > 1);
    const missing = await bench.run(['api', 'GET', '/nothing', '--json']);
    assert.equal(missing.code, 5);
    const { error } = JSON.parse(missing.stderr);
    assert.equal(error.status, 404);
    assert.ok(error.requestId);
  });

  test('S3 credentials are made as lines for a shell, listed and revoked', async () => {
    const made = ok(
      await bench.run([
        's3',
        'credentials',
        'create',
        'backup',
        '--app',
        'Web',
        '--read-only',
        '--expires',
        '1h',
      ]),
    );
    const lines = Object.fromEntries(
      made.stdout
        .trim()
        .split('\n')
        .map((line) => line.replace('export ', '').split('=') as [string, string]),
    );
    assert.ok(lines['AWS_SECRET_ACCESS_KEY']);
    assert.equal(lines['AWS_ENDPOINT_URL_S3'], `${bench.url}/s3`);
    const id = lines['AWS_ACCESS_KEY_ID'] ?? '';
    const listed = ok(await bench.run(['s3', 'credentials', '--app', 'Web', '--json']));
    assert.equal(JSON.parse(listed.stdout)[0].access, 'read');
    assert.equal((await bench.run(['s3', 'credentials', 'revoke', id, '--app', 'Web'])).code, 2);
    ok(await bench.run(['s3', 'credentials', 'revoke', id, '--app', 'Web', '--yes']));
    assert.equal((await bench.run(['s3', 'credentials', 'revoke', id, '--app', 'Web', '--yes'])).code, 5);
  });
}
