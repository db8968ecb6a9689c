import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';

const nobody = '01900000-0000-7000-8000-000000000000';

for (const engine of engines) {
  describe(`operators on ${engine}`, () => {
    let instance: Instance;
    let person: Person;
    before(async () => {
      instance = await startInstance(engine);
      person = await addPerson(instance, 'Plain.Person@example.com');
    });
    after(() => instance[Symbol.asyncDispose]());

    const call = (
      method: string,
      path: string,
      body?: unknown,
      as: 'user' | 'organization' | Person = 'user',
    ) => instance.call(method, `/admin${path}`, { as, body });

    test('nobody else may do any of it', async () => {
      const routes = [
        ['GET', '/overview'],
        ['GET', '/users'],
        ['PATCH', `/users/${person.id}`],
        ['GET', '/settings'],
        ['PATCH', '/settings'],
        ['GET', '/organizations'],
        ['PATCH', `/organizations/${nobody}`],
      ] as const;
      for (const [method, path] of routes) {
        for (const as of ['organization', person] as const) {
          const { status } = await call(
            method,
            path,
            method === 'PATCH' ? { suspended: true } : undefined,
            as,
          );
          assert.equal(status, 403, `${method} ${path}`);
        }
      }
    });

    test('the overview says how the instance is', async () => {
      const { status, body } = await call('GET', '/overview');
      assert.equal(status, 200);
      assert.equal(body.database.engine, engine);
      assert.equal(body.database.ready, true);
      assert.equal(body.users, 2);
      assert.equal(body.organizations, 1);
      assert.equal(body.apiKeys, 4);
    });

    test('users are found by a part of their address, and paged', async () => {
      const found = await call('GET', '/users?search=PLAIN.p');
      assert.deepEqual(
        found.body.items.map((user: { email: string }) => user.email),
        ['plain.person@example.com'],
      );
      assert.equal((await call('GET', '/users?search=%25')).body.total, 0);
      const byId = await call('GET', `/users?search=${person.id.toUpperCase()}`);
      assert.equal(byId.body.items[0].id, person.id);
      const first = await call('GET', '/users?limit=1');
      assert.equal(first.body.total, 2);
      const next = await call('GET', `/users?limit=1&cursor=${first.body.nextCursor}`);
      assert.notEqual(next.body.items[0].id, first.body.items[0].id);
      assert.equal((await call('GET', '/users?limit=1000')).status, 400);
    });

    test('a suspended user is out within a second, and back when it is lifted', async () => {
      const mine = () => instance.call('GET', '/organizations', { as: person });
      assert.equal((await mine()).status, 200);
      assert.equal((await call('PATCH', `/users/${person.id}`, { suspended: true })).body.suspended, true);
      assert.equal((await mine()).status, 401);
      await call('PATCH', `/users/${person.id}`, { suspended: false });
      assert.equal((await mine()).status, 200);
      assert.equal((await call('PATCH', `/users/${nobody}`, { suspended: true })).status, 404);
      assert.equal((await call('PATCH', `/users/${person.id}`, {})).status, 400);
    });

    test('the last operator stays one', async () => {
      const { id } = instance.bootstrapped.user;
      assert.equal((await call('PATCH', `/users/${id}`, { operator: false })).status, 409);
      assert.equal((await call('PATCH', `/users/${id}`, { suspended: true })).status, 409);
      assert.equal((await call('PATCH', `/users/${person.id}`, { operator: true })).body.operator, true);
      await call('PATCH', `/users/${person.id}`, { operator: false });
    });

    test('one who is an operator no more is refused, whatever the token says', async () => {
      const second = await addPerson(instance, 'second.operator@example.com');
      await call('PATCH', `/users/${second.id}`, { operator: true });
      const { body: key } = await instance.call('POST', '/api-keys', { as: second, body: { name: 'k' } });
      assert.equal(
        key.scopes.includes('platform:admin:read'),
        false,
        'a key made before holds no more than it did',
      );
      assert.equal((await call('GET', '/overview', undefined, second)).status, 403);
    });

    test('settings change while the server runs, on every node within a second', async () => {
      await using home = await testHome(engine);
      await using one = await startInstance(engine, { home });
      await using two = await startInstance(engine, { home });
      const read = async (node: Instance) => (await node.call('GET', '/admin/settings', { as: 'user' })).body;
      assert.equal((await read(two)).organizationQuota, 10);
      const changed = await one.call('PATCH', '/admin/settings', {
        as: 'user',
        body: { organizationQuota: 1 },
      });
      assert.equal(changed.body.organizationQuota, 1);
      const started = performance.now();
      while ((await read(two)).organizationQuota !== 1) assert.ok(performance.now() - started < 10_000);
      const refused = await two.call('POST', '/organizations', { as: 'user', body: { name: 'x' } });
      assert.equal(refused.status, 403);
      for (const body of [{}, { organizationQuota: -1 }, { earlyAccess: 'yes' }, { colour: 1 }]) {
        assert.equal((await one.call('PATCH', '/admin/settings', { as: 'user', body })).status, 400);
      }
    });

    test('a suspended organization stops its keys and refuses its members', async () => {
      const { id } = instance.bootstrapped.organization;
      await setRole(instance, person, 'MEMBER');
      const found = await call('GET', '/organizations?search=acm');
      assert.equal(found.body.items[0].id, id);
      assert.equal(found.body.items[0].members, 2);
      const member = () => instance.call('GET', `/organizations/${id}`, { as: person });
      const machine = () => instance.call('GET', '/organizations', { as: 'organization' });
      assert.deepEqual([(await member()).status, (await machine()).status], [200, 200]);
      assert.equal((await call('PATCH', `/organizations/${id}`, { suspended: true })).body.suspended, true);
      assert.deepEqual([(await member()).status, (await machine()).status], [403, 401]);
      assert.match((await member()).body.error, /suspended/);
      await call('PATCH', `/organizations/${id}`, { suspended: false });
      assert.deepEqual([(await member()).status, (await machine()).status], [200, 200]);
      assert.equal((await call('PATCH', `/organizations/${nobody}`, { suspended: true })).status, 404);
    });
  });
}
