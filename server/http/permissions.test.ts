import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';

for (const engine of engines) {
  describe(`permissions in an organization on ${engine}`, () => {
    let instance: Instance;
    let own: string;
    before(async () => {
      instance = await startInstance(engine);
      own = instance.bootstrapped.organization.id;
    });
    after(() => instance[Symbol.asyncDispose]());

    type Caller = NonNullable<Parameters<Instance['call']>[2]>['as'] & {};
    const permissions = async (as: Caller) => {
      const { status, body } = await instance.call('GET', `/organizations/${own}/permissions`, { as });
      assert.equal(status, 200);
      return body as {
        role: string;
        operations: string[];
        applicationOperations: string[];
        products: string[];
      };
    };

    test('an owner may do what owners may, and nothing of machines', async () => {
      const { role, operations, products } = await permissions('user');
      assert.equal(role, 'OWNER');
      for (const one of ['createApiKey', 'deleteOrganization', 'listAuditLog', 'getWhoisOfDomain'])
        assert.ok(operations.includes(one), one);
      assert.ok(!operations.includes('getCacheItem'));
      assert.deepEqual(operations, [...new Set(operations)].sort());
      assert.ok(products.includes('whois'));
    });

    test('what a member may do agrees with what the API does', async () => {
      await setRole(instance, instance.bootstrapped.user, 'MEMBER');
      try {
        const { role, operations } = await permissions('user');
        assert.equal(role, 'MEMBER');
        const paths: [operation: string, method: string, path: string, body?: object][] = [
          ['listOrganizationEnvVars', 'GET', `/organizations/${own}/env-vars`],
          ['createOrganizationEnvVar', 'POST', `/organizations/${own}/env-vars`, { key: 'A', value: '1' }],
          ['listAuditLog', 'GET', `/organizations/${own}/audit-log`],
          ['listOrganizationMembers', 'GET', `/organizations/${own}/members`],
          ['listInvitations', 'GET', `/organizations/${own}/invitations`],
          ['listApiKeys', 'GET', `/api-keys?organizationId=${own}`],
          ['createApiKey', 'POST', '/api-keys', { name: 'Mine', organizationId: own }],
          ['updateOrganization', 'PATCH', `/organizations/${own}`, { name: 'Other' }],
        ];
        for (const [operation, method, path, body] of paths) {
          const { status } = await instance.call(method, path, { as: 'user', ...(body ? { body } : {}) });
          assert.equal(operations.includes(operation), status === 200, `${operation}: ${status}`);
        }
        assert.ok(operations.includes('listOrganizationEnvVars') && !operations.includes('listAuditLog'));
      } finally {
        await setRole(instance, instance.bootstrapped.user, 'OWNER');
      }
    });

    test('an admin manages the keys of applications, not those of the organization', async () => {
      await setRole(instance, instance.bootstrapped.user, 'ADMIN');
      try {
        const { operations, applicationOperations } = await permissions('user');
        const targets = [
          [{ organizationId: own }, operations],
          [{ applicationId: instance.bootstrapped.application.id }, applicationOperations],
        ] as const;
        for (const [target, told] of targets) {
          const query = new URLSearchParams(target as Record<string, string>);
          const { status } = await instance.call('GET', `/api-keys?${query}`, { as: 'user' });
          assert.equal(told.includes('listApiKeys'), status === 200);
        }
        assert.ok(applicationOperations.includes('createApiKey') && !operations.includes('createApiKey'));
      } finally {
        await setRole(instance, instance.bootstrapped.user, 'OWNER');
      }
    });

    test('the permissions of a key are limited by its scopes', async () => {
      const { body: key } = await instance.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'Reader', organizationId: own, scopes: ['platform:organizations:read'] },
      });
      const { operations } = await permissions({ token: await fetchToken(instance.url, key) });
      assert.ok(operations.includes('listOrganizationMembers'));
      assert.ok(!operations.includes('listOrganizationEnvVars') && !operations.includes('createApiKey'));
    });

    test('a product that is suspended takes its operations away', async () => {
      const path = `/admin/organizations/${own}/products/whois/entitlement`;
      await instance.call('PUT', path, { as: 'user', body: { status: 'SUSPENDED' } });
      try {
        const { operations, products } = await permissions('user');
        assert.ok(!operations.includes('getWhoisOfDomain') && !products.includes('whois'));
      } finally {
        await instance.call('DELETE', path, { as: 'user' });
      }
    });

    test('users of other organizations learn of no organization', async () => {
      const stranger = await addPerson(instance, 'stranger@example.com');
      const { status } = await instance.call('GET', `/organizations/${own}/permissions`, { as: stranger });
      assert.equal(status, 404);
    });
  });
}
