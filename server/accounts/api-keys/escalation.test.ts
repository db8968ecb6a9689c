import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Scope } from '#core/scopes.ts';
import { Browser, signedUp } from '#testing/browser.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';

/** Nobody comes to more than they hold by making a credential, through the public door. The rules are in powers.test.ts. */

for (const engine of engines) {
  describe(`credentials that make credentials on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let organizationId: string;
    before(async () => {
      instance = await startInstance(engine, { clock, settings: { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' } });
      organizationId = instance.bootstrapped.organization.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    const makeKey = async (body: object, as: 'user' | { token: string } = 'user') =>
      instance.call('POST', '/api-keys', { as, body: { name: 'test', ...body } });
    const bearer = async (body: object) => {
      const { status, body: key } = await makeKey(body);
      assert.equal(status, 200, JSON.stringify(key));
      return { id: key.id as string, token: await fetchToken(instance.url, key) };
    };
    const writer: Scope[] = ['openid', 'platform:api_keys:read', 'platform:api_keys:write'];

    test('a narrow key gets no second secret of the operator’s key', async () => {
      const narrow = await bearer({ scopes: writer });
      const path = `/api-keys/${instance.bootstrapped.keys.user.id}/secrets`;
      const refused = await instance.call('POST', path, { as: narrow });
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /token does not have the scope/);
      const own = await instance.call('POST', `/api-keys/${narrow.id}/secrets`, { as: narrow });
      assert.equal(own.status, 200);
    });

    test('a stored answer shows no secret to a weaker credential of the same person', async () => {
      const narrow = await bearer({ scopes: writer });
      const headers = { 'idempotency-key': 'shared-1' };
      const body = { name: 'wide', scopes: ['platform:admin:read'] };
      const first = await instance.call('POST', '/api-keys', { as: 'user', body, headers });
      assert.equal(first.status, 200);
      const replayed = await instance.call('POST', '/api-keys', { as: narrow, body, headers });
      assert.equal(replayed.status, 403);
      const modest = { name: 'defaults' };
      const second = { 'idempotency-key': 'shared-2' };
      const mine = await instance.call('POST', '/api-keys', { as: 'user', body: modest, headers: second });
      const theirs = await instance.call('POST', '/api-keys', { as: narrow, body: modest, headers: second });
      assert.equal(theirs.status, 200);
      assert.notEqual(theirs.body.id, mine.body.id);
      assert.deepEqual(theirs.body.scopes, ['openid', 'platform:api_keys:read']);
    });

    test('a key that ends and works from some addresses hands on no more than that', async () => {
      const expiresAt = new Date(clock.now() + 86_400_000).toISOString();
      const bound = await bearer({ scopes: writer, expiresAt, allowedAddresses: ['127.0.0.0/8'] });
      const { body: child } = await makeKey({ scopes: ['openid'] }, bound);
      assert.equal(child.expiresAt, expiresAt);
      assert.deepEqual(child.allowedAddresses, ['127.0.0.0/8']);
      const never = await makeKey({ scopes: ['openid'], expiresAt: null }, bound);
      assert.equal(never.status, 403);
      assert.match(never.body.error, /must not be later/);
      const anywhere = await makeKey({ scopes: ['openid'], allowedAddresses: [] }, bound);
      assert.equal(anywhere.status, 403);
      const wider = await makeKey({ scopes: ['openid'], allowedAddresses: ['127.0.0.0/7'] }, bound);
      assert.equal(wider.status, 403);
      const fewer = await makeKey({ scopes: ['openid'], allowedAddresses: ['127.0.0.1'] }, bound);
      assert.equal(fewer.status, 200);
      const { body: unbound } = await makeKey({ scopes: ['openid'], expiresAt: null });
      const rotated = await instance.call('POST', `/api-keys/${unbound.id}/secrets`, { as: bound });
      assert.equal(rotated.status, 403);
    });

    test('a key that may manage members makes no owner of its own', async () => {
      const scopes: Scope[] = ['platform:organizations:read', 'platform:organizations:write'];
      const narrow = await bearer({ scopes });
      const path = `/organizations/${organizationId}`;
      for (const role of ['OWNER', 'ADMIN', 'MEMBER']) {
        const body = { email: `${role.toLowerCase()}@example.net`, role };
        assert.equal((await instance.call('POST', `${path}/invitations`, { as: narrow, body })).status, 403);
      }
      const person = await addPerson(instance, 'climber@example.net');
      await setRole(instance, person, 'MEMBER');
      const { body: members } = await instance.call('GET', `${path}/members`, { as: narrow });
      const { membershipId } = members.items.find((item: { userId: string }) => item.userId === person.id);
      const change = { as: narrow, body: { role: 'OWNER' } };
      assert.equal((await instance.call('PATCH', `${path}/members/${membershipId}`, change)).status, 403);
      const full = { as: 'user', body: { role: 'OWNER' } } as const;
      assert.equal((await instance.call('PATCH', `${path}/members/${membershipId}`, full)).status, 200);
    });

    test('a key with the operator’s scope alone makes no operator and no reset link', async () => {
      const narrow = await bearer({ scopes: ['platform:admin:read', 'platform:admin:write'] });
      const person = await addPerson(instance, 'promoted@example.net');
      const path = `/admin/users/${person.id}`;
      const promoted = await instance.call('PATCH', path, { as: narrow, body: { operator: true } });
      assert.equal(promoted.status, 403);
      assert.equal((await instance.call('POST', `${path}/password-reset`, { as: narrow })).status, 403);
      assert.equal((await instance.call('POST', `${path}/password-reset`, { as: 'user' })).status, 200);
      const admitted = await instance.call('PATCH', path, { as: narrow, body: { admitted: true } });
      assert.equal(admitted.status, 200);
    });

    test('what lasts is made by a fresh session, and by no old one', async () => {
      const browser = new Browser(instance.url);
      await browser.signIn('owner@example.com', 'correct horse battery');
      const { id } = instance.bootstrapped.user;
      const { body: lasting } = await makeKey({ scopes: ['openid'], expiresAt: null });
      const far = new Date(clock.now() + 40 * 366 * 86_400_000).toISOString();
      const lastingRequests: [string, string, object?][] = [
        ['POST', '/api-keys', { name: 'never', scopes: ['openid'], expiresAt: null }],
        ['POST', '/api-keys', { name: 'far', scopes: ['openid'], expiresAt: far }],
        ['POST', `/api-keys/${lasting.id}/secrets`],
        ['POST', `/admin/users/${id}/password-reset`],
        ['PATCH', `/admin/users/${id}`, { operator: true }],
        ['POST', `/organizations/${organizationId}/invitations`, { email: 'o@example.net', role: 'OWNER' }],
        ['POST', '/admin/oauth-clients', { name: 'x', redirectUris: [], scopes: ['openid'] }],
      ];
      for (const [method, path, body] of lastingRequests) {
        const answer = await browser.call(method, path, body ? { body } : {});
        assert.equal(answer.status, 200, `${method} ${path}: ${JSON.stringify(answer.body)}`);
      }
      clock.advance(3601);
      for (const [method, path, body] of lastingRequests) {
        const answer = await browser.call(method, path, body ? { body } : {});
        assert.equal(answer.status, 403, `${method} ${path}`);
        assert.match(answer.body.error, /Sign in again first/);
      }
      const soon = { name: 'soon', scopes: ['openid'] };
      assert.equal((await browser.call('POST', '/api-keys', { body: soon })).status, 200);
    });

    test('an OAuth app that a user authorizes gets no permanent key, and to nothing of an operator’s', async () => {
      const browser = new Browser(instance.url);
      await browser.signIn('owner@example.com', 'correct horse battery');
      const scope = 'openid platform:api_keys:read platform:api_keys:write platform:api_keys:delete';
      const form = async (path: string, fields: Record<string, string>) => {
        const body = new URLSearchParams({ client_id: 'mainstay-cli', ...fields });
        const response = await fetch(`${instance.url}/idp/oauth2/${path}`, { method: 'POST', body });
        return (await response.json()) as Record<string, string>;
      };
      const started = await form('device_authorization', { scope });
      const decision = { userCode: started['user_code'], approve: true };
      assert.equal((await browser.call('POST', '/idp/oauth2/device', { body: decision })).status, 200);
      const granted = await form('token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: started['device_code'] ?? '',
      });
      const program = { token: granted['access_token'] ?? '' };
      assert.equal((await makeKey({ scopes: ['openid'], expiresAt: null }, program)).status, 403);
      const path = `/api-keys/${instance.bootstrapped.keys.user.id}/secrets`;
      assert.equal((await instance.call('POST', path, { as: program })).status, 403);
      const { body: key } = await makeKey({ scopes: writer }, program);
      assert.ok(Date.parse(key.expiresAt) > clock.now());
      const row = await instance.platform.db
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', key.id)
        .executeTakeFirstOrThrow();
      assert.equal(row.created_by_client_id, 'mainstay-cli');
      assert.equal(row.created_by_user_id, instance.bootstrapped.user.id);
      assert.ok(row.created_by_grant_id);
      // What the key makes goes back to the program too.
      const { body: child } = await makeKey(
        { scopes: ['openid'] },
        { token: await fetchToken(instance.url, key) },
      );
      const childRow = await instance.platform.db
        .selectFrom('api_keys')
        .selectAll()
        .where('id', '=', child.id)
        .executeTakeFirstOrThrow();
      assert.equal(childRow.created_by_grant_id, row.created_by_grant_id);
      assert.equal(childRow.created_by_key_id, key.id);
    });

    test('admins manage the keys of applications, owners those of the organization too', async () => {
      const browser = await signedUp(instance.url, 'admin@example.com');
      const person = (await browser.call('GET', '/idp/session')).body.user;
      await setRole(instance, person, 'ADMIN');
      const applicationId = instance.bootstrapped.application.id;
      const make = (owner: object) => browser.call('POST', '/api-keys', { body: { name: 'x', ...owner } });
      const { status, body: key } = await make({ applicationId });
      assert.equal(status, 200);
      assert.equal((await browser.call('GET', `/api-keys?applicationId=${applicationId}`)).status, 200);
      assert.equal((await browser.call('DELETE', `/api-keys/${key.id}`)).status, 204);
      assert.equal((await make({ organizationId })).status, 403);
      await setRole(instance, person, 'MEMBER');
      assert.equal((await make({ applicationId })).status, 403);
    });
  });
}
