import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { freePort } from '../scripts/postgres.ts';
import type { Client } from '../sdk/index.ts';
import { runnerSettings } from '../server/testing/deploying.ts';
import { clientOf } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** A newcomer's first hour, with the command line as it is installed and nothing but what the manual says. */

const main = path.join(import.meta.dirname, '../cli/main.ts');
const deadlineMilliseconds = 240_000;
const server = (version: string) => `const http = require('node:http');

http
  .createServer((request, response) => {
    console.log('version ${version} was asked for ' + request.url);
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ version: '${version}', path: request.url }));
  })
  .listen(process.env.PORT ?? 3000);
`;

for (const name of targetNames) {
  describe(`deployments on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let client: Client;
    let home = '';
    const folders: string[] = [];
    before(async () => {
      target = await openTarget(name, { ...runnerSettings, MAINSTAY_GATEWAY_PORT: String(await freePort()) });
      client = clientOf(target, 'organization');
      home = await mkdtemp(path.join(tmpdir(), 'mainstay-newcomer-'));
    });
    after(async () => {
      for (const folder of folders) {
        const link = await readFile(path.join(folder, '.mainstay/project.json'), 'utf8').catch(() => null);
        if (link) await client.applications.delete(JSON.parse(link).applicationId);
      }
      await rm(home, { recursive: true, force: true });
      await target[Symbol.asyncDispose]();
    });

    async function newFolder(files: Record<string, string>): Promise<string> {
      const folder = path.join(home, `site-${randomUUID().slice(0, 8)}`);
      await mkdir(folder);
      folders.push(folder);
      await put(folder, files);
      return folder;
    }

    async function put(folder: string, files: Record<string, string>): Promise<void> {
      for (const [file, content] of Object.entries(files)) await writeFile(path.join(folder, file), content);
    }

    function mainstay(folder: string, ...args: string[]) {
      const { id, secret } = target.keys.organization;
      const env = {
        ...{ PATH: process.env['PATH'] ?? '', HOME: home, LANG: 'C.UTF-8', MAINSTAY_KEYCHAIN: 'off' },
        ...{ MAINSTAY_API_BASE_URL: target.url, MAINSTAY_CLIENT_ID: id, MAINSTAY_CLIENT_SECRET: secret },
      };
      const options = { cwd: folder, env, timeout: deadlineMilliseconds };
      return new Promise<{ code: number; stdout: string; stderr: string }>((resolve) => {
        execFile(process.execPath, [main, ...args], options, (error, stdout, stderr) => {
          const code = error ? (typeof error.code === 'number' ? error.code : 1) : 0;
          resolve({ code, stdout, stderr });
        });
      });
    }

    async function done(folder: string, ...args: string[]): Promise<string> {
      const { code, stdout, stderr } = await mainstay(folder, ...args);
      assert.equal(code, 0, `mainstay ${args.join(' ')}\n${stdout}${stderr}`);
      return stdout;
    }

    /** As a browser asks: hostnames of applications in development lead to the machine of the instance. */
    function open(address: string): Promise<{ status: number; body: string }> {
      const url = new URL(address);
      const to = { host: new URL(target.url).hostname, port: url.port, path: url.pathname, agent: false };
      return new Promise((resolve, reject) => {
        const asked = request({ ...to, headers: { host: url.host, accept: 'text/html' } }, (answer) => {
          let body = '';
          answer.setEncoding('utf8').on('data', (text) => {
            body += text;
          });
          answer.on('end', () => resolve({ status: answer.statusCode ?? 0, body }));
        });
        asked.on('error', reject).end();
      });
    }

    test('a folder with a page becomes an address that answers', async () => {
      const folder = await newFolder({ 'index.html': '<h1>My first page</h1>' });
      const address = (await done(folder, 'deploy', '--prod')).trim();
      assert.deepEqual(await open(address), { status: 200, body: '<h1>My first page</h1>' });
    });

    test('a function with a schedule is run now, and its run is recorded', async () => {
      const folder = await newFolder({
        'mainstay.yaml': 'version: 4\nfunctions:\n  tidy.mjs:\n    schedule: rate(1 day)\n',
        'tidy.mjs':
          "export default { fetch: (r) => new Response('', { status: r.method === 'GET' ? 202 : 200 }) };\n",
      });
      await done(folder, 'deploy', '--prod');
      const schedules = async () => JSON.parse(await done(folder, 'schedules', '--json'));
      const end = performance.now() + deadlineMilliseconds;
      while ((await schedules()).length === 0)
        assert.ok(performance.now() < end, 'the schedule is not known');
      const ended = JSON.parse(await done(folder, 'schedules', 'run', 'tidy.mjs', '--json'));
      assert.deepEqual([ended.status, ended.responseStatus], ['SUCCEEDED', 202]);
      const [{ environment, lastRun }] = await schedules();
      assert.deepEqual([environment, lastRun.status, lastRun.manual], ['production', 'SUCCEEDED', true]);
      const unknown = await mainstay(folder, 'schedules', 'run', 'nothing.mjs');
      assert.match(unknown.stderr, /No live deployment has a schedule nothing\.mjs/);
    });

    test('a server is deployed, survives a broken version, goes back, and says what it did', async () => {
      const folder = await newFolder({
        'package.json': JSON.stringify({ name: 'hello', main: 'server.js' }),
        'server.js': server('one'),
      });
      const address = (await done(folder, 'deploy', '--prod')).trim();
      const version = async () => JSON.parse((await open(`${address}/hello`)).body).version;
      assert.equal(await version(), 'one');

      await put(folder, { 'server.js': "throw new Error('forgot the configuration');\n" });
      const broken = await mainstay(folder, 'deploy', '--prod');
      assert.notEqual(broken.code, 0);
      assert.match(broken.stdout + broken.stderr, /forgot the configuration/);
      assert.equal(await version(), 'one');

      await put(folder, { 'server.js': server('two') });
      assert.equal((await done(folder, 'deploy', '--prod')).trim(), address);
      assert.equal(await version(), 'two');
      await done(folder, 'deployments', 'rollback', '--yes');
      assert.equal(await version(), 'one');

      const built = await done(folder, 'deployments', 'logs', 'latest');
      assert.match(built, /Starting server\.js/);
      const end = performance.now() + deadlineMilliseconds;
      for (;;) {
        const printed = await done(folder, 'logs', '--runtime', '--no-follow');
        if (printed.includes('version one was asked for /hello')) break;
        assert.ok(performance.now() < end, printed);
        await sleep(1000);
      }
    });
  });
}
