import assert from 'node:assert/strict';
import { mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { before, test } from 'node:test';
import { type Bench, ok } from '../command-line.ts';

/** Who one is: credentials, profiles, instances. */
export function accountCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

  test('says who one is, and keeps credentials to oneself', async () => {
    const { stdout } = ok(await bench.run(['whoami', '--json']));
    const who = JSON.parse(stdout);
    assert.equal(who.actor.id, bench.instance.bootstrapped.user.id);
    assert.equal(who.url, bench.url);
    const { mode } = await stat(path.join(bench.folder, 'config/credentials.json'));
    assert.equal(mode & 0o777, 0o600);
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
}

/** Signing in as a person, and folders of other instances. */
export function signInCases(of: () => Bench): void {
  let bench: Bench;
  before(() => {
    bench = of();
  });

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

  test('refuses to send a credential to another instance', async () => {
    const folder = path.join(bench.folder, 'elsewhere');
    await mkdir(path.join(folder, '.mainstay'), { recursive: true });
    const link = { applicationId: bench.instance.bootstrapped.application.id, url: 'http://127.0.0.1:1' };
    await writeFile(path.join(folder, '.mainstay/project.json'), JSON.stringify(link));
    const refused = await bench.run(['env'], { cwd: folder });
    assert.equal(refused.code, 3);
    assert.match(refused.stderr, /not signed in to http:\/\/127\.0\.0\.1:1/);
  });
}

/** Behind all others: the clock of the instance does not go back. */
export function expiryCases(of: () => Bench): void {
  test('a token that has expired, or is of another instance, is told so; a kept key goes on', async () => {
    const bench = of();
    const token = await bench.instance.token('user');
    const env = { MAINSTAY_TOKEN: token, MAINSTAY_API_BASE_URL: bench.url };
    ok(await bench.run(['whoami'], { env }));
    // Signed by another: the same claims, another signature.
    const foreign = `${token.slice(0, token.lastIndexOf('.'))}.${'A'.repeat(86)}`;
    const refused = await bench.run(['orgs', '--json'], { env: { ...env, MAINSTAY_TOKEN: foreign } });
    assert.equal(refused.code, 3);
    const { error } = JSON.parse(refused.stderr);
    assert.deepEqual([error.status, typeof error.requestId], [401, 'string']);

    ok(await bench.run(['orgs']));
    bench.clock.advance(600);
    const expired = await bench.run(['orgs'], { env });
    assert.equal(expired.code, 3);
    assert.match(expired.stderr, /expired/);
    assert.match(expired.stderr, /mainstay login/);
    assert.match(expired.stderr, /Request id: /);
    // Its token was kept as good by the clock of this machine: it is renewed once the instance refuses it.
    ok(await bench.run(['orgs']));
  });
}
