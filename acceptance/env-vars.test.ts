import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Client, EnvVar } from '../sdk/index.ts';
import { clientOf, errorOf, nobody, plainFetch, refusal, time, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Leaves the variables of the organization as they were: its own have keys that nobody else uses. */
for (const name of targetNames) {
  describe(`environment variables on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let client: Client;
    let id: string;
    const prefix = `ACCEPTANCE_${crypto.randomUUID().replaceAll('-', '')}_`;
    const create = (key: string, value = '1', sensitive = false) =>
      client.envVars.create(id, { key: prefix + key, value, sensitive });
    const mine = async (): Promise<EnvVar[]> =>
      (await client.envVars.list(id)).items.filter(({ key }) => key.startsWith(prefix));

    before(async () => {
      target = await openTarget(name);
      client = clientOf(target, 'organization');
      id = target.organizationId;
    });
    after(async () => {
      for (const { id: envVarId } of await mine()) await client.envVars.delete(id, envVarId);
      await target[Symbol.asyncDispose]();
    });

    test('a new one has the fields of the specification, and is in the list', async () => {
      const made = await create('PLAIN', 'a\nb ä €');
      assert.deepEqual(Object.keys(made).sort(), [
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
      assert.match(made.id, uuid);
      assert.match(made.createdAt, time);
      const { value, sensitive, scope, environmentId, environmentName } = made;
      assert.deepEqual(
        { value, sensitive, scope, environmentId, environmentName },
        {
          value: 'a\nb ä €',
          sensitive: false,
          scope: 'organization',
          environmentId: null,
          environmentName: null,
        },
      );
      assert.deepEqual(
        (await mine()).find((one) => one.id === made.id),
        made,
      );
    });

    test('a sensitive value is shown by no response', async () => {
      const made = await create('SECRET', 'hidden-value', true);
      assert.equal(made.value, null);
      const changed = await client.envVars.update(id, made.id, { value: 'hidden-value-2' });
      assert.deepEqual([changed.value, changed.sensitive], [null, true]);
      const conflict = await refusal(409, create('SECRET', 'hidden-value-3'));
      const responses = [
        conflict,
        await client.envVars.list(id),
        await client.envVars.versions(id, made.id),
        await client.envVars.export(id),
        await client.auditLog.list(id, { limit: 100 }),
      ];
      assert.equal(JSON.stringify(responses).includes('hidden-value'), false);
    });

    test('turning `sensitive` off needs a new value in the same request', async () => {
      const made = await create('ONCE_SECRET', 'old', true);
      assert.match(await refusal(400, client.envVars.update(id, made.id, { sensitive: false })), /value/);
      const open = await client.envVars.update(id, made.id, { sensitive: false, value: 'new' });
      assert.deepEqual([open.value, open.sensitive], ['new', false]);
    });

    test('keys are unique: to create or rename to a taken one is 409', async () => {
      await create('TAKEN');
      await refusal(409, create('TAKEN', '2'));
      const other = await create('OTHER');
      await refusal(409, client.envVars.update(id, other.id, { key: `${prefix}TAKEN` }));
      const renamed = await client.envVars.update(id, other.id, { key: `${prefix}FREE` });
      assert.deepEqual([renamed.key, renamed.value], [`${prefix}FREE`, '1']);
    });

    test('of two writers who race for one key, one wins', async () => {
      const results = await Promise.allSettled(['1', '2', '3', '4'].map((value) => create('RACE', value)));
      assert.equal(results.filter(({ status }) => status === 'fulfilled').length, 1);
      for (const result of results) if (result.status === 'rejected') assert.equal(result.reason.status, 409);
    });

    test('urlencoded and multipart bodies create and change them', async () => {
      const send = await plainFetch(target, 'organization');
      const form = new FormData();
      form.set('key', `${prefix}MULTIPART`);
      form.set('value', '1');
      form.set('sensitive', 'true');
      const made = (await (await send(path(id), { method: 'POST', body: form })).json()) as EnvVar;
      assert.deepEqual([made.key, made.value, made.sensitive], [`${prefix}MULTIPART`, null, true]);
      const body = new URLSearchParams({ value: 'two words', sensitive: 'false' });
      const changed = (await (
        await send(`${path(id)}/${made.id}`, { method: 'PATCH', body })
      ).json()) as EnvVar;
      assert.deepEqual([changed.value, changed.sensitive], ['two words', false]);
    });

    test('keys of 1 to 255 characters and values of 0 bytes to 64 KiB are kept', async () => {
      const long = await create('K'.repeat(255 - prefix.length), 'x'.repeat(65_536));
      assert.equal(long.key.length, 255);
      assert.equal(long.value?.length, 65_536);
      assert.equal((await create('EMPTY', '')).value, '');
    });

    const refused: Record<string, unknown> = {
      'no key': { value: 'x' },
      'no value': { key: 'A' },
      'an empty key': { key: '', value: 'x' },
      'a key of 256 characters': { key: 'K'.repeat(256), value: 'x' },
      'a key with "="': { key: 'A=B', value: 'x' },
      'a key with a newline': { key: 'A\nB', value: 'x' },
      'a key with blanks around it': { key: ' A ', value: 'x' },
      'a value of 64 KiB and a byte': { key: 'A', value: 'x'.repeat(65_537) },
      'a value that is a number': { key: 'A', value: 5 },
      'sensitive as text': { key: 'A', value: 'x', sensitive: 'yes' },
      'the scope of something else': { key: 'A', value: 'x', scope: 'application' },
      'an unknown field': { key: 'A', value: 'x', comment: 'y' },
    };
    for (const [what, body] of Object.entries(refused)) {
      test(`${what} is refused with a sentence`, async () => {
        const sentence = await refusal(400, client.envVars.create(id, body as never));
        assert.equal(sentence.includes('xxxx'), false, 'the value is not repeated');
      });
    }

    test('another content type is 415, and broken JSON 400', async () => {
      const send = await plainFetch(target, 'organization');
      for (const [type, status] of [
        ['text/plain', 415],
        ['application/json', 400],
      ] as const) {
        const headers = { 'content-type': type };
        const response = await send(path(id), { method: 'POST', headers, body: 'A=1' });
        assert.equal(response.status, status);
        await errorOf(response);
      }
    });

    test('a change with nothing in it is 400, of what is not there 404', async () => {
      const made = await create('CHANGING');
      await refusal(400, client.envVars.update(id, made.id, {}));
      for (const other of [nobody, 'abc']) {
        await refusal(404, client.envVars.update(id, other, { value: '1' }));
        await refusal(404, client.envVars.delete(id, other));
        await refusal(404, client.envVars.list(other));
      }
    });

    test('a deleted one is gone, and its key is free', async () => {
      const made = await create('GONE');
      assert.equal(await client.envVars.delete(id, made.id), undefined);
      await refusal(404, client.envVars.delete(id, made.id));
      assert.notEqual((await create('GONE')).id, made.id);
    });

    test('the list comes whole, or in pages when asked for', async () => {
      await create('PAGED');
      const { items, total } = await client.envVars.list(id);
      assert.equal(items.length, total);
      const paged: EnvVar[] = [];
      for await (const one of client.envVars.list(id, { limit: 3 })) paged.push(one);
      assert.deepEqual(paged, items);
    });

    test('a version that was replaced can be restored', async () => {
      const made = await create('HISTORY', 'one');
      await client.envVars.update(id, made.id, { value: 'two' });
      const { items } = await client.envVars.versions(id, made.id);
      assert.deepEqual(
        items.map(({ version, value }) => [version, value]),
        [
          [2, 'two'],
          [1, 'one'],
        ],
      );
      assert.equal((await client.envVars.restore(id, made.id, 1)).value, 'one');
    });

    test('dotenv text is taken in, and given out without what is sensitive', async () => {
      await client.envVars.import(id, {
        content: `${prefix}FILE_A=1\n${prefix}FILE_B="two lines\\nof it"\n`,
      });
      await create('FILE_C', 'hidden', true);
      const { content, omittedSensitive } = await client.envVars.export(id);
      assert.match(content, new RegExp(`^${prefix}FILE_A=`, 'm'));
      assert.equal(content.includes(`${prefix}FILE_C=`), false);
      assert.ok(omittedSensitive > 0);
      const { items } = await client.envVars.resolved(id);
      assert.ok(items.some(({ key, value }) => key === `${prefix}FILE_A` && value === '1'));
    });

    test('a token is needed', async () => {
      const send = await plainFetch(target, undefined);
      const response = await send(path(id));
      assert.equal(response.status, 401);
      await errorOf(response);
    });
  });
}

function path(organizationId: string): string {
  return `/organizations/${organizationId}/env-vars`;
}
