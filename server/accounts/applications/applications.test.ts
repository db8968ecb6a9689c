import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';
import { purgeApplications } from './purge.ts';

const nobody = '01900000-0000-7000-8000-000000000000';
type Who = 'user' | 'organization' | 'application' | Person | { token: string };

for (const engine of engines) {
  describe(`applications on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let own: string;
    let first: string;
    let stranger: Person;

    before(async () => {
      const settings = {
        MAINSTAY_APPLICATIONS_PER_MINUTE: '1000',
        MAINSTAY_ORGANIZATIONS_PER_MINUTE: '1000',
      };
      instance = await startInstance(engine, { clock, settings });
      own = instance.bootstrapped.organization.id;
      first = instance.bootstrapped.application.id;
      stranger = await addPerson(instance, 'stranger@example.com');
    });
    after(() => instance[Symbol.asyncDispose]());

    const create = (body: object, as: Who = 'user') =>
      instance.call('POST', '/applications', { as, body: { organizationId: own, ...body } });
    const made = async (body: object, as: Who = 'user'): Promise<{ id: string; slug: string }> => {
      const answer = await create(body, as);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const get = (id: string, as: Who = 'user') => instance.call('GET', `/applications/${id}`, { as });
    const list = async (query = '', as: Who = 'user') =>
      (await instance.call('GET', `/applications${query}`, { as })).body;
    const organization = async (as: Who, name: string): Promise<string> =>
      (await instance.call('POST', '/organizations', { as, body: { name } })).body.id;

    test('a new one has a slug, an avatar and two environments, and is usable at once', async () => {
      const { status, body } = await create({ name: '  Größe & Söhne  ', rootDirectory: './apps/web/' });
      assert.equal(status, 200, JSON.stringify(body));
      const { id, createdAt, updatedAt, ...rest } = body;
      assert.match(createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.equal(updatedAt, createdAt);
      assert.deepEqual(rest, {
        organizationId: own,
        name: 'Größe & Söhne',
        slug: 'grosse-sohne',
        imageUrl: `http://mainstay.test/avatars/${id}.svg`,
        rootDirectory: 'apps/web',
        defaultEnvironmentSlug: 'production',
      });
      assert.deepEqual((await get(id)).body, body);
      const environments = await instance.call('GET', `/applications/${id}/environments`, { as: 'user' });
      assert.deepEqual(
        environments.body.items.map(({ slug, branches }: { slug: string; branches: string[] }) => [
          slug,
          branches,
        ]),
        [
          ['production', ['main']],
          ['preview', ['*']],
        ],
      );
    });

    test('two of one name both work; a slug that is given and taken is a conflict', async () => {
      const one = await made({ name: 'w' });
      const two = await made({ name: 'w' }, 'organization');
      assert.equal(one.slug, 'w');
      assert.equal(two.slug, 'w-2');
      assert.equal((await create({ name: 'x', slug: 'w' })).status, 409);
      const elsewhere = await organization('user', 'Elsewhere');
      const answer = await instance.call('POST', '/applications', {
        as: 'user',
        body: { organizationId: elsewhere, name: 'x', slug: 'w' },
      });
      assert.equal(answer.body.slug, 'w');
    });

    test('an Idempotency-Key makes one application of two requests', async () => {
      const headers = { 'idempotency-key': 'same' };
      const body = { organizationId: own, name: 'Once' };
      const [one, two] = await Promise.all([
        instance.call('POST', '/applications', { as: 'user', body, headers }),
        instance.call('POST', '/applications', { as: 'user', body, headers }),
      ]);
      assert.equal(one.status, 200);
      assert.equal(one.body.id, two.body.id);
    });

    test('lists show the whole organization, search, and page by cursor or as older clients ask', async () => {
      const person = await addPerson(instance, 'lister@example.com');
      const home = await organization(person, 'Listers');
      for (const name of ['Alpha', 'Beta 50%', 'Gamma'])
        await instance.call('POST', '/applications', { as: person, body: { organizationId: home, name } });
      const all = await list('', person);
      assert.equal(all.total, 3);
      assert.deepEqual(Object.keys(all.items[0]), [
        'id',
        'organization',
        'name',
        'imageUrl',
        'createdAt',
        'updatedAt',
      ]);
      const { body } = await instance.call('GET', `/organizations/${home}`, { as: person });
      assert.deepEqual(all.items[0].organization, body);
      assert.equal((await list(`?organizationId=${home}`, person)).total, 3);
      const names = async (query: string) => {
        const page = await list(query, person);
        return [page.items.map(({ name }: { name: string }) => name), page.total];
      };
      assert.deepEqual(await names('?query=ETA'), [['Beta 50%'], 1]);
      assert.deepEqual(await names('?query=50%25'), [['Beta 50%'], 1]);
      assert.deepEqual(await names('?query=5_%25'), [[], 0]);
      const page = await list('?perPage=2&page=1', person);
      assert.deepEqual(
        page.items.map(({ name }: { name: string }) => name),
        ['Alpha', 'Beta 50%'],
      );
      const rest = await list(`?perPage=2&page=2&cursor=${page.nextCursor}`, person);
      assert.deepEqual(
        rest.items.map(({ name }: { name: string }) => name),
        ['Gamma'],
      );
      assert.equal(rest.nextCursor, undefined);
      const refused = await instance.call('GET', '/applications?page=2', { as: person });
      assert.equal(refused.status, 400);
      assert.match(refused.body.error, /cursor/);
    });

    test('a list changes at once with what it shows', async () => {
      const person = await addPerson(instance, 'watcher@example.com');
      const home = await organization(person, 'Watchers');
      assert.equal((await list('', person)).total, 0);
      const body = { organizationId: home, name: 'Seen' };
      const { id } = (await instance.call('POST', '/applications', { as: person, body })).body;
      assert.equal((await list('', person)).items[0].name, 'Seen');
      await instance.call('PATCH', `/applications/${id}`, { as: person, body: { name: 'Renamed' } });
      await instance.call('PATCH', `/organizations/${home}`, { as: person, body: { name: 'Lookers' } });
      const [item] = (await list('', person)).items;
      assert.deepEqual([item.name, item.organization.name], ['Renamed', 'Lookers']);
    });

    test('others see nothing of it; an application sees itself alone', async () => {
      const { id } = await made({ name: 'Hidden' });
      for (const [method, path] of [
        ['GET', ''],
        ['PATCH', ''],
        ['DELETE', ''],
        ['POST', '/restore'],
        ['POST', '/transfer'],
        ['GET', '/environments'],
      ] as const) {
        const body = { PATCH: { name: 'x' }, POST: { organizationId: own } }[method as 'PATCH'];
        const options = { as: stranger, ...(path === '/restore' ? {} : body ? { body } : {}) };
        assert.equal((await instance.call(method, `/applications/${id}${path}`, options)).status, 404, path);
      }
      assert.equal(
        (await instance.call('GET', `/applications?organizationId=${own}`, { as: stranger })).status,
        404,
      );
      assert.equal((await create({ name: 'x' }, stranger)).status, 404);
      assert.equal((await get(id, 'application')).status, 404);
      const seen = await list('', 'application');
      assert.deepEqual([seen.total, seen.items[0].id], [1, first]);
      assert.equal((await get(nobody)).status, 404);
      assert.equal((await get('not-an-id')).status, 404);
    });

    test('machines of applications create none, and members only read', async () => {
      const refused = await create({ name: 'x' }, 'application');
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /application/);
      const member = await addPerson(instance, 'member@example.com');
      await setRole(instance, member, 'MEMBER');
      assert.equal((await get(first, member)).status, 200);
      assert.equal((await create({ name: 'x' }, member)).status, 403);
      const rename = { as: member, body: { name: 'x' } };
      assert.equal((await instance.call('PATCH', `/applications/${first}`, rename)).status, 403);
      await setRole(instance, member, 'ADMIN');
      const { id } = await made({ name: 'By an admin' }, member);
      assert.equal((await instance.call('DELETE', `/applications/${id}`, { as: member })).status, 204);
    });

    test('name, slug, root directory and default environment change, with an audit record', async () => {
      const { id } = await made({ name: 'Before', rootDirectory: 'apps/web' });
      const body = { name: 'After', slug: 'after', rootDirectory: null, defaultEnvironmentSlug: 'preview' };
      const answer = await instance.call('PATCH', `/applications/${id}`, { as: 'user', body });
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      for (const [field, value] of Object.entries(body)) assert.equal(answer.body[field], value);
      assert.deepEqual((await get(id)).body, answer.body);
      const log = await instance.call('GET', `/organizations/${own}/audit-log?targetId=${id}`, {
        as: 'user',
      });
      assert.deepEqual(
        log.body.items.map(({ action }: { action: string }) => action),
        ['application.updated', 'application.created'],
      );
      assert.deepEqual(log.body.items[0].details.from, {
        name: 'Before',
        slug: 'before',
        root_directory: 'apps/web',
        default_environment_slug: 'production',
      });
      for (const wrong of [
        {},
        { defaultEnvironmentSlug: 'nowhere' },
        { slug: 'A' },
        { organizationId: own },
      ]) {
        const refused = await instance.call('PATCH', `/applications/${id}`, { as: 'user', body: wrong });
        assert.equal(refused.status, 400, JSON.stringify(wrong));
      }
      assert.equal(
        (await instance.call('PATCH', `/applications/${id}`, { as: 'user', body: { slug: 'web' } })).status,
        409,
      );
    });

    test('a picture is drawn again, shown to everybody, and taken away again', async () => {
      const { id } = await made({ name: 'Pretty' });
      const png = await sharp({ create: { width: 10, height: 10, channels: 3, background: 'red' } })
        .png()
        .toBuffer();
      const upload = await fetch(`${instance.url}/applications/${id}/image`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${await instance.token('user')}`, 'content-type': 'image/png' },
        body: png,
      });
      const { imageUrl } = (await upload.json()) as { imageUrl: string };
      assert.match(imageUrl, /^http:\/\/mainstay\.test\/application-images\//);
      const shown = await fetch(imageUrl.replace('http://mainstay.test', instance.url));
      assert.equal(shown.headers.get('content-type'), 'image/webp');
      const back = await instance.call('DELETE', `/applications/${id}/image`, { as: 'user' });
      assert.equal(back.body.imageUrl, `http://mainstay.test/avatars/${id}.svg`);
      assert.equal((await fetch(imageUrl.replace('http://mainstay.test', instance.url))).status, 404);
    });

    const keyOf = async (applicationId: string) => {
      const body = { name: 'k', applicationId, scopes: ['network:applications:read', 'fastcache:read'] };
      const { id, secret } = (await instance.call('POST', '/api-keys', { as: 'user', body })).body;
      return { id, secret };
    };

    test('deleted, everything of it stops at once; restored, all of it works again', async () => {
      const { id } = await made({ name: 'Coming and going' });
      const key = await keyOf(id);
      const token = await fetchToken(instance.url, key);
      assert.equal((await get(id, { token })).status, 200);
      assert.equal((await instance.call('DELETE', `/applications/${id}`, { as: 'user' })).status, 204);
      assert.equal((await get(id, { token })).status, 401);
      assert.equal((await instance.call('GET', '/fastcache/stats', { as: { token } })).status, 401);
      await assert.rejects(fetchToken(instance.url, key), /401/);
      assert.equal((await get(id)).status, 404);
      assert.equal(
        (await instance.call('GET', `/applications/${id}/environments`, { as: 'user' })).status,
        404,
      );
      assert.equal((await instance.call('DELETE', `/applications/${id}`, { as: 'user' })).status, 404);
      assert.equal((await list(`?organizationId=${own}&query=coming`)).total, 0);
      const [gone] = (await list(`?organizationId=${own}&deleted=true&query=coming`)).items;
      assert.equal(gone.id, id);
      assert.equal(Date.parse(gone.purgedAt) - Date.parse(gone.deletedAt), 30 * 86_400_000);
      // Its slug stays its own meanwhile.
      assert.equal((await create({ name: 'x', slug: 'coming-and-going' })).status, 409);
      const restored = await instance.call('POST', `/applications/${id}/restore`, { as: 'user' });
      assert.equal(restored.status, 200, JSON.stringify(restored.body));
      assert.equal((await get(id, { token })).status, 200);
      assert.equal((await instance.call('POST', `/applications/${id}/restore`, { as: 'user' })).status, 409);
    });

    test('after the grace it cannot be restored, and is purged with its keys', async () => {
      const { id } = await made({ name: 'Gone for good' });
      const key = await keyOf(id);
      await instance.call('DELETE', `/applications/${id}`, { as: 'user' });
      const purged: string[] = [];
      const { db } = instance.platform;
      const purge = (before: number) =>
        purgeApplications(db, { applications: before, organizations: 0 }, async (one) => {
          purged.push(one);
        });
      await purge(clock.now() - 30 * 86_400_000);
      assert.equal(purged.length, 0);
      clock.advance(30 * 86_400 + 1);
      assert.equal((await instance.call('POST', `/applications/${id}/restore`, { as: 'user' })).status, 404);
      await purge(clock.now() - 30 * 86_400_000);
      assert.ok(purged.includes(id));
      assert.equal((await instance.call('GET', `/api-keys/${key.id}`, { as: 'user' })).status, 404);
      const log = await instance.call('GET', `/organizations/${own}/audit-log?targetId=${id}`, {
        as: 'user',
      });
      assert.equal(log.body.items[0].action, 'application.purged');
    });

    test('transferred, it belongs to the other organization, with its keys; old tokens are refused', async () => {
      const { id } = await made({ name: 'Mover' });
      const key = await keyOf(id);
      const token = await fetchToken(instance.url, key);
      const other = await organization('user', 'Receivers');
      await instance.call('POST', '/applications', {
        as: 'user',
        body: { organizationId: other, name: 'Mover' },
      });
      const outsider = await addPerson(instance, 'outsider@example.com');
      const theirs = await organization(outsider, 'Theirs');
      const admin = await addPerson(instance, 'transfer-admin@example.com');
      await setRole(instance, admin, 'ADMIN');
      const transfer = (as: Who, organizationId: string) =>
        instance.call('POST', `/applications/${id}/transfer`, { as, body: { organizationId } });
      assert.equal((await transfer(admin, other)).status, 403);
      assert.equal((await transfer('organization', other)).status, 403);
      assert.equal((await transfer('user', theirs)).status, 404);
      const moved = await transfer('user', other);
      assert.equal(moved.status, 200, JSON.stringify(moved.body));
      assert.deepEqual([moved.body.organizationId, moved.body.slug], [other, 'mover-2']);
      assert.equal((await get(id, 'organization')).status, 404);
      assert.equal((await get(id, { token })).status, 401);
      const fresh = await fetchToken(instance.url, key);
      assert.equal((await get(id, { token: fresh })).body.organizationId, other);
      const here = await instance.call('GET', `/organizations/${other}`, { as: { token: fresh } });
      assert.equal(here.status, 403);
      for (const [organizationId, action] of [
        [own, 'application.transferred'],
        [other, 'application.received'],
      ] as const) {
        const path = `/organizations/${organizationId}/audit-log?action=${action}`;
        assert.equal((await instance.call('GET', path, { as: 'user' })).body.items[0].target.id, id);
      }
    });
  });

  test(`quota and rate of applications on ${engine} refuse a crowd as well`, async () => {
    const clock = new TestClock();
    const settings = {
      MAINSTAY_APPLICATIONS_PER_ORGANIZATION: '4',
      MAINSTAY_APPLICATIONS_PER_MINUTE: '3',
    };
    await using instance = await startInstance(engine, { clock, settings });
    clock.advance(61);
    const organizationId = instance.bootstrapped.organization.id;
    const create = () =>
      instance.call('POST', '/applications', { as: 'user', body: { organizationId, name: 'x' } });
    const statuses = (await Promise.all([create(), create(), create(), create(), create()])).map(
      ({ status }) => status,
    );
    // One is there already: three more fill the quota.
    assert.deepEqual(statuses.sort(), [200, 200, 200, 403, 403]);
    const { body } = await instance.call('GET', '/applications', { as: 'user' });
    await instance.call('DELETE', `/applications/${body.items[0].id}`, { as: 'user' });
    const hurried = await create();
    assert.equal(hurried.status, 429);
    assert.ok(Number(hurried.headers.get('retry-after')) > 0);
    clock.advance(61);
    assert.equal((await create()).status, 200);
    const restore = await instance.call('POST', `/applications/${body.items[0].id}/restore`, { as: 'user' });
    assert.equal(restore.status, 403);
    assert.match(restore.body.error, /limit/);
  });
}
