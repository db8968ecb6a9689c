import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, main, ok } from '../command-line.ts';

const enter = '\r';
const down = '\x1b[B';
const ctrlC = '\x03';
const showCursor = '\x1b[?25h';

/** What only a terminal shows: colours, questions, progress. */
export function terminalCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('colours the terminal alone', async () => {
    const sign = '\x1b[';
    assert.ok((await bench.run(['apps'], { terminal: 80, input: '' })).stdout.includes(sign));
    assert.ok(!(await bench.run(['apps'])).stdout.includes(sign));
    assert.ok(
      !(await bench.run(['apps'], { terminal: 80, input: '', env: { NO_COLOR: '1' } })).stdout.includes(sign),
    );
    assert.ok((await bench.run(['whoami', '--help'], { env: { FORCE_COLOR: '1' } })).stdout.includes(sign));
  });

  test('a choice is typed or picked by arrows, fits a terminal that is resized, and ends by Ctrl-C', async () => {
    const long = `chosen ${'x'.repeat(60)}`;
    for (const name of ['first', long]) ok(await bench.run(['apps', 'create', name, '--org', 'acme']));
    const folder = path.join(bench.folder, 'asked');
    await mkdir(folder);
    const link = bench.start(['link', '--org', 'acme'], { cwd: folder, terminal: 100 });
    await link.printed('Link this folder to');
    await link.printed(long);
    link.resize(40);
    await link.printed(/chosen x{20,35}…/);
    link.type('chosen');
    await link.printed(/\? Link this folder to chosen/);
    link.type(enter);
    ok(await link.ended);
    const written = path.join(folder, '.mainstay/project.json');
    const chosen = JSON.parse(await readFile(written, 'utf8')).applicationId;

    const other = bench.start(['link', '--org', 'acme'], { cwd: folder, terminal: 100 });
    await other.printed('❯');
    other.type(down);
    await other.printed(/❯[\s\S]*❯/);
    other.type(ctrlC);
    const { code, stdout } = await other.ended;
    assert.equal(code, 130);
    assert.ok(stdout.includes(showCursor), 'the cursor is there again');
    assert.equal(JSON.parse(await readFile(written, 'utf8')).applicationId, chosen, 'nothing was changed');
  });

  test('asks before it destroys, and takes no for an answer', async () => {
    const made = JSON.parse(
      ok(await bench.run(['keys', 'create', 'asked', '--org', 'acme', '--json'])).stdout,
    );
    const answer = async (text: string) => {
      const running = bench.start(['keys', 'delete', made.id], { terminal: 80 });
      await running.printed('(y/N)');
      running.type(text);
      return running.ended;
    };
    const no = await answer(enter);
    assert.deepEqual([no.code, /Nothing was changed/.test(no.stdout)], [1, true]);
    assert.equal((await answer(ctrlC)).code, 130);
    ok(await answer(`y${enter}`));
    assert.equal((await bench.run(['keys', 'delete', made.id, '--yes'])).code, 5);
  });

  test('a secret is typed unseen', async () => {
    const [id = '', secret = ''] = bench.key('organization').split(':');
    const login = bench.start(['login', '--key', id, '--profile', 'typed'], { terminal: 80 });
    await login.printed('Address of the instance');
    login.type(`${bench.url}${enter}`);
    await login.printed(`Secret of ${id}`);
    login.type(`${secret}${enter}`);
    const { stdout } = ok(await login.ended);
    assert.ok(!stdout.includes(secret), stdout);
    ok(await bench.run(['whoami', '--profile', 'typed']));
    ok(await bench.run(['logout', '--profile', 'typed']));
  });

  test('says how far it is, and Ctrl-C leaves neither line nor file', async () => {
    const at = ['--app', 'Web', '--env', 'production'];
    ok(await bench.run(['storage', 'mb', 'watched', ...at]));
    await writeFile(path.join(bench.folder, 'watched.bin'), randomBytes(1024 * 1024));
    ok(await bench.run(['storage', 'cp', 'watched.bin', 'watched:', ...at]));
    bench.files.stall();
    const copy = bench.start(['storage', 'cp', 'watched:watched.bin', 'fetched.bin', ...at], {
      terminal: 90,
    });
    await copy.printed('Copying');
    copy.resize(30);
    copy.type(ctrlC);
    const { code, stdout } = await copy.ended;
    bench.files.resume();
    assert.equal(code, 130);
    assert.ok(stdout.trimEnd().endsWith('\x1b[2K'), 'the line is wiped');
    await assert.rejects(stat(path.join(bench.folder, 'fetched.bin')));
    const piped = ok(await bench.run(['storage', 'cp', 'watched:watched.bin', 'fetched.bin', ...at]));
    assert.ok(!/Copying/.test(piped.stdout + piped.stderr) && !piped.stderr.includes('\x1b'));
  });

  test('a reader that has enough ends it quietly', async () => {
    const line = `'${process.execPath}' '${main}' api /applications --paginate | head -c 1; echo " \${PIPESTATUS[0]}"`;
    const { stdout, stderr } = await bench.run(['-c', line], { command: ['bash'] });
    assert.match(stdout, /^\[ 0\n$/);
    assert.equal(stderr, '');
  });

  test('says what is amiss with the network', async () => {
    const away = await bench.run(['apps', '--token', 'x', '--url', 'http://127.0.0.1:1']);
    assert.equal(away.code, 7);
    assert.match(away.stderr, /Could not reach http:\/\/127\.0\.0\.1:1: (bad port|.*ECONNREFUSED)/);
    const healthy = ok(await bench.run(['doctor', '--json']));
    assert.ok(JSON.parse(healthy.stdout).every((one: { ok: boolean }) => one.ok));
  });
}
