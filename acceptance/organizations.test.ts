import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { toApiError } from '../sdk/errors.ts';
import type { Client, Organization } from '../sdk/index.ts';
import { clientOf, errorOf, nobody, patiently, plainFetch, refusal, time, uuid } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/** Creates three organizations, which is within the default limits, and deletes them. */
for (const name of targetNames) {
  describe(`organizations on ${name}`, () => {
    let target: Target & AsyncDisposable;
    let user: Client;
    let organization: Client;
    let application: Client;
    const made: Organization[] = [];

    before(async () => {
      target = await openTarget(name);
      user = clientOf(target, 'user');
      organization = clientOf(target, 'organization');
      application = clientOf(target, 'application');
      made.push(await patiently(() => user.organizations.create({ name: '  Acceptance Ünited ✓  ' })));
    });
    after(async () => {
      for (const { id } of made) await user.organizations.delete(id);
      await target[Symbol.asyncDispose]();
    });

    test('a new one has the fields of the specification and is usable at once', async () => {
      const [one] = made;
      assert.ok(one);
      assert.deepEqual(Object.keys(one).sort(), ['createdAt', 'id', 'imageUrl', 'name', 'slug', 'updatedAt']);
      assert.match(one.id, uuid);
      assert.equal(one.name, 'Acceptance Ünited ✓');
      assert.match(one.slug, /^acceptance-united[a-z0-9-]*$/);
      assert.match(one.createdAt, time);
      assert.equal((await fetch(one.imageUrl.replace(new URL(one.imageUrl).origin, target.url))).status, 200);
      assert.deepEqual(await user.organizations.get(one.id), one);
    });

    test('its creator is its owner, with every field of a member', async () => {
      const { items, total } = await user.members.list(made[0]?.id ?? '');
      assert.equal(total, 1);
      const [owner] = items;
      assert.ok(owner);
      assert.deepEqual(Object.keys(owner).sort(), [
        'email',
        'familyName',
        'givenName',
        'imageUrl',
        'joinedAt',
        'membershipId',
        'organizationId',
        'role',
        'userId',
      ]);
      assert.equal(owner.role, 'OWNER');
      assert.equal(owner.organizationId, made[0]?.id);
      assert.match(owner.joinedAt, time);
    });

    test('urlencoded and multipart bodies create one too', async () => {
      const send = await plainFetch(target, 'user');
      const form = new FormData();
      form.set('name', 'Acceptance Multipart');
      for (const body of [new URLSearchParams({ name: 'Acceptance Urlencoded' }), form]) {
        const wanted = String(body.get('name'));
        const created = await patiently(() => createWith(send, body));
        made.push(created);
        assert.equal(created.name, wanted);
      }
    });

    test('the same Idempotency-Key gives the same thing, with another body 422', async () => {
      const idempotencyKey = crypto.randomUUID();
      const create = (text: string) =>
        user.envVars.create(target.organizationId, { key: text, value: '' }, { idempotencyKey });
      const key = `IDEMPOTENT_${idempotencyKey}`;
      const [first, second] = [await create(key), await create(key)];
      assert.deepEqual(second, first);
      await refusal(422, create(`${key}_2`));
      await user.envVars.delete(target.organizationId, first.id);
    });

    test('bad names and unknown fields are refused with a sentence', async () => {
      for (const bad of ['', '   ', 'x'.repeat(129), 'a\nb', 'a\u0000b']) {
        assert.match(await refusal(400, user.organizations.create({ name: bad })), /name/);
      }
      assert.match(await refusal(400, user.organizations.create({} as never)), /"name"/);
      assert.match(await refusal(400, user.organizations.create({ name: 5 } as never)), /"name"/);
      assert.match(
        await refusal(400, user.organizations.create({ name: 'A', colour: 'red' } as never)),
        /"colour"/,
      );
      const send = await plainFetch(target, 'user');
      const headers = { 'content-type': 'text/plain' };
      const text = await send('/organizations', { method: 'POST', headers, body: 'name=A' });
      assert.equal(text.status, 415);
      await errorOf(text);
      const json = { 'content-type': 'application/json' };
      assert.equal((await send('/organizations', { method: 'POST', headers: json, body: '{' })).status, 400);
    });

    test('machines cannot create organizations', async () => {
      for (const machine of [organization, application]) {
        await refusal(403, machine.organizations.create({ name: 'Machine' }));
      }
    });

    test('the list is by id, pages by the last id seen, and keeps its total', async () => {
      const all: Organization[] = [];
      for await (const one of user.organizations.list({ limit: 2 })) all.push(one);
      const ids = all.map(({ id }) => id);
      assert.deepEqual(ids, [...ids].sort());
      for (const { id } of made) assert.ok(ids.includes(id));
      const first = await user.organizations.list({ limit: 1 });
      assert.equal(first.items.length, 1);
      assert.equal(first.total, all.length);
      const rest = await user.organizations.list({ limit: 100, from: ids[0] ?? '' });
      assert.equal(rest.total, all.length);
      assert.deepEqual(
        rest.items.map(({ id }) => id),
        ids.slice(1, 101),
      );
    });

    test('each actor sees its own', async () => {
      for (const machine of [organization, application]) {
        const { items, total } = await machine.organizations.list();
        assert.deepEqual([items.map(({ id }) => id), total], [[target.organizationId], 1]);
        await refusal(404, machine.organizations.get(made[0]?.id ?? ''));
      }
    });

    test('a limit outside 1 to 100 and a `from` that is no id are refused', async () => {
      const send = await plainFetch(target, 'user');
      for (const query of ['limit=0', 'limit=101', 'limit=abc', 'limit=1.5', 'limit=', 'from=abc']) {
        const response = await send(`/organizations?${query}`);
        assert.equal(response.status, 400, query);
        await errorOf(response);
      }
      for (const query of ['limit=1', 'limit=100', 'unknown=1']) {
        assert.equal((await send(`/organizations?${query}`)).status, 200, query);
      }
    });

    test('an id that is not there and one that is none are the same 404', async () => {
      const sentences = new Set<string>();
      for (const id of [nobody, 'abc']) sentences.add(await refusal(404, user.organizations.get(id)));
      await refusal(404, user.members.list(nobody));
      await refusal(404, organization.members.list(made[0]?.id ?? ''));
    });

    test('applications cannot read members, organizations can', async () => {
      await refusal(403, application.members.list(target.organizationId));
      assert.ok((await organization.members.list(target.organizationId)).total > 0);
    });

    test('without a token, or with a made-up one, it is 401', async () => {
      const send = await plainFetch(target, undefined);
      for (const headers of [{}, { authorization: 'Bearer made-up' }, { authorization: 'Basic eDp5' }]) {
        const response = await send('/organizations', { headers });
        assert.equal(response.status, 401);
        assert.match(response.headers.get('www-authenticate') ?? '', /^Bearer/);
        await errorOf(response);
      }
    });
  });
}

async function createWith(send: typeof fetch, body: FormData | URLSearchParams): Promise<Organization> {
  const response = await send('/organizations', { method: 'POST', body });
  if (!response.ok) throw await toApiError(response);
  return (await response.json()) as Organization;
}
