import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import { reseal } from '#accounts/vault/service.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance, toAnswer } from '#testing/instance.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';
import { sealedColumns } from '../../platform/areas.ts';

const nobody = '01900000-0000-7000-8000-000000000000';

for (const engine of engines) {
  describe(`variables of an organization on ${engine}`, () => {
    const lines: string[] = [];
    let instance: Instance;
    let path: string;

    before(async () => {
      const log = pino({ level: 'info' }, { write: (line: string) => lines.push(line) });
      instance = await startInstance(engine, { log });
      path = `/organizations/${instance.bootstrapped.organization.id}/env-vars`;
    });
    after(() => instance[Symbol.asyncDispose]());

    type Who = 'user' | 'organization' | 'application' | Person;
    const create = (body: unknown, as: Who = 'organization') => instance.call('POST', path, { as, body });
    const change = (id: string, body: unknown, as: Who = 'organization') =>
      instance.call('PATCH', `${path}/${id}`, { as, body });
    const list = async (query = '') =>
      (await instance.call('GET', `${path}${query}`, { as: 'application' })).body;

    test('a plain one is shown, a sensitive one is not, in any response', async () => {
      const plain = await create({ key: 'PLAIN', value: 'hello' });
      assert.equal(plain.status, 200);
      const fields = [
        'createdAt',
        'environmentId',
        'environmentName',
        'id',
        'key',
        'scope',
        'sensitive',
        'updatedAt',
        'value',
      ];
      assert.deepEqual(Object.keys(plain.body).sort(), fields);
      assert.equal(plain.body.value, 'hello');
      assert.equal(plain.body.sensitive, false);
      assert.equal(plain.body.scope, 'organization');
      assert.equal(plain.body.environmentId, null);
      const secret = await create({ key: 'SECRET', value: 'swordfish', sensitive: true });
      assert.equal(secret.body.value, null);
      const changed = await change(secret.body.id, { value: 'barracuda' });
      assert.equal(changed.body.value, null);
      const { items, total } = await list();
      assert.equal(total, items.length);
      assert.equal(items.find((item: { key: string }) => item.key === 'SECRET').value, null);
      assert.equal(items.find((item: { key: string }) => item.key === 'PLAIN').value, 'hello');
    });

    test('forms create and change them, with booleans as text', async () => {
      const authorization = `Bearer ${await instance.token('organization')}`;
      const form = new FormData();
      form.set('key', 'FORM');
      form.set('value', '1');
      form.set('sensitive', 'true');
      const made = await toAnswer(
        await fetch(`${instance.url}${path}`, { method: 'POST', headers: { authorization }, body: form }),
      );
      assert.equal(made.status, 200);
      assert.equal(made.body.sensitive, true);
      const body = new URLSearchParams({ value: 'two words', sensitive: 'false' });
      const url = `${instance.url}${path}/${made.body.id}`;
      const changed = await toAnswer(await fetch(url, { method: 'PATCH', headers: { authorization }, body }));
      assert.equal(changed.status, 200);
      assert.equal(changed.body.value, 'two words');
      const wrong = new URLSearchParams({ sensitive: 'maybe' });
      assert.equal(
        (await fetch(url, { method: 'PATCH', headers: { authorization }, body: wrong })).status,
        400,
      );
    });

    const accepted: Record<string, object> = {
      'a value of 0 bytes': { key: 'EMPTY', value: '' },
      'a value of 64 KiB': { key: 'LARGE', value: 'x'.repeat(65_536) },
      'a value of several lines': { key: 'LINES', value: 'a\nb\r\n\tc' },
      'a key of 255 characters': { key: 'K'.repeat(255), value: '1' },
      'a key with dots, blanks and umlauts': { key: 'some.key mit ä', value: '1' },
      'the scope that it has anyway': { key: 'SCOPED', value: '1', scope: 'organization' },
    };
    for (const [what, body] of Object.entries(accepted)) {
      test(`${what} is accepted`, async () => {
        const { status, body: made } = await create(body);
        assert.equal(status, 200, JSON.stringify(made));
        assert.equal(made.value, (body as { value: string }).value);
      });
    }

    const refused: Record<string, [number, unknown]> = {
      'no key': [400, { value: 'x' }],
      'no value': [400, { key: 'A' }],
      'an empty key': [400, { key: '', value: 'x' }],
      'a key of 256 characters': [400, { key: 'K'.repeat(256), value: 'x' }],
      'a key with "="': [400, { key: 'A=B', value: 'x' }],
      'a key with a newline': [400, { key: 'A\nB', value: 'x' }],
      'a key with blanks around it': [400, { key: ' A ', value: 'x' }],
      'a key of blanks': [400, { key: '   ', value: 'x' }],
      'a value of 64 KiB and a byte': [400, { key: 'A', value: 'x'.repeat(65_537) }],
      'a value with NUL': [400, { key: 'A', value: 'a\u0000b' }],
      'a value that is a number': [400, { key: 'A', value: 5 }],
      'a value that is null': [400, { key: 'A', value: null }],
      'sensitive as text': [400, { key: 'A', value: 'x', sensitive: 'true' }],
      'another scope': [400, { key: 'A', value: 'x', scope: 'application' }],
      'an unknown field': [400, { key: 'A', value: 'x', comment: 'y' }],
      'a key that is taken': [409, { key: 'PLAIN', value: 'x' }],
    };
    for (const [what, [status, body]] of Object.entries(refused)) {
      test(`${what} is answered ${status}`, async () => {
        const answer = await create(body);
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body), ['error']);
        assert.equal(JSON.stringify(answer.body).includes('xxxx'), false, 'the value is not repeated');
      });
    }

    test('other content types are 415, and a body over the limit 413', async () => {
      const text = await instance.call('POST', path, {
        as: 'organization',
        body: 'A=1',
        headers: { 'content-type': 'text/plain' },
      });
      assert.equal(text.status, 415);
      assert.equal((await create({ key: 'A', value: 'x'.repeat(600_000) })).status, 413);
    });

    test('a change with nothing in it is 400, to a taken key 409, of nobody 404', async () => {
      const { body } = await create({ key: 'CHANGING', value: '1' });
      assert.equal((await change(body.id, {})).status, 400);
      assert.equal((await change(body.id, { key: 'PLAIN' })).status, 409);
      assert.equal((await change(body.id, { key: 'A=B' })).status, 400);
      assert.equal((await change(body.id, { value: 'x'.repeat(65_537) })).status, 400);
      assert.equal((await change(nobody, { value: '1' })).status, 404);
      assert.equal((await change('abc', { value: '1' })).status, 404);
      const renamed = await change(body.id, { key: 'CHANGED' });
      assert.equal(renamed.body.key, 'CHANGED');
      assert.equal(renamed.body.value, '1');
    });

    test('turning sensitive off needs a new value in the same request', async () => {
      const { body } = await create({ key: 'ONCE_SECRET', value: 'old secret', sensitive: true });
      const refusedAnswer = await change(body.id, { sensitive: false });
      assert.equal(refusedAnswer.status, 400);
      assert.match(refusedAnswer.body.error, /"value"/);
      assert.equal((await change(body.id, { sensitive: false, key: 'X' })).status, 400);
      const open = await change(body.id, { sensitive: false, value: 'public' });
      assert.equal(open.body.value, 'public');
      assert.equal((await change(body.id, { sensitive: true })).body.value, null);
    });

    test('two writers racing for one key: one 200, one 409', async () => {
      const answers = await Promise.all(
        [1, 2, 3, 4, 5, 6].map((value) => create({ key: 'RACE', value: String(value) })),
      );
      assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 409, 409, 409, 409, 409]);
      const one = (await create({ key: 'RACE_A', value: '1' })).body;
      const two = (await create({ key: 'RACE_B', value: '1' })).body;
      const renames = await Promise.all([
        change(one.id, { key: 'RACE_C' }),
        change(two.id, { key: 'RACE_C' }),
      ]);
      assert.deepEqual(renames.map(({ status }) => status).sort(), [200, 409]);
    });

    test('a deleted one is gone', async () => {
      const { body } = await create({ key: 'GONE', value: '1' });
      const remove = () => instance.call('DELETE', `${path}/${body.id}`, { as: 'organization' });
      assert.equal((await remove()).status, 204);
      assert.equal((await remove()).status, 404);
      assert.equal((await create({ key: 'GONE', value: '2' })).status, 200);
    });

    test('the list is by key, and pages when asked to', async () => {
      const { items, total } = await list();
      const keys = items.map((item: { key: string }) => item.key);
      assert.deepEqual(
        keys,
        [...keys].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b))),
      );
      const seen: string[] = [];
      let cursor: string | undefined;
      do {
        const page = await list(`?limit=3${cursor ? `&cursor=${cursor}` : ''}`);
        assert.equal(page.total, total);
        seen.push(...page.items.map((item: { key: string }) => item.key));
        cursor = page.nextCursor;
      } while (cursor);
      assert.deepEqual(seen, keys);
    });

    test('members read, admins change, owners delete', async () => {
      const person = await addPerson(instance, 'roles@example.com');
      const { body } = await create({ key: 'ROLES', value: '1' });
      const attempts = async () => [
        (await instance.call('GET', path, { as: person })).status,
        (await change(body.id, { value: String(Math.random()) }, person)).status,
        (await instance.call('DELETE', `${path}/${body.id}`, { as: person })).status,
      ];
      assert.deepEqual(await attempts(), [404, 404, 404]);
      await setRole(instance, person, 'MEMBER');
      assert.deepEqual(await attempts(), [200, 403, 403]);
      await setRole(instance, person, 'ADMIN');
      assert.deepEqual(await attempts(), [200, 200, 403]);
      await setRole(instance, person, 'OWNER');
      assert.deepEqual(await attempts(), [200, 200, 204]);
    });

    test('values are encrypted at rest and in no log line, audit record or error', async () => {
      const secret = 'correct-horse-battery-staple';
      const { body } = await create({ key: 'AT_REST', value: secret, sensitive: true });
      await change(body.id, { value: `${secret}-2` });
      await create({ key: 'AT_REST', value: `${secret}-3` });
      const { db } = instance.platform;
      for (const table of ['env_vars', 'env_var_versions'] as const) {
        const rows = await db.selectFrom(table).select('value').execute();
        for (const { value } of rows) assert.equal(Buffer.from(value).includes(secret), false);
      }
      const audit = await db.selectFrom('audit_log').selectAll().execute();
      assert.equal(JSON.stringify(audit).includes(secret), false);
      assert.ok(audit.some((row) => row.action === 'env_var.updated' && row.details.includes('AT_REST')));
      assert.equal(lines.join('').includes(secret), false);
    });

    test('the history says who and when; sensitive values are never in it; a version can be restored', async () => {
      const { body } = await create({ key: 'HISTORY', value: 'one' });
      await change(body.id, { value: 'two' }, 'user');
      await change(body.id, { value: 'two' }, 'user');
      await change(body.id, { key: 'HISTORY_2' }, 'user');
      const history = async () =>
        (await instance.call('GET', `${path}/${body.id}/versions`, { as: 'user' })).body;
      const { items, total } = await history();
      assert.equal(total, 3);
      assert.deepEqual(
        items.map((item: { version: number }) => item.version),
        [3, 2, 1],
      );
      assert.deepEqual(
        items.map((item: { value: string }) => item.value),
        ['two', 'two', 'one'],
      );
      assert.deepEqual(items[0].actor, { type: 'user', id: instance.bootstrapped.user.id });
      assert.deepEqual(items[2].actor, { type: 'organization', id: instance.bootstrapped.organization.id });
      const restore = (version: number | string) =>
        instance.call('POST', `${path}/${body.id}/versions/${version}/restore`, { as: 'user' });
      const restored = await restore(1);
      assert.equal(restored.body.value, 'one');
      assert.equal(restored.body.key, 'HISTORY');
      assert.equal((await history()).total, 4);
      assert.equal((await restore(99)).status, 404);
      assert.equal((await restore('abc')).status, 404);
      await change(body.id, { sensitive: true });
      assert.ok((await history()).items.every((item: { value: unknown }) => item.value === null));
      const hidden = await restore(1);
      assert.equal(hidden.body.sensitive, true);
      assert.equal(hidden.body.value, null);
    });

    test('an older key sealed it, and it still opens after a rotation', async () => {
      const { body } = await create({ key: 'ROTATED', value: 'kept' });
      const { db, clock, vault } = instance.platform;
      await reseal({ db, clock, vault, columns: sealedColumns });
      const { items } = await list();
      assert.equal(items.find((item: { id: string }) => item.id === body.id).value, 'kept');
    });
  });

  describe(`limits of variables on ${engine}`, () => {
    test('so many, and so large together', async () => {
      const settings = {
        MAINSTAY_ENV_VARS_PER_ORGANIZATION: '3',
        MAINSTAY_ENV_VARS_SIZE: '64KiB',
        MAINSTAY_ENV_VAR_VERSIONS: '2',
      };
      await using instance = await startInstance(engine, { settings });
      const path = `/organizations/${instance.bootstrapped.organization.id}/env-vars`;
      const create = (key: string, value: string) =>
        instance.call('POST', path, { as: 'organization', body: { key, value } });
      const first = await create('A', 'x'.repeat(60_000));
      assert.equal(first.status, 200);
      assert.equal((await create('B', 'x'.repeat(10_000))).status, 403);
      await create('B', '1');
      await create('C', '1');
      const refused = await create('D', '1');
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /3 is the limit/);
      const crowd = await Promise.all(
        Array.from({ length: 5 }, (_, value) =>
          instance.call('PATCH', `${path}/${first.body.id}`, {
            as: 'organization',
            body: { value: String(value) },
          }),
        ),
      );
      assert.ok(crowd.every(({ status }) => status === 200));
      const { body } = await instance.call('GET', `${path}/${first.body.id}/versions`, { as: 'user' });
      assert.equal(body.total, 2);
    });
  });
}
