import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { ListBucketsCommand } from '@aws-sdk/client-s3';
import { Browser, signedUp } from '#testing/browser.ts';
import { engines } from '#testing/engines.ts';
import { setRole } from '#testing/people.ts';
import { failure, type S3Keys } from '#testing/s3-client.ts';
import { type S3Instance, startS3 } from './testing/instance.ts';

/** S3 credentials are shown, and end unless they are kept, with what they were made through, as API keys do. */

for (const engine of engines) {
  describe(`S3 credentials and what they were made through on ${engine}`, () => {
    let s3: S3Instance;
    let members: string;
    let path: string;
    before(async () => {
      s3 = await startS3(engine, { settings: { MAINSTAY_SIGN_UPS_PER_ADDRESS: '1000' } });
      members = `/organizations/${s3.instance.bootstrapped.organization.id}/members`;
      path = `/applications/${s3.applicationId}/storage/s3-credentials`;
    });
    after(() => s3?.[Symbol.asyncDispose]());

    const answerTo = (keys: S3Keys) => failure(s3.clientOf(keys).send(new ListBucketsCommand({})));
    const refused = '403 InvalidAccessKeyId';
    /** Whoever waits for less than the promised second would test the machine. */
    const untilRefused = async (keys: S3Keys) => {
      const until = Date.now() + 10_000;
      while ((await answerTo(keys)) !== refused) assert.ok(Date.now() < until, 'still works after 10 s');
    };
    const admin = async (email: string) => {
      const browser = await signedUp(s3.instance.url, email);
      const { id } = (await browser.call('GET', '/idp/session')).body.user;
      await setRole(s3.instance, { id }, 'ADMIN');
      const { body } = await s3.instance.call('GET', members, { as: 'user' });
      const { membershipId } = body.items.find((item: { userId: string }) => item.userId === id);
      const make = async () => {
        const made = await browser.call('POST', path, { body: { name: 'Laptop' } });
        assert.equal(made.status, 200, JSON.stringify(made.body));
        assert.equal(await answerTo(made.body), 'none');
        return made.body as S3Keys & { id: string };
      };
      return { browser, id, member: `${members}/${membershipId}`, make };
    };

    test('who is taken out leaves none behind, unless an owner keeps them', async () => {
      const [gone, kept] = [await admin('s3-gone@example.com'), await admin('s3-kept@example.com')];
      const [ended, stays] = [await gone.make(), await kept.make()];
      const { body } = await s3.instance.call('GET', `${gone.member}/api-keys`, { as: 'user' });
      assert.deepEqual(
        body.items.map(({ id, kind, application }: { id: string; kind: string; application: object }) => ({
          ...{ id, kind, application },
        })),
        [{ id: ended.id, kind: 's3_credential', application: { id: s3.applicationId, name: 'Web' } }],
      );
      assert.equal((await s3.instance.call('DELETE', gone.member, { as: 'user' })).status, 204);
      await untilRefused(ended);
      const keep = `${kept.member}?keepApiKeys=true`;
      assert.equal((await s3.instance.call('DELETE', keep, { as: 'user' })).status, 204);
      assert.equal(await answerTo(stays), 'none');
    });

    test('a reset password shows them and ends them, unless they are kept', async () => {
      const { id, make } = await admin('s3-forgot@example.com');
      const made = await make();
      const link = async () => {
        const { body } = await s3.instance.call('POST', `/admin/users/${id}/password-reset`, { as: 'user' });
        return body.url.split('#')[1] as string;
      };
      const call = (at: string, body: object) => new Browser(s3.instance.url).call('POST', at, { body });
      const token = await link();
      const shown = await call('/idp/reset-password/api-keys', { token });
      assert.deepEqual(
        shown.body.items.map((item: { id: string }) => item.id),
        [made.id],
      );
      const kept = { token, newPassword: 'lantern-brisk-otter', keepApiKeys: true };
      assert.equal((await call('/idp/reset-password', kept)).status, 200);
      assert.equal(await answerTo(made), 'none');
      const ended = { token: await link(), newPassword: 'thistle-copper-vane' };
      assert.equal((await call('/idp/reset-password', ended)).status, 200);
      await untilRefused(made);
    });

    test('those of an OAuth app end with its access', async () => {
      const { browser } = await admin('s3-granter@example.com');
      const form = async (at: string, fields: Record<string, string>) => {
        const body = new URLSearchParams({ client_id: 'mainstay-cli', ...fields });
        const response = await fetch(`${s3.instance.url}/idp/oauth2/${at}`, { method: 'POST', body });
        return (await response.json()) as Record<string, string>;
      };
      const scope = 'openid network:storage:read network:storage:write network:storage:delete';
      const started = await form('device_authorization', { scope });
      const decision = { userCode: started['user_code'], approve: true };
      assert.equal((await browser.call('POST', '/idp/oauth2/device', { body: decision })).status, 200);
      const granted = await form('token', {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: started['device_code'] ?? '',
      });
      const as = { token: granted['access_token'] ?? '' };
      const expiresAt = new Date(Date.now() + 86_400_000).toISOString();
      const lasting = await s3.instance.call('POST', path, { as, body: { expiresAt: null } });
      assert.equal(lasting.status, 403, 'a program may not make what lasts for ever');
      const made = await s3.instance.call('POST', path, { as, body: { expiresAt } });
      assert.equal(made.status, 200, JSON.stringify(made.body));
      assert.equal(await answerTo(made.body), 'none');
      const { body } = await browser.call('GET', '/idp/grants');
      assert.equal((await browser.call('DELETE', `/idp/grants/${body.items[0].id}`)).status, 204);
      await untilRefused(made.body);
    });
  });
}
