import assert from 'node:assert/strict';
import { request as httpRequest } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { createKey, noOrigin } from '#accounts/api-keys/service.ts';
import { systemSource } from '#accounts/audit-log/service.ts';
import { newId } from '#core/ids.ts';
import { cacheEngines, cacheSettingsOf } from '#testing/caches.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';
import { prepare } from '../../commands/prepare.ts';

const as = 'application';
const maxValueBytes = 1024;

for (const engine of cacheEngines) {
  describe(`bad input to /fastcache on ${engine}`, () => {
    let instance: Instance;
    before(async () => {
      const settings = { ...cacheSettingsOf(engine), MAINSTAY_CACHE_VALUE_SIZE: String(maxValueBytes) };
      instance = await startInstance('sqlite', { settings });
    });
    after(() => instance[Symbol.asyncDispose]());

    const get = (query: string) => instance.call('GET', `/fastcache${query}`, { as });
    const set = (body: unknown) => instance.call('POST', '/fastcache', { as, body });
    const refused = ({ status, body }: { status: number; body: { error?: string } }, wanted = 400) => {
      assert.equal(status, wanted, JSON.stringify(body));
      assert.match(body.error ?? '', /^[A-Z].*[.;)]$/s);
      assert.deepEqual(Object.keys(body), ['error']);
    };

    test('a key that is missing, empty, repeated or too long is refused', async () => {
      for (const method of ['GET', 'DELETE'])
        for (const query of [
          '',
          '?key=',
          '?key=a&key=b',
          `?key=${'x'.repeat(513)}`,
          `?key=${'%C3%A9'.repeat(257)}`,
        ])
          refused(await instance.call(method, `/fastcache${query}`, { as }));
      refused(await instance.call('DELETE', '/fastcache?key=a&prefix=b', { as }));
      for (const key of [undefined, '', 'x'.repeat(513), 'é'.repeat(257), 7, null, ['a']])
        refused(await set({ key, value: 'v' }));
      refused(await set('{"key":"a","key":"b","value":"v"}'));
    });

    test('a key that is cut within a character is refused, in a query and in a body', async () => {
      const whole = `${'é'.repeat(255)}x`;
      const cut = `${'%C3%A9'.repeat(255)}x%C3`;
      refused(await get(`?key=${cut}`));
      refused(await instance.call('DELETE', `/fastcache?prefix=${cut}`, { as }));
      refused(await set({ key: `${whole}\ud83d`, value: 'v' }));
      refused(await set(`{"key":"${whole}\\ud83d","value":"v"}`));
      const bytes = Buffer.concat([Buffer.from('{"key":"a'), Buffer.of(0xc3), Buffer.from('","value":"v"}')]);
      const response = await fetch(`${instance.url}/fastcache`, {
        method: 'POST',
        headers: { authorization: `Bearer ${await instance.token(as)}`, 'content-type': 'application/json' },
        body: bytes,
      });
      assert.equal(response.status, 400);
    });

    test('any other text of up to 512 bytes is a key', async () => {
      for (const key of ['a/b', '?', 'a\0b', '😀', '%', 'a&b=c#d', '+ ', `${'é'.repeat(255)}xx`]) {
        assert.equal((await set({ key, value: key })).status, 201, key);
        assert.equal((await get(`?key=${encodeURIComponent(key)}`)).body.value, key);
      }
    });

    test('a value that is missing, no text or no valid Unicode is refused', async () => {
      for (const value of [undefined, null, 1, true, {}, ['a'], '\ud800', 'a\udc00b'])
        refused(await set({ key: 'bad value', value }));
      refused(await set({ key: 'bad value', value: 'v', extra: 1 }));
      assert.equal((await get('?key=bad%20value')).status, 404);
    });

    test('a value over the limit is 413 and nothing is stored', async () => {
      const exact = 'é'.repeat(maxValueBytes / 2);
      assert.equal((await set({ key: 'exact', value: exact })).status, 201);
      refused(await set({ key: 'over', value: `${exact}x` }), 413);
      // Every character spelled as six: the text is as long as it may be.
      const spelled = '\\u0041'.repeat(maxValueBytes);
      assert.equal((await set(`{"key":"spelled","value":"${spelled}"}`)).body.byteSize, maxValueBytes);
      refused(await set({ key: 'over', value: 'x'.repeat(20 * maxValueBytes) }), 413);
      assert.equal(await streamed('x'.repeat(20 * maxValueBytes)), 413);
      assert.equal(await streamed('x'.repeat(maxValueBytes + 1)), 413);
      assert.equal((await get('?key=over')).status, 404);
    });

    /** The same without a Content-Length. */
    async function streamed(value: string): Promise<number> {
      const headers = {
        ...{ authorization: `Bearer ${await instance.token(as)}`, 'content-type': 'application/json' },
        'transfer-encoding': 'chunked',
      };
      const { promise, resolve } = Promise.withResolvers<number>();
      const request = httpRequest(`${instance.url}/fastcache`, { method: 'POST', headers }, (response) =>
        resolve(response.resume().statusCode ?? 0),
      );
      // Refused in the middle: the rest cannot be sent.
      request.on('error', () => undefined);
      request.write('{"key":"over","value":"');
      for (let at = 0; at < value.length; at += 1000) request.write(value.slice(at, at + 1000));
      request.end('"}');
      return promise;
    }

    test('an expiration that is no whole number of seconds is refused', async () => {
      for (const expiration of ['60', 1.5, -1, Date.now(), 100_000_000_001, true, 1e300])
        refused(await set({ key: 'bad expiration', value: 'v', expiration }));
      assert.equal((await get('?key=bad%20expiration')).status, 404);
      assert.match((await set({ key: 'k', value: 'v', expiration: Date.now() })).body.error, /milliseconds/);
    });

    test('an increment by what is no whole number is refused', async () => {
      for (const by of [undefined, null, '1', 1.5, 2 ** 53, -(2 ** 53)])
        refused(await instance.call('POST', '/fastcache/increment', { as, body: { key: 'n', by } }));
      assert.equal((await get('?key=n')).status, 404);
    });

    test('nobody, users and organizations may not come in; deployments and functions may', async () => {
      const path = '/fastcache?key=k';
      assert.equal((await instance.call('GET', path)).status, 401);
      assert.equal((await instance.call('GET', path, { as: { token: 'x.y.z' } })).status, 401);
      for (const actor of ['user', 'organization'] as const) {
        refused(await instance.call('GET', path, { as: actor }), 403);
        refused(await instance.call('DELETE', path, { as: actor }), 403);
        refused(
          await instance.call('POST', '/fastcache', { as: actor, body: { key: 'k', value: 'v' } }),
          403,
        );
      }
      await set({ key: 'shared', value: 'by the application' });
      for (const type of ['deployment', 'function'] as const) {
        const token = await tokenOf(type, ['fastcache:read']);
        const read = await instance.call('GET', '/fastcache?key=shared', { as: { token } });
        assert.equal(read.body.value, 'by the application');
      }
    });

    test('a token does what its scopes say, in a batch too', async () => {
      const reader = { token: await tokenOf('application', ['fastcache:read']) };
      const body = { key: 'k', value: 'v' };
      refused(await instance.call('POST', '/fastcache', { as: reader, body }), 403);
      refused(await instance.call('DELETE', '/fastcache?key=k', { as: reader }), 403);
      const batch = (...operations: object[]) =>
        instance.call('POST', '/fastcache/batch', { as: reader, body: { operations } });
      const read = { op: 'get', key: 'k' };
      assert.equal((await batch(read)).status, 200);
      refused(await batch(read, { op: 'set', ...body }), 403);
      refused(await batch(read, { op: 'delete', key: 'k' }), 403);
    });

    test('an organization whose entitlement is suspended is refused at once', async () => {
      const { id } = instance.bootstrapped.organization;
      const path = `/admin/organizations/${id}/products/fastcache/entitlement`;
      const put = (status: string) => instance.call('PUT', path, { as: 'user', body: { status } });
      assert.equal((await put('SUSPENDED')).status, 200);
      refused(await get('?key=shared'), 403);
      refused(await set({ key: 'shared', value: 'v' }), 403);
      assert.equal((await put('ACTIVE')).status, 200);
      assert.equal((await get('?key=shared')).status, 200);
    });

    async function tokenOf(
      type: 'application' | 'deployment' | 'function',
      scopes: Parameters<typeof createKey>[3]['scopes'],
    ): Promise<string> {
      const { db, vault, clock } = instance.platform;
      const { organization, application } = instance.bootstrapped;
      const actor = {
        ...{ type, id: type === 'application' ? application.id : newId(), environmentId: null },
        ...{ organizationId: organization.id, applicationId: application.id },
      };
      const wanted = {
        ...{ name: 'test', actor, origin: noOrigin, scopes, expiresAt: null, allowedAddresses: [] },
      };
      const { key, secret } = await db.write((tx) =>
        createKey(tx, { db, vault, clock }, systemSource, wanted),
      );
      return fetchToken(instance.url, { id: key.id, secret: secret.secret });
    }
  });
}

test('a full cache is 507 with a clear sentence, and reads continue', async () => {
  const settings = { MAINSTAY_CACHE_SIZE: '16MiB', MAINSTAY_CACHE_APPLICATION_SIZE: '16MiB' };
  await using instance = await startInstance('sqlite', { settings });
  const other = await prepare(instance.platform, {
    ...{ email: 'other@example.com', password: 'correct horse battery' },
    ...{ organization: 'Other', application: 'Other' },
  });
  const theirs = { token: await fetchToken(instance.url, other.keys.application) };
  const set = (key: string, as: 'application' | { token: string }) =>
    instance.call('POST', '/fastcache', { as, body: { key, value: 'x'.repeat(1_000_000) } });
  for (let at = 0; at < 16; at++) assert.equal((await set(`k${at}`, as)).status, 201);
  const refusal = await set('k', theirs);
  assert.equal(refusal.status, 507);
  assert.match(refusal.body.error, /^The cache is full/);
  assert.equal((await instance.call('GET', '/fastcache?key=k0', { as })).status, 200);
  assert.equal((await set('k16', as)).status, 201);
});
