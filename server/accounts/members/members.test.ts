import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { startMailServer } from '#testing/mail-server.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';

const nobody = '01900000-0000-7000-8000-000000000000';

for (const engine of engines) {
  describe(`members on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let path: string;
    let person: Person;

    before(async () => {
      instance = await startInstance(engine, { clock });
      path = `/organizations/${instance.bootstrapped.organization.id}`;
      person = await addPerson(instance, 'second@example.com');
    });
    after(() => instance[Symbol.asyncDispose]());

    const list = (as: 'user' | 'organization' | 'application' | Person = 'user') =>
      instance.call('GET', `${path}/members`, { as });
    const membershipOf = async (userId: string) => {
      const { body } = await list();
      return body.items.find((item: { userId: string }) => item.userId === userId)?.membershipId as string;
    };
    const invite = (body: object, as: 'user' | 'organization' | Person = 'user') =>
      instance.call('POST', `${path}/invitations`, { as, body });
    const tokenOf = (url: string) => url.split('#')[1] ?? '';
    const accept = (token: string, as: Person | 'user') =>
      instance.call('POST', '/invitations/accept', { as, body: { token } });

    test('strangers open few invitations, and send little to do so', async () => {
      await using alone = await startInstance(engine);
      const open = (token: string) => alone.call('POST', '/invitations/open', { body: { token } });
      assert.equal((await open('x'.repeat(5000))).status, 413);
      const answers = await Promise.all(Array.from({ length: 70 }, () => open('none')));
      const statuses = answers.map(({ status }) => status);
      assert.ok(statuses.includes(404) && statuses.includes(429), statuses.join());
      assert.ok(Number(answers.find(({ status }) => status === 429)?.headers.get('retry-after')) > 0);
    });

    test('a member has every field of the specification', async () => {
      const { status, body } = await list();
      assert.equal(status, 200);
      assert.equal(body.total, 1);
      const fields = [
        'email',
        'familyName',
        'givenName',
        'imageUrl',
        'joinedAt',
        'membershipId',
        'organizationId',
        'role',
        'userId',
      ];
      assert.deepEqual(Object.keys(body.items[0]).sort(), fields);
      assert.equal(body.items[0].email, 'owner@example.com');
      assert.equal(body.items[0].givenName, null);
    });

    test('organization keys may read them, applications may not', async () => {
      assert.equal((await list('organization')).status, 200);
      const { status, body } = await list('application');
      assert.equal(status, 403);
      assert.match(body.error, /application/);
    });

    test('an invitation is shown with its link where no mail is sent, opened, and accepted once', async () => {
      const { status, body } = await invite({ email: 'Second@Example.com', role: 'ADMIN' });
      assert.equal(status, 200);
      assert.equal(body.sent, false);
      assert.match(body.url, /^http:\/\/mainstay\.test\/invitation#/);
      const token = tokenOf(body.url);
      const opened = await instance.call('POST', '/invitations/open', { body: { token } });
      assert.equal(opened.body.organization.name, 'Acme');
      assert.equal(opened.body.email, 'second@example.com');
      const accepted = await accept(token, person);
      assert.equal(accepted.status, 200);
      assert.equal(accepted.body.role, 'ADMIN');
      assert.equal((await list()).body.total, 2);
      assert.equal((await accept(token, person)).status, 404);
      assert.equal((await invite({ email: 'second@example.com' })).status, 409);
    });

    test('the database keeps no token', async () => {
      const { body } = await invite({ email: 'digest@example.com' });
      const secret = tokenOf(body.url).split('.')[1] ?? '';
      const rows = await instance.platform.db.selectFrom('invitations').selectAll().execute();
      assert.equal(JSON.stringify(rows).includes(secret), false);
      assert.ok(rows.every((row) => !Buffer.from(row.token_digest).includes(secret)));
    });

    test('only the invited address accepts it', async () => {
      const { body } = await invite({ email: 'third@example.com' });
      const { status, body: refused } = await accept(tokenOf(body.url), person);
      assert.equal(status, 403);
      assert.match(refused.error, /third@example\.com/);
    });

    test('a revoked, a replaced and a made-up invitation are the same 404', async () => {
      const third = await addPerson(instance, 'fourth@example.com');
      const first = (await invite({ email: third.email })).body;
      const second = (await invite({ email: third.email })).body;
      assert.equal((await accept(tokenOf(first.url), third)).status, 404);
      const wrong = `${second.id}.${'x'.repeat(43)}`;
      assert.equal((await accept(wrong, third)).status, 404);
      assert.equal((await accept('rubbish', third)).status, 404);
      const revoked = (await invite({ email: third.email })).body;
      assert.equal(
        (await instance.call('DELETE', `${path}/invitations/${revoked.id}`, { as: 'user' })).status,
        204,
      );
      assert.equal((await accept(tokenOf(revoked.url), third)).status, 404);
    });

    for (const [what, body] of Object.entries({
      'no address': {},
      'an address that is none': { email: 'somebody' },
      'a role that is none': { email: 'a@example.com', role: 'KING' },
      'an unknown field': { email: 'a@example.com', note: 'hi' },
    })) {
      test(`an invitation with ${what} is refused with 400`, async () => {
        assert.equal((await invite(body)).status, 400);
      });
    }

    test('only owners manage members; anybody may leave; the last owner stays', async () => {
      const admin = await addPerson(instance, 'admin@example.com');
      await setRole(instance, admin, 'ADMIN');
      const member = await addPerson(instance, 'member@example.com');
      await setRole(instance, member, 'MEMBER');
      const memberId = await membershipOf(member.id);
      const adminId = await membershipOf(admin.id);
      const ownerId = await membershipOf(instance.bootstrapped.user.id);
      const change = (id: string, role: string, as: Person | 'user') =>
        instance.call('PATCH', `${path}/members/${id}`, { as, body: { role } });
      const remove = (id: string, as: Person | 'user') =>
        instance.call('DELETE', `${path}/members/${id}`, { as });
      assert.equal((await change(memberId, 'ADMIN', admin)).status, 403);
      assert.equal((await remove(memberId, admin)).status, 403);
      assert.equal((await invite({ email: 'x@example.com' }, admin)).status, 403);
      assert.equal((await change(memberId, 'ADMIN', 'user')).body.role, 'ADMIN');
      assert.equal((await change(memberId, 'KING', 'user')).status, 400);
      assert.equal((await change(nobody, 'ADMIN', 'user')).status, 404);
      assert.equal((await remove(memberId, member)).status, 204);
      assert.equal((await instance.call('GET', path, { as: member })).status, 404);
      assert.equal((await change(ownerId, 'MEMBER', 'user')).status, 409);
      assert.equal((await remove(ownerId, 'user')).status, 409);
      assert.equal((await change(adminId, 'OWNER', 'user')).status, 200);
      assert.equal((await change(adminId, 'MEMBER', 'user')).status, 200);
    });

    test('two owners who leave at once leave one behind', async () => {
      const one = await addPerson(instance, 'one@example.com');
      const { body: made } = await instance.call('POST', '/organizations', {
        as: one,
        body: { name: 'Duo' },
      });
      const two = await addPerson(instance, 'two@example.com');
      const duo = `/organizations/${made.id}`;
      const invitation = await instance.call('POST', `${duo}/invitations`, {
        as: one,
        body: { email: two.email, role: 'OWNER' },
      });
      await accept(tokenOf(invitation.body.url), two);
      const { body: members } = await instance.call('GET', `${duo}/members`, { as: one });
      const leave = (userId: string, as: Person) => {
        const { membershipId } = members.items.find((item: { userId: string }) => item.userId === userId);
        return instance.call('DELETE', `${duo}/members/${membershipId}`, { as });
      };
      const statuses = (await Promise.all([leave(one.id, one), leave(two.id, two)])).map(
        ({ status }) => status,
      );
      assert.deepEqual(statuses.sort(), [204, 409]);
    });

    test('a member who was taken out sees nothing within a second, on another node too', async () => {
      await setRole(instance, person, 'MEMBER');
      assert.equal((await instance.call('GET', path, { as: person })).status, 200);
      const id = await membershipOf(person.id);
      assert.equal((await instance.call('DELETE', `${path}/members/${id}`, { as: 'user' })).status, 204);
      assert.equal((await instance.call('GET', path, { as: person })).status, 404);
    });

    // The last: nobody's token survives it.
    test('an invitation expires after a week', async () => {
      const { body } = await invite({ email: 'late@example.com' });
      const open = () => instance.call('POST', '/invitations/open', { body: { token: tokenOf(body.url) } });
      clock.advance(7 * 86_400 - 10);
      assert.equal((await open()).status, 200);
      clock.advance(11);
      assert.equal((await open()).status, 404);
      assert.equal((await instance.call('GET', `${path}/invitations`, { as: 'user' })).body.total, 0);
    });

    test('all of it is in the audit log', async () => {
      const { body } = await instance.call('GET', `${path}/audit-log?limit=100`, { as: 'user' });
      const actions = new Set(body.items.map((item: { action: string }) => item.action));
      for (const action of [
        'invitation.created',
        'invitation.accepted',
        'invitation.revoked',
        'member.role_updated',
        'member.removed',
      ]) {
        assert.ok(actions.has(action), action);
      }
    });
  });
}

test('with a mail server the link is sent and not shown', async () => {
  await using mail = await startMailServer();
  await using instance = await startInstance('sqlite', {
    settings: {
      MAINSTAY_SMTP_URL: mail.url,
      MAINSTAY_MAIL_FROM: 'Platform <platform@example.com>',
    },
  });
  const path = `/organizations/${instance.bootstrapped.organization.id}/invitations`;
  const { status, body } = await instance.call('POST', path, {
    as: 'user',
    body: { email: 'mail@example.com' },
  });
  assert.equal(status, 200);
  assert.equal(body.sent, true);
  assert.equal(body.url, null);
  const email = await mail.emailTo('mail@example.com');
  assert.match(email, /From: Platform <platform@example\.com>/);
  assert.match(email, /http:\/\/mainstay\.test\/invitation#/);
});

test('a mail server that is away is reported to the inviter with 503, and the invitation can be sent again', async () => {
  await using instance = await startInstance('sqlite', {
    settings: { MAINSTAY_SMTP_URL: 'smtp://127.0.0.1:1' },
  });
  const path = `/organizations/${instance.bootstrapped.organization.id}/invitations`;
  const { status, headers } = await instance.call('POST', path, {
    as: 'user',
    body: { email: 'mail@example.com' },
  });
  assert.equal(status, 503);
  assert.ok(headers.get('retry-after'));
});
