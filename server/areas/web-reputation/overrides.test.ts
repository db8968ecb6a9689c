import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines, type TestHome, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type NameServer, startNameServer } from '#testing/name-server.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';

for (const engine of engines) {
  describe(`reputation overrides on ${engine}`, () => {
    let home: TestHome;
    let instance: Instance;
    let second: Instance;
    let dns: NameServer;
    let stranger: Person;
    let path: string;
    before(async () => {
      dns = await startNameServer();
      home = await testHome(engine);
      const settings = {
        MAINSTAY_DNS_SERVERS: dns.address,
        MAINSTAY_REPUTATION_REFRESH: 'false',
        MAINSTAY_REPUTATION_OVERRIDES_PER_ORGANIZATION: '20',
      };
      instance = await startInstance(engine, { settings, home });
      second = await startInstance(engine, { settings, home });
      stranger = await addPerson(instance, 'stranger@example.com');
      path = `/organizations/${instance.bootstrapped.organization.id}/web-reputation/overrides`;
    });
    after(async () => {
      await second[Symbol.asyncDispose]();
      await instance[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    });

    const call = (method: string, at = '', body?: unknown) =>
      instance.call(method, path + at, { as: 'user', body });
    const statusOf = async (
      domain: string,
      node = instance,
      as: 'organization' | { token: string } = 'organization',
    ) => {
      const { body } = await node.call('GET', `/web-reputation/domain?domain=${domain}`, { as });
      return body[0].status;
    };

    test('a block holds at once, for the domain and what is below it, for that organization alone', async () => {
      assert.equal(await statusOf('blocked.example'), 'neutral');
      const made = await call('POST', '', {
        domain: 'Blocked.Example.',
        action: 'block',
        note: 'sends us rubbish',
      });
      assert.equal(made.status, 200);
      const { id, createdAt, updatedAt, ...rest } = made.body;
      assert.deepEqual(rest, {
        domain: 'blocked.example',
        action: 'block',
        status: 'spam',
        note: 'sends us rubbish',
      });
      assert.equal(createdAt, updatedAt);
      assert.equal(await statusOf('blocked.example'), 'spam');
      assert.equal(await statusOf('www.blocked.example'), 'spam');
      assert.equal(await statusOf('notblocked.example'), 'neutral');
      assert.equal(await statusOf('blocked.example', instance, { token: stranger.token }), 'neutral');
      const { body } = await instance.call(
        'GET',
        '/web-reputation/domain/explanation?domain=www.blocked.example',
        { as: 'organization' },
      );
      assert.equal(body[0].source, 'override');
      assert.deepEqual(body[0].override, {
        id,
        domain: 'blocked.example',
        action: 'block',
        by: 'organization',
        note: 'sends us rubbish',
      });
    });

    test('who asks as a person names the organization whose overrides hold', async () => {
      const domain = 'personal.example';
      await call('POST', '', { domain, action: 'block', status: 'phishing' });
      const organizationId = instance.bootstrapped.organization.id;
      const ask = (query: string, as: 'user' | 'application' | { token: string } = 'user') =>
        instance.call('GET', `/web-reputation/${query}`, { as });
      assert.equal((await ask(`domain?domain=${domain}`)).body[0].status, 'neutral');
      const named = `&organizationId=${organizationId}`;
      assert.equal((await ask(`domain?domain=${domain}${named}`)).body[0].status, 'phishing');
      assert.equal((await ask(`email?email=a@${domain}${named}`)).body[0].domain.status, 'phishing');
      assert.equal((await ask(`domain/explanation?domain=${domain}${named}`)).body[0].source, 'override');
      assert.equal((await ask(`domain?domain=${domain}${named}`, 'application')).status, 200);
      // Others do not learn whether there is such an organization.
      for (const id of [organizationId, '01900000-0000-7000-8000-000000000000']) {
        const { status, body } = await ask(`domain?domain=${domain}&organizationId=${id}`, stranger);
        assert.equal(status, 404);
        assert.deepEqual(body, { error: 'No organization with this id is visible to this token.' });
      }
      for (const wrong of ['&organizationId=', '&organizationId=nonsense', named + named])
        assert.equal((await ask(`domain?domain=${domain}${wrong}`)).status, 400, wrong);
    });

    test('an allow holds against every list, on other nodes within a second', async () => {
      assert.equal(await statusOf('mailinator.com', second), 'disposable_email');
      await call('POST', '', { domain: 'mailinator.com', action: 'allow' });
      assert.equal(await statusOf('mailinator.com'), 'neutral');
      const deadline = Date.now() + 10_000;
      while ((await statusOf('mailinator.com', second)) !== 'neutral') assert.ok(Date.now() < deadline);
    });

    test('the nearest override wins, and an organization’s own over the operators’', async () => {
      const everybody = (body: unknown) =>
        instance.call('POST', '/admin/web-reputation/overrides', { as: 'user', body });
      assert.equal(
        (await everybody({ domain: 'both.example', action: 'block', status: 'malware' })).status,
        200,
      );
      assert.equal(await statusOf('both.example', instance, { token: stranger.token }), 'malware');
      assert.equal(await statusOf('both.example'), 'malware');
      await call('POST', '', { domain: 'both.example', action: 'allow' });
      await call('POST', '', { domain: 'bad.both.example', action: 'block', status: 'phishing' });
      assert.equal(await statusOf('both.example'), 'neutral');
      assert.equal(await statusOf('x.bad.both.example'), 'phishing');
    });

    test('a platform for many can be blocked whole', async () => {
      await call('POST', '', { domain: 'github.io', action: 'block' });
      assert.equal(await statusOf('somebody.github.io'), 'spam');
    });

    test('it is changed, listed by pages, and deleted, each with a record', async () => {
      const { body: made } = await call('POST', '', {
        domain: 'change.example',
        action: 'block',
        status: 'phishing',
      });
      const changed = await call('PATCH', `/${made.id}`, { note: 'really' });
      assert.equal(changed.status, 200);
      assert.equal(changed.body.status, 'phishing');
      assert.equal((await call('PATCH', `/${made.id}`, { action: 'allow' })).body.status, 'neutral');
      const all = (await call('GET')).body;
      assert.equal(all.items.length, all.total);
      const first = (await call('GET', '?limit=1')).body;
      assert.equal(first.total, all.total);
      assert.deepEqual(
        (await call('GET', `?limit=100&cursor=${first.nextCursor}`)).body.items,
        all.items.slice(1),
      );
      assert.equal((await call('DELETE', `/${made.id}`)).status, 204);
      assert.equal((await call('DELETE', `/${made.id}`)).status, 404);
      const log = await instance.call(
        'GET',
        `/organizations/${instance.bootstrapped.organization.id}/audit-log?targetId=${made.id}`,
        { as: 'user' },
      );
      assert.deepEqual(
        log.body.items.map((item: { action: string }) => item.action),
        [
          'reputation_override.deleted',
          'reputation_override.updated',
          'reputation_override.updated',
          'reputation_override.created',
        ],
      );
    });

    const wrong: [what: string, body: unknown, status: number, sentence: RegExp][] = [
      ['no domain', { action: 'block' }, 400, /"domain" is missing/],
      ['no domain name', { domain: 'http://a.com/', action: 'block' }, 400, /is a URL/],
      ['a whole suffix', { domain: 'co.uk', action: 'block' }, 400, /public suffix/],
      ['an unknown action', { domain: 'a.com', action: 'maybe' }, 400, /one of block, allow/],
      [
        'a block that withholds nothing',
        { domain: 'a.com', action: 'block', status: 'neutral' },
        400,
        /withheld/,
      ],
      [
        'an allow that withholds',
        { domain: 'a.com', action: 'allow', status: 'spam' },
        400,
        /neutral or relay_email/,
      ],
      ['an unknown field', { domain: 'a.com', action: 'block', colour: 'red' }, 400, /colour/],
      ['an endless note', { domain: 'a.com', action: 'block', note: 'x'.repeat(1001) }, 400, /1000/],
      ['a domain that has one', { domain: 'twice.example', action: 'block' }, 409, /already/],
    ];
    for (const [what, body, status, sentence] of wrong) {
      test(`${what} is refused`, async () => {
        if (status === 409) await call('POST', '', body);
        const answer = await call('POST', '', body);
        assert.equal(answer.status, status);
        assert.match(answer.body.error, sentence);
      });
    }

    test('a change of nothing is refused', async () => {
      const { body: made } = await call('POST', '', { domain: 'nothing.example', action: 'block' });
      assert.equal((await call('PATCH', `/${made.id}`, {})).status, 400);
    });

    test('strangers see nothing, members read, admins write', async () => {
      const as = { token: stranger.token };
      assert.equal((await instance.call('GET', path, { as })).status, 404);
      await setRole(instance, stranger, 'MEMBER');
      assert.equal((await instance.call('GET', path, { as })).status, 200);
      const body = { domain: 'member.example', action: 'block' };
      assert.equal((await instance.call('POST', path, { as, body })).status, 403);
      assert.equal(
        (await instance.call('POST', '/admin/web-reputation/overrides', { as, body })).status,
        403,
      );
      assert.equal((await instance.call('POST', '/admin/web-reputation/refresh', { as })).status, 403);
      await setRole(instance, stranger, 'ADMIN');
      assert.equal((await instance.call('POST', path, { as, body })).status, 200);
      assert.equal((await instance.call('GET', path, { as: 'application' })).status, 403);
    });

    test('an override of another organization is as good as none', async () => {
      const { body } = await instance.call('GET', '/admin/web-reputation/overrides', { as: 'user' });
      assert.equal((await call('DELETE', `/${body.items[0].id}`)).status, 404);
      assert.equal((await call('PATCH', '/nonsense', { note: 'x' })).status, 404);
    });

    test('there is a bound', async () => {
      let last = 200;
      for (let i = 0; i < 25 && last === 200; i++) {
        last = (await call('POST', '', { domain: `bound${i}.example`, action: 'block' })).status;
      }
      assert.equal(last, 403);
    });

    test('operators can have the lists fetched now', async () => {
      assert.equal(
        (await instance.call('POST', '/admin/web-reputation/refresh', { as: 'user' })).status,
        202,
      );
    });
  });
}
