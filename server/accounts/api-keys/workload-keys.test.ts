import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { newId } from '#core/ids.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { createWorkloadKey, endWorkloadKeys, type Workload } from './workload-keys.ts';

for (const engine of engines) {
  describe(`keys of what the platform runs on ${engine}`, () => {
    let instance: Instance;
    let workload: Workload;
    let key: { id: string; secret: string };
    before(async () => {
      instance = await startInstance(engine);
      const { organization, application } = instance.bootstrapped;
      const environments = await instance.call('GET', `/applications/${application.id}/environments`, {
        as: 'user',
      });
      workload = {
        type: 'deployment',
        id: newId(),
        organizationId: organization.id,
        applicationId: application.id,
        environmentId: environments.body.items[0].id,
      };
      key = await instance.platform.db.write((tx) => createWorkloadKey(tx, instance.platform, workload));
    });
    after(() => instance[Symbol.asyncDispose]());

    test('its token is the deployment, in its environment alone', async () => {
      const token = await fetchToken(instance.url, key);
      const claims = JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString());
      assert.equal(claims.sub, workload.id);
      assert.equal(claims.actor_type, 'deployment');
      assert.equal(claims.application_id, workload.applicationId);
      const as = { token };
      const path = `/applications/${workload.applicationId}`;
      assert.equal((await instance.call('GET', `${path}/environments`, { as })).body.total, 1);
      assert.equal(
        (await instance.call('GET', `${path}/env-vars/pull?environment=preview`, { as })).status,
        404,
      );
      assert.equal((await instance.call('GET', `${path}/env-vars/pull`, { as })).status, 200);
      const body = { organizationId: workload.organizationId, name: 'x' };
      assert.equal((await instance.call('POST', '/applications', { as, body })).status, 403);
    });

    test('it is in no list, and nobody can manage it', async () => {
      const list = await instance.call('GET', `/api-keys?applicationId=${workload.applicationId}`, {
        as: 'user',
      });
      assert.equal(JSON.stringify(list.body).includes(key.id), false);
      for (const method of ['GET', 'DELETE'])
        assert.equal((await instance.call(method, `/api-keys/${key.id}`, { as: 'user' })).status, 404);
    });

    test('it ends with the deployment, with its tokens', async () => {
      const token = await fetchToken(instance.url, key);
      const { db } = instance.platform;
      const other = await db.write((tx) =>
        createWorkloadKey(tx, instance.platform, { ...workload, id: newId() }),
      );
      await db.write((tx) => endWorkloadKeys(tx, instance.platform, workload));
      const refused = await instance.call('GET', '/fastcache/stats', { as: { token } });
      assert.equal(refused.status, 401);
      await assert.rejects(fetchToken(instance.url, key), /401/);
      await fetchToken(instance.url, other);
    });
  });
}
