import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client } from '../sdk/index.ts';
import { clientOf, nobody, refusal, time, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Reads only: what an organization may use is the operator's to change. */
for (const name of targetNames) {
  describe(`products on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let clients: Client[];
    let id: string;
    before(async () => {
      target = await openTarget(name);
      clients = (['user', 'organization', 'application'] as const).map((actor) => clientOf(target, actor));
      id = target.organizationId;
    });
    after(() => target[Symbol.asyncDispose]());

    test('the list has the fields and the values of the specification, for every actor', async () => {
      for (const client of clients) {
        const { items, total } = await client.products.list(id);
        assert.equal(total, items.length);
        assert.ok(total > 0);
        for (const access of items) {
          assert.deepEqual(Object.keys(access).sort(), [
            'explicitEntitlement',
            'hasAccess',
            'product',
            'resolutionSource',
            'subscription',
          ]);
          const { product, explicitEntitlement, subscription } = access;
          assert.deepEqual(Object.keys(product).sort(), [
            'accessMode',
            'defaultAccessPolicy',
            'displayName',
            'plans',
            'slug',
          ]);
          assert.equal(product.accessMode, 'organization');
          assert.ok(['granted', 'explicit_entitlement_required'].includes(product.defaultAccessPolicy));
          for (const plan of product.plans) {
            assert.deepEqual(Object.keys(plan).sort(), ['description', 'displayName', 'slug']);
          }
          if (explicitEntitlement) {
            assert.match(explicitEntitlement.id, uuid);
            assert.equal(explicitEntitlement.product, product.slug);
            assert.equal(explicitEntitlement.revokedAt !== null, explicitEntitlement.status === 'REVOKED');
            assert.match(explicitEntitlement.updatedAt, time);
          }
          if (subscription) assert.ok(product.plans.some(({ slug }) => slug === subscription.plan));
        }
      }
    });

    test('an override decides where there is one, otherwise the default policy', async () => {
      const [client] = clients;
      for await (const access of client?.products.list(id) ?? []) {
        const { explicitEntitlement, product } = access;
        assert.equal(access.resolutionSource, explicitEntitlement ? 'explicit' : 'default');
        const expected = explicitEntitlement
          ? explicitEntitlement.status === 'ACTIVE'
          : product.defaultAccessPolicy === 'granted';
        assert.equal(access.hasAccess, expected, product.slug);
      }
    });

    test('one product and its check say what the list says', async () => {
      for (const client of clients) {
        const { items } = await client.products.list(id);
        for (const access of items) {
          const { slug } = access.product;
          assert.deepEqual(await client.products.get(id, slug), access);
          assert.deepEqual(await client.products.checkEntitlement(id, slug), {
            organizationId: id,
            product: slug,
            hasAccess: access.hasAccess,
          });
        }
      }
    });

    test('an unknown product and an organization that is not there are 404', async () => {
      for (const client of clients) {
        await refusal(404, client.products.get(id, 'no-such-product'));
        await refusal(404, client.products.checkEntitlement(id, 'no-such-product'));
        for (const other of [nobody, 'abc']) {
          await refusal(404, client.products.list(other));
          await refusal(404, client.products.get(other, 'whois'));
          await refusal(404, client.products.checkEntitlement(other, 'whois'));
        }
      }
    });
  });
}
