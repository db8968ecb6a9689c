import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { Browser, signedUp } from '#testing/browser.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { setRole } from '#testing/people.ts';

/** Keys are shown, and end unless they are kept, with what they were made through. */

for (const engine of engines) {
  describe(`keys and what they were made through on ${engine}`, () => {
    let instance: Instance;
    let members: string;
    before(async () => {
      instance = await startInstance(engine, { settings: { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' } });
      members = `/organizations/${instance.bootstrapped.organization.id}/members`;
    });
    after(() => instance[Symbol.asyncDispose]());

    const works = (key: { id: string; secret: string }) =>
      fetchToken(instance.url, key).then(
        () => true,
        () => false,
      );
    const admin = async (email: string) => {
      const browser = await signedUp(instance.url, email);
      const { id } = (await browser.call('GET', '/idp/session')).body.user;
      await setRole(instance, { id }, 'ADMIN');
      const { body } = await instance.call('GET', members, { as: 'user' });
      const { membershipId } = body.items.find((item: { userId: string }) => item.userId === id);
      const make = async (owner: object = { applicationId: instance.bootstrapped.application.id }) =>
        (await browser.call('POST', '/api-keys', { body: { name: 'made', ...owner } })).body;
      return { browser, id, member: `${members}/${membershipId}`, make };
    };

    test('who is taken out leaves no key of the organization behind', async () => {
      const { member, make } = await admin('taken@example.com');
      const [key, own] = [await make(), await make({})];
      const { body } = await instance.call('GET', `${member}/api-keys`, { as: 'user' });
      assert.deepEqual(
        body.items.map((item: { id: string }) => item.id),
        [key.id],
      );
      assert.equal(body.items[0].organization.name, 'Acme');
      assert.equal(body.items[0].application.name, 'Web');
      assert.equal((await instance.call('DELETE', member, { as: 'user' })).status, 204);
      assert.equal(await works(key), false);
      assert.equal(await works(own), true);
    });

    test('an owner may keep them, who leaves may not', async () => {
      const kept = await admin('kept@example.com');
      const key = await kept.make();
      const own = await kept.browser.call('DELETE', `${kept.member}?keepApiKeys=true`);
      assert.equal(own.status, 403);
      assert.equal((await kept.browser.call('GET', `${kept.member}/api-keys`)).status, 403);
      const removed = await instance.call('DELETE', `${kept.member}?keepApiKeys=true`, { as: 'user' });
      assert.equal(removed.status, 204);
      assert.equal(await works(key), true);
    });

    test('a reset link shows them and ends them with the old password, unless they are kept', async () => {
      const { browser, id, make } = await admin('forgot@example.com');
      const [first, second] = [await make(), await make({})];
      const link = async () => {
        const { body } = await instance.call('POST', `/admin/users/${id}/password-reset`, { as: 'user' });
        return body.url.split('#')[1] as string;
      };
      const call = (path: string, body: object) => new Browser(instance.url).call('POST', path, { body });
      const token = await link();
      const shown = await call('/idp/reset-password/api-keys', { token });
      assert.deepEqual(
        shown.body.items.map((item: { id: string }) => item.id),
        [first.id, second.id],
      );
      assert.equal((await call('/idp/reset-password/api-keys', { token: `${token}x` })).status, 400);
      const kept = { token, newPassword: 'lantern-brisk-otter', keepApiKeys: true };
      assert.equal((await call('/idp/reset-password', kept)).status, 200);
      assert.equal(await works(first), true);
      assert.equal((await call('/idp/reset-password/api-keys', { token })).status, 400);
      const ended = { token: await link(), newPassword: 'thistle-copper-vane' };
      assert.equal((await call('/idp/reset-password', ended)).status, 200);
      assert.deepEqual([await works(first), await works(second)], [false, false]);
      assert.equal((await browser.call('GET', '/idp/session')).body.user, null);
    });

    test('keys of an OAuth app, and those that they made, end with its access unless they are kept', async () => {
      const { browser } = await admin('granter@example.com');
      const form = async (path: string, fields: Record<string, string>) => {
        const body = new URLSearchParams({ client_id: 'mainstay-cli', ...fields });
        const response = await fetch(`${instance.url}/idp/oauth2/${path}`, { method: 'POST', body });
        return (await response.json()) as Record<string, string>;
      };
      const scope = 'openid offline_access platform:api_keys:read platform:api_keys:write';
      const letIn = async () => {
        const started = await form('device_authorization', { scope });
        const decision = { userCode: started['user_code'], approve: true };
        await browser.call('POST', '/idp/oauth2/device', { body: decision });
        const granted = await form('token', {
          grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
          device_code: started['device_code'] ?? '',
        });
        const make = async (token: string) =>
          (
            await instance.call('POST', '/api-keys', {
              as: { token },
              body: { name: 'program', scopes: ['platform:api_keys:write'] },
            })
          ).body;
        const key = await make(granted['access_token'] ?? '');
        const child = await make(await fetchToken(instance.url, key));
        const { body } = await browser.call('GET', '/idp/grants');
        return { path: `/idp/grants/${body.items[0].id}`, keys: [key, child] };
      };
      const ended = await letIn();
      const { body } = await browser.call('GET', `${ended.path}/api-keys`);
      assert.equal(body.total, 2);
      const stranger = await signedUp(instance.url, 'no-granter@example.com');
      assert.equal((await stranger.call('GET', `${ended.path}/api-keys`)).status, 404);
      assert.equal((await browser.call('DELETE', ended.path)).status, 204);
      assert.deepEqual(await Promise.all(ended.keys.map(works)), [false, false]);
      const kept = await letIn();
      assert.equal((await browser.call('DELETE', `${kept.path}?keepApiKeys=true`)).status, 204);
      assert.deepEqual(await Promise.all(kept.keys.map(works)), [true, true]);
    });
  });
}
