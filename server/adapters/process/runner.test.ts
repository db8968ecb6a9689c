import assert from 'node:assert/strict';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { RunFailed, type Runner } from '#core/runner.ts';
import { processesWith } from '../../testing/command-lines.ts';
import { openProcessRunner, sandboxProblem } from './open.ts';

const problem = await sandboxProblem();
if (problem && process.env['CI']) throw new Error(problem);
const runtimeName = `node-${process.versions.node.split('.')[0]}`;
const allowed = { memoryBytes: 256 * 1024 ** 2, cpuPercent: 0, diskBytes: 256 * 1024 ** 2 };
const never = new AbortController().signal;

function ask(socketPath: string, url: string): Promise<{ status: number; body: string }> {
  return new Promise((resolve, reject) => {
    const asked = request(
      { socketPath, path: url, agent: false, headers: { host: 'app.test' } },
      (response) => {
        let body = '';
        response.setEncoding('utf8').on('data', (chunk) => {
          body += chunk;
        });
        response.on('end', () => resolve({ status: response.statusCode ?? 0, body }));
      },
    );
    asked.on('error', reject).end();
  });
}

for (const kind of ['process', 'trusted'] as const) {
  describe(`runner: ${kind}`, { skip: kind === 'process' && problem ? problem : false }, () => {
    let runner: Runner;
    let folder = '';
    before(async () => {
      runner = await openProcessRunner({ kind, allow: [], api: () => ({ host: '127.0.0.1', port: 1 }) });
      folder = await mkdtemp(path.join(tmpdir(), 'mainstay-unit-'));
    });
    after(async () => {
      await runner[Symbol.asyncDispose]();
      await rm(folder, { recursive: true });
    });

    async function run(command: string, signal = never): Promise<{ code: number; lines: string[] }> {
      const lines: string[] = [];
      const code = await runner.run(
        {
          ...{ folder, workingFolder: '', command, ...allowed },
          env: { GREETING: "it's me" },
          onLine: (line) => lines.push(line),
        },
        signal,
      );
      return { code, lines };
    }

    async function start(source: string, name = 'index.mjs') {
      await writeFile(path.join(folder, name), source);
      return runner.start(
        {
          ...{ folder, entry: name, workingFolder: '', memoryMegabytes: 256, cpuPercent: 0, services: [] },
          runtime: runtimeName,
          env: { WORD: 'hello' },
          onLine: () => {},
        },
        never,
      );
    }

    test('a command runs with its variables, and its exit code is reported', async () => {
      assert.deepEqual(await run('echo "$GREETING" && exit 3'), { code: 3, lines: ["it's me"] });
    });

    test('npm and node are there', async () => {
      const { code, lines } = await run('npm --version && node -p process.version');
      assert.equal(code, 0, lines.join('\n'));
      assert.equal(lines.at(-1), process.version);
    });

    test('what a command writes stays', async () => {
      await run('echo made > made.txt');
      assert.deepEqual((await run('cat made.txt')).lines, ['made']);
    });

    test('an aborted command ends with all that it started', async () => {
      const stop = new AbortController();
      const lines: string[] = [];
      const running = runner.run(
        {
          ...{ folder, workingFolder: '', ...allowed, env: {} },
          command: 'sleep 300 & echo started; sleep 300',
          onLine: (line) => {
            lines.push(line);
            stop.abort(new Error('enough'));
          },
        },
        stop.signal,
      );
      await assert.rejects(running, /enough/);
      assert.deepEqual(lines, ['started']);
    });

    test('an aborted command that continues starting processes leaves none', async () => {
      const stop = new AbortController();
      const running = runner.run(
        {
          ...{ folder, workingFolder: '', ...allowed, env: {} },
          command: 'for i in $(seq 2000); do sleep 299.25 & echo started; done; wait',
          onLine: () => stop.abort(new Error('enough')),
        },
        stop.signal,
      );
      await assert.rejects(running, /enough/);
      assert.deepEqual(await processesWith('sleep\x00299.25\x00'), []);
    });

    test('what a command leaves behind is not waited for', async () => {
      const { code, lines } = await run('setsid sleep 298.75 & echo $!');
      assert.equal(code, 0);
      if (kind === 'trusted') process.kill(Number(lines[0]), 'SIGKILL');
      else assert.deepEqual(await processesWith('sleep\x00298.75\x00'), []);
    });

    test('a server that listens answers on its socket, whatever port it wanted', async () => {
      const instance = await start(
        "import http from 'node:http';\nhttp.createServer((q, s) => s.end(process.env.WORD + q.url)).listen(8080);\n",
      );
      assert.deepEqual(await ask(instance.socketPath, '/x?y=1'), { status: 200, body: 'hello/x?y=1' });
      await runner.stop(instance, 1);
      assert.match(await instance.gone, /killed|exit code/);
    });

    test('a function and an object with fetch answer too', async () => {
      const plain = await start('module.exports = (q, s) => s.end("plain");\n', 'plain.cjs');
      assert.equal((await ask(plain.socketPath, '/')).body, 'plain');
      const fetching = await start('export default { fetch: (r) => new Response(new URL(r.url).host) };\n');
      assert.equal((await ask(fetching.socketPath, '/')).body, 'app.test');
      await Promise.all([runner.stop(plain, 1), runner.stop(fetching, 1)]);
    });

    test('a Lambda-style handler, an error and an end are reported', async () => {
      await assert.rejects(start('export const handler = () => {};\n'), RunFailed);
      await assert.rejects(start('throw new Error("broken");\n'), /did not start: exit code 1/);
    });

    test('a suspended instance resumes where it stopped', async () => {
      const instance = await start(
        'let n = 0;\nexport default { fetch: () => new Response(String(++n)) };\n',
      );
      assert.equal((await ask(instance.socketPath, '/')).body, '1');
      await runner.suspend(instance);
      const waiting = ask(instance.socketPath, '/');
      await runner.resume(instance);
      assert.equal((await waiting).body, '2');
      await runner.stop(instance, 1);
    });

    if (kind === 'process') {
      test('the machine is out of sight', async () => {
        const { lines } = await run(
          'ls -d /root /home/* /var /work /etc/passwd /etc/shadow 2>/dev/null; id -u; ls /proc | grep -c "^[0-9]"',
        );
        assert.deepEqual(lines.slice(0, -1), ['/home/app', '1000']);
        assert.ok(Number(lines.at(-1)) < 10);
      });

      test('private addresses cannot be reached, by address, by name or through the proxy', async () => {
        const probe =
          'for (const u of ["http://127.0.0.1:9/", "http://10.0.0.1/", "http://169.254.169.254/", "http://[::1]:9/", "http://localhost:9/", "http://[::ffff:10.0.0.1]/", "http://0x7f.1/", "http://2130706433/"]) {' +
          ' try { const r = await fetch(u, {signal: AbortSignal.timeout(3000)}); console.log(u, r.status); } catch (e) { console.log(u, "no"); } }';
        await writeFile(path.join(folder, 'probe.mjs'), probe);
        const { lines } = await run('NODE_USE_ENV_PROXY=1 NO_PROXY= no_proxy= node probe.mjs');
        const answers = lines.filter((line) => line.startsWith('http'));
        assert.equal(answers.length, 8, lines.join('\n'));
        for (const line of answers) assert.match(line, / (no|403|502)$/);
        // Each refused host is named, once.
        const refused = lines.filter((line) => line.startsWith('10.0.0.1 has no public address'));
        assert.equal(refused.length, 1, lines.join('\n'));
      });

      test('a package can only be read by its function', async () => {
        const instance = await start(
          "import fs from 'node:fs';\nexport default { fetch() { try { fs.writeFileSync('/app/x', ''); return new Response('wrote'); } catch (e) { return new Response(e.code); } } };\n",
        );
        assert.equal((await ask(instance.socketPath, '/')).body, 'EROFS');
        await runner.stop(instance, 1);
      });
    }
  });
}
