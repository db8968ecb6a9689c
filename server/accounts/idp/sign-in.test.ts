import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, password, signedUp } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';

/** Signing up and in, and what attackers try there. */

const settings = { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000', MAINSTAY_SIGN_IN_ATTEMPTS_PER_ADDRESS: '12' };

for (const engine of engines) {
  describe(`signing up and in on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    before(async () => {
      instance = await startInstance(engine, { settings, clock });
      await signedUp(instance.url, 'mary@example.com');
    });
    after(() => instance[Symbol.asyncDispose]());
    /** Counts of attempts end after an hour. */
    const forgetAttempts = () => clock.advance(3700);

    const fresh = () => new Browser(instance.url);
    const timed = async <T>(work: () => Promise<T>) => {
      const startedAt = performance.now();
      return { answer: await work(), milliseconds: performance.now() - startedAt };
    };
    /** The answers of both, which took as long within 100 ms. A busy machine delays one or the other: not five times. */
    const inEvenTime = async <T>(ask: (email: string) => Promise<T>): Promise<[known: T, unknown: T]> => {
      await ask('warm@example.com');
      const differences: number[] = [];
      for (let round = 1; round <= 5; round++) {
        forgetAttempts();
        const known = await timed(() => ask('mary@example.com'));
        const unknown = await timed(() => ask(`unknown-${round}@example.com`));
        const difference = Math.abs(known.milliseconds - unknown.milliseconds);
        if (difference < 100) return [known.answer, unknown.answer];
        differences.push(difference);
      }
      return assert.fail(
        `The two took unequally long each time: ${differences.map(Math.round).join(', ')} ms`,
      );
    };

    test('the session cookie is closed to scripts, to other sites and to subdomains, and the answer holds no token', async () => {
      const { status, headers, body } = await fresh().signIn('mary@example.com', password);
      assert.equal(status, 200);
      const [cookie = ''] = headers.getSetCookie();
      assert.match(cookie, /^mainstay\.session=/);
      assert.match(cookie, /HttpOnly/i);
      assert.match(cookie, /SameSite=Lax/i);
      assert.match(cookie, /Path=\//i);
      assert.doesNotMatch(cookie, /Domain=/i);
      const token = /=([A-Za-z0-9]{32})/.exec(cookie)?.[1] ?? 'none';
      assert.equal(JSON.stringify(body).includes(token), false);
      const row = await instance.platform.db.selectFrom('sessions').selectAll().execute();
      assert.equal(JSON.stringify(row).includes(token), false);
    });

    test('https sites get a cookie that is tied to the host', async () => {
      const https = { MAINSTAY_BASE_URL: 'https://mainstay.test' };
      await using secure = await startInstance(engine, { settings: https });
      const { headers } = await new Browser(secure.url).signIn('owner@example.com', 'correct horse battery');
      const [cookie = ''] = headers.getSetCookie();
      assert.match(cookie, /^__Host-mainstay\.session=.*Secure/);
    });

    test('a known and an unknown address get the same answer in the same time at sign-in', async () => {
      const [known, unknown] = await inEvenTime((email) => fresh().signIn(email, 'wrong password'));
      assert.equal(known.status, 401);
      assert.deepEqual(known.body, unknown.body);
      assert.equal(unknown.status, 401);
    });

    test('a known and an unknown address get the same answer in the same time at sign-up and reset', async () => {
      const signUp = (email: string) =>
        fresh().call('POST', '/idp/sign-up/email', {
          body: { email: email.replace('unknown', 'new'), password, name: 'Somebody' },
        });
      const reset = (email: string) =>
        fresh().call('POST', '/idp/request-password-reset', { body: { email } });
      for (const ask of [signUp, reset]) {
        const [known, unknown] = await inEvenTime(ask);
        assert.equal(known.status, 200);
        assert.equal(unknown.status, 200);
        assert.deepEqual(known.body, unknown.body);
      }
      // What was there stays: nobody takes an account over by signing up for it.
      assert.equal((await fresh().signIn('mary@example.com', password)).status, 200);
    });

    test('guessing at one account from one address ends with 429 and Retry-After', async () => {
      forgetAttempts();
      const statuses = [];
      for (let guess = 0; guess < 11; guess++)
        statuses.push((await fresh().signIn('mary@example.com', `guess ${guess}`)).status);
      assert.deepEqual(statuses, [...Array(10).fill(401), 429]);
      const refused = await fresh().signIn('mary@example.com', password);
      assert.equal(refused.status, 429);
      assert.equal(refused.body.code, 'TOO_MANY_REQUESTS');
      assert.ok(Number(refused.headers.get('retry-after')) > 0);
      clock.advance(901);
      assert.equal((await fresh().signIn('mary@example.com', password)).status, 200);
    });

    test('stuffing leaked pairs from one address ends with 429, whether the accounts exist or not', async () => {
      forgetAttempts();
      const statuses: number[] = [];
      for (let pair = 0; pair < 14; pair++)
        statuses.push((await fresh().signIn(`leaked-${pair}@example.com`, 'leaked password')).status);
      assert.deepEqual(statuses, [...Array(12).fill(401), 429, 429]);
    });

    test('many guesses at once slip no more through than one after the other', async () => {
      forgetAttempts();
      const all = await Promise.all(
        Array.from({ length: 20 }, (_, guess) => fresh().signIn('mary@example.com', `burst ${guess}`)),
      );
      assert.equal(all.filter(({ status }) => status === 401).length, 10);
      assert.equal(all.filter(({ status }) => status === 429).length, 10);
    });

    test('a session that somebody planted before the sign-in is not the one after it', async () => {
      forgetAttempts();
      const attacker = fresh();
      await attacker.signIn('mary@example.com', password);
      const planted = attacker.cookieHeader();
      const victim = await signedUp(instance.url, 'victim@example.com');
      const before = victim.cookieHeader();
      for (const [name, value] of attacker.cookies) victim.cookies.set(name, value);
      await victim.signIn('victim@example.com', password);
      assert.notEqual(victim.cookieHeader(), planted);
      assert.notEqual(victim.cookieHeader(), before);
      const { body } = await victim.call('GET', '/idp/session');
      assert.equal(body.user.email, 'victim@example.com');
      // The planted one ended: it does not lie about in the browser's past.
      assert.equal((await attacker.call('GET', '/idp/session')).body.user, null);
      const made = fresh();
      made.cookies.set('mainstay.session', `${'a'.repeat(32)}.${'b'.repeat(43)}`);
      assert.equal((await made.call('GET', '/idp/session')).body.user, null);
    });

    test('pages of other sites can do nothing with the cookie, in the API and under /idp', async () => {
      forgetAttempts();
      const person = await signedUp(instance.url, 'csrf@example.com');
      const cookie = person.cookieHeader();
      const attempts: Record<string, string>[] = [
        { 'content-type': 'application/json' },
        { 'content-type': 'text/plain' },
        { 'content-type': 'application/json', 'x-mainstay-session': '1', origin: 'https://evil.test' },
        { 'content-type': 'application/json', 'x-mainstay-session': '1', 'sec-fetch-site': 'cross-site' },
        { 'content-type': 'application/json', 'x-mainstay-session': '1', 'sec-fetch-site': 'same-site' },
        { 'content-type': 'application/json', 'x-mainstay-session': '1', origin: 'null' },
      ];
      const targets = [
        ['POST', '/organizations', { name: 'Forged' }],
        ['POST', '/idp/sign-out', {}],
        ['PATCH', '/idp/profile', { name: 'Forged' }],
        ['POST', '/idp/delete-account', { password }],
        ['POST', '/idp/change-password', { currentPassword: password, newPassword: 'forged-plover-quartz' }],
        ['POST', '/idp/oauth2/consent', { request: '', approve: true }],
        ['POST', '/idp/oauth2/device', { userCode: 'BCDF-GHJK', approve: true }],
      ] as const;
      for (const [method, path, body] of targets) {
        for (const headers of attempts) {
          const response = await fetch(`${instance.url}${path}`, {
            method,
            headers: { cookie, ...headers },
            body: JSON.stringify(body),
          });
          const status = `${method} ${path} ${JSON.stringify(headers)}: ${response.status}`;
          assert.ok([403, 415].includes(response.status), status);
        }
      }
      const { body } = await person.call('GET', '/idp/session');
      assert.equal(body.user.name, 'Test Person');
      const forms = await fetch(`${instance.url}/organizations`, {
        method: 'POST',
        headers: { cookie, 'content-type': 'application/x-www-form-urlencoded' },
        body: 'name=Forged',
      });
      assert.equal(forms.status, 403);
    });

    test('a sign-in that another site forges, to have people work in its account, is refused', async () => {
      const body = JSON.stringify({ email: 'mary@example.com', password });
      const headers = { 'content-type': 'application/json' };
      const response = await fetch(`${instance.url}/idp/sign-in/email`, { method: 'POST', headers, body });
      assert.equal(response.status, 403);
      assert.deepEqual(response.headers.getSetCookie(), []);
    });

    test('nothing under /idp may be framed, sniffed or kept by a cache', async () => {
      for (const path of ['/idp/session', '/idp/options', '/idp/oauth2/authorize?client_id=x']) {
        const { headers } = await fresh().open(path);
        assert.match(headers.get('content-security-policy') ?? '', /frame-ancestors 'none'/);
        assert.equal(headers.get('x-content-type-options'), 'nosniff');
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.equal(headers.get('referrer-policy'), 'no-referrer');
      }
    });

    test('names are returned as they were given, as JSON that no browser takes for a page', async () => {
      forgetAttempts();
      const name = '<img src=x onerror=alert(1)>"\'</script>';
      const person = await signedUp(instance.url, 'script@example.com', { name });
      const { headers, body } = await person.call('GET', '/idp/session');
      assert.equal(body.user.name, name);
      assert.match(headers.get('content-type') ?? '', /^application\/json/);
      const changed = await person.call('PATCH', '/idp/profile', {
        body: { givenName: name, familyName: name },
      });
      assert.equal(changed.body.givenName, name);
      for (const bad of ['', '   ', 'two\nlines', 'bell\u0007', 'x'.repeat(129)]) {
        const refused = await person.call('PATCH', '/idp/profile', { body: { name: bad } });
        assert.equal(refused.status, 400, JSON.stringify(bad));
      }
    });

    test('after the sign-in at a provider nobody is sent to another site', async () => {
      for (const callbackURL of [
        'https://evil.test',
        '//evil.test',
        '/\\evil.test',
        '\\\\evil.test',
        '/ok\n//evil.test',
        'javascript:alert(1)',
      ]) {
        const body = { callbackURL };
        const { status } = await fresh().call('POST', '/idp/sign-in/provider', { body });
        assert.equal(status, 400, callbackURL);
      }
    });

    test('passwords that are short, common, or about the person are refused, and the answer says why', async () => {
      forgetAttempts();
      const attempt = (weak: string) =>
        fresh().call('POST', '/idp/sign-up/email', {
          body: { email: 'margaret.hamilton@example.com', name: 'Margaret Hamilton', password: weak },
        });
      assert.equal((await attempt('short')).body.code, 'PASSWORD_TOO_SHORT');
      assert.equal((await attempt('x'.repeat(257))).body.code, 'PASSWORD_TOO_LONG');
      for (const weak of ['password1', 'qwertyuiop', 'Margaret.Hamilton', 'aaaaaaaaaaaa']) {
        const { status, body } = await attempt(weak);
        assert.equal(status, 400);
        assert.equal(body.code, 'PASSWORD_TOO_WEAK', weak);
        assert.ok(body.score < 3);
      }
      // One is answered at a time for an address, few wait, and nobody is kept from signing up meanwhile.
      const crowd = Array.from({ length: 30 }, () =>
        fresh().call('POST', '/idp/password-strength', { body: { password: 'x'.repeat(64) } }),
      );
      const chosen = fresh().call('POST', '/idp/sign-up/email', {
        body: { email: 'meanwhile@example.com', password, name: 'Meanwhile' },
      });
      const statuses = (await Promise.all(crowd)).map(({ status }) => status);
      assert.ok(statuses.includes(200) && statuses.includes(503), statuses.join());
      assert.equal((await chosen).status, 200);
      const rated = await fresh().call('POST', '/idp/password-strength', { body: { password } });
      assert.equal(rated.body.acceptable, true);
    });

    test('fields that better-auth would take, but nobody meant to offer, are refused', async () => {
      const body = { email: 'extra@example.com', password, name: 'Extra', isOperator: true };
      assert.equal((await fresh().call('POST', '/idp/sign-up/email', { body })).status, 400);
      for (const path of [
        '/idp/update-user',
        '/idp/get-session',
        '/idp/list-sessions',
        '/idp/ok',
        '/idp/error',
      ])
        assert.equal((await fresh().call('GET', path)).status, 404, path);
    });
  });

  describe(`who may sign up on ${engine}`, () => {
    test('nobody where it is closed', async () => {
      await using instance = await startInstance(engine, { settings: { MAINSTAY_SIGN_UP: 'closed' } });
      const body = { email: 'late@example.com', password, name: 'Late' };
      const { status, body: answer } = await new Browser(instance.url).call('POST', '/idp/sign-up/email', {
        body,
      });
      assert.equal(status, 403);
      assert.equal(answer.code, 'SIGN_UP_CLOSED');
    });

    test('the invited where it is for them, and the answer is the same for others', async () => {
      await using instance = await startInstance(engine, { settings: { MAINSTAY_SIGN_UP: 'invited' } });
      const path = `/organizations/${instance.bootstrapped.organization.id}/invitations`;
      const invitation = { email: 'guest@example.com', role: 'MEMBER' };
      assert.equal((await instance.call('POST', path, { as: 'user', body: invitation })).status, 200);
      const join = async (email: string) => {
        const body = { email, password, name: 'Guest' };
        const browser = new Browser(instance.url);
        const made = await browser.call('POST', '/idp/sign-up/email', { body });
        assert.equal(made.status, 200);
        return (await browser.signIn(email, password)).status;
      };
      assert.equal(await join('guest@example.com'), 200);
      assert.equal(await join('stranger@example.com'), 401);
    });
  });
}
