import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createClient } from './index.ts';

const id = '0192f0c1-2345-7abc-8def-0123456789ab';

/** Operations that are not for callers of the client: it asks for tokens itself, the others are for other programs. */
const leftOut = [
  /\/oauth2\/(token|introspect|revoke|authorize|device_authorization|userinfo)$/,
  /\/\.well-known\//,
  /\/(healthz|readyz)$/,
  // For the packages of OpenAI and Anthropic, with this address as their base URL.
  /^\/ai\/v1\//,
];

type Description = { paths: Record<string, Record<string, { parameters?: { name: string; in: string }[] }>> };

test('every operation of the API has a method, which keeps to its method, path and Idempotency-Key', async () => {
  const file = new URL('../openapi.json', import.meta.url);
  const { paths }: Description = JSON.parse(await readFile(file, 'utf8'));
  const reached = new Map<string, { idempotent: boolean }>();
  const record: typeof fetch = async (input, init) => {
    const { pathname } = new URL(String(input));
    const idempotent = new Headers(init?.headers).has('idempotency-key');
    reached.set(`${init?.method} ${pathname.replaceAll(id, '{}')}`, { idempotent });
    return new Response('{"items":[],"total":0}');
  };
  const client = createClient({ baseUrl: 'http://mainstay.test', token: 't', fetch: record });
  for (const area of Object.values(client)) {
    // Ids all the way: a body is sent as whatever it is.
    for (const method of Object.values<(...values: string[]) => Promise<unknown>>(area as never)) {
      await method(...(Array(Math.max(method.length - 1, 0)).fill(id) as string[]));
    }
  }

  const missing: string[] = [];
  for (const [path, operations] of Object.entries(paths)) {
    const isLeftOut = leftOut.some((pattern) => pattern.test(path));
    for (const [method, { parameters = [] }] of Object.entries(operations)) {
      const name = `${method.toUpperCase()} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
      const seen = reached.get(name);
      reached.delete(name);
      if (!seen) {
        if (!isLeftOut) missing.push(name);
      } else {
        const takesKey = parameters.some((one) => one.name.toLowerCase() === 'idempotency-key');
        // A write to the cache that has no condition may be made twice: no key, which the cache would have to remember.
        if (name !== 'POST /fastcache') assert.equal(seen.idempotent, takesKey, name);
      }
    }
  }
  assert.deepEqual(missing, [], 'operations without a method');
  assert.deepEqual([...reached.keys()], [], 'methods without an operation');
});
