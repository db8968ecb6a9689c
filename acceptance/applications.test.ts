import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Application, Client } from '../sdk/index.ts';
import { clientOf, nobody, patiently, plainFetch, refusal, uuid } from './clients.ts';
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

    test('it has a hostname, and sees why a label cannot be had', async () => {
      const { items, label } = await client.hostnames.list(made.id);
      assert.equal(items[0]?.type, 'APP');
      assert.equal(typeof label, 'string');
      const answer = await client.hostnames.availability(made.id, 'admin');
      assert.equal(answer.available, false);
      assert.match(answer.reason ?? '', /reserved/);
    });

    test('a domain says which records are missing, and domains that cannot be had are refused', async () => {
      const domain = `${made.slug}.${made.id.slice(-12)}.example.com`;
      const added = await client.domains.add(made.id, { domain });
      assert.deepEqual([added.domain, added.applicationId], [domain, made.id]);
      assert.notEqual(added.state, 'verified');
      const { hostname = '' } = (await client.hostnames.list(made.id)).items[0] ?? {};
      const cname = added.records.find(({ type }) => type === 'CNAME');
      assert.equal(cname?.value, hostname.split(':')[0]);
      assert.ok(added.records.some(({ type, name: at }) => type === 'TXT' && at === `_mainstay.${domain}`));
      assert.deepEqual((await client.domains.get(made.id, added.id)).domain, domain);
      assert.equal((await client.domains.check(made.id, added.id)).id, added.id);
      const all = await client.domains.listOfOrganization(target.organizationId);
      assert.ok(all.items.some(({ id }) => id === added.id));
      for (const bad of ['co.uk', '192.0.2.1', 'a.*.example.com'])
        await refusal(400, client.domains.add(made.id, { domain: bad }));
      await client.domains.delete(made.id, added.id);
      await refusal(404, client.domains.get(made.id, added.id));
    });

    test('admins reach its cache without a token of it', async () => {
      const key = 'acceptance';
      await client.applicationCache.set(made.id, { key, value: 'seen', expiration: 60 });
      assert.equal((await client.applicationCache.get(made.id, key))?.value, 'seen');
      const { items } = await client.applicationCache.keys(made.id, { prefix: key });
      assert.deepEqual(
        items.map((item) => item.key),
        [key],
      );
      assert.equal((await client.applicationCache.stats(made.id)).items, 1);
      await client.applicationCache.delete(made.id, key);
      assert.equal(await client.applicationCache.get(made.id, key), undefined);
      const { items: log } = await client.auditLog.list(target.organizationId, { limit: 50 });
      assert.ok(log.some(({ action }) => action.includes('cache')));
    });

    test('its environments are compared, and variables are copied between them', async () => {
      const places = { left: 'production', right: 'preview' };
      const find = async () =>
        (await client.applicationEnvVars.compare(made.id, places)).items.find(({ key }) => key === 'NEAR');
      assert.deepEqual([(await find())?.status, (await find())?.right?.value], ['different', 'far']);
      const copied = await client.applicationEnvVars.copy(made.id, { from: 'production', to: 'preview' });
      assert.equal(copied.created, 1);
      assert.equal((await find())?.status, 'same');
      const preview = (await client.environments.list(made.id)).items[1]?.id;
      const own = (await client.applicationEnvVars.list(made.id)).items.filter(
        ({ key, environmentId }) => key === 'NEAR' && environmentId === preview,
      );
      await client.applicationEnvVars.delete(made.id, own[0]?.id ?? '');
    });

    test('what was never deployed is not among the deployed, and nothing of it is stored', async () => {
      const { items } = await client.deployments.latest(target.organizationId, { applicationIds: made.id });
      assert.deepEqual(items, []);
      const totals = await client.storage.totals(target.organizationId, { applicationId: made.id });
      assert.deepEqual(totals, { buckets: 0, objects: 0, bytes: 0 });
    });

    test('it is transferred by an owner of both organizations, and only to one that they own', async () => {
      const person = clientOf(target, 'user');
      const other = await patiently(() => person.organizations.create({ name: 'Acceptance transfer' }));
      const body = { organizationId: target.organizationId, name: 'Moves away' };
      const moving = await client.applications.create(body);
      await refusal(404, person.applications.transfer(moving.id, nobody));
      const moved = await person.applications.transfer(moving.id, other.id);
      assert.deepEqual([moved.id, moved.organizationId], [moving.id, other.id]);
      await refusal(404, client.applications.get(moving.id));
      await person.applications.delete(moving.id);
      await person.organizations.delete(other.id);
    });

    test('existing clients: pages by number, labels as people type them, and empty JSON bodies', async () => {
      const plain = await plainFetch(target, 'organization');
      const json = { headers: { 'content-type': 'application/json' } };
      const path = `/applications?organizationId=${target.organizationId}`;
      const page = await plain(`${path}&page=1&limit=1`, json);
      assert.equal(page.status, 200, await page.clone().text());
      const listed = (await page.json()) as { items: { organization: { name: string } }[]; total: number };
      assert.equal(listed.items.length, 1);
      assert.ok(listed.items[0]?.organization.name);
      const label = `Acceptance ${made.id.slice(-12)}`;
      const wanted = label.toLowerCase().replace(' ', '-');
      const free = await plain(
        `/applications/${made.id}/hostname/availability?label=${encodeURIComponent(label)}`,
        json,
      );
      assert.deepEqual(await free.json(), { available: true });
      const set = await plain(`/applications/${made.id}/hostname`, {
        ...json,
        method: 'PUT',
        body: JSON.stringify({ label }),
      });
      const answer = (await set.json()) as { label: string; hostname: string; live: boolean };
      assert.deepEqual([answer.label, answer.live], [wanted, false]);
      assert.ok(answer.hostname.startsWith(`${wanted}.`));
    });

    test('deleted it is gone, and restored it is back', async () => {
      await client.applications.delete(made.id);
      await refusal(404, client.applications.get(made.id));
      assert.equal((await client.applications.restore(made.id)).id, made.id);
      assert.equal((await client.applicationEnvVars.list(made.id)).total, 3);
    });
  });
}
