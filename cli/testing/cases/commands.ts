import assert from 'node:assert/strict';
import { mkdir, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, test } from 'node:test';
import { type MockProvider, startAiProvider } from '../../../server/testing/ai-provider.ts';
import type { Node } from '../../core/parse.ts';
import { root } from '../../tree.ts';
import { type Bench, ok, site } from '../command-line.ts';

/** The commands that no other test calls. */
export function commandCases(of: () => Bench): void {
  let bench: Bench;
  let provider: MockProvider;
  before(async () => {
    bench = of();
    provider = await startAiProvider();
  });
  after(() => provider[Symbol.asyncDispose]());

  const json = async (words: string[], cwd = bench.folder) =>
    JSON.parse(ok(await bench.run([...words, '--json'], { cwd })).stdout);

  test('a new folder is linked, configured, shown and let go', async () => {
    const folder = await site(bench, 'from nothing', '<h1>page</h1>');
    const run = (...words: string[]) => bench.run(words, { cwd: folder });
    const made = await json(['orgs', 'create', 'Second', '--slug', 'second']);
    assert.ok((await json(['orgs'])).some((one: { slug: string }) => one.slug === 'second'));
    assert.equal((await run('link', '--app', 'new', '--create')).code, 2, 'which of two organizations?');
    await json(['orgs', 'use', 'second']);
    const linked = await json(['link', '--app', 'new', '--create'], folder);
    assert.equal(linked.organizationId, made.id);
    const state = await json([], folder);
    assert.deepEqual([state.application.name, state.live], ['new', null]);
    assert.match(ok(await run()).stdout, /mainstay deploy +Deploy it for the first time/);

    assert.equal((await json(['init'], folder)).assets, '.');
    assert.match(await readFile(path.join(folder, 'mainstay.yaml'), 'utf8'), /\$schema=\.mainstay\/schema/);
    const schema = JSON.parse(await readFile(path.join(folder, '.mainstay/schema.json'), 'utf8'));
    assert.ok(schema.properties.build_commands);
    const refused = await run('init', '--format', 'ts');
    assert.deepEqual([refused.code, /--force/.test(refused.stderr)], [6, true]);

    const { deployment } = JSON.parse(
      ok(await run('deploy', '--no-wait', '--json'))
        .stdout.trim()
        .split('\n')
        .at(-1) ?? '',
    );
    assert.equal((await json(['deployments', 'inspect', deployment.id], folder)).id, deployment.id);
    await bench.until(async () => {
      const { status } = await json(['deployments', 'inspect', deployment.id.slice(-8)], folder);
      return status === 'ACTIVE';
    });
    assert.equal((await json(['deployments', '--status', 'ACTIVE'], folder)).length, 1);
    assert.equal((await json(['deployments', 'promote', 'latest'], folder)).id, deployment.id);
    const again = ok(await run('deployments', 'redeploy', 'latest', '--prod', '--json')).stdout;
    assert.equal(JSON.parse(again.trim().split('\n').at(-1) ?? '').type, 'deployed');
    assert.equal((await run('deployments', 'cancel', 'latest')).code, 6, 'it has ended');
    assert.deepEqual(await json(['schedules'], folder), []);
    assert.equal((await run('schedules', 'run', 'jobs/none.ts')).code, 5);

    assert.match((await json(['open'], folder)).url, /^http:\/\//);
    assert.match(ok(await run('apps', 'open', '--print')).stdout, /\/applications\/|\/apps\/|^http/);
    const label = `label-${bench.engine}`;
    await json(['domains', 'label', label], folder);
    assert.ok(
      (await json(['domains'], folder)).hostnames.some(({ hostname }: { hostname: string }) =>
        hostname.startsWith(`${label}.`),
      ),
    );
    const domain = `${bench.engine}.example.org`;
    await json(['domains', 'add', domain], folder);
    assert.notEqual((await run('domains', 'check', domain)).stdout, '');
    assert.equal((await run('domains', 'remove', domain)).code, 2);
    assert.match(ok(await run('domains', 'remove', domain, '--dry-run')).stdout, /Would remove/);
    await json(['domains', 'remove', domain, '--yes'], folder);

    ok(await run('unlink'));
    assert.equal((await run('deployments')).code, 2);
    assert.ok((await json(['apps', '--query', 'new'])).length > 0);
    assert.equal((await json(['apps', 'create', 'other', '--org', 'acme'])).name, 'other');
    assert.equal((await json(['apps', 'delete', 'other', '--dry-run'])).liveDeployments, 0);
    await json(['apps', 'delete', 'other', '--yes']);
    assert.equal((await bench.run(['apps', 'delete', 'other', '--yes'])).code, 5);
    await json(['orgs', 'use', 'acme']);
  });

  test('a dev command gets variables and a key that works, and the key ends with it', async () => {
    const folder = path.join(bench.folder, 'developed');
    await mkdir(folder);
    const script =
      'const { MAINSTAY_CLIENT_ID: id, MAINSTAY_CLIENT_SECRET: secret, MAINSTAY_API_URL: url } = process.env;' +
      "const headers = { authorization: 'Basic ' + btoa(id + ':' + secret) };" +
      "const body = new URLSearchParams({ grant_type: 'client_credentials' });" +
      "const answer = await fetch(url + '/oauth2/token', { method: 'POST', headers, body });" +
      'console.log(JSON.stringify({ id, status: answer.status, app: process.env.MAINSTAY_APPLICATION_ID }));';
    await writeFile(path.join(folder, 'dev.mjs'), script);
    const words = ['dev', '--app', 'Web', '--', process.execPath, 'dev.mjs'];
    const said = JSON.parse(ok(await bench.run(words, { cwd: folder })).stdout);
    assert.deepEqual([said.status, said.app], [200, bench.instance.bootstrapped.application.id]);
    const keys = await json(['keys', '--app', 'Web']);
    assert.ok(!keys.some(({ id }: { id: string }) => id === said.id), 'the key is gone');
    const none = await bench.run(['dev', '--app', 'Web'], { cwd: folder });
    assert.deepEqual([none.code, /no "dev" script/.test(none.stderr)], [1, true]);
  });

  test('keys rotate, members are invited, and the audit log has both', async () => {
    const { id, secret } = await json(['keys', 'create', 'rotated', '--org', 'acme']);
    const rotated = await json(['keys', 'rotate', id]);
    assert.notEqual(rotated.secret, secret);
    assert.equal((await json(['members', '--org', 'acme']))[0].role, 'OWNER');
    const { email } = await json(['members', 'invite', 'new@example.com', '--org', 'acme']);
    assert.equal(email, 'new@example.com');
    for (const words of [
      ['role', 'none@example.com', 'ADMIN'],
      ['remove', 'none@example.com', '--yes'],
    ])
      assert.equal((await bench.run(['members', ...words, '--org', 'acme'])).code, 5);
    const records = await json(['audit', '--org', 'acme', '--limit', '50', '--since', '1h']);
    assert.ok(records.some(({ target }: { target: { id: string } }) => target.id === id));
  });

  test('the cache and buckets are listed and emptied', async () => {
    const app = ['--app', 'Web'];
    await json(['cache', 'set', 'listed:1', 'x', '--ttl', '1h', ...app]);
    const items = await json(['cache', 'list', '--prefix', 'listed:', ...app]);
    assert.deepEqual(
      items.map(({ key }: { key: string }) => key),
      ['listed:1'],
    );
    assert.equal((await bench.run(['cache', 'del', '--prefix', 'listed:', ...app])).code, 2);
    assert.equal((await json(['cache', 'del', '--prefix', 'listed:', '--yes', ...app])).deletedCount, 1);
    const at = [...app, '--env', 'production'];
    await json(['storage', 'mb', 'moved', ...at]);
    ok(await bench.run(['storage', 'cp', '-', 'moved:a b', ...at], { input: 'x' }));
    ok(await bench.run(['storage', 'mv', 'moved:a b', 'moved:c', ...at]));
    const { objects } = await json(['storage', 'ls', 'moved', ...at]);
    assert.deepEqual(
      objects.map(({ key }: { key: string }) => key),
      ['c'],
    );
    assert.notEqual((await bench.run(['storage', 'rb', 'moved', '--yes', ...at])).code, 0, 'not empty');
    await json(['storage', 'rb', 'moved', '--force', '--yes', ...at]);
  });

  test('models answer as they write, and what they cost is told', async () => {
    const body = { slug: bench.engine, type: 'openai-compatible', baseUrl: `${provider.url}/v1` };
    const sent = JSON.stringify({ ...body, allowPrivate: true });
    ok(await bench.run(['api', 'POST', '/admin/ai-gateway/providers', '--input', '-'], { input: sent }));
    const models = await json(['ai', 'models', '--org', 'acme']);
    assert.ok(Array.isArray(models));
    const words = ['ai', 'chat', '--model', `${bench.engine}/some-model`, 'Say hello', '--app', 'Web'];
    const plain = ok(await bench.run(words)).stdout;
    assert.notEqual(plain.trim(), '');
    const chunks = ok(await bench.run([...words, '--json']))
      .stdout.trim()
      .split('\n');
    const text = chunks.map((line) => JSON.parse(line).choices[0]?.delta?.content ?? '').join('');
    assert.equal(text.trim(), plain.trim());
    assert.ok((await json(['ai', 'usage', '--org', 'acme'])) !== null);
    assert.ok((await json(['ai', 'budgets', '--org', 'acme'])) !== null);
  });

  test('names are looked up, and what cannot be is told with the id of the request', async () => {
    const { domains, emails } = await json(['reputation', 'example.com', 'ann@example.com']);
    assert.deepEqual([domains.length, emails.length], [1, 1]);
    const wrong = await bench.run(['whois', 'no domain', '--json']);
    assert.notEqual(wrong.code, 0);
    assert.ok(JSON.parse(wrong.stderr).error.requestId);
  });

  test('profiles are several instances, chosen by name', async () => {
    ok(await bench.run(['login', bench.url, '--profile', 'second', '--token', bench.key('organization')]));
    assert.equal((await json(['whoami', '--profile', 'second'])).actor.type, 'organization');
    ok(await bench.run(['profiles', 'use', 'default']));
    assert.equal((await json(['whoami'])).actor.type, 'user');
    const names = (await json(['profiles'])).map(({ name }: { name: string }) => name);
    assert.ok(names.includes('default') && names.includes('second'));
    const none = await bench.run(['whoami', '--profile', 'third']);
    assert.deepEqual([none.code, /no profile "third"/.test(none.stderr)], [3, true]);
    ok(await bench.run(['logout', '--profile', 'second']));
    assert.match(ok(await bench.run(['completion', 'powershell'])).stdout, /Register-ArgumentCompleter/);
  });
}

/** Behind all others: `called` are the commands that they ran. */
export function everyCommandIsCalled(of: () => Bench): void {
  test('every command is called by a test', () => {
    const missing: string[] = [];
    const walk = (node: Node, above: string): void => {
      const name = `${above}${node.description.name}`;
      if (node.load && node.children === undefined && !of().called.has(name)) missing.push(name);
      for (const child of node.children ?? []) walk(child, `${name} `);
    };
    walk(root, '');
    // Completions are asked for in real shells.
    assert.deepEqual(
      missing.filter((name) => name !== 'mainstay __complete'),
      [],
    );
  });
}
