import assert from 'node:assert/strict';
import { createHash, randomUUID } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { zip } from '../server/testing/zip.ts';
import { plainFetch } from './clients.ts';
import { openTarget, type Target, targetNames } from './instance.ts';

/**
 * The requests of existing public clients of this API, as they send them, and every field that they read of the answers
 * (docs/compatibility.md). Not by our SDK: what it leaves out or adds would hide what another client meets.
 */

interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: answers of every shape are looked into.
  body: any;
}

const resource = ['id', 'createdAt', 'updatedAt'];
const bucketFields = [
  ...resource,
  'applicationId',
  'name',
  'slug',
  'visibility',
  'cdnHostname',
  'environmentId',
];
const objectFields = [
  ...[...resource, 'bucketId', 'applicationId', 'uploadSessionId', 'key', 'contentType', 'contentLength'],
  ...['checksumSha1', 'checksumSha256', 'checksumMd5', 'uploadedAt'],
];
const sessionFields = [
  ...[...resource, 'bucketId', 'applicationId', 'key', 'contentType', 'contentLength', 'checksumSha1'],
  ...['checksumSha256', 'checksumMd5', 'state', 'expiresAt', 'uploadedAt'],
];

function fields(value: unknown, names: readonly string[]): void {
  assert.ok(value !== null && typeof value === 'object', `An object, not ${JSON.stringify(value)}`);
  const missing = names.filter((name) => (value as Record<string, unknown>)[name] === undefined);
  assert.deepEqual(missing, [], `Missing in ${JSON.stringify(value)}`);
}

for (const name of targetNames) {
  describe(`existing clients on ${name}`, () => {
    const run = randomUUID().slice(0, 8);
    let target: Target & AsyncDisposable;
    let request: typeof fetch;
    let application: string;
    before(async () => {
      target = await openTarget(name);
      request = await plainFetch(target, 'user');
      const { body } = await send('POST', '/applications', {
        organizationId: target.organizationId,
        name: `Compat ${run}`,
      });
      application = `/applications/${body.id}`;
    });
    after(async () => {
      if (application) await send('DELETE', application);
      await target?.[Symbol.asyncDispose]();
    });

    /** As they do: a success without a body is undefined, every other is read as JSON whatever its content type says. */
    async function send(method: string, path: string, body?: unknown, headers = {}): Promise<Answer> {
      const response = await request(path, {
        method,
        headers: { ...(body === undefined ? {} : { 'content-type': 'application/json' }), ...headers },
        ...(body === undefined ? {} : { body: JSON.stringify(body) }),
      });
      const text = await response.text();
      return {
        status: response.status,
        headers: response.headers,
        body: text === '' ? undefined : JSON.parse(text),
      };
    }

    async function ok(method: string, path: string, body?: unknown, headers = {}) {
      const answer = await send(method, path, body, headers);
      assert.ok(answer.status < 300, `${method} ${path}: ${answer.status} ${JSON.stringify(answer.body)}`);
      return answer.body;
    }

    /** Follows `nextCursor` as their `paginate()` does. Were a cursor ignored, this would never end. */
    async function paginate(path: string, perPage: number): Promise<{ id: string }[]> {
      const items: { id: string }[] = [];
      for (let cursor: string | undefined; ; ) {
        const query = new URLSearchParams({ perPage: String(perPage), ...(cursor && { cursor }) });
        const page = await ok('GET', `${path}${path.includes('?') ? '&' : '?'}${query}`);
        assert.ok(page.items.length <= perPage);
        items.push(...page.items);
        assert.ok(items.length <= 1000, 'The cursor leads on');
        if (!page.nextCursor) return items;
        cursor = page.nextCursor;
      }
    }

    describe('what every call has in common', () => {
      test('a machine gets its token by Basic and a form, and uses it until shortly before its end', async () => {
        const { id, secret } = target.keys.organization;
        const response = await fetch(`${target.url}/oauth2/token`, {
          method: 'POST',
          headers: {
            authorization: `Basic ${btoa(`${id}:${secret}`)}`,
            'content-type': 'application/x-www-form-urlencoded',
          },
          body: 'grant_type=client_credentials',
        });
        const token = (await response.json()) as { expires_in: number };
        fields(token, ['access_token', 'expires_in', 'token_type']);
        assert.ok(token.expires_in > 60);
      });

      test('failures carry their sentence in `error`; an old token is 401', async () => {
        const missing = await send('GET', `/deployments/${randomUUID()}`);
        assert.equal(missing.status, 404);
        assert.equal(typeof missing.body.error, 'string');
        const refused = await fetch(`${target.url}/applications`, {
          headers: { authorization: 'Bearer gone' },
        });
        assert.equal(refused.status, 401);
      });

      test('a GET with the content type of JSON and no body, and a DELETE with it, are fine', async () => {
        const headers = { 'content-type': 'application/json' };
        await ok('GET', '/applications', undefined, headers);
        const { id } = await ok('POST', `${application}/env-vars`, {
          key: 'GONE',
          value: 'x',
          sensitive: false,
        });
        await ok('DELETE', `${application}/env-vars/${id}`, undefined, headers);
      });

      test('lists are paged to their end by cursor', async () => {
        const all = await paginate('/organizations', 1);
        assert.equal(new Set(all.map(({ id }) => id)).size, all.length);
        assert.ok(all.some(({ id }) => id === target.organizationId));
      });
    });

    describe('applications', () => {
      test('the list names the whole organization of each', async () => {
        const { items, total } = await ok('GET', `/applications?organizationId=${target.organizationId}`);
        assert.ok(total >= items.length);
        for (const item of items) {
          fields(item, [...resource, 'organization', 'name', 'imageUrl']);
          fields(item.organization, [...resource, 'name', 'slug', 'imageUrl']);
        }
      });

      test('two folders of one name, and one of a single letter, all become applications', async () => {
        for (const folder of [`web ${run}`, `web ${run}`, 'a']) {
          const body = { organizationId: target.organizationId, name: folder };
          const made = await ok('POST', '/applications', body);
          fields(made, [
            ...[...resource, 'organizationId', 'name', 'slug', 'imageUrl'],
            ...['rootDirectory', 'defaultEnvironmentSlug'],
          ]);
          await ok('DELETE', `/applications/${made.id}`);
        }
      });

      test('hostnames, whether a label is free, and taking it', async () => {
        const hostnames = await ok('GET', `${application}/hostnames`);
        fields(hostnames, ['items', 'total', 'label']);
        const label = encodeURIComponent(`Shop Number ${run}`);
        const free = await ok('GET', `${application}/hostname/availability?label=${label}`);
        assert.equal(free.available, true);
        const put = await ok('PUT', `${application}/hostname`, { label: `Shop Number ${run}` });
        assert.deepEqual([put.label, put.live], [`shop-number-${run}`, false]);
        assert.match(put.hostname, new RegExp(`^shop-number-${run}\\.`));
      });
    });

    describe('variables', () => {
      test('set without a scope, listed, changed, pulled and removed', async () => {
        const made = await ok('POST', `${application}/env-vars`, {
          key: 'PLAIN',
          value: 'one',
          sensitive: false,
        });
        fields(made, ['key']);
        await ok('POST', `${application}/env-vars`, { key: 'SECRET', value: 'hidden', sensitive: true });
        const again = await send('POST', `${application}/env-vars`, {
          key: 'PLAIN',
          value: '2',
          sensitive: false,
        });
        assert.equal(again.status, 409);
        const { items, total } = await ok('GET', `${application}/env-vars?page=1&perPage=100`);
        assert.equal(total, items.length);
        for (const item of items)
          fields(item, [
            ...[...resource, 'key', 'value', 'sensitive', 'scope'],
            ...['environmentId', 'environmentName'],
          ]);
        assert.equal(items.find(({ key }: { key: string }) => key === 'SECRET').value, null);
        const changed = await ok('PATCH', `${application}/env-vars/${made.id}`, { value: 'two' });
        assert.equal(changed.value, 'two');
        for (const query of ['', '?environment=production']) {
          const pulled = await ok('GET', `${application}/env-vars/pull${query}`);
          fields(pulled, ['items', 'total', 'omittedSensitive']);
          assert.deepEqual(
            [pulled.items, pulled.omittedSensitive],
            [[{ key: 'PLAIN', value: 'two', source: 'application' }], 1],
          );
        }
        assert.equal((await send('DELETE', `${application}/env-vars/${made.id}`)).status, 204);
      });

      test('a person makes a key for development, and takes the old one away', async () => {
        const applicationId = application.split('/').at(-1);
        const body = {
          name: `cli-dev:a-laptop:${applicationId}`,
          applicationId,
          scopes: ['network:env_vars:read'],
        };
        const key = await ok('POST', '/api-keys', body);
        fields(key, ['id', 'secret']);
        await ok('DELETE', `/api-keys/${key.id}`);
        const small = await ok('POST', '/api-keys', { name: 'no scopes', applicationId });
        const writing = small.scopes.filter((scope: string) =>
          /:(write|delete|trigger|chat|admin)/.test(scope),
        );
        assert.deepEqual(writing, [], 'Without scopes a key only reads');
        await ok('DELETE', `/api-keys/${small.id}`);
      });
    });

    describe('a deployment', () => {
      const partBytes = 512;

      /** Steps 1 to 5: three parts at once, each sent without a bearer and with the archive's content type. */
      async function upload(archive: Buffer): Promise<string> {
        const applicationId = application.split('/').at(-1);
        const made = await ok('POST', '/deployments', { applicationId });
        fields(made, [...resource, 'applicationId']);
        assert.equal(made.status, 'PENDING');
        const path = `/deployments/${made.id}/upload`;
        const { uploadId } = await ok('POST', `${path}/start`);
        const count = Math.max(1, Math.ceil(archive.length / partBytes));
        const parts: { partNumber: number; etag: string }[] = [];
        const numbers = Array.from({ length: count }, (_, at) => at + 1).reverse();
        const worker = async () => {
          for (let partNumber = numbers.shift(); partNumber; partNumber = numbers.shift()) {
            const { url } = await ok('POST', `${path}/part`, { uploadId, partNumber });
            const put = await fetch(url, {
              method: 'PUT',
              headers: { 'content-type': 'application/zip' },
              body: new Uint8Array(archive.subarray((partNumber - 1) * partBytes, partNumber * partBytes)),
            });
            assert.ok(put.ok, await put.text());
            parts.push({ partNumber, etag: put.headers.get('etag') ?? '' });
          }
        };
        await Promise.all([worker(), worker(), worker()]);
        assert.ok(parts.every(({ etag }) => etag !== ''));
        parts.sort((a, b) => a.partNumber - b.partNumber);
        await ok('POST', `${path}/complete`, { uploadId, parts });
        return made.id;
      }

      /** Steps 6 to 8: asks until ACTIVE or FAILED and nothing else, reads the log on the way and once more at the end. */
      async function watch(
        id: string,
      ): Promise<{ status: string; lines: { type: string; message: string }[] }> {
        const lines: { type: string; message: string }[] = [];
        for (let asked = 0; asked < 600; asked++) {
          const { status } = await ok('GET', `/deployments/${id}`);
          const page = await ok('GET', `/deployments/${id}/logs?offset=${lines.length}&limit=100`);
          fields(page, ['totalItems', 'limit', 'offset', 'items']);
          for (const line of page.items) fields(line, ['id', 'message', 'type', 'createdAt']);
          lines.push(...page.items);
          if (status === 'ACTIVE' || status === 'FAILED') {
            assert.equal(lines.length, page.totalItems, 'The last page holds what is left');
            return { status, lines };
          }
          await sleep(100);
        }
        throw new Error('The deployment did not end within a minute.');
      }

      test('of a folder with a configuration of theirs goes from archive to address', async () => {
        const id = await upload(
          zip([
            { name: 'gigadrive.yaml', content: 'version: 4\nassets: public\n' },
            { name: 'public/index.html', content: `<!doctype html><h1>${'Hello '.repeat(200)}</h1>` },
            {
              name: 'public/data.bin',
              content: Buffer.from(Array.from({ length: 4096 }, () => Math.random() * 256)),
            },
          ]),
        );
        const { status, lines } = await watch(id);
        assert.equal(status, 'ACTIVE', lines.map(({ message }) => message).join('\n'));
        const since = encodeURIComponent('createdAt[gt]');
        const later = await ok('GET', `/deployments/${id}/logs?${since}=2100-01-01T00:00:00.000Z`);
        assert.deepEqual(later.items, []);
        const { items } = await ok('GET', `/deployments/${id}/hostnames`);
        for (const hostname of items)
          fields(hostname, [
            ...['id', 'hostname', 'type', 'active', 'deploymentId', 'branchId', 'source', 'createdAt'],
          ]);
        assert.ok(items.some(({ active }: { active: boolean }) => active));
        const applicationId = application.split('/').at(-1);
        const listed = await ok('GET', `/deployments?applicationId=${applicationId}&status=ACTIVE`);
        assert.equal(listed.items[0].id, id);
      });

      test('of an empty archive fails with a line that says so', async () => {
        const { status, lines } = await watch(await upload(zip([])));
        assert.equal(status, 'FAILED');
        assert.ok(
          lines.some(({ type, message }) => type === 'ERROR' && /empty|no files|no entries/i.test(message)),
        );
      });
    });

    describe('storage', () => {
      const content = Buffer.from('the content of a file');
      const sha256 = createHash('sha256').update(content).digest('hex');
      let bucket: string;
      before(async () => {
        const body = {
          name: `files-${run}`,
          visibility: 'private',
          environment: 'production',
          slug: 'ignored',
        };
        const made = await ok('POST', `${application}/storage/buckets`, body);
        fields(made, bucketFields);
        bucket = `${application}/storage/buckets/${made.name}`;
      });

      /** As tus-js-client does with an address that exists: HEAD, then PATCH, `upload.headers` on each. */
      async function uploadByTus(
        checksum: string,
      ): Promise<{ session: Record<string, string>; status: number }> {
        const key = `docs/${checksum.slice(0, 8)}.txt`;
        const body = {
          key,
          contentLength: content.length,
          checksumSha256: checksum,
          contentType: 'text/plain',
        };
        const { session, upload } = await ok('POST', `${bucket}/uploads?environment=production`, body);
        fields(session, sessionFields);
        fields(upload, ['method', 'url', 'headers', 'publicObjectUrl']);
        const headers = new Headers(upload.headers);
        headers.set('tus-resumable', '1.0.0');
        const head = await fetch(upload.url, { method: 'HEAD', headers });
        assert.deepEqual(
          [head.status < 300, head.headers.get('upload-offset'), head.headers.get('upload-length')],
          [true, '0', String(content.length)],
        );
        headers.set('content-type', 'application/offset+octet-stream');
        headers.set('upload-offset', '0');
        const patch = await fetch(upload.url, { method: 'PATCH', headers, body: content });
        if (patch.ok) assert.equal(patch.headers.get('upload-offset'), String(content.length));
        return { session, status: patch.status };
      }

      test('a file goes up by tus, is found by its key, read by its address, deleted and restored', async () => {
        const { session } = await uploadByTus(sha256);
        const after = await ok('GET', `${bucket}/uploads/${session['id']}`);
        assert.equal(after.state, 'completed');
        const page = await ok('GET', `${bucket}/objects?prefix=${encodeURIComponent(after.key)}`);
        assert.ok(Array.isArray(page.commonPrefixes));
        const [object] = page.items;
        fields(object, objectFields);
        const { items, commonPrefixes } = await ok('GET', `${bucket}/objects`);
        assert.deepEqual([items, commonPrefixes], [[], ['docs/']]);
        const access = await ok('GET', `${bucket}/objects/${object.id}/access-url?expiresInSeconds=60`);
        fields(access, ['accessType', 'url', 'expiresAt']);
        assert.equal(await (await fetch(access.url)).text(), content.toString());
        assert.equal((await send('DELETE', `${bucket}/objects/${object.id}`)).status, 204);
        const trash = await ok('GET', `${bucket}/trash?limit=1000`);
        fields(trash.items[0], [...objectFields, 'deletedAt']);
        const restored = await ok('POST', `${bucket}/trash/${object.id}/restore?environment=production`);
        fields(restored, objectFields);
        assert.equal(restored.id, object.id);
      });

      test('a checksum that does not match is neither repeated nor stored', async () => {
        const { session, status } = await uploadByTus('0'.repeat(64));
        assert.equal(status, 460);
        assert.equal((await ok('GET', `${bucket}/uploads/${session['id']}`)).state, 'failed');
      });

      test('nothing at all is complete at once: no PATCH ever comes', async () => {
        const empty = createHash('sha256').digest('hex');
        const body = { key: 'empty', contentLength: 0, checksumSha256: empty };
        const { session } = await ok('POST', `${bucket}/uploads`, body);
        assert.equal((await ok('GET', `${bucket}/uploads/${session.id}`)).state, 'completed');
      });

      test('browsers may read what tus answers', async () => {
        const body = { key: 'cors', contentLength: 1, checksumSha256: sha256 };
        const { upload } = await ok('POST', `${bucket}/uploads`, body);
        const preflight = await fetch(upload.url, {
          method: 'OPTIONS',
          headers: {
            origin: 'https://app.example.com',
            'access-control-request-method': 'PATCH',
            'access-control-request-headers': 'upload-offset,tus-resumable,content-type',
          },
        });
        assert.ok(preflight.ok);
        assert.match(preflight.headers.get('access-control-allow-methods') ?? '', /PATCH/);
        const head = await fetch(upload.url, {
          method: 'HEAD',
          headers: { origin: 'https://app.example.com', 'tus-resumable': '1.0.0' },
        });
        const exposed = (head.headers.get('access-control-expose-headers') ?? '').toLowerCase();
        for (const header of ['upload-offset', 'upload-length', 'tus-resumable', 'location'])
          assert.ok(exposed.includes(header), `${header} in ${exposed}`);
      });

      test('the bucket goes with all it holds, trash included', async () => {
        assert.deepEqual(Object.keys(await ok('DELETE', `${bucket}/trash`)), ['purgedCount']);
        assert.ok((await ok('GET', `${bucket}/objects?delimiter=`)).items.length > 0);
        await ok('DELETE', `${bucket}?environment=production`);
        assert.equal((await send('GET', bucket)).status, 404);
      });
    });

    describe('request logs', () => {
      test('all nineteen filters are taken together', async () => {
        const id = randomUUID();
        const filters = {
          ...{ deploymentId: id, deploymentFunctionId: id, deploymentAssetId: id, storageBucketId: id },
          ...{ storageObjectId: id, from: '2026-01-01T00:00:00.000Z', to: '2026-01-02T00:00:00.000Z' },
          ...{ limit: '10', method: 'GET', status: '200', statusFamily: '2', hostname: 'a.example.com' },
          ...{ pathPrefix: '/', country: 'DE', region: 'eu', edgeLocation: 'x', cacheStatus: 'hit' },
          cacheHit: 'true',
        };
        const page = await ok('GET', `${application}/requests?${new URLSearchParams(filters)}`);
        assert.deepEqual(page.items, []);
        assert.equal(page.nextCursor, undefined);
      });
    });

    describe('the AI gateway', () => {
      test('errors have a message and a code, also with headers of theirs', async () => {
        const body = { model: 'nobody/nothing', messages: [{ role: 'user', content: 'Hi' }], stream: false };
        const headers = { 'x-gigadrive-application-id': application.split('/').at(-1) ?? '' };
        const answer = await send('POST', '/ai/v1/chat/completions', body, headers);
        assert.equal(answer.status, 404);
        fields(answer.body.error, ['message', 'code']);
      });

      test('models are listed in both shapes, and one is asked for with an encoded slash', async () => {
        const models = await ok('GET', '/ai/v1/models');
        fields(models, ['items', 'total', 'object', 'data']);
        assert.equal((await send('GET', '/ai/v1/models/nobody%2Fnothing')).status, 404);
      });

      test('usage by plain dates, budgets and policies with nulls', async () => {
        const gateway = `/organizations/${target.organizationId}/ai-gateway`;
        const dates = 'from=2026-06-01&to=2026-06-30';
        await ok('GET', `${gateway}/usage/summary?${dates}&applicationId=${application.split('/').at(-1)}`);
        const requests = await ok('GET', `${gateway}/usage/requests?${dates}`);
        fields(requests, ['items', 'total']);
        const csv = await request(`${gateway}/usage/export?${dates}`);
        assert.equal(csv.status, 200);
        const budget = {
          ...{ applicationId: null, userId: null, maxTokens: null, maxRequests: null },
          ...{ maxCostMicros: 5_000_000, maxRequestCostMicros: null },
        };
        const put = await ok('PUT', `${gateway}/budgets`, { budgets: [budget] });
        assert.equal(put.items.length, 1);
        for (const item of put.items)
          fields(item, [
            ...[...resource, 'organizationId', 'applicationId', 'userId', 'period', 'enabled'],
            ...['maxCostMicros', 'maxRequests', 'maxTokens', 'maxRequestCostMicros'],
          ]);
        fields(await ok('GET', `${gateway}/budgets`), ['items']);
        await ok('PUT', `${gateway}/budgets`, { budgets: [] });
        const nothing = { allowedModels: null, allowedProviders: null, maxOutputTokens: null };
        const { policy } = await ok('PUT', `${gateway}/policies`, nothing);
        fields(policy, [...resource, 'organizationId', 'applicationId']);
        fields(await ok('GET', `${gateway}/policies`), ['policy']);
      });
    });
  });
}
