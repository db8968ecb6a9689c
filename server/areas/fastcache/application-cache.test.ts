import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { cacheEngines, cacheSettingsOf } from '#testing/caches.ts';
import { startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';

for (const engine of cacheEngines) {
  describe(`the cache of an application for its admins on ${engine}`, () => {
    test('admins read, write and delete there, each time in the audit log; members and others do not', async () => {
      await using instance = await startInstance('sqlite', { settings: cacheSettingsOf(engine) });
      const { application, organization } = instance.bootstrapped;
      const path = `/applications/${application.id}/fastcache`;
      const set = { key: 'by the application', value: 'v' };
      await instance.call('POST', '/fastcache', { as: 'application', body: set });
      const admin = await addPerson(instance, 'cache-admin@example.com');
      const paths = ['?key=k', '/keys', '/stats'];
      for (const query of paths)
        assert.equal((await instance.call('GET', path + query, { as: admin })).status, 404);
      await setRole(instance, admin, 'MEMBER');
      for (const query of paths)
        assert.equal((await instance.call('GET', path + query, { as: admin })).status, 403);
      await setRole(instance, admin, 'ADMIN');
      const as = admin;
      const keys = (await instance.call('GET', `${path}/keys`, { as })).body;
      assert.deepEqual([keys.total, keys.items[0].key], [1, 'by the application']);
      const item = await instance.call('GET', `${path}?key=by%20the%20application`, { as });
      assert.equal(item.body.value, 'v');
      assert.equal((await instance.call('GET', `${path}?key=none`, { as })).status, 404);
      const written = await instance.call('POST', path, { as, body: { key: 'mine', value: '1' } });
      assert.equal(written.status, 201);
      const seen = await instance.call('GET', '/fastcache?key=mine', { as: 'application' });
      assert.equal(seen.body.value, '1');
      assert.equal((await instance.call('GET', `${path}/stats`, { as })).body.items, 2);
      assert.equal((await instance.call('DELETE', `${path}?key=mine`, { as })).status, 204);
      assert.equal((await instance.call('DELETE', path, { as })).status, 400);
      const cleared = await instance.call('DELETE', `${path}?prefix=by`, { as });
      assert.equal(cleared.body.deletedCount, 1);
      const log = await instance.call(
        'GET',
        `/organizations/${organization.id}/audit-log?actorId=${admin.id}&limit=100`,
        { as: 'user' },
      );
      const actions = log.body.items.map(({ action }: { action: string }) => action);
      for (const action of [
        'cache.keys_listed',
        'cache.item_read',
        'cache.item_set',
        'cache.item_deleted',
        'cache.cleared',
      ])
        assert.ok(actions.includes(action), action);
      assert.equal(JSON.stringify(log.body).includes('"v"'), false);
      assert.equal((await instance.call('GET', `${path}/stats`, { as: 'application' })).status, 403);
    });

    test('keys of the organization open it like an admin, keys of another do not', async () => {
      await using instance = await startInstance('sqlite', { settings: cacheSettingsOf(engine) });
      const path = `/applications/${instance.bootstrapped.application.id}/fastcache`;
      const body = { key: 'k', value: 'v' };
      assert.equal((await instance.call('POST', path, { as: 'organization', body })).status, 201);
      assert.equal((await instance.call('GET', `${path}?key=k`, { as: 'organization' })).body.value, 'v');
      const missing = path.replace(/[0-9a-f]{12}\/fastcache$/, '000000000000/fastcache');
      for (const [method, query] of [
        ['GET', '/stats'],
        ['DELETE', '?key=k'],
        ['GET', '/keys'],
      ] as const)
        assert.equal((await instance.call(method, missing + query, { as: 'organization' })).status, 404);
    });
  });
}
