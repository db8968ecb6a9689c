import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';
import { addresses } from './address.ts';

for (const engine of engines) {
  describe(`hostnames on ${engine}`, () => {
    let instance: Instance;
    let organizationId: string;
    before(async () => {
      instance = await startInstance(engine, { settings: { MAINSTAY_RESERVED_LABELS: 'initech, ACME' } });
      organizationId = instance.bootstrapped.organization.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    const application = async (name: string): Promise<string> => {
      const body = { organizationId, name };
      return (await instance.call('POST', '/applications', { as: 'user', body })).body.id;
    };
    const hostnames = async (id: string) =>
      (await instance.call('GET', `/applications/${id}/hostnames`, { as: 'user' })).body;
    const put = (id: string, label: unknown, as: 'user' | 'application' | { token: string } = 'user') =>
      instance.call('PUT', `/applications/${id}/hostname`, { as, body: { label } });
    const availability = async (id: string, label: string) => {
      const query = `label=${encodeURIComponent(label)}`;
      const path = `/applications/${id}/hostname/availability?${query}`;
      return (await instance.call('GET', path, { as: 'user' })).body;
    };

    test('every application has one from its creation, with the port of the gateway', async () => {
      const id = await application('Shop Front');
      const { items, total, label } = await hostnames(id);
      assert.equal(total, 1);
      assert.equal(label, 'shop-front');
      const [{ id: _, createdAt, ...rest }] = items;
      assert.ok(Date.parse(createdAt) > 0);
      assert.deepEqual(rest, {
        hostname: 'shop-front.apps.localhost:4080',
        type: 'APP',
        active: false,
        deploymentId: null,
        branchId: null,
        source: 'system',
      });
    });

    test('a name that is taken, reserved or imitates gets a hash, or a name that says nothing', async () => {
      const label = async (name: string) => (await hostnames(await application(name))).label;
      assert.equal(await label('Same'), 'same');
      const elsewhere = (await instance.call('POST', '/organizations', { as: 'user', body: { name: 'B' } }))
        .body.id;
      const body = { organizationId: elsewhere, name: 'Same' };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      assert.match((await hostnames(id)).label, /^same-[0-9a-f]{4}$/);
      assert.match(await label('Admin'), /^admin-[0-9a-f]{4}$/);
      assert.match(await label('Mainstay Login'), /^(mainstay-login-[0-9a-f]{4}|app-[0-9a-f]{12})$/);
      assert.equal((await label('x'.repeat(128))).length, 48);
    });

    test('another label is set as it was meant, and leaves the old one free', async () => {
      const id = await application('Relabel');
      const answer = await put(id, '  My Fine_Label ');
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      assert.deepEqual(answer.body, {
        label: 'my-fine-label',
        hostname: 'my-fine-label.apps.localhost:4080',
        live: false,
      });
      assert.equal((await hostnames(id)).label, 'my-fine-label');
      assert.deepEqual(await availability(id, 'my-fine-label'), { available: true });
      const other = await application('Other Label');
      assert.deepEqual(await availability(other, 'My fine label'), {
        available: false,
        reason: 'The label "my-fine-label" is taken.',
      });
      assert.equal((await put(other, 'my-fine-label')).status, 409);
      assert.deepEqual(await availability(other, 'relabel'), { available: true });
      assert.equal((await put(other, 'relabel')).status, 200);
    });

    test('it is live while a deployment answers there', async () => {
      const id = await application('Alive');
      const deploymentId = '01900000-0000-7000-8000-000000000001';
      await instance.platform.db.write(async (tx) => {
        await tx
          .updateTable('hostnames')
          .set({ deployment_id: deploymentId })
          .where('application_id', '=', id)
          .execute();
      });
      assert.equal((await put(id, 'alive')).body.live, true);
      const [own] = (await hostnames(id)).items;
      assert.deepEqual([own.active, own.deploymentId], [true, deploymentId]);
    });

    const refused: Record<string, [string, RegExp]> = {
      'a reserved label': ['admin', /reserved/],
      "one of the operator's": ['acme', /reserved/],
      "a look-alike of the operator's": ['1nitech', /too similar to "initech"/],
      'a look-alike of the platform': ['rnainstay', /too similar to "mainstay"/],
      'the name of the platform with a word': ['mainstay-support', /too similar to "mainstay"/],
      '51 characters': ['x'.repeat(51), /at most 50/],
      'a hyphen in front': ['-x', /hyphen/],
      'a hyphen behind': ['x-', /hyphen/],
      'Cyrillic letters': ['магазин', /other scripts/],
      'a dot': ['a.b', /only the letters/],
      punycode: ['xn--80ak6aa92e', /third and fourth/],
      'blanks alone': ['  ', /at least one/],
    };
    for (const [what, [label, reason]] of Object.entries(refused)) {
      test(`${what} is refused with the reason`, async () => {
        const id = instance.bootstrapped.application.id;
        const answer = await availability(id, label);
        assert.equal(answer.available, false);
        assert.match(answer.reason, reason);
        const set = await put(id, label);
        assert.equal(set.status, 400);
        assert.match(set.body.error, reason);
      });
    }

    test('its own keys set it, members do not, others see nothing', async () => {
      const id = instance.bootstrapped.application.id;
      assert.equal((await put(id, 'by-its-key', 'application')).status, 200);
      const person = await addPerson(instance, 'hostnames@example.com');
      assert.equal((await put(id, 'mine', person)).status, 404);
      await setRole(instance, person, 'MEMBER');
      assert.equal((await put(id, 'mine', person)).status, 403);
      assert.equal((await put(id, 5)).status, 400);
    });

    test('of two applications that race for a label one gets it', async () => {
      const ids = await Promise.all(['R1', 'R2', 'R3'].map(application));
      const statuses = (await Promise.all(ids.map((id) => put(id, 'wanted')))).map(({ status }) => status);
      assert.deepEqual(statuses.sort(), [200, 409, 409]);
    });
  });
}

test("addresses show a port only where it is not the scheme's own", () => {
  const of = (gatewayPort: number, appsPort = 0) =>
    addresses({ appsDomain: 'apps.example', gatewayPort, appsPort }).of('web');
  assert.equal(of(4080), 'web.apps.example:4080');
  assert.equal(of(80), 'web.apps.example');
  assert.equal(of(443), 'web.apps.example');
  assert.equal(of(4080, 443), 'web.apps.example');
  const own = addresses({ appsDomain: undefined, gatewayPort: 8080, appsPort: 0 });
  assert.equal(own.of('www.example.com'), 'www.example.com:8080');
  assert.equal(own.host('web'), 'web.apps.localhost');
});
