import assert from 'node:assert/strict';
import { createHmac, createPublicKey, generateKeyPairSync, type KeyObject, sign } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { SignJWT } from 'jose';
import { announce } from '#core/notifications.ts';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { rawRequest } from '#testing/raw.ts';

const encode = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

for (const engine of engines) {
  describe(`bearer tokens on ${engine}`, () => {
    let instance: Instance;
    let token: string;
    let header: string;
    let payload: string;
    let signature: string;

    before(async () => {
      instance = await startInstance(engine);
      token = await instance.token('user');
      [header = '', payload = '', signature = ''] = token.split('.');
    });
    after(() => instance[Symbol.asyncDispose]());

    const use = (bearer: string, on = instance) => on.call('GET', '/api-keys', { as: { token: bearer } });
    const claims = () => JSON.parse(Buffer.from(payload, 'base64url').toString()) as Record<string, unknown>;
    const publicJwk = async () => (await instance.call('GET', '/.well-known/jwks.json')).body.keys[0];
    const forged = (key: KeyObject, kid: string, changes: object = {}) =>
      new SignJWT({ ...claims(), ...changes })
        .setProtectedHeader({ alg: 'ES256', typ: 'at+jwt', kid })
        .sign(key);

    test('a good one is accepted, again and again', async () => {
      for (let count = 0; count < 3; count++) assert.equal((await use(token)).status, 200);
    });

    const bad: Record<string, () => string | Promise<string>> = {
      'alg none': () => `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.`,
      'alg none with the signature left on': () =>
        `${encode({ alg: 'none', typ: 'at+jwt' })}.${payload}.${signature}`,
      'HS256 signed with the public key': async () => {
        const jwk = await publicJwk();
        const pem = createPublicKey({ key: jwk, format: 'jwk' }).export({ type: 'spki', format: 'pem' });
        const input = `${encode({ alg: 'HS256', typ: 'at+jwt', kid: jwk.kid })}.${payload}`;
        return `${input}.${createHmac('sha256', pem).update(input).digest('base64url')}`;
      },
      'a key of a stranger under our kid': async () => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return forged(privateKey, (await publicJwk()).kid);
      },
      'a kid that does not exist': () => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return forged(privateKey, 'no-such-key');
      },
      'a kid that is a path': () => {
        const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        return forged(privateKey, '../../../../dev/null');
      },
      'a header with an embedded key': () => {
        const { privateKey, publicKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
        const input = `${encode({ alg: 'ES256', typ: 'at+jwt', jwk: publicKey.export({ format: 'jwk' }) })}.${payload}`;
        const made = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
        return `${input}.${made.toString('base64url')}`;
      },
      'another payload under a real signature': () =>
        `${header}.${encode({ ...claims(), scope: 'openid' })}.${signature}`,
      'a signature changed in its last character': () =>
        `${token.slice(0, -1)}${token.endsWith('A') ? 'B' : 'A'}`,
      'a signature cut off': () => token.slice(0, -10),
      'no signature': () => `${header}.${payload}`,
      'a fourth part': () => `${token}.x`,
      'text that is no token': () => 'hello',
      'a token of 9 000 characters': () => 'a'.repeat(9000),
    };

    for (const [what, make] of Object.entries(bad)) {
      test(`${what} is refused with 401 and a challenge`, async () => {
        const { status, headers, body } = await use(await make());
        assert.equal(status, 401);
        assert.match(headers.get('www-authenticate') ?? '', /^Bearer error="invalid_token"/);
        assert.deepEqual(Object.keys(body), ['error']);
      });
    }

    test('no header, another scheme and a bare scheme are refused with 401', async () => {
      for (const headers of [
        {},
        { authorization: 'Basic abc' },
        { authorization: 'Bearer' },
        { authorization: token },
      ]) {
        const answer = await instance.call('GET', '/api-keys', {
          headers: headers as Record<string, string>,
        });
        assert.equal(answer.status, 401);
        assert.match(answer.headers.get('www-authenticate') ?? '', /^Bearer/);
      }
    });

    test('two Authorization headers are refused with 401', async () => {
      const authorization = ['authorization', `Bearer ${token}`] as const;
      const request = { method: 'GET', path: '/api-keys', headers: [authorization, authorization] };
      assert.equal((await rawRequest(instance.url, request)).status, 401);
    });

    test('a token of 1 MB is refused before it is read', async () => {
      const headers = [['authorization', `Bearer ${'a'.repeat(1024 * 1024)}`]] as const;
      const { status, body } = await rawRequest(instance.url, { method: 'GET', path: '/api-keys', headers });
      assert.equal(status, 431);
      assert.deepEqual(Object.keys(JSON.parse(body)), ['error']);
    });

    test('a token of another issuer with the same keys is refused', async () => {
      const home = await testHome(engine);
      try {
        await using one = await startInstance(engine, { home });
        await using two = await startInstance(engine, {
          home,
          settings: { MAINSTAY_BASE_URL: 'http://other.test' },
        });
        assert.equal((await use(await one.token('user'), one)).status, 200);
        assert.equal((await use(await one.token('user'), two)).status, 401);
      } finally {
        await home[Symbol.asyncDispose]();
      }
    });

    test('the missing scope is named, with 403 and a challenge', async () => {
      const { status, headers, body } = await instance.call('GET', '/api-keys', { as: 'application' });
      assert.equal(status, 403);
      assert.match(body.error, /application/);
      const limited = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'limited', scopes: ['openid', 'platform:api_keys:read'] },
      });
      const narrow = await fetchToken(instance.url, limited.body);
      const refused = await instance.call('DELETE', `/api-keys/${limited.body.id}`, {
        as: { token: narrow },
      });
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /platform:api_keys:delete/);
      assert.equal(
        refused.headers.get('www-authenticate'),
        'Bearer error="insufficient_scope", scope="platform:api_keys:delete"',
      );
      assert.equal(headers.get('www-authenticate'), null);
    });
  });

  describe(`the end of tokens on ${engine}`, () => {
    test('a token expires after five minutes, also when it was accepted before', async () => {
      const clock = new TestClock({ still: true });
      await using instance = await startInstance(engine, { clock });
      const token = await instance.token('user');
      const use = () => instance.call('GET', '/api-keys', { as: { token } });
      assert.equal((await use()).status, 200);
      clock.advance(299);
      assert.equal((await use()).status, 200);
      clock.advance(2);
      assert.equal((await use()).status, 401);
    });

    test('a key that expires takes its tokens with it', async () => {
      const clock = new TestClock();
      await using instance = await startInstance(engine, { clock });
      const expiresAt = new Date(clock.now() + 60_000).toISOString();
      const { body: key } = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'short', expiresAt },
      });
      const token = await fetchToken(instance.url, key);
      clock.advance(61);
      assert.equal((await instance.call('GET', '/api-keys', { as: { token } })).status, 401);
      await assert.rejects(fetchToken(instance.url, key), /401/);
    });

    test('a key revoked on one node is refused on the other within a second', async () => {
      await using home = await testHome(engine);
      await using one = await startInstance(engine, { home });
      await using two = await startInstance(engine, { home });
      const { body: key } = await one.call('POST', '/api-keys', { as: 'user', body: { name: 'soon gone' } });
      const token = await fetchToken(one.url, key);
      const use = (node: Instance) => node.call('GET', '/api-keys', { as: { token } });
      assert.equal((await use(two)).status, 200);
      assert.equal((await one.call('DELETE', `/api-keys/${key.id}`, { as: 'user' })).status, 204);
      assert.equal((await use(one)).status, 401);
      const started = performance.now();
      while ((await use(two)).status !== 401)
        assert.ok(performance.now() - started < 10_000, 'accepted for ten times as long as promised');
      await assert.rejects(fetchToken(two.url, key), /401/);
    });

    test('the keys of a suspended user and of a deleted organization stop', async () => {
      await using instance = await startInstance(engine);
      const { db } = instance.platform;
      const { user, organization } = instance.bootstrapped;
      const tokens = {
        user: await instance.token('user'),
        organization: await instance.token('organization'),
      };
      const use = (token: string) => instance.call('GET', '/api-keys', { as: { token } });
      assert.equal((await use(tokens.user)).status, 200);
      await db.write(async (tx) => {
        await tx.updateTable('users').set({ suspended_at: 1 }).where('id', '=', user.id).execute();
        announce(tx, 'user', user.id);
      });
      assert.equal((await use(tokens.user)).status, 401);
      assert.equal((await use(tokens.organization)).status, 200);
      await db.write(async (tx) => {
        await tx
          .updateTable('organizations')
          .set({ deleted_at: 1 })
          .where('id', '=', organization.id)
          .execute();
        announce(tx, 'organization', organization.id);
      });
      assert.equal((await use(tokens.organization)).status, 401);
      await assert.rejects(fetchToken(instance.url, instance.bootstrapped.keys.application), /401/);
    });
  });

  describe(`introspection and revocation on ${engine}`, () => {
    let instance: Instance;
    before(async () => {
      instance = await startInstance(engine);
    });
    after(() => instance[Symbol.asyncDispose]());

    const about = (
      path: string,
      token: string,
      actor: 'user' | 'organization' | 'application' = 'organization',
    ) => {
      const { id, secret } = instance.bootstrapped.keys[actor];
      return instance.call('POST', path, { body: { token, client_id: id, client_secret: secret } });
    };

    test('a live token of the same organization is described', async () => {
      const token = await instance.token('application');
      const { status, body } = await about('/oauth2/introspect', token);
      assert.equal(status, 200);
      assert.equal(body.active, true);
      assert.equal(body.client_id, instance.bootstrapped.keys.application.id);
      assert.equal(body.actor_type, 'application');
      assert.equal(body.secret_id, undefined);
    });

    test("a stranger's token and rubbish are not active, and nothing more is said", async () => {
      const token = await instance.token('organization');
      assert.deepEqual((await about('/oauth2/introspect', token, 'user')).body, { active: false });
      assert.deepEqual((await about('/oauth2/introspect', 'rubbish')).body, { active: false });
    });

    test('both need credentials', async () => {
      for (const path of ['/oauth2/introspect', '/oauth2/revoke']) {
        const { status, body } = await instance.call('POST', path, { body: { token: 'x' } });
        assert.equal(status, 401);
        assert.equal(body.error, 'invalid_client');
      }
    });

    test('a revoked token is refused at once; those of others are left alone', async () => {
      const token = await fetchToken(instance.url, instance.bootstrapped.keys.organization);
      const use = () => instance.call('GET', '/api-keys', { as: { token } });
      assert.equal((await use()).status, 200);
      assert.equal((await about('/oauth2/revoke', token, 'application')).status, 200);
      assert.equal((await use()).status, 200);
      assert.equal((await about('/oauth2/revoke', token)).status, 200);
      assert.equal((await use()).status, 401);
      assert.deepEqual((await about('/oauth2/introspect', token)).body, { active: false });
      const { status, body } = await about('/oauth2/revoke', 'rubbish');
      assert.deepEqual([status, body], [200, '']);
    });
  });
}
