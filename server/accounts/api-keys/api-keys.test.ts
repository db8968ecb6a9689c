import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { announce } from '#core/notifications.ts';
import { scopesFor } from '#core/scopes.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';

for (const engine of engines) {
  describe(`API keys on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let applicationId: string;
    let organizationId: string;

    before(async () => {
      instance = await startInstance(engine, { clock });
      applicationId = instance.bootstrapped.application.id;
      organizationId = instance.bootstrapped.organization.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    const create = (body: object, as: 'user' | 'organization' = 'user') =>
      instance.call('POST', '/api-keys', { as, body });

    test('a new key shows its secret once, and works', async () => {
      const { status, body: key } = await create({ name: '  CI  ', applicationId });
      assert.equal(status, 200);
      assert.equal(key.name, 'CI');
      assert.equal(key.applicationId, applicationId);
      assert.match(key.secret, /^mst_[0-9A-Za-z]{49}$/);
      assert.equal(key.lastUsedAt, null);
      const days = Math.round((Date.parse(key.expiresAt) - Date.parse(key.createdAt)) / 86_400_000);
      assert.equal(days, 90);
      await fetchToken(instance.url, key);
      const { body: again } = await instance.call('GET', `/api-keys/${key.id}`, { as: 'user' });
      assert.equal(again.secret, undefined);
      assert.equal(JSON.stringify(again).includes(key.secret), false);
      const { body: list } = await instance.call('GET', `/api-keys?applicationId=${applicationId}`, {
        as: 'user',
      });
      assert.ok(list.items.some((item: { id: string }) => item.id === key.id));
      assert.equal(list.total, list.items.length);
    });

    test('the database holds no secret, and no digest that is not keyed', async () => {
      const { body: key } = await create({ name: 'digest' });
      const rows = await instance.platform.db.selectFrom('api_key_secrets').selectAll().execute();
      const { hash } = await import('node:crypto');
      for (const row of rows) {
        assert.notEqual(Buffer.from(row.digest).toString('hex'), hash('sha256', key.secret));
        assert.equal(Buffer.from(row.digest).includes(key.secret), false);
      }
    });

    test('a key without an application or organization is the user’s own', async () => {
      const { body: key } = await create({ name: 'mine', scopes: ['openid', 'platform:api_keys:read'] });
      assert.equal(key.applicationId, null);
      assert.deepEqual(key.scopes, ['openid', 'platform:api_keys:read']);
      const token = await fetchToken(instance.url, key);
      const { body } = await instance.call('GET', '/api-keys', { as: { token } });
      assert.ok(body.items.every((item: { applicationId: unknown }) => item.applicationId === null));
    });

    test('an organization manages its own keys and those of its applications', async () => {
      const own = await create({ name: 'own' }, 'organization');
      assert.equal(own.body.organizationId, organizationId);
      const application = await create({ name: 'app', applicationId }, 'organization');
      assert.equal(application.body.applicationId, applicationId);
      const listed = await instance.call('GET', `/api-keys?organizationId=${organizationId}`, {
        as: 'organization',
      });
      assert.ok(listed.body.items.some((item: { id: string }) => item.id === own.body.id));
      assert.ok(listed.body.items.every((item: { applicationId: unknown }) => item.applicationId === null));
    });

    test('default scopes are those of the caller that only read; an application never manages keys', async () => {
      const { body } = await create({ name: 'defaults', applicationId });
      const reading = scopesFor('application').filter((scope) => /^openid$|:(read|get|models)$/.test(scope));
      assert.deepEqual([...body.scopes].sort(), reading.sort());
      assert.ok(!body.scopes.some((scope: string) => scope.startsWith('platform:api_keys')));
    });

    test('the scopes that a caller can give are explained, with who can hold them', async () => {
      const { status, body } = await instance.call('GET', '/api-keys/scopes', { as: 'organization' });
      assert.equal(status, 200);
      assert.deepEqual(
        body.items.map(({ scope }: { scope: string }) => scope).sort(),
        scopesFor('organization').toSorted(),
      );
      const variables = body.items.find(({ scope }: { scope: string }) => scope === 'network:env_vars:read');
      assert.deepEqual(variables.actors, ['user', 'organization', 'application']);
      assert.equal(variables.area, 'Environment variables');
      assert.equal(variables.readOnly, true);
      const cached = body.items.find(({ scope }: { scope: string }) => scope === 'fastcache:write');
      assert.equal(cached.readOnly, false);
      assert.equal(cached.product, 'fastcache');
      assert.ok(cached.usableBy.includes('organization'), 'by `/applications/{id}/fastcache`');
      assert.ok(cached.usableBy.includes('application'));
      for (const scope of ['network:ai_gateway:chat', 'network:ai_gateway:models'])
        assert.ok(
          // biome-ignore lint/suspicious/noExplicitAny: an answer.
          body.items.find((item: any) => item.scope === scope).usableBy.includes('application'),
          scope,
        );
      const change = body.items.find(
        ({ scope }: { scope: string }) => scope === 'platform:organizations:write',
      );
      assert.deepEqual(change.usableBy, ['user', 'organization']);
    });

    test('never to expire and a moment of one’s own are possible', async () => {
      assert.equal((await create({ name: 'never', expiresAt: null })).body.expiresAt, null);
      const expiresAt = new Date(clock.now() + 3_600_000).toISOString();
      assert.equal((await create({ name: 'later', expiresAt })).body.expiresAt, expiresAt);
    });

    test('a list pages when asked to', async () => {
      for (let count = 0; count < 3; count++) await create({ name: `page ${count}` });
      const seen: string[] = [];
      let cursor = '';
      let total = 0;
      do {
        const query = `limit=2${cursor ? `&cursor=${cursor}` : ''}`;
        const { body } = await instance.call('GET', `/api-keys?${query}`, { as: 'user' });
        assert.ok(body.items.length <= 2);
        seen.push(...body.items.map((item: { id: string }) => item.id));
        cursor = body.nextCursor ?? '';
        total = body.total;
      } while (cursor);
      assert.equal(seen.length, total);
      assert.equal(new Set(seen).size, total);
      assert.deepEqual(seen, [...seen].sort());
    });

    const missing = '01900000-0000-7000-8000-000000000000';
    const refusals: Record<string, [number, () => ReturnType<typeof create>]> = {
      'no name': [400, () => create({})],
      'a blank name': [400, () => create({ name: '   ' })],
      'a name of 129 characters': [400, () => create({ name: 'x'.repeat(129) })],
      'a name with a control character': [400, () => create({ name: 'a\u0000b' })],
      'an unknown field': [400, () => create({ name: 'x', colour: 'red' })],
      'an unknown scope': [400, () => create({ name: 'x', scopes: ['everything'] })],
      'no scopes': [400, () => create({ name: 'x', scopes: [] })],
      'a scope twice': [400, () => create({ name: 'x', scopes: ['openid', 'openid'] })],
      'key management for an application': [
        400,
        () => create({ name: 'x', applicationId, scopes: ['platform:api_keys:read'] }),
      ],
      'an expiry in the past': [400, () => create({ name: 'x', expiresAt: '2020-01-01T00:00:00Z' })],
      'an expiry that is no moment': [400, () => create({ name: 'x', expiresAt: 'tomorrow' })],
      'an address that is none': [400, () => create({ name: 'x', allowedAddresses: ['localhost'] })],
      'both an application and an organization': [
        400,
        () => create({ name: 'x', applicationId, organizationId }),
      ],
      'an environment without an application': [400, () => create({ name: 'x', environmentId: missing })],
      'an operator’s scope for an organization': [
        400,
        () => create({ name: 'x', organizationId, scopes: ['platform:admin:read'] }),
      ],
      'a scope beyond the caller’s': [
        403,
        async () => {
          const { body } = await create({ name: 'narrow', scopes: ['platform:api_keys:write'] });
          const as = { token: await fetchToken(instance.url, body) };
          return instance.call('POST', '/api-keys', { as, body: { name: 'x', scopes: ['openid'] } });
        },
      ],
      'an application that does not exist': [404, () => create({ name: 'x', applicationId: missing })],
      'an organization that does not exist': [404, () => create({ name: 'x', organizationId: missing })],
      'an environment of nobody': [404, () => create({ name: 'x', applicationId, environmentId: missing })],
      'an application id that is none': [400, () => create({ name: 'x', applicationId: 'web' })],
    };
    for (const [what, [status, request]] of Object.entries(refusals)) {
      test(`${what} is answered ${status} with a sentence`, async () => {
        const answer = await request();
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body), ['error']);
      });
    }

    test('a rotation has two live secrets, and ends with the tokens of the old one', async () => {
      const { body: key } = await create({ name: 'rotated' });
      const path = `/api-keys/${key.id}/secrets`;
      const second = await instance.call('POST', path, { as: 'user' });
      assert.equal(second.status, 200);
      assert.notEqual(second.body.secret, key.secret);
      assert.equal((await instance.call('POST', path, { as: 'user' })).status, 409);
      const oldToken = await fetchToken(instance.url, key);
      const newToken = await fetchToken(instance.url, { id: key.id, secret: second.body.secret });
      const use = (token: string) => instance.call('GET', '/api-keys', { as: { token } });
      const [oldSecret] = (await instance.call('GET', `/api-keys/${key.id}`, { as: 'user' })).body.secrets;
      assert.equal((await instance.call('DELETE', `${path}/${oldSecret.id}`, { as: 'user' })).status, 204);
      assert.equal((await use(oldToken)).status, 401);
      assert.equal((await use(newToken)).status, 200);
      await assert.rejects(fetchToken(instance.url, key), /401/);
      assert.equal((await instance.call('DELETE', `${path}/${second.body.id}`, { as: 'user' })).status, 409);
      assert.equal((await instance.call('DELETE', `${path}/${missing}`, { as: 'user' })).status, 404);
    });

    test('addresses outside the list can neither get nor use a token', async () => {
      const { body: far } = await create({
        name: 'far',
        allowedAddresses: ['192.0.2.0/24', '2001:db8::/32'],
      });
      await assert.rejects(fetchToken(instance.url, far), /401/);
      const { body: near } = await create({ name: 'near', allowedAddresses: ['127.0.0.0/8'] });
      const token = await fetchToken(instance.url, near);
      assert.equal((await instance.call('GET', '/api-keys', { as: { token } })).status, 200);
    });

    test('the last use is noted, at most once a minute', async () => {
      const { body: key } = await create({ name: 'used' });
      await fetchToken(instance.url, key);
      const { LastUsed } = await import('#core/last-used.ts');
      const lastUsed = new LastUsed({ db: instance.platform.db, clock, table: 'api_keys' });
      lastUsed.note(key.id);
      const first = clock.now();
      await lastUsed.flush();
      clock.advance(10);
      lastUsed.note(key.id);
      await lastUsed.flush();
      const read = async () =>
        (await instance.call('GET', `/api-keys/${key.id}`, { as: 'user' })).body.lastUsedAt;
      assert.ok(Math.abs(Date.parse(await read()) - first) < 2000);
      clock.advance(55);
      lastUsed.note(key.id);
      await lastUsed.flush();
      assert.ok(Date.parse(await read()) - first > 60_000);
    });

    test('keys of another tenant do not exist', async () => {
      await using elsewhere = await startInstance(engine);
      const { db } = instance.platform;
      const stranger = await elsewhere.call('POST', '/api-keys', { as: 'user', body: { name: 'x' } });
      assert.equal(stranger.status, 200);
      const path = `/api-keys/${instance.bootstrapped.keys.user.id}`;
      // The organization of this instance must not see the user's own key.
      for (const method of ['GET', 'DELETE']) {
        assert.equal((await instance.call(method, path, { as: 'organization' })).status, 404);
      }
      assert.equal((await instance.call('POST', `${path}/secrets`, { as: 'organization' })).status, 404);
      assert.equal((await instance.call('GET', '/api-keys/not-an-id', { as: 'user' })).status, 404);
      const rows = await db.selectFrom('api_keys').select('id').where('revoked_at', 'is not', null).execute();
      assert.equal(rows.length, 0);
    });

    test('members who are no owners may not manage keys of the organization', async () => {
      const { db } = instance.platform;
      const { user } = instance.bootstrapped;
      const setRole = (role: 'OWNER' | 'ADMIN') =>
        db.write(async (tx) => {
          await tx.updateTable('memberships').set({ role }).where('user_id', '=', user.id).execute();
          announce(tx, 'membership', `${user.id}:${organizationId}`);
        });
      await setRole('ADMIN');
      const refused = await create({ name: 'x', organizationId });
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /ADMIN/);
      await setRole('OWNER');
      assert.equal((await create({ name: 'x', organizationId })).status, 200);
    });
  });

  describe(`Idempotency-Key on ${engine}`, () => {
    let instance: Instance;
    const clock = new TestClock();
    before(async () => {
      instance = await startInstance(engine, { clock });
    });
    after(() => instance[Symbol.asyncDispose]());

    const create = (key: string, body: object, as: 'user' | 'organization' = 'user') =>
      instance.call('POST', '/api-keys', { as, body, headers: { 'idempotency-key': key } });
    const countKeys = async () => (await instance.call('GET', '/api-keys', { as: 'user' })).body.total;

    test('the same key and body give the stored answer, secret included', async () => {
      const before = await countKeys();
      const first = await create('k-1', { name: 'once' });
      const second = await create('k-1', { name: 'once' });
      assert.deepEqual(second.body, first.body);
      assert.equal(await countKeys(), before + 1);
      await fetchToken(instance.url, second.body);
    });

    test('twenty equal requests at once create one thing', async () => {
      const before = await countKeys();
      const answers = await Promise.all(Array.from({ length: 20 }, () => create('k-2', { name: 'crowd' })));
      assert.deepEqual(new Set(answers.map(({ body }) => body.id)).size, 1);
      assert.ok(answers.every(({ status }) => status === 200));
      assert.equal(await countKeys(), before + 1);
    });

    test('another body under the same key is refused with 422', async () => {
      await create('k-3', { name: 'one' });
      const { status, body } = await create('k-3', { name: 'two' });
      assert.equal(status, 422);
      assert.match(body.error, /Idempotency-Key/);
    });

    test('a failure is not stored: the request may be fixed and sent again', async () => {
      assert.equal((await create('k-4', { name: '  ' })).status, 400);
      assert.equal((await create('k-4', { name: 'fixed' })).status, 200);
    });

    test('keys of one actor are nothing to another, and are forgotten after a day', async () => {
      const first = await create('k-5', { name: 'mine' });
      const other = await create('k-5', { name: 'theirs' }, 'organization');
      assert.equal(other.status, 200);
      assert.notEqual(other.body.id, first.body.id);
      clock.advance(86_401);
      const later = await create('k-5', { name: 'another' });
      assert.equal(later.status, 200);
      assert.notEqual(later.body.id, first.body.id);
    });

    test('a key with blanks or of 256 characters is refused', async () => {
      assert.equal((await create('a b', { name: 'x' })).status, 400);
      assert.equal((await create('x'.repeat(256), { name: 'x' })).status, 400);
    });

    test('the stored answer is encrypted at rest', async () => {
      const { body } = await create(`k-6-${clock.now()}`, { name: 'sealed' }, 'organization');
      const rows = await instance.platform.db.selectFrom('idempotency_keys').select('answer').execute();
      for (const { answer } of rows) assert.equal(Buffer.from(answer ?? []).includes(body.secret), false);
    });
  });
}
