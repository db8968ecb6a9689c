import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { sweepRevokedTokens } from '#accounts/tokens/service.ts';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance } from '#testing/instance.ts';
import { runCommand } from '#testing/process.ts';

for (const engine of engines) {
  describe(`clocks that are wrong, on ${engine}`, () => {
    test('an instance whose first start was in the future works once its clock is right', async () => {
      await using home = await testHome(engine);
      const ahead = new TestClock();
      ahead.advance(400 * 86_400);
      await (await startInstance(engine, { home, clock: ahead }))[Symbol.asyncDispose]();
      await using instance = await startInstance(engine, { home });
      const made = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'In the present' },
        headers: { 'idempotency-key': 'one' },
      });
      assert.equal(made.status, 200);
      await fetchToken(instance.url, made.body);
      const signIn = await instance.call('POST', '/idp/sign-in/email', {
        body: { email: 'owner@example.com', password: 'correct horse battery' },
        headers: { 'x-mainstay-session': '1', origin: 'http://mainstay.test' },
      });
      assert.equal(signIn.status, 200);
    });

    test('a node whose clock is ahead sweeps no revocation that others still need', async () => {
      await using home = await testHome(engine);
      await using instance = await startInstance(engine, { home });
      const { id, secret } = instance.bootstrapped.keys.user;
      const token = await fetchToken(instance.url, { id, secret });
      const revoked = await fetch(`${instance.url}/oauth2/revoke`, {
        method: 'POST',
        headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
        body: new URLSearchParams({ token }),
      });
      assert.equal(revoked.status, 200);
      await sweepRevokedTokens(instance.platform.db, Date.now() + 400_000);
      // A node that has never seen the token asks the database.
      await using other = await startInstance(engine, { home });
      assert.equal((await other.call('GET', '/api-keys', { as: { token } })).status, 401);
    });
  });
}

test('a node whose clock is off is named in its log and by doctor', {
  skip: engines.includes('postgres') ? false : 'PostgreSQL is not on this machine',
}, async () => {
  await using home = await testHome('postgres');
  const lines: string[] = [];
  const log = pino({ level: 'warn' }, { write: (line: string) => void lines.push(line) });
  const clock = new TestClock();
  clock.advance(400);
  await using instance = await startInstance('postgres', { home, clock, log });
  assert.ok(instance.url);
  const warning = lines.find((line) => /is (399\.\d|400\.\d) s ahead of the database's/.test(line));
  assert.ok(warning, lines.join(''));
  const { code, stdout } = await runCommand(['doctor', '--json'], { ...home.settings, MAINSTAY_PORT: '1' });
  assert.equal(code, 1);
  const { findings } = JSON.parse(stdout) as { findings: { check: string; ok: boolean; text: string }[] };
  const clocks = findings.find(({ check }) => check === 'clocks');
  assert.equal(clocks?.ok, false);
  assert.match(clocks?.text ?? '', new RegExp(`/${process.pid} is (399|400)\\.\\d s ahead`));
});
