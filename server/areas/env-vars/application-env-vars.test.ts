import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines, type TestHome, testHome } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { addPerson, setRole } from '#testing/people.ts';

interface Item {
  key: string;
  value: string;
  source?: string;
}

for (const engine of engines) {
  describe(`variables of applications on ${engine}`, () => {
    let home: TestHome;
    let instance: Instance;
    let organization: string;
    let application: string;
    let path: string;
    let production: string;
    let preview: string;
    let other: { path: string; production: string };

    before(async () => {
      home = await testHome(engine);
      instance = await startInstance(engine, { home });
      organization = `/organizations/${instance.bootstrapped.organization.id}/env-vars`;
      application = instance.bootstrapped.application.id;
      path = `/applications/${application}/env-vars`;
      [production, preview] = (await environmentsOf(application)) as [string, string];
      const body = { organizationId: instance.bootstrapped.organization.id, name: 'Other' };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      const [theirs = ''] = await environmentsOf(id);
      other = { path: `/applications/${id}/env-vars`, production: theirs };
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    });

    const environmentsOf = async (id: string): Promise<string[]> => {
      const { body } = await instance.call('GET', `/applications/${id}/environments`, { as: 'user' });
      return body.items.map((one: { id: string }) => one.id);
    };
    type Who = 'user' | 'organization' | 'application' | { token: string };
    const create = (body: object, as: Who = 'application', at = path) =>
      instance.call('POST', at, { as, body });
    const made = async (body: object, at = path) => {
      const answer = await create(body, 'user', at);
      assert.equal(answer.status, 200, JSON.stringify(answer.body));
      return answer.body;
    };
    const get = async (query: string, as: Who = 'application') =>
      (await instance.call('GET', `${path}${query}`, { as })).body;
    const pull = async (query = ''): Promise<Record<string, [string, string | undefined]>> => {
      const { items, total } = await get(`/pull${query}`);
      assert.equal(total, items.length);
      return Object.fromEntries(items.map(({ key, value, source }: Item) => [key, [value, source]]));
    };

    test('the nearest scope wins, and each value names its source', async () => {
      for (const key of ['A', 'B', 'C']) await made({ key, value: `${key} of organization` }, organization);
      for (const key of ['B', 'C', 'D']) await made({ key, value: `${key} of application` });
      for (const key of ['C', 'E'])
        await made({ key, value: `${key} of production`, environmentId: production });
      await made({ key: 'C', value: 'C of preview', scope: 'environment', environmentId: preview });
      const common = {
        A: ['A of organization', 'organization'],
        B: ['B of application', 'application'],
        D: ['D of application', 'application'],
      };
      assert.deepEqual(await pull(), { ...common, C: ['C of application', 'application'] });
      const inProduction = {
        ...common,
        C: ['C of production', 'environment'],
        E: ['E of production', 'environment'],
      };
      assert.deepEqual(await pull('?environment=production'), inProduction);
      assert.deepEqual(await pull(`?environment=${production}`), inProduction);
      assert.deepEqual(await pull('?environment=preview'), {
        ...common,
        C: ['C of preview', 'environment'],
      });
      const { items } = await get('/pull?environment=production');
      assert.deepEqual(
        items.map(({ key }: Item) => key),
        ['A', 'B', 'C', 'D', 'E'],
      );
    });

    test('the list shows every scope with the name of its environment, filters, and pages', async () => {
      const all = await get('');
      assert.equal(all.total, 6);
      const [ofC] = all.items.filter(
        ({ key, scope }: { key: string; scope: string }) => key === 'C' && scope === 'environment',
      );
      assert.deepEqual(Object.keys(ofC).sort(), [
        'createdAt',
        'environmentId',
        'environmentName',
        'id',
        'key',
        'scope',
        'sensitive',
        'updatedAt',
        'value',
      ]);
      assert.deepEqual([ofC.environmentId, ofC.environmentName], [production, 'Production']);
      assert.equal((await get('?scope=application')).total, 3);
      assert.equal((await get('?environment=preview')).total, 1);
      const seen: string[] = [];
      let cursor = '';
      do {
        const page = await get(`?limit=4${cursor && `&cursor=${cursor}`}`);
        assert.equal(page.total, 6);
        seen.push(...page.items.map(({ id }: { id: string }) => id));
        cursor = page.nextCursor ?? '';
      } while (cursor);
      assert.deepEqual(
        seen,
        all.items.map(({ id }: { id: string }) => id),
      );
    });

    test('a sensitive one is in no answer, and what refers to it is left out too', async () => {
      await made({ key: 'SECRET', value: 'swordfish', sensitive: true, environmentId: production });
      await made({ key: 'URL', value: 'https://x:${SECRET}@y' });
      const pulled = await get('/pull?environment=production');
      assert.equal(pulled.omittedSensitive, 2);
      const elsewhere = await get('/pull?environment=preview');
      assert.equal(elsewhere.items.find(({ key }: Item) => key === 'URL').value, 'https://x:${SECRET}@y');
      const resolved = await get('/resolved?environment=production');
      const secret = resolved.items.find(({ key }: Item) => key === 'SECRET');
      assert.deepEqual(secret, { key: 'SECRET', value: null, source: 'environment', sensitive: true });
      assert.equal(resolved.omittedSensitive, 2);
      const answers = [pulled, resolved, await get(''), await get('/compare?left=production&right=preview')];
      const exported = await instance.call('GET', `${path}/export?environment=production`, {
        as: 'application',
      });
      assert.equal(JSON.stringify([answers, exported.body]).includes('swordfish'), false);
      assert.equal(exported.headers.get('x-omitted-sensitive'), '1');
    });

    test('references lead across scopes, to the nearest of each', async () => {
      await made({ key: 'HOST', value: 'outer' }, organization);
      await made({ key: 'ADDRESS', value: 'http://${HOST}/${TAIL}' }, organization);
      await made({ key: 'TAIL', value: 'app' });
      await made({ key: 'HOST', value: 'inner', environmentId: preview });
      assert.equal((await pull('?environment=preview'))['ADDRESS']?.[0], 'http://inner/app');
      assert.equal((await pull('?environment=production'))['ADDRESS']?.[0], 'http://outer/app');
    });

    test('a circle across scopes is a conflict that names it, until it is broken', async () => {
      const one = await made({ key: 'ROUND', value: '${TRIP}' }, organization);
      await made({ key: 'TRIP', value: '${ROUND}', environmentId: preview });
      const answer = await instance.call('GET', `${path}/pull?environment=preview`, { as: 'application' });
      assert.equal(answer.status, 409);
      assert.match(answer.body.error, /ROUND → TRIP → ROUND|TRIP → ROUND → TRIP/);
      assert.equal((await pull('?environment=production'))['ROUND']?.[0], '${TRIP}');
      await instance.call('PATCH', `${organization}/${one.id}`, { as: 'user', body: { value: 'still' } });
      assert.equal((await pull('?environment=preview'))['TRIP']?.[0], 'still');
    });

    const refused: Record<string, [number, () => object, RegExp?]> = {
      'a key that is taken in the environment': [409, () => ({ key: 'C', environmentId: production })],
      'a key that is taken in the application': [409, () => ({ key: 'B' })],
      'an environment of another application': [404, () => ({ key: 'X', environmentId: other.production })],
      'an environment that is none': [400, () => ({ key: 'X', environmentId: 'production' })],
      'the scope of an environment without one': [400, () => ({ key: 'X', scope: 'environment' })],
      'the scope of an application with an environment': [
        400,
        () => ({ key: 'X', scope: 'application', environmentId: production }),
      ],
      'the scope of the organization': [400, () => ({ key: 'X', scope: 'organization' })],
      'a key with "="': [400, () => ({ key: 'X=Y' })],
      'an unknown field': [400, () => ({ key: 'X', environment: 'production' })],
    };
    for (const [what, [status, body]] of Object.entries(refused)) {
      test(`${what} is answered ${status}`, async () => {
        const answer = await create({ value: '1', ...body() });
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body), ['error']);
      });
    }

    test('environments of another application are not found on any path', async () => {
      const id = other.production;
      for (const query of [
        `?environment=${id}`,
        `/pull?environment=${id}`,
        `/resolved?environment=${id}`,
        `/compare?left=${id}&right=preview`,
        `/export?environment=${id}`,
        '/pull?environment=nowhere',
      ]) {
        const answer = await instance.call('GET', `${path}${query}`, { as: 'user' });
        assert.equal(answer.status, 404, query);
      }
      const copy = { from: 'production', to: id };
      assert.equal((await instance.call('POST', `${path}/copy`, { as: 'user', body: copy })).status, 404);
      const imported = { content: 'A=1', environmentId: id };
      assert.equal(
        (await instance.call('POST', `${path}/import`, { as: 'user', body: imported })).status,
        404,
      );
    });

    test('one is changed, restored and deleted; variables of others are not found', async () => {
      const row = await made({ key: 'CHANGES', value: '1', environmentId: preview });
      const one = `${path}/${row.id}`;
      const patch = (body: object, at = one, as: Who = 'application') =>
        instance.call('PATCH', at, { as, body });
      const changed = await patch({ value: '2', environmentId: preview });
      assert.equal(changed.body.value, '2');
      assert.equal(changed.body.environmentName, 'Preview');
      assert.equal((await patch({ value: '3', environmentId: production })).status, 400);
      assert.equal((await patch({ value: '3', scope: 'application' })).status, 400);
      assert.equal((await patch({ value: '3' }, `${other.path}/${row.id}`, 'user')).status, 404);
      assert.equal((await patch({ value: '3' }, `${organization}/${row.id}`, 'user')).status, 404);
      const versions = await instance.call('GET', `${one}/versions`, { as: 'application' });
      assert.deepEqual(
        versions.body.items.map(({ value }: Item) => value),
        ['2', '1'],
      );
      const restored = await instance.call('POST', `${one}/versions/1/restore`, { as: 'application' });
      assert.equal(restored.body.value, '1');
      assert.equal((await patch({ sensitive: true })).body.value, null);
      assert.equal((await patch({ sensitive: false })).status, 400);
      assert.equal((await instance.call('DELETE', one, { as: 'application' })).status, 204);
      assert.equal((await instance.call('DELETE', one, { as: 'application' })).status, 404);
    });

    test('members read, admins write, owners delete', async () => {
      const person = await addPerson(instance, 'roles-of-variables@example.com');
      await setRole(instance, person, 'MEMBER');
      assert.equal((await instance.call('GET', `${path}/pull`, { as: person })).status, 200);
      assert.equal((await create({ key: 'ROLE', value: '1' }, person)).status, 403);
      await setRole(instance, person, 'ADMIN');
      const { body } = await create({ key: 'ROLE', value: '1' }, person);
      assert.equal((await instance.call('DELETE', `${path}/${body.id}`, { as: person })).status, 403);
      await setRole(instance, person, 'OWNER');
      assert.equal((await instance.call('DELETE', `${path}/${body.id}`, { as: person })).status, 204);
    });

    test('two environments are compared key by key, values of secrets excepted', async () => {
      await made({ key: 'CMP_SAME', value: '1', environmentId: production });
      await made({ key: 'CMP_SAME', value: '1', environmentId: preview });
      await made({ key: 'CMP_DIFFERENT', value: '1', environmentId: production });
      await made({ key: 'CMP_DIFFERENT', value: '2', environmentId: preview });
      await made({ key: 'CMP_LEFT', value: '1', environmentId: production });
      await made({ key: 'CMP_RIGHT', value: '1', environmentId: preview });
      await made({ key: 'CMP_SECRET', value: '1', sensitive: true, environmentId: production });
      await made({ key: 'CMP_SECRET', value: '1', environmentId: preview });
      const { items } = await get('/compare?left=production&right=preview');
      const statuses = Object.fromEntries(
        items
          .filter(({ key }: Item) => key.startsWith('CMP_') || key === 'A')
          .map(({ key, status }: { key: string; status: string }) => [key, status]),
      );
      assert.deepEqual(statuses, {
        A: 'same',
        CMP_DIFFERENT: 'different',
        CMP_LEFT: 'only_left',
        CMP_RIGHT: 'only_right',
        CMP_SAME: 'same',
        CMP_SECRET: 'secret',
      });
    });

    test('variables are copied between environments, secrets unseen, and nothing is overwritten unasked', async () => {
      const body = { name: 'Copy target', slug: 'copies' };
      await instance.call('POST', `/applications/${application}/environments`, { as: 'user', body });
      const copy = (given: object) =>
        instance.call('POST', `${path}/copy`, { as: 'user', body: { to: 'copies', ...given } });
      const some = await copy({ from: 'production', keys: ['CMP_LEFT', 'CMP_SECRET'] });
      assert.deepEqual(some.body, { created: 2, updated: 0, unchanged: 0, skipped: 0 });
      const there = (await get('?environment=copies')).items;
      assert.deepEqual(
        there.map(({ key, value }: Item) => [key, value]),
        [
          ['CMP_LEFT', '1'],
          ['CMP_SECRET', null],
        ],
      );
      const again = await copy({ from: 'preview', keys: ['CMP_SECRET', 'CMP_RIGHT'] });
      assert.deepEqual(again.body, { created: 1, updated: 0, unchanged: 0, skipped: 1 });
      const over = await copy({ from: 'preview', keys: ['CMP_SECRET'], overwrite: true });
      assert.deepEqual(over.body, { created: 0, updated: 0, unchanged: 1, skipped: 0 });
      // A plain value over a secret does not reveal it.
      assert.equal((await get('?environment=copies')).items.at(-1).value, null);
      assert.equal((await copy({ from: 'preview', keys: ['NOT_THERE'] })).status, 404);
      assert.equal((await copy({ from: 'copies' })).status, 400);
    });

    test('a dotenv file is imported into an environment, all or none, and exported again', async () => {
      const content = 'IMPORTED=1\nQUOTED="two words"\n';
      const result = await instance.call('POST', `${path}/import`, {
        as: 'user',
        body: { content, environmentId: preview },
      });
      assert.deepEqual(result.body, { created: 2, updated: 0, unchanged: 0 });
      const exported = await instance.call('GET', `${path}/export?environment=preview`, { as: 'user' });
      assert.match(exported.body, /^IMPORTED=1$/m);
      assert.match(exported.body, /^QUOTED=['"]two words['"]$/m);
      const taken = { content: 'NEW=1\nIMPORTED=2', environmentId: preview, overwrite: false };
      assert.equal((await instance.call('POST', `${path}/import`, { as: 'user', body: taken })).status, 409);
      assert.equal((await pull('?environment=preview'))['NEW'], undefined);
    });

    test('a key of one environment pulls that one, and sees no variable of another', async () => {
      const scopes = ['network:env_vars:read', 'network:env_vars:write'];
      const body = { name: 'bound', applicationId: application, environmentId: preview, scopes };
      const key = (await instance.call('POST', '/api-keys', { as: 'user', body })).body;
      const as = { token: await fetchToken(instance.url, key) };
      const { items } = await get('/pull', as);
      assert.equal(items.find((one: Item) => one.key === 'C').value, 'C of preview');
      assert.equal((await instance.call('GET', `${path}/pull?environment=production`, { as })).status, 404);
      assert.equal((await create({ key: 'Y', value: '1', environmentId: production }, as)).status, 404);
      const theirs = (await get('?environment=production')).items[0].id;
      assert.equal(
        (await instance.call('PATCH', `${path}/${theirs}`, { as, body: { value: 'x' } })).status,
        404,
      );
      assert.equal((await instance.call('GET', `${path}/${theirs}/versions`, { as })).status, 404);
      const listed = (await get('', as)).items as { environmentId: string | null }[];
      assert.ok(listed.every(({ environmentId }) => environmentId === null || environmentId === preview));
    });

    test('an Idempotency-Key makes one variable of two requests', async () => {
      const headers = { 'idempotency-key': 'one-variable' };
      const body = { key: 'ONCE', value: '1' };
      const one = await instance.call('POST', path, { as: 'application', body, headers });
      const two = await instance.call('POST', path, { as: 'application', body, headers });
      assert.deepEqual([two.status, two.body.id], [200, one.body.id]);
    });

    test('an environment deleted takes its variables with it, and a transfer moves them', async () => {
      const body = { organizationId: instance.bootstrapped.organization.id, name: 'Movable' };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      const at = `/applications/${id}/env-vars`;
      const [, second] = await environmentsOf(id);
      await made({ key: 'OWN', value: 'kept' }, at);
      await made({ key: 'LOST', value: '1', environmentId: second }, at);
      await instance.call('DELETE', `/applications/${id}/environments/${second}`, { as: 'user' });
      const keys = async () =>
        (await instance.call('GET', `${at}/pull`, { as: 'user' })).body.items.map(({ key }: Item) => key);
      assert.equal((await instance.call('GET', at, { as: 'user' })).body.total, 1);
      assert.ok((await keys()).includes('A'));
      const to = (await instance.call('POST', '/organizations', { as: 'user', body: { name: 'New home' } }))
        .body.id;
      const move = { as: 'user' as const, body: { organizationId: to } };
      assert.equal((await instance.call('POST', `/applications/${id}/transfer`, move)).status, 200);
      assert.deepEqual(await keys(), ['OWN']);
    });

    test('a thousand variables are pulled whole, and no more are taken', async () => {
      const body = { organizationId: instance.bootstrapped.organization.id, name: 'Many' };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      const at = `/applications/${id}/env-vars`;
      const content = Array.from({ length: 1000 }, (_, i) => `MANY_${i}=value ${i}`).join('\n');
      const imported = await instance.call('POST', `${at}/import`, { as: 'user', body: { content } });
      assert.equal(imported.body.created, 1000);
      const pulled = (await instance.call('GET', `${at}/pull`, { as: 'user' })).body;
      assert.equal(pulled.items.filter(({ key }: Item) => key.startsWith('MANY_')).length, 1000);
      assert.equal((await create({ key: 'ONE_MORE', value: '1' }, 'user', at)).status, 403);
    });

    test('a change is seen by the pull of another node within a second', async () => {
      await using second = await startInstance(engine, { home });
      const value = async () => {
        const answer = await second.call('GET', `${path}/pull`, { as: 'application' });
        return answer.body.items.find(({ key }: Item) => key === 'D').value;
      };
      assert.equal(await value(), 'D of application');
      const { items } = await get('?scope=application');
      const { id } = items.find(({ key }: Item) => key === 'D');
      await instance.call('PATCH', `${path}/${id}`, { as: 'application', body: { value: 'new' } });
      const deadline = performance.now() + 10_000;
      while ((await value()) !== 'new')
        assert.ok(performance.now() < deadline, 'ten times the second that is promised has passed');
    });
  });
}
