import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { watch } from 'node:fs';
import { mkdir, readdir, readFile, stat, symlink, writeFile } from 'node:fs/promises';
import { request } from 'node:http';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { engines } from '../server/testing/engines.ts';
import { type Bench, type Ended, openBench } from './testing/command-line.ts';

/** The command line as it is typed, against a real instance. */

function ok(ended: Ended): Ended {
  assert.equal(ended.code, 0, `${ended.stdout}\n${ended.stderr}`);
  return ended;
}

async function readUploads(folder: string): Promise<{ url: string }[]> {
  const names = await readdir(folder);
  return Promise.all(names.map(async (name) => JSON.parse(await readFile(path.join(folder, name), 'utf8'))));
}

for (const engine of engines) {
  describe(`the command line on ${engine}`, () => {
    let bench: Bench;
    before(async () => {
      bench = await openBench(engine);
      ok(await bench.run(['login', bench.url, '--token', bench.key('user')]));
    });
    after(() => bench[Symbol.asyncDispose]());

    /** What the gateway answers under a hostname, which leads to this machine. */
    function visit(address: string): Promise<string> {
      const { host, pathname } = new URL(address);
      const { port } = new URL(bench.instance.listeners.get('applications') ?? '');
      return new Promise((resolve, reject) => {
        const asked = request(
          { host: '127.0.0.1', port, path: pathname, agent: false, headers: { host } },
          (response) => {
            let body = '';
            response.setEncoding('utf8').on('data', (chunk) => {
              body += chunk;
            });
            response.on('end', () => resolve(body));
          },
        );
        asked.on('error', reject).end();
      });
    }

    async function site(name: string, page: string): Promise<string> {
      const folder = path.join(bench.folder, name);
      await mkdir(folder, { recursive: true });
      await writeFile(path.join(folder, 'index.html'), page);
      return folder;
    }

    test('says who one is, and keeps credentials to oneself', async () => {
      const { stdout } = ok(await bench.run(['whoami', '--json']));
      const who = JSON.parse(stdout);
      assert.equal(who.actor.id, bench.instance.bootstrapped.user.id);
      assert.equal(who.url, bench.url);
      const { mode } = await stat(path.join(bench.folder, 'config/credentials.json'));
      assert.equal(mode & 0o777, 0o600);
    });

    test('deploys a folder that is not linked, and then the same again', async () => {
      const folder = await site(`site ${engine}`, '<h1>one</h1>');
      await writeFile(path.join(folder, 'it\'s "quoted" 👋.txt'), 'x');
      await writeFile(path.join(folder, '.gitignore'), 'secret.txt\nkept/*\n!kept/this.txt\n');
      await writeFile(path.join(folder, 'secret.txt'), 'no');
      await mkdir(path.join(folder, 'kept'));
      await writeFile(path.join(folder, 'kept/this.txt'), 'kept');
      await writeFile(path.join(folder, 'kept/that.txt'), 'no');
      await symlink('this.txt', path.join(folder, 'kept/.gitkeep'));
      const plan = ok(await bench.run(['deploy', '--dry-run', '--json'], { cwd: folder }));
      assert.deepEqual(JSON.parse(plan.stdout).files, [
        '.gitignore',
        'index.html',
        'it\'s "quoted" 👋.txt',
        'kept/this.txt',
      ]);

      const first = ok(await bench.run(['deploy', '--prod', '--json'], { cwd: folder }));
      const events = first.stdout
        .trim()
        .split('\n')
        .map((line) => JSON.parse(line));
      assert.equal(events.at(-1).type, 'deployed');
      assert.equal(await visit(events.at(-1).url), '<h1>one</h1>');

      await writeFile(path.join(folder, 'index.html'), '<h1>two</h1>');
      const second = ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
      assert.equal(await visit(second.stdout.trim()), '<h1>two</h1>');
      const back = ok(await bench.run(['deployments', 'rollback', '--yes', '--json'], { cwd: folder }));
      assert.equal(JSON.parse(back.stdout).id, events.at(-1).deployment.id);
      assert.equal(await visit(second.stdout.trim()), '<h1>one</h1>');
    });

    test('sends the part again that a cut connection took, and completes what it heard nothing of', async () => {
      const folder = await site(`cut ${engine}`, '<h1>cut</h1>');
      bench.api.loseRequest('PUT /deployments');
      const lost = ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
      assert.equal(await visit(lost.stdout.trim()), '<h1>cut</h1>');
      const heard = bench.api.loseAnswerTo('upload/complete');
      ok(await bench.run(['deploy', '--prod'], { cwd: folder }));
      await heard;
    });

    test('of two deploys beside each other each arrives, or reports that the newer one replaced it', async () => {
      const folder = await site(`twice ${engine}`, '<h1>twice</h1>');
      ok(await bench.run(['link', '--app', `twice ${engine}`, '--create'], { cwd: folder }));
      const both = await Promise.all([1, 2].map(() => bench.run(['deploy', '--prod'], { cwd: folder })));
      const arrived = both.filter(({ code }) => code === 0);
      assert.ok(arrived.length > 0, both.map(({ stderr }) => stderr).join('\n'));
      for (const { stdout } of arrived) assert.equal(await visit(stdout.trim()), '<h1>twice</h1>');
      // One that still waits in the queue when the other enters it is passed over.
      for (const { code, stderr } of both)
        if (code !== 0) assert.match(stderr, /Superseded by the deployment/);
    });

    test('a build that cannot be fails the command with the reason', async () => {
      const folder = path.join(bench.folder, `empty ${engine}`);
      await mkdir(folder);
      await writeFile(path.join(folder, 'readme.txt'), 'nothing to serve');
      const failed = await bench.run(['deploy'], { cwd: folder });
      assert.equal(failed.code, 1);
      assert.match(failed.stderr, /The deployment failed: .*index\.html/s);
      await writeFile(path.join(folder, 'mainstay.yaml'), 'version: 4\nassets: 5\n');
      const told = await bench.run(['deploy'], { cwd: folder });
      assert.match(told.stderr, /mainstay\.yaml: assets must be text/);
    });

    test('variables are set, run with, pulled, pushed and compared', async () => {
      const folder = await site(`vars ${engine}`, '');
      ok(await bench.run(['link', '--app', `vars ${engine}`, '--create'], { cwd: folder }));
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

    test('requests and what functions print are followed together, and each alone', async () => {
      const folder = path.join(bench.folder, `printing ${engine}`);
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
      const over = Promise.all([
        first.printed(/"type":"line".*asked for/),
        first.printed('"type":"request"'),
      ]);
      const asking = (async () => {
        const url = ok(await bench.run(['deploy', '--prod', '--app', 'Web'], { cwd: folder })).stdout.trim();
        for (let isOver = false; !isOver; ) {
          assert.equal(await visit(`${url}/followed`), 'done');
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

    test('files are uploaded and downloaded, whatever their names', async () => {
      const from = path.join(bench.folder, 'odd names');
      const names = ["it's.txt", 'a "b".txt', 'new\nline.txt', '👋 ä.txt', 'deep/er/#?%.txt', 'empty'];
      for (const name of names) {
        await mkdir(path.dirname(path.join(from, name)), { recursive: true });
        await writeFile(path.join(from, name), name === 'empty' ? '' : `content of ${name}`);
      }
      const app = ['--app', 'Web', '--env', 'production'];
      ok(await bench.run(['storage', 'mb', 'files', ...app]));
      ok(await bench.run(['storage', 'cp', '-r', 'odd names', 'files:in/', ...app]));
      ok(await bench.run(['storage', 'sync', 'files:in/', 'back', ...app]));
      const back = (
        await readdir(path.join(bench.folder, 'back'), { recursive: true, withFileTypes: true })
      ).filter((one) => one.isFile());
      assert.equal(back.length, names.length);
      for (const name of names)
        assert.equal(
          await readFile(path.join(bench.folder, 'back', name), 'utf8'),
          await readFile(path.join(from, name), 'utf8'),
        );
      const again = ok(
        await bench.run(['storage', 'sync', 'odd names', 'files:in/', '--dry-run', '--json', ...app]),
      );
      assert.deepEqual(JSON.parse(again.stdout).files, []);
      const piped = ok(
        await bench.run(['storage', 'cp', '-', 'files:piped', ...app], { input: 'through a pipe' }),
      );
      assert.equal(piped.code, 0);
      assert.equal(
        ok(await bench.run(['storage', 'cp', 'files:piped', '-', ...app])).stdout,
        'through a pipe',
      );
      const { stdout: address } = ok(await bench.run(['storage', 'presign', 'files:piped', ...app]));
      assert.equal(await (await fetch(address.trim())).text(), 'through a pipe');
      ok(await bench.run(['storage', 'rm', 'files:in/', '-r', '--yes', ...app]));
      assert.equal((await bench.run(['storage', 'cp', 'files:in/empty', 'x', ...app])).code, 5);
    });

    test('a large file goes in parts, and one that was broken off resumes where it stopped', async () => {
      const file = path.join(bench.folder, 'large.bin');
      const bytes = randomBytes(20 * 1024 * 1024);
      await writeFile(file, bytes);
      const app = ['--app', 'Web', '--env', 'production'];
      ok(await bench.run(['storage', 'mb', 'large', ...app]));
      const state = path.join(bench.folder, 'config/state/uploads');
      await mkdir(state, { recursive: true });
      bench.files.stall();
      const noted = new Promise<void>((resolve) => {
        const watcher = watch(state, (_event, name) => {
          if (!name?.endsWith('.json')) return;
          watcher.close();
          resolve();
        });
      });
      const first = bench.start(['storage', 'cp', 'large.bin', 'large:', ...app]);
      await noted;
      first.child.kill('SIGINT');
      assert.equal((await first.ended).code, 130);
      bench.files.resume();
      const uploads = async () => {
        const { id } = bench.instance.bootstrapped.application;
        const path = `/applications/${id}/storage/buckets/large/uploads?environment=production`;
        return JSON.parse(ok(await bench.run(['api', path])).stdout);
      };
      // One part is there already, as if the first command had got so far.
      const { items } = await uploads();
      const [open] = await readUploads(state);
      const part = await fetch(open?.url ?? '', {
        method: 'PUT',
        headers: { 'upload-offset': '8388608', 'content-type': 'application/offset+octet-stream' },
        body: bytes.subarray(8_388_608, 16_777_216),
      });
      assert.equal(part.status, 204, await part.text());
      const empty = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
      assert.deepEqual(JSON.parse(empty.stdout).objects, [], 'nothing to see of half an upload');
      bench.files.loseRequest('PUT /uploads');
      ok(await bench.run(['storage', 'cp', 'large.bin', 'large:', ...app]));
      assert.deepEqual(await readdir(state), []);
      const list = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
      const [object] = JSON.parse(list.stdout).objects;
      assert.equal(object.checksumSha256, createHash('sha256').update(bytes).digest('hex'));
      assert.deepEqual(
        (await uploads()).items.map(({ id, state }: { id: string; state: string }) => [id, state]),
        [[items[0].id, 'completed']],
      );
    });

    test('a download is a whole file or none, and resumes where it stopped', async () => {
      const app = ['--app', 'Web', '--env', 'production'];
      const folder = path.join(bench.folder, 'down');
      await mkdir(folder);
      const cut = ['storage', 'cp', 'large:large.bin', 'down/', ...app];
      const state = path.join(bench.folder, 'config/state/downloads');
      await mkdir(state, { recursive: true });
      bench.files.stall();
      const first = bench.start(cut);
      while ((await readdir(folder)).length === 0) await new Promise((resolve) => setTimeout(resolve, 20));
      first.child.kill('SIGINT');
      assert.equal((await first.ended).code, 130);
      bench.files.resume();
      const [aside = '', ...others] = await readdir(folder);
      assert.match(aside, /^\.large\.bin\.[0-9a-f]{12}\.part$/);
      assert.deepEqual(others, []);

      const bytes = await readFile(path.join(bench.folder, 'large.bin'));
      bench.files.loseRequest('GET /signed');
      ok(await bench.run(cut));
      assert.deepEqual(await readdir(folder), ['large.bin']);
      assert.ok((await readFile(path.join(folder, 'large.bin'))).equals(bytes));
      assert.deepEqual(await readdir(state), []);

      // What a broken connection brought counts only where the checksum of the whole is right.
      const changed = path.join(folder, aside);
      await writeFile(changed, randomBytes(bytes.length));
      const list = ok(await bench.run(['storage', 'ls', 'large', '--json', ...app]));
      const [object] = JSON.parse(list.stdout).objects;
      const name = createHash('sha256').update(JSON.stringify([changed, object.id, bytes.length]));
      await writeFile(
        path.join(state, `${name.digest('hex')}.json`),
        JSON.stringify({ file: changed, parts: [0] }),
      );
      const refused = await bench.run(cut);
      assert.equal(refused.code, 1);
      assert.match(refused.stderr, /large\.bin was corrupted in transit: its SHA-256 does not match/);
      assert.deepEqual([await readdir(folder), await readdir(state)], [['large.bin'], []]);
      ok(await bench.run(cut));
    });

    test('the log of a build resumes where its connection was cut, each line once', async () => {
      const folder = path.join(bench.folder, `talking ${engine}`);
      await mkdir(folder);
      await writeFile(path.join(folder, 'index.html'), 'x');
      const words = 'for i in 1 2 3 4 5 6 7 8 9 10 11 12; do echo said $i; sleep 0.3; done';
      await writeFile(
        path.join(folder, 'mainstay.json'),
        JSON.stringify({ version: 4, assets: '.', build_commands: [words] }),
      );
      const deploy = bench.start(['deploy', '--app', 'Web'], { cwd: folder });
      await deploy.printed('said 2');
      bench.api.refuse();
      await deploy.printed('Connection lost; reconnecting.');
      await bench.api.accept();
      const { stderr } = ok(await deploy.ended);
      const said = [...stderr.matchAll(/^ {2}said (\d+)$/gm)].map(([, number]) => Number(number));
      assert.deepEqual(said, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10, 11, 12]);
    });

    test('the cache counts, for an admin and for the application itself', async () => {
      ok(await bench.run(['cache', 'set', 'n', '41', '--app', 'Web']));
      assert.equal(ok(await bench.run(['cache', 'incr', 'n', '--app', 'Web'])).stdout, '42\n');
      const itself = ['--token', bench.key('application'), '--url', bench.url];
      assert.equal(ok(await bench.run(['cache', 'get', 'n', ...itself])).stdout, '42');
      assert.equal((await bench.run(['cache', 'get', 'none', ...itself])).code, 5);
    });

    test('keys are made, used and end; what was revoked says so', async () => {
      const made = ok(await bench.run(['keys', 'create', 'ci', '--app', 'Web', '--expires', '1h', '--json']));
      const { id, secret } = JSON.parse(made.stdout);
      const env = {
        MAINSTAY_CLIENT_ID: id,
        MAINSTAY_CLIENT_SECRET: secret,
        MAINSTAY_API_BASE_URL: bench.url,
      };
      ok(await bench.run(['whoami'], { env }));
      assert.equal((await bench.run(['keys', 'delete', id])).code, 2);
      ok(await bench.run(['keys', 'delete', id, '--yes']));
      const refused = await bench.run(['whoami'], { env });
      assert.equal(refused.code, 3);
      assert.match(refused.stderr, /rejected the credentials/);
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

    test('any endpoint answers, page by page too', async () => {
      const all = ok(await bench.run(['api', '/applications?limit=1', '--paginate']));
      assert.ok(JSON.parse(all.stdout).length > 1);
      const missing = await bench.run(['api', 'GET', '/nothing', '--json']);
      assert.equal(missing.code, 5);
      const { error } = JSON.parse(missing.stderr);
      assert.equal(error.status, 404);
      assert.ok(error.requestId);
    });
  });
}

describe('the command line on a terminal', () => {
  let bench: Bench;
  before(async () => {
    bench = await openBench('sqlite');
    ok(await bench.run(['login', bench.url, '--token', bench.key('user')]));
  });
  after(() => bench[Symbol.asyncDispose]());

  test('signs in by a code that is approved in a browser, stays signed in, and signs out', async () => {
    const profile = ['--profile', 'person'];
    const login = bench.start(['login', bench.url, '--no-browser', ...profile], { terminal: 80 });
    const shown = await login.printed(/Your code: .*[A-Z]{4}-[A-Z]{4}/);
    const userCode = /[BCDFGHJKLMNPQRSTVWXZ]{4}-[BCDFGHJKLMNPQRSTVWXZ]{4}/.exec(shown)?.[0];
    const origin = { origin: bench.url, 'content-type': 'application/json', 'x-mainstay-session': '1' };
    const signedIn = await fetch(`${bench.url}/idp/sign-in/email`, {
      method: 'POST',
      headers: origin,
      body: JSON.stringify({ email: 'owner@example.com', password: 'correct horse battery' }),
    });
    const cookie = signedIn.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const approved = await fetch(`${bench.url}/idp/oauth2/device`, {
      method: 'POST',
      headers: { ...origin, cookie },
      body: JSON.stringify({ userCode, approve: true }),
    });
    assert.equal(approved.status, 200, await approved.text());
    ok(await login.ended);
    const who = JSON.parse(ok(await bench.run(['whoami', '--json', ...profile])).stdout);
    assert.equal(who.email, 'owner@example.com');

    // As if the access token had ended: several commands at once renew it once.
    const file = path.join(bench.folder, 'config/credentials.json');
    const kept = JSON.parse(await readFile(file, 'utf8'));
    kept.person.access.expiresAt = 0;
    await writeFile(file, JSON.stringify(kept), { mode: 0o600 });
    for (const one of await Promise.all([1, 2, 3].map(() => bench.run(['orgs', ...profile])))) ok(one);

    ok(await bench.run(['logout', ...profile]));
    assert.equal((await bench.run(['whoami', ...profile])).code, 3);
    await writeFile(
      file,
      JSON.stringify({ ...kept, person: { ...kept.person, access: { token: 'x', expiresAt: 0 } } }),
      { mode: 0o600 },
    );
    const profiles = path.join(bench.folder, 'config/profiles.json');
    const known = JSON.parse(await readFile(profiles, 'utf8'));
    known.profiles.person = { url: bench.url };
    await writeFile(profiles, JSON.stringify(known), { mode: 0o600 });
    const ended = await bench.run(['whoami', ...profile]);
    assert.equal(ended.code, 3);
    assert.match(ended.stderr, /has expired or was revoked/);
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

  test('refuses to send a credential to another instance', async () => {
    const folder = path.join(bench.folder, 'elsewhere');
    await mkdir(path.join(folder, '.mainstay'), { recursive: true });
    const link = { applicationId: bench.instance.bootstrapped.application.id, url: 'http://127.0.0.1:1' };
    await writeFile(path.join(folder, '.mainstay/project.json'), JSON.stringify(link));
    const refused = await bench.run(['env'], { cwd: folder });
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /not signed in to http:\/\/127\.0\.0\.1:1/);
  });

  test('says what is amiss with the network', async () => {
    const away = await bench.run(['apps', '--token', 'x', '--url', 'http://127.0.0.1:1']);
    assert.equal(away.code, 7);
    assert.match(away.stderr, /Could not reach http:\/\/127\.0\.0\.1:1: (bad port|.*ECONNREFUSED)/);
    const healthy = ok(await bench.run(['doctor', '--json']));
    assert.ok(JSON.parse(healthy.stdout).every((one: { ok: boolean }) => one.ok));
  });

  test('packs 20 000 files', async () => {
    const folder = path.join(bench.folder, 'many');
    for (let at = 0; at < 200; at++) await mkdir(path.join(folder, String(at)), { recursive: true });
    await Promise.all(
      Array.from({ length: 20_000 }, (_, at) =>
        writeFile(path.join(folder, String(at % 200), `${at}.txt`), `${at}`),
      ),
    );
    const plan = ok(await bench.run(['deploy', 'many', '--dry-run', '--json']));
    assert.equal(JSON.parse(plan.stdout).files.length, 20_000);
  });
});
