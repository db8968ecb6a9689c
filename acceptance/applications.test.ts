import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Application, Client } from '../sdk/index.ts';
import { clientOf, nobody, refusal, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Makes an application of its own, and deletes it. */
for (const name of targetNames) {
  describe(`applications on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let client: Client;
    let made: Application;

    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'organization');
      const body = {
        organizationId: target.organizationId,
        name: 'Acceptance test',
        rootDirectory: './apps/a/',
      };
      made = await client.applications.create(body);
    });
    after(async () => {
      await client.applications.delete(made.id).catch(() => undefined);
      await target[Symbol.asyncDispose]();
    });

    test('a new one has the fields of the specification, and is in the list with its organization', async () => {
      assert.deepEqual(Object.keys(made).sort(), [
        'createdAt',
        'defaultEnvironmentSlug',
        'id',
        'imageUrl',
        'name',
        'organizationId',
        'rootDirectory',
        'slug',
        'updatedAt',
      ]);
      assert.match(made.id, uuid);
      assert.deepEqual([made.rootDirectory, made.defaultEnvironmentSlug], ['apps/a', 'production']);
      assert.deepEqual(await client.applications.get(made.id), made);
      const { items } = await client.applications.list({ organizationId: target.organizationId });
      const listed = items.find(({ id }) => id === made.id);
      assert.deepEqual(Object.keys(listed ?? {}).sort(), [
        'createdAt',
        'id',
        'imageUrl',
        'name',
        'organization',
        'updatedAt',
      ]);
      assert.equal(listed?.organization.id, target.organizationId);
    });

    test('two of one name both work, and paths above the root are refused', async () => {
      const body = { organizationId: target.organizationId, name: made.name };
      const twin = await client.applications.create(body);
      assert.notEqual(twin.slug, made.slug);
      await client.applications.delete(twin.id);
      await refusal(400, client.applications.create({ ...body, rootDirectory: '../x' }));
      await refusal(409, client.applications.create({ ...body, slug: made.slug }));
    });

    test('variables of every scope are pulled, the nearest winning', async () => {
      const { items } = await client.environments.list(made.id);
      assert.deepEqual(
        items.map(({ slug }) => slug),
        ['production', 'preview'],
      );
      const environmentId = items[0]?.id ?? '';
      await client.applicationEnvVars.create(made.id, { key: 'NEAR', value: 'far' });
      await client.applicationEnvVars.create(made.id, { key: 'NEAR', value: 'near', environmentId });
      await client.applicationEnvVars.create(made.id, { key: 'HIDDEN', value: 'x', sensitive: true });
      const pulled = await client.applicationEnvVars.pull(made.id, { environment: 'production' });
      assert.deepEqual(
        pulled.items.filter(({ key }) => ['NEAR', 'HIDDEN'].includes(key)),
        [{ key: 'NEAR', value: 'near', source: 'environment' }],
      );
      assert.ok(pulled.omittedSensitive >= 1);
      await refusal(404, client.applicationEnvVars.pull(made.id, { environment: nobody }));
    });

    test('it has a hostname, and is told why a label cannot be had', async () => {
      const { items, label } = await client.hostnames.list(made.id);
      assert.equal(items[0]?.type, 'APP');
      assert.equal(typeof label, 'string');
      const answer = await client.hostnames.availability(made.id, 'admin');
      assert.equal(answer.available, false);
      assert.match(answer.reason ?? '', /reserved/);
    });

    test('deleted it is gone, and restored it is back', async () => {
      await client.applications.delete(made.id);
      await refusal(404, client.applications.get(made.id));
      assert.equal((await client.applications.restore(made.id)).id, made.id);
      assert.equal((await client.applicationEnvVars.list(made.id)).total, 3);
    });
  });
}
