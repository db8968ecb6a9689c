import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import { environmentForBranch, takesBranch } from './branches.ts';

for (const engine of engines) {
  describe(`environments on ${engine}`, () => {
    let instance: Instance;
    let path: string;
    before(async () => {
      instance = await startInstance(engine);
      path = `/applications/${instance.bootstrapped.application.id}/environments`;
    });
    after(() => instance[Symbol.asyncDispose]());

    type Who = 'user' | 'organization' | 'application' | { token: string };
    const create = (body: unknown, as: Who = 'user') => instance.call('POST', path, { as, body });
    const list = async (as: Who = 'user') => (await instance.call('GET', path, { as })).body;

    test('one is created, listed, changed and deleted', async () => {
      const { status, body } = await create({ name: 'Staging Área', branches: ['develop', 'release/*'] });
      assert.equal(status, 200, JSON.stringify(body));
      assert.deepEqual(Object.keys(body), [
        'id',
        'applicationId',
        'name',
        'slug',
        'branches',
        'rollBackOnCrash',
        'alwaysOn',
        'createdAt',
        'updatedAt',
      ]);
      assert.equal(body.slug, 'staging-area');
      assert.deepEqual((await list('application')).items.at(-1), body);
      assert.deepEqual((await instance.call('GET', `${path}/${body.id}`, { as: 'user' })).body, body);
      assert.deepEqual([body.rollBackOnCrash, body.alwaysOn], [false, false]);
      const changes = { name: 'QA', slug: 'qa', branches: ['qa'], rollBackOnCrash: true, alwaysOn: true };
      const changed = await instance.call('PATCH', `${path}/${body.id}`, {
        as: 'application',
        body: changes,
      });
      assert.equal(changed.status, 200);
      const { name, slug, branches, rollBackOnCrash, alwaysOn } = changed.body;
      assert.deepEqual({ name, slug, branches, rollBackOnCrash, alwaysOn }, changes);
      assert.equal((await instance.call('DELETE', `${path}/${body.id}`, { as: 'user' })).status, 204);
      assert.equal((await instance.call('GET', `${path}/${body.id}`, { as: 'user' })).status, 404);
      assert.equal((await list()).total, 2);
    });

    const refused: Record<string, [number, object]> = {
      'a slug that is taken': [409, { name: 'x', slug: 'preview' }],
      'a slug of the form of an id': [400, { name: 'x', slug: '01900000-0000-7000-8000-000000000000' }],
      'a slug with capitals': [400, { name: 'x', slug: 'QA' }],
      'a branch of another environment': [409, { name: 'x', branches: ['main'] }],
      'a branch with a blank': [400, { name: 'x', branches: ['a b'] }],
      'a branch with "..": ': [400, { name: 'x', branches: ['a..b'] }],
      'an empty branch': [400, { name: 'x', branches: [''] }],
      'a branch twice': [400, { name: 'x', branches: ['a', 'a'] }],
      'fifty-one branches': [400, { name: 'x', branches: Array.from({ length: 51 }, (_, i) => `b${i}`) }],
      'no name': [400, { slug: 'x' }],
      'an unknown field': [400, { name: 'x', color: 'red' }],
    };
    for (const [what, [status, body]] of Object.entries(refused)) {
      test(`${what} is answered ${status}`, async () => {
        const answer = await create(body);
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body), ['error']);
      });
    }

    test('the default one cannot be deleted, and follows its slug', async () => {
      const [production] = (await list()).items;
      const refusal = await instance.call('DELETE', `${path}/${production.id}`, { as: 'user' });
      assert.equal(refusal.status, 409);
      assert.match(refusal.body.error, /default/);
      await instance.call('PATCH', `${path}/${production.id}`, { as: 'user', body: { slug: 'live' } });
      const application = path.replace('/environments', '');
      assert.equal(
        (await instance.call('GET', application, { as: 'user' })).body.defaultEnvironmentSlug,
        'live',
      );
      await instance.call('PATCH', `${path}/${production.id}`, { as: 'user', body: { slug: 'production' } });
    });

    test('one where a deployment answers cannot be deleted', async () => {
      const { id } = (await create({ name: 'Active' })).body;
      const { db } = instance.platform;
      const point = (deploymentId: string | null) =>
        db.write(async (tx) => {
          await tx
            .updateTable('hostnames')
            .set({ environment_id: id, deployment_id: deploymentId })
            .where('application_id', '=', instance.bootstrapped.application.id)
            .execute();
        });
      await point('01900000-0000-7000-8000-000000000000');
      const refusal = await instance.call('DELETE', `${path}/${id}`, { as: 'user' });
      assert.equal(refusal.status, 409);
      assert.match(refusal.body.error, /deployment/);
      await point(null);
      assert.equal((await instance.call('DELETE', `${path}/${id}`, { as: 'user' })).status, 204);
    });

    test('those of another application are not found on any path', async () => {
      const organizationId = instance.bootstrapped.organization.id;
      const body = { organizationId, name: 'Other' };
      const other = (await instance.call('POST', '/applications', { as: 'user', body })).body.id;
      const [theirs] = (await instance.call('GET', `/applications/${other}/environments`, { as: 'user' }))
        .body.items;
      for (const [method, payload] of [['GET'], ['PATCH', { name: 'x' }], ['DELETE']] as const) {
        const options = { as: 'user' as const, ...(payload ? { body: payload } : {}) };
        assert.equal((await instance.call(method, `${path}/${theirs.id}`, options)).status, 404, method);
      }
      const stranger = await addPerson(instance, 'env-stranger@example.com');
      assert.equal((await instance.call('GET', path, { as: stranger })).status, 404);
    });

    test('a token of one environment sees that one alone', async () => {
      const [production, preview] = (await list()).items;
      const applicationId = instance.bootstrapped.application.id;
      const scopes = ['network:applications:read', 'network:applications:write'];
      const body = { name: 'bound', applicationId, environmentId: preview.id, scopes };
      const key = (await instance.call('POST', '/api-keys', { as: 'user', body })).body;
      const as = { token: await fetchToken(instance.url, key) };
      const seen = await list(as);
      assert.deepEqual([seen.total, seen.items[0].id], [1, preview.id]);
      assert.equal((await instance.call('GET', `${path}/${production.id}`, { as })).status, 404);
      const change = { as, body: { name: 'x' } };
      assert.equal((await instance.call('PATCH', `${path}/${production.id}`, change)).status, 404);
      assert.equal((await instance.call('DELETE', `${path}/${production.id}`, { as })).status, 404);
      assert.equal((await create({ name: 'y' }, as)).status, 404);
    });

    test('an environment deleted takes its keys with it', async () => {
      const { id } = (await create({ name: 'Short' })).body;
      const applicationId = instance.bootstrapped.application.id;
      const body = { name: 'k', applicationId, environmentId: id, scopes: ['network:applications:read'] };
      const key = (await instance.call('POST', '/api-keys', { as: 'user', body })).body;
      const as = { token: await fetchToken(instance.url, key) };
      assert.equal((await list(as)).total, 1);
      await instance.call('DELETE', `${path}/${id}`, { as: 'user' });
      assert.equal((await instance.call('GET', path, { as })).status, 401);
    });
  });
}

describe('branches', () => {
  test('patterns mean what asterisks say', () => {
    for (const [pattern, branch, takes] of [
      ['main', 'main', true],
      ['main', 'main2', false],
      ['*', 'anything/at-all', true],
      ['release/*', 'release/1', true],
      ['release/*', 'releases', false],
      ['*-fix', 'a-fix', true],
      ['a*b*c', 'abc', true],
      ['a*b*c', 'acb', false],
      ['a*a', 'a', false],
      ['*a*', 'bab', true],
    ] as const) {
      assert.equal(takesBranch(pattern, branch), takes, `${pattern} ${branch}`);
    }
  });

  test('a name wins over a pattern', () => {
    const preview = { branches: ['*'] };
    const qa = { branches: ['qa'] };
    assert.equal(environmentForBranch([preview, qa], 'qa'), qa);
    assert.equal(environmentForBranch([preview, qa], 'x'), preview);
    assert.equal(environmentForBranch([qa], 'x'), undefined);
  });

  test('a hostile pattern takes linear time', () => {
    const match = () => {
      assert.equal(takesBranch('*a'.repeat(127), 'a'.repeat(100_000)), true);
      assert.equal(takesBranch(`${'*a'.repeat(127)}b`, 'a'.repeat(100_000)), false);
    };
    assert.ok(cpuMilliseconds(match) < 100);
  });
});
