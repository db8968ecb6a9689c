import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { blobSettings } from './blobs.ts';
import { type EngineName, engines } from './engines.ts';
import { type Answer, type Instance, type InstanceOptions, startInstance } from './instance.ts';

/** Buckets, objects and uploads of an instance, for tests of storage. */
export interface StorageTest extends AsyncDisposable {
  instance: Instance;
  /** `/applications/{id}/storage` */
  base: string;
  /** Below `base`, as the application. */
  call(method: string, path: string, body?: unknown): Promise<Answer>;
  /** Returns its path below `base`. */
  newBucket(options?: Record<string, unknown>): Promise<string>;
  put(
    bucket: string,
    key: string,
    content: string | Uint8Array,
    headers?: Record<string, string>,
  ): Promise<Answer>;
  /** A `put` that must succeed. */
  stored(bucket: string, key: string, content: string | Uint8Array): Promise<{ id: string; key: string }>;
  keys(bucket: string): Promise<string[]>;
  usage(bucket: string): Promise<Record<string, number>>;
  contentOf(bucket: string, id: string): Promise<Buffer>;
  begin(bucket: string, key: string, content: Uint8Array): Promise<{ id: string; url: string }>;
}

export const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex');

/** Where an instance keeps rows and bytes: each database with files, and S3 with the first one. */
export interface StorageHome {
  name: string;
  engine: EngineName;
  settings: () => Record<string, string>;
}

export const storageHomes: readonly StorageHome[] = [
  ...engines.map((engine) => ({ name: engine, engine, settings: () => ({}) })),
  ...(process.env['TEST_S3_URL']
    ? [{ name: 'sqlite and S3', engine: 'sqlite' as const, settings: () => blobSettings('s3') }]
    : []),
];

export async function startStorage(
  { engine, settings }: StorageHome,
  options: InstanceOptions = {},
): Promise<StorageTest> {
  const instance = await startInstance(engine, {
    ...options,
    settings: { ...settings(), ...options.settings },
  });
  return storageOf(instance);
}

export function storageOf(instance: Instance): StorageTest {
  const base = `/applications/${instance.bootstrapped.application.id}/storage`;
  const call = (method: string, path: string, body?: unknown) =>
    instance.call(method, `${base}${path}`, { as: 'application', ...(body === undefined ? {} : { body }) });
  const must = async (answer: Promise<Answer>) => {
    const { status, body } = await answer;
    assert.equal(status, 200, JSON.stringify(body));
    return body;
  };
  const put: StorageTest['put'] = async (bucket, key, content, headers = {}) => {
    const token = await instance.token('application');
    const response = await fetch(`${instance.url}${base}${bucket}/objects?key=${encodeURIComponent(key)}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${token}`, ...headers },
      body: content as string,
    });
    return { status: response.status, headers: response.headers, body: await response.json() };
  };
  return {
    instance,
    base,
    call,
    put,
    async newBucket(options = {}) {
      const name = `b-${randomBytes(4).toString('hex')}`;
      await must(call('POST', '/buckets', { name, ...options }));
      return `/buckets/${name}`;
    },
    stored: async (bucket, key, content) => must(put(bucket, key, content)),
    async keys(bucket) {
      const { items } = await must(call('GET', `${bucket}/objects?delimiter=&limit=1000`));
      return items.map(({ key }: { key: string }) => key);
    },
    usage: async (bucket) => (await must(call('GET', `${bucket}/settings`))).usage,
    async contentOf(bucket, id) {
      const { url } = await must(call('GET', `${bucket}/objects/${id}/access-url`));
      const response = await fetch(url);
      assert.equal(response.status, 200);
      return Buffer.from(await response.arrayBuffer());
    },
    async begin(bucket, key, content) {
      const body = { key, contentLength: content.length, checksumSha256: sha256(content) };
      const { session, upload } = await must(call('POST', `${bucket}/uploads`, body));
      return { id: session.id, url: upload.url };
    },
    [Symbol.asyncDispose]: () => instance[Symbol.asyncDispose](),
  };
}

export function patchUpload(
  url: string,
  offset: number,
  bytes: Uint8Array,
  headers: Record<string, string> = {},
): Promise<Response> {
  return fetch(url, {
    method: 'PATCH',
    headers: {
      ...{ 'tus-resumable': '1.0.0', 'upload-offset': String(offset) },
      ...{ 'content-type': 'application/offset+octet-stream', ...headers },
    },
    body: bytes as Uint8Array<ArrayBuffer>,
  });
}
