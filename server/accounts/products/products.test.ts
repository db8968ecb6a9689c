import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { engines, testHome } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import { readRegistry } from './registry.ts';

const productsFile = {
  products: [
    {
      slug: 'video',
      displayName: 'Video',
      defaultAccessPolicy: 'explicit_entitlement_required',
      plans: [
        { slug: 'small', displayName: 'Small', description: 'For a few.' },
        { slug: 'large', displayName: 'Large', description: 'For many.' },
      ],
    },
    { slug: 'personal', displayName: 'Personal', accessMode: 'user' },
    { slug: 'whois', defaultAccessPolicy: 'explicit_entitlement_required' },
  ],
};

for (const engine of engines) {
  describe(`products on ${engine}`, () => {
    let instance: Instance;
    let products: string;
    let admin: string;
    const home = testHome(engine);

    before(async () => {
      const { folder } = await home;
      const file = path.join(folder, 'products.json');
      await writeFile(file, JSON.stringify(productsFile));
      instance = await startInstance(engine, {
        home: await home,
        settings: { MAINSTAY_PRODUCTS_FILE: file },
      });
      const { id } = instance.bootstrapped.organization;
      products = `/organizations/${id}/products`;
      admin = `/admin/organizations/${id}/products`;
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await (await home)[Symbol.asyncDispose]();
    });

    const get = (product: string, as: 'user' | 'organization' | 'application' = 'application') =>
      instance.call('GET', `${products}/${product}`, { as });
    const check = (product: string) =>
      instance.call('GET', `${products}/${product}/entitlement`, { as: 'application' });
    const set = (product: string, status: string) =>
      instance.call('PUT', `${admin}/${product}/entitlement`, { as: 'user', body: { status } });
    const subscribe = (product: string, body: object) =>
      instance.call('PUT', `${admin}/${product}/subscription`, { as: 'user', body });

    test('the list has every product of organizations and none of users', async () => {
      const { status, body } = await instance.call('GET', products, { as: 'application' });
      assert.equal(status, 200);
      const slugs = body.items.map((item: { product: { slug: string } }) => item.product.slug);
      const own = ['env-vars', 'fastcache', 'web-reputation', 'whois'];
      assert.deepEqual(
        own.filter((slug) => !slugs.includes(slug)),
        [],
      );
      assert.ok(!slugs.includes('personal'));
      assert.equal(slugs.at(-1), 'video');
      assert.equal(body.total, slugs.length);
      const video = body.items.at(-1);
      assert.deepEqual(video, {
        product: {
          slug: 'video',
          displayName: 'Video',
          accessMode: 'organization',
          defaultAccessPolicy: 'explicit_entitlement_required',
          plans: productsFile.products[0]?.plans,
        },
        hasAccess: false,
        resolutionSource: 'default',
        explicitEntitlement: null,
        subscription: null,
      });
    });

    test('a product of users is 400, an unknown one 404', async () => {
      for (const answer of [await get('personal'), await check('personal')]) {
        assert.equal(answer.status, 400);
        assert.deepEqual(Object.keys(answer.body), ['error']);
      }
      assert.equal((await get('nothing')).status, 404);
      assert.equal((await check('nothing')).status, 404);
    });

    test('the default policy decides without an override, an override with one', async () => {
      assert.deepEqual((await check('whois')).body, {
        organizationId: instance.bootstrapped.organization.id,
        product: 'whois',
        hasAccess: false,
      });
      assert.equal((await check('fastcache')).body.hasAccess, true);
      const { status, body } = await set('whois', 'ACTIVE');
      assert.equal(status, 200);
      assert.equal(body.hasAccess, true);
      assert.equal(body.resolutionSource, 'explicit');
      assert.equal(body.explicitEntitlement.status, 'ACTIVE');
      assert.equal(body.explicitEntitlement.revokedAt, null);
      assert.equal(body.explicitEntitlement.grantedByUserId, instance.bootstrapped.user.id);
      assert.equal((await check('whois')).body.hasAccess, true);
      await set('fastcache', 'SUSPENDED');
      const suspended = (await get('fastcache')).body;
      assert.equal(suspended.hasAccess, false);
      assert.equal(suspended.resolutionSource, 'explicit');
      const removed = await instance.call('DELETE', `${admin}/fastcache/entitlement`, { as: 'user' });
      assert.equal(removed.body.resolutionSource, 'default');
      assert.equal((await check('fastcache')).body.hasAccess, true);
    });

    test('transitions are those of the specification, and revokedAt follows them', async () => {
      await set('video', 'ACTIVE');
      const steps: [string, number][] = [
        ['SUSPENDED', 200],
        ['ACTIVE', 200],
        ['REVOKED', 200],
        ['SUSPENDED', 409],
        ['ACTIVE', 200],
        ['SUSPENDED', 200],
        ['REVOKED', 200],
        ['PAUSED', 400],
      ];
      for (const [status, expected] of steps) {
        const answer = await set('video', status);
        assert.equal(answer.status, expected, status);
        if (expected !== 200) continue;
        const { revokedAt } = answer.body.explicitEntitlement;
        assert.equal(revokedAt !== null, status === 'REVOKED', status);
        assert.equal(answer.body.hasAccess, status === 'ACTIVE');
      }
    });

    test('a subscription is set, canceled and set again; a plan that does not exist is refused', async () => {
      assert.equal((await subscribe('video', { plan: 'huge' })).status, 400);
      assert.equal((await subscribe('fastcache', { plan: 'small' })).status, 400);
      assert.equal((await subscribe('video', { plan: 'small', status: 'CANCELED' })).status, 409);
      const made = await subscribe('video', { plan: 'small' });
      assert.equal(made.body.subscription.plan, 'small');
      assert.equal(made.body.subscription.status, 'ACTIVE');
      assert.equal((await subscribe('video', { plan: 'large' })).body.subscription.plan, 'large');
      assert.equal(
        (await subscribe('video', { plan: 'large', status: 'CANCELED' })).body.subscription.status,
        'CANCELED',
      );
      assert.equal((await subscribe('video', { plan: 'large' })).body.subscription.status, 'ACTIVE');
    });

    test('an area refuses when its product is suspended, on every node within a second', async () => {
      await using second = await startInstance(engine, { home: await home });
      const path = `/organizations/${instance.bootstrapped.organization.id}/env-vars`;
      const read = (node: Instance) => node.call('GET', path, { as: 'application' });
      assert.equal((await read(second)).status, 200);
      await set('env-vars', 'SUSPENDED');
      const refused = await read(instance);
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /env-vars/);
      const started = performance.now();
      while ((await read(second)).status !== 403)
        assert.ok(performance.now() - started < 10_000, 'late by ten times what is promised');
      await set('env-vars', 'ACTIVE');
      assert.equal((await read(instance)).status, 200);
    });

    test('changes are in the audit log of the organization', async () => {
      const log = await instance.call(
        'GET',
        `/organizations/${instance.bootstrapped.organization.id}/audit-log?limit=100`,
        { as: 'user' },
      );
      const actions = new Set(log.body.items.map((item: { action: string }) => item.action));
      for (const action of ['entitlement.updated', 'entitlement.deleted', 'subscription.updated']) {
        assert.ok(actions.has(action), action);
      }
    });

    test('only operators grant; keys of organizations and applications never can', async () => {
      const person = await addPerson(instance, 'plain@example.com');
      for (const as of ['organization', 'application', person] as const) {
        const { status } = await instance.call('PUT', `${admin}/whois/entitlement`, {
          as,
          body: { status: 'ACTIVE' },
        });
        assert.equal(status, 403);
      }
      const nowhere = '/admin/organizations/01900000-0000-7000-8000-000000000000/products';
      assert.equal((await instance.call('GET', nowhere, { as: 'user' })).status, 404);
    });
  });
}

describe('the products file', () => {
  const read = async (content: string) => {
    await using home = await testHome('sqlite');
    const file = path.join(home.folder, 'products.json');
    await writeFile(file, content);
    return await readRegistry({ fastcache: 'Key-value cache', whois: 'Whois' }, file);
  };

  const wrong: Record<string, [content: string, message: RegExp]> = {
    'that is not JSON': ['{', /not JSON/],
    'of another shape': ['{"things": []}', /wrong at/],
    'with a slug in capitals': ['{"products": [{"slug": "Video"}]}', /wrong at \/products\/0\/slug/],
    'with an unknown field': ['{"products": [{"slug": "video", "price": 5}]}', /wrong at/],
    'with a product twice': ['{"products": [{"slug": "video"}, {"slug": "video"}]}', /"video" twice/],
    'that makes an area a product of users': [
      '{"products": [{"slug": "whois", "accessMode": "user"}]}',
      /"whois" is an area/,
    ],
  };
  for (const [what, [content, message]] of Object.entries(wrong)) {
    test(`${what} stops the start and says where`, async () => {
      await assert.rejects(read(content), message);
    });
  }

  test('that does not exist is named', async () => {
    await assert.rejects(
      readRegistry({}, '/nowhere/products.json'),
      /\/nowhere\/products\.json cannot be read/,
    );
  });
});
