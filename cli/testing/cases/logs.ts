import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, ok, visit } from '../command-line.ts';

/** Requests and lines, as they come and as they were. */
export function logCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('requests and what functions print are followed together, and each alone', async () => {
    const folder = path.join(bench.folder, 'printing');
    await mkdir(path.join(folder, 'api'), { recursive: true });
    await writeFile(
      path.join(folder, 'mainstay.json'),
      JSON.stringify({
        ...{ version: 4, functions: { 'api/*.mjs': {} } },
        routes: [{ source: '/followed', destination: 'api/index.mjs' }],
      }),
    );
    await writeFile(
      path.join(folder, 'api/index.mjs'),
      'export default { fetch(request) { console.log("asked for", new URL(request.url).pathname); ' +
        'console.error("something is wrong"); return new Response("done"); } };\n',
    );
    const first = bench.start(['logs', '--json', '--app', 'Web']);
    const signal = AbortSignal.timeout(60_000);
    signal.addEventListener('abort', () => first.child.kill());
    // What goes live meanwhile is followed, too.
    const over = Promise.all([first.printed(/"type":"line".*asked for/), first.printed('"type":"request"')]);
    const asking = (async () => {
      const url = ok(await bench.run(['deploy', '--prod', '--app', 'Web'], { cwd: folder })).stdout.trim();
      for (let isOver = false; !isOver; ) {
        assert.equal(await visit(bench, `${url}/followed`), 'done');
        const soon = new Promise<boolean>((done) => setTimeout(done, 500, false));
        isOver = await Promise.race([over.then(() => true), soon]);
      }
    })();
    await Promise.all([asking, over]).catch((error) => {
      first.child.kill();
      throw error;
    });
    first.child.kill('SIGINT');
    const { code, stdout } = await first.ended;
    assert.equal(code, 130);
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    assert.ok(lines.some((one) => one.type === 'request' && one.request.path === '/followed'));
    assert.ok(lines.some((one) => one.type === 'line' && one.message === 'asked for /followed'));

    const app = ['--app', 'Web', '--no-follow'];
    const wrong = ok(await bench.run(['logs', ...app, '--level', 'error'])).stdout;
    assert.match(wrong, /something is wrong/);
    assert.doesNotMatch(wrong, /asked for|GET/);
    const requests = ok(await bench.run(['logs', ...app, '--path', '/followed'])).stdout;
    assert.match(requests, /200 GET {4}.*\/followed/);
    assert.doesNotMatch(requests, /something is wrong/);
    const mixed = ok(await bench.run(['logs', ...app, '-n', '100']))
      .stdout.trim()
      .split('\n');
    assert.deepEqual(
      mixed,
      mixed.toSorted((a, b) => (a.slice(0, 24) < b.slice(0, 24) ? -1 : 1)),
    );
    assert.equal((await bench.run(['logs', ...app, '--status', '5xx', '--level', 'error'])).code, 2);
    const printed = ['deployments', 'logs', 'latest', '--app', 'Web'];
    const runtime = ok(await bench.run([...printed, '--runtime', '--json', '--search', 'ASKED']));
    assert.equal(JSON.parse(runtime.stdout.split('\n')[0] ?? '').level, 'INFO');
    assert.match(ok(await bench.run(printed)).stdout, /Deployed to production/);
  });
}
