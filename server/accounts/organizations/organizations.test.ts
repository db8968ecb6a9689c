import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import sharp from 'sharp';
import { systemSource } from '#accounts/audit-log/service.ts';
import { purgeOrganizations } from '#accounts/organizations/service.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance, toAnswer } from '#testing/instance.ts';
import { addPerson, type Person, setRole } from '#testing/people.ts';

const nobody = '01900000-0000-7000-8000-000000000000';

for (const engine of engines) {
  describe(`organizations on ${engine}`, () => {
    const clock = new TestClock();
    let instance: Instance;
    let own: string;
    let stranger: Person;

    before(async () => {
      instance = await startInstance(engine, {
        clock,
        settings: { MAINSTAY_ORGANIZATIONS_PER_MINUTE: '1000', MAINSTAY_ORGANIZATION_QUOTA: '1000' },
      });
      own = instance.bootstrapped.organization.id;
      stranger = await addPerson(instance, 'stranger@example.com');
    });
    after(() => instance[Symbol.asyncDispose]());

    const create = (body: unknown, as: Person | 'user' = 'user') =>
      instance.call('POST', '/organizations', { as, body });
    const get = (id: string, as: Person | 'user' | 'organization' | 'application' = 'user') =>
      instance.call('GET', `/organizations/${id}`, { as });

    test('a new one has a slug, an avatar and its creator as owner, and is usable at once', async () => {
      const { status, body } = await create({ name: '  Größe & Söhne  ' });
      assert.equal(status, 200);
      assert.deepEqual(Object.keys(body).sort(), [
        'createdAt',
        'id',
        'imageUrl',
        'name',
        'slug',
        'updatedAt',
      ]);
      assert.equal(body.name, 'Größe & Söhne');
      assert.equal(body.slug, 'grosse-sohne');
      assert.equal(body.imageUrl, `http://mainstay.test/avatars/${body.id}.svg`);
      assert.match(body.createdAt, /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/);
      assert.deepEqual((await get(body.id)).body, body);
      const members = await instance.call('GET', `/organizations/${body.id}/members`, { as: 'user' });
      assert.equal(members.body.total, 1);
      assert.equal(members.body.items[0].role, 'OWNER');
    });

    test('urlencoded and multipart bodies create one too', async () => {
      const authorization = `Bearer ${await instance.token('user')}`;
      const form = new FormData();
      form.set('name', 'By form');
      for (const body of [form, new URLSearchParams({ name: 'By form' })]) {
        const response = await fetch(`${instance.url}/organizations`, {
          method: 'POST',
          headers: { authorization },
          body,
        });
        const answer = await toAnswer(response);
        assert.equal(answer.status, 200);
        assert.equal(answer.body.name, 'By form');
      }
    });

    const names: Record<string, string> = {
      emoji: '🚀🚀',
      'right-to-left text': 'شركة الاختبار',
      'Han characters': '株式会社テスト',
      '128 characters': 'x'.repeat(128),
      '128 emoji': '🎉'.repeat(128),
      'an apostrophe and quotes': `O'Neil "Bros" <b>`,
    };
    for (const [what, name] of Object.entries(names)) {
      test(`a name of ${what} is accepted as it is`, async () => {
        const { status, body } = await create({ name });
        assert.equal(status, 200, JSON.stringify(body));
        assert.equal(body.name, name);
        assert.match(body.slug, /^[a-z0-9]+(-[a-z0-9]+)*$/);
      });
    }

    const refusals: Record<string, [number, () => ReturnType<typeof create>]> = {
      'an empty name': [400, () => create({ name: '' })],
      'a name of blanks': [400, () => create({ name: ' \t ' })],
      'a name of 129 characters': [400, () => create({ name: 'x'.repeat(129) })],
      'a name with a control character': [400, () => create({ name: 'a\u0007b' })],
      'a name with a newline': [400, () => create({ name: 'a\nb' })],
      'a name with half a character': [
        400,
        () => instance.call('POST', '/organizations', { as: 'user', body: '{"name":"\\ud83d"}' }),
      ],
      'a name that is a number': [400, () => create({ name: 5 })],
      'no name': [400, () => create({})],
      'an unknown field': [400, () => create({ name: 'x', plan: 'gold' })],
      'a slug in capitals': [400, () => create({ name: 'x', slug: 'Acme' })],
      'a slug that is taken': [409, () => create({ name: 'x', slug: 'acme' })],
      'a body of text': [
        415,
        () =>
          instance.call('POST', '/organizations', {
            as: 'user',
            body: 'x',
            headers: { 'content-type': 'text/plain' },
          }),
      ],
    };
    for (const [what, [status, request]] of Object.entries(refusals)) {
      test(`${what} is answered ${status} with a sentence`, async () => {
        const answer = await request();
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body), ['error']);
      });
    }

    test('machines cannot create organizations', async () => {
      for (const as of ['organization', 'application'] as const) {
        const { status, body } = await instance.call('POST', '/organizations', { as, body: { name: 'x' } });
        assert.equal(status, 403);
        assert.match(body.error, new RegExp(as));
      }
    });

    test('the list pages by `from`, keeps its total, and holds what is visible to the actor only', async () => {
      const person = await addPerson(instance, 'pager@example.com');
      const ids: string[] = [];
      for (let count = 0; count < 5; count++)
        ids.push((await create({ name: `Page ${count}` }, person)).body.id);
      const list = (query: string) => instance.call('GET', `/organizations${query}`, { as: person });
      const first = (await list('?limit=2')).body;
      assert.deepEqual(
        first.items.map((item: { id: string }) => item.id),
        ids.slice(0, 2),
      );
      assert.equal(first.total, 5);
      assert.equal(first.nextCursor, ids[1]);
      const second = (await list(`?limit=2&from=${ids[1]?.toUpperCase()}`)).body;
      assert.deepEqual(
        second.items.map((item: { id: string }) => item.id),
        ids.slice(2, 4),
      );
      assert.equal(second.total, 5);
      const last = (await list(`?limit=2&from=${ids[3]}`)).body;
      assert.equal(last.items.length, 1);
      assert.equal(last.nextCursor, undefined);
      assert.equal((await list('')).body.items.length, 5);
      for (const as of ['organization', 'application'] as const) {
        const { body } = await instance.call('GET', '/organizations', { as });
        assert.deepEqual(
          body.items.map((item: { id: string }) => item.id),
          [own],
        );
        assert.equal(body.total, 1);
      }
    });

    test('`from` of another tenant shows nothing of theirs', async () => {
      const theirs = (await create({ name: 'Theirs' }, stranger)).body.id;
      const { body } = await instance.call('GET', `/organizations?limit=100&from=${theirs}`, { as: 'user' });
      assert.ok(body.items.every((item: { id: string }) => item.id !== theirs));
      const { status } = await instance.call('GET', `/organizations?from=${nobody}`, { as: 'user' });
      assert.equal(status, 200);
    });

    for (const query of [
      'limit=0',
      'limit=101',
      'limit=abc',
      'limit=1.5',
      'limit=',
      'from=abc',
      'limit=1&limit=2',
    ]) {
      test(`?${query} is refused with 400`, async () => {
        const { status, body } = await instance.call('GET', `/organizations?${query}`, { as: 'user' });
        assert.equal(status, 400);
        assert.deepEqual(Object.keys(body), ['error']);
      });
    }

    test('unknown query parameters are ignored', async () => {
      assert.equal((await instance.call('GET', '/organizations?colour=red', { as: 'user' })).status, 200);
    });

    test('another tenant’s organization, an unknown one and a malformed id are the same 404 everywhere', async () => {
      const paths = [
        '',
        '/members',
        '/products',
        '/products/whois',
        '/products/whois/entitlement',
        '/env-vars',
        '/audit-log',
        '/invitations',
      ];
      for (const path of paths) {
        const answers = [];
        for (const id of [own, nobody, 'abc'])
          answers.push(await instance.call('GET', `/organizations/${id}${path}`, { as: stranger }));
        assert.deepEqual(
          answers.map(({ status }) => status),
          [404, 404, 404],
          path,
        );
        assert.deepEqual(answers[0]?.body, answers[1]?.body);
      }
      for (const [method, path, body] of [
        ['PATCH', '', { name: 'x' }],
        ['DELETE', '', undefined],
        ['POST', '/restore', undefined],
        ['POST', '/env-vars', { key: 'A', value: 'b' }],
        ['POST', '/invitations', { email: 'a@example.com' }],
        ['DELETE', '/image', undefined],
      ] as const) {
        const { status } = await instance.call(method, `/organizations/${own}${path}`, {
          as: stranger,
          body,
        });
        assert.equal(status, 404, `${method} ${path}`);
      }
    });

    test('owners change name and slug, others may not', async () => {
      const { body: made } = await create({ name: 'Before' });
      const path = `/organizations/${made.id}`;
      const changed = await instance.call('PATCH', path, {
        as: 'user',
        body: { name: 'After', slug: 'after-all' },
      });
      assert.equal(changed.status, 200);
      assert.equal(changed.body.name, 'After');
      assert.equal(changed.body.slug, 'after-all');
      assert.equal((await get(made.id)).body.name, 'After');
      assert.equal((await instance.call('PATCH', path, { as: 'user', body: { slug: 'acme' } })).status, 409);
      assert.equal((await instance.call('PATCH', path, { as: 'user', body: {} })).status, 400);
      await setRole(instance, stranger, 'ADMIN');
      const { status, body } = await instance.call('PATCH', `/organizations/${own}`, {
        as: stranger,
        body: { name: 'x' },
      });
      assert.equal(status, 403);
      assert.match(body.error, /OWNER/);
      assert.equal((await get(own, stranger)).status, 200);
    });

    test('a deleted one is out of sight at once with its keys, can be restored, and is purged later', async () => {
      const { body: made } = await create({ name: 'Doomed' });
      const key = (
        await instance.call('POST', '/api-keys', { as: 'user', body: { name: 'k', organizationId: made.id } })
      ).body;
      const token = await fetchToken(instance.url, key);
      const use = async () => (await instance.call('GET', '/organizations', { as: { token } })).status;
      assert.equal(await use(), 200);
      assert.equal((await instance.call('DELETE', `/organizations/${made.id}`, { as: 'user' })).status, 204);
      assert.equal((await get(made.id)).status, 404);
      assert.equal(await use(), 401);
      const isListed = async (query: string) => {
        const { body } = await instance.call('GET', `/organizations?limit=100${query}`, { as: 'user' });
        return body.items.some((item: { id: string }) => item.id === made.id);
      };
      assert.equal(await isListed(''), false);
      assert.equal(await isListed('&deleted=true'), true);
      assert.equal(
        (await instance.call('POST', `/organizations/${made.id}/restore`, { as: stranger })).status,
        404,
      );
      assert.equal(
        (await instance.call('POST', `/organizations/${made.id}/restore`, { as: 'user' })).status,
        200,
      );
      assert.equal(await use(), 200);
      assert.equal(
        (await instance.call('POST', `/organizations/${made.id}/restore`, { as: 'user' })).status,
        409,
      );
      await instance.call('DELETE', `/organizations/${made.id}`, { as: 'user' });
      const { db } = instance.platform;
      const grace = 30 * 86_400_000;
      await purgeOrganizations(db, systemSource, clock.now() - grace);
      assert.equal(await isListed('&deleted=true'), true);
      clock.advance(31 * 86_400);
      await purgeOrganizations(db, systemSource, clock.now() - grace);
      assert.equal(await isListed('&deleted=true'), false);
      assert.equal(
        (await db.selectFrom('api_keys').select('id').where('id', '=', key.id).execute()).length,
        0,
      );
    });

    test('creating with an Idempotency-Key twice makes one', async () => {
      const send = () =>
        instance.call('POST', '/organizations', {
          as: 'user',
          body: { name: 'Once' },
          headers: { 'idempotency-key': 'org-1' },
        });
      const [first, second] = [await send(), await send()];
      assert.deepEqual(second.body, first.body);
    });

    test('avatars are drawn for any id, pictures are drawn again, and what is no picture is refused', async () => {
      const avatar = await instance.call('GET', `/avatars/${nobody}.svg`);
      assert.equal(avatar.headers.get('content-type'), 'image/svg+xml');
      assert.match(avatar.body, /^<svg/);
      assert.equal((await instance.call('GET', '/avatars/..%2f..%2fetc.svg')).status, 404);
      const { body: made } = await create({ name: 'Pictured' });
      const picture = await sharp({ create: { width: 900, height: 300, channels: 3, background: '#f00' } })
        .withExif({ IFD0: { Copyright: 'secret place' } })
        .jpeg()
        .toBuffer();
      const upload = async (body: Buffer, type: string) =>
        toAnswer(
          await fetch(`${instance.url}/organizations/${made.id}/image`, {
            method: 'PUT',
            headers: { authorization: `Bearer ${await instance.token('user')}`, 'content-type': type },
            body: new Uint8Array(body),
          }),
        );
      const { status, body } = await upload(picture, 'image/jpeg');
      assert.equal(status, 200, JSON.stringify(body));
      const path = body.imageUrl.replace('http://mainstay.test', instance.url);
      const served = await fetch(path);
      assert.equal(served.headers.get('content-type'), 'image/webp');
      const bytes = Buffer.from(await served.arrayBuffer());
      const { width, height, format, exif } = await sharp(bytes).metadata();
      assert.deepEqual([width, height, format, exif], [256, 256, 'webp', undefined]);
      assert.equal(
        (await upload(Buffer.from('<svg xmlns="http://www.w3.org/2000/svg"/>'), 'image/svg+xml')).status,
        400,
      );
      assert.equal((await upload(Buffer.from('GIF89a'), 'image/gif')).status, 400);
      assert.equal((await upload(picture.subarray(0, 400), 'image/jpeg')).status, 400);
      assert.equal((await upload(picture, 'application/json')).status, 400);
      assert.equal((await upload(picture, 'text/plain')).status, 415);
      assert.equal((await upload(Buffer.alloc(6 * 1024 * 1024), 'image/png')).status, 413);
      const removed = await instance.call('DELETE', `/organizations/${made.id}/image`, { as: 'user' });
      assert.match(removed.body.imageUrl, /avatars/);
      assert.equal((await fetch(path)).status, 404);
    });
  });

  describe(`limits of creation on ${engine}`, () => {
    const start = (settings: Record<string, string>) => startInstance(engine, { settings });

    test('twenty creations at once by one user at a quota of ten make ten', async () => {
      await using instance = await start({ MAINSTAY_ORGANIZATIONS_PER_MINUTE: '1000' });
      const person = await addPerson(instance, 'eager@example.com');
      const create = (name: string) =>
        instance.call('POST', '/organizations', { as: person, body: { name } });
      const answers = await Promise.all(
        Array.from({ length: 20 }, (_, count) => create(`Crowd ${count % 3}`)),
      );
      assert.equal(answers.filter(({ status }) => status === 200).length, 10);
      const refused = answers.filter(({ status }) => status === 403);
      assert.equal(refused.length, 10);
      assert.match(refused[0]?.body.error, /10 is the limit/);
      const { body } = await instance.call('GET', '/organizations?limit=100', { as: person });
      assert.equal(body.total, 10);
      assert.equal(new Set(body.items.map((item: { slug: string }) => item.slug)).size, 10);
    });

    test('twenty at once at a rate of five a minute make five; the others get Retry-After', async () => {
      await using instance = await start({});
      const person = await addPerson(instance, 'fast@example.com');
      const create = () => instance.call('POST', '/organizations', { as: person, body: { name: 'Fast' } });
      const answers = await Promise.all(Array.from({ length: 20 }, create));
      assert.equal(answers.filter(({ status }) => status === 200).length, 5);
      const refused = answers.filter(({ status }) => status === 429);
      assert.equal(refused.length, 15);
      for (const { headers, body } of refused) {
        assert.ok(Number(headers.get('retry-after')) >= 1);
        assert.equal(headers.get('ratelimit-limit'), '5');
        assert.match(body.error, /per minute/);
      }
      const fifth = answers.find(
        ({ headers, status }) => status === 200 && headers.get('ratelimit-remaining') === '0',
      );
      assert.ok(fifth);
    });

    test('early access refuses those on the waitlist until an operator takes them off it', async () => {
      await using instance = await start({ MAINSTAY_EARLY_ACCESS: 'true' });
      const person = await addPerson(instance, 'waiting@example.com');
      const create = () => instance.call('POST', '/organizations', { as: person, body: { name: 'Early' } });
      const refused = await create();
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /waitlist/);
      const waiting = await instance.call('GET', '/admin/users?waitlist=true', { as: 'user' });
      assert.deepEqual(
        waiting.body.items.map((item: { email: string }) => item.email),
        ['waiting@example.com'],
      );
      await instance.call('PATCH', `/admin/users/${person.id}`, { as: 'user', body: { admitted: true } });
      assert.equal((await create()).status, 200);
    });

    test('past the budget a saved payment method is needed', async () => {
      await using instance = await start({
        MAINSTAY_PAYMENT_REQUIRED: 'true',
        MAINSTAY_ORGANIZATIONS_WITHOUT_PAYMENT: '1',
      });
      const person = await addPerson(instance, 'thrifty@example.com');
      const create = () => instance.call('POST', '/organizations', { as: person, body: { name: 'Budget' } });
      assert.equal((await create()).status, 200);
      const refused = await create();
      assert.equal(refused.status, 403);
      assert.match(refused.body.error, /payment method/);
      await instance.call('PATCH', `/admin/users/${person.id}`, {
        as: 'user',
        body: { hasPaymentMethod: true },
      });
      assert.equal((await create()).status, 200);
    });
  });
}
