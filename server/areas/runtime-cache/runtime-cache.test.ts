import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { fetchToken, type Instance, startInstance } from '#testing/instance.ts';

const base = '/internal/runtime-cache/v1';

for (const engine of engines) {
  describe(`what a deployed workload calls, on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let as: { token: string };
    let host = '';
    before(async () => {
      const settings = { ...runnerSettings, MAINSTAY_FUNCTION_CONCURRENCY: '1' };
      instance = await startInstance(engine, { settings });
      tools = deployer(instance);
      // It tells its key, which no code should: so the test speaks as the deployment does.
      const deployment = await tools.deployed([
        {
          name: 'mainstay.yaml',
          content: 'version: 4\nfunctions:\n  f.mjs: {}\nroutes:\n  - { source: /*, destination: f.mjs }\n',
        },
        {
          name: 'f.mjs',
          content:
            'export default { async fetch(r) {\n' +
            "  if (r.url.endsWith('/key')) return Response.json({ id: process.env.GIGADRIVE_CLIENT_ID, secret: process.env.GIGADRIVE_CLIENT_SECRET });\n" +
            "  if (r.url.includes('/wait')) await new Promise((done) => setTimeout(done, 300));\n" +
            '  return new Response(String(globalThis.me ??= Math.random()));\n} };\n',
        },
      ]);
      host = deployment.host;
      const key = JSON.parse((await tools.visit(host, '/key')).body);
      as = { token: await fetchToken(instance.url, key) };
    });
    after(() => instance[Symbol.asyncDispose]());

    const call = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
      instance.call(method, path, { as, headers, ...(body === undefined ? {} : { body }) });

    test('entries of the runtime cache, apart for each build', async () => {
      const path = `${base}/entries/incremental/${encodeURIComponent('/blog/ä')}`;
      const build = { 'x-gigadrive-build-id': 'b1', 'content-type': 'application/json' };
      assert.equal((await call('GET', path, undefined, build)).status, 404);
      const value = { html: 'x'.repeat(2_000_000), body: { __gigadriveType: 'bytes', value: 'AAA=' } };
      const put = await call('PUT', path, { value, tags: ['posts'] }, build);
      assert.equal(put.status, 204, JSON.stringify(put.body));
      const got = await call('GET', path, undefined, build);
      assert.deepEqual([got.status, got.body.value], [200, value]);
      const other = await call('GET', path, undefined, { 'x-gigadrive-build-id': 'b2' });
      assert.equal(other.status, 404);
      assert.equal((await call('GET', `${base}/entries/warmup/__resume__`)).status, 404);
      assert.equal((await call('GET', `${base}/entries/other/x`)).status, 404);
      const outsider = await instance.call('GET', path, { as: 'application' });
      assert.equal(outsider.status, 403);
    });

    test('tags say what is stale and what is gone', async () => {
      const state = async (...tags: string[]) =>
        (await call('POST', `${base}/tags/state`, { kind: 'incremental', tags })).body;
      assert.deepEqual(await state('a', 'b'), { stale: 0, expired: 0 });
      const before = Date.now();
      assert.equal(
        (await call('POST', `${base}/tags/revalidate`, { kind: 'incremental', tags: ['a'] })).status,
        204,
      );
      const gone = await state('a', 'b');
      assert.equal(gone.stale, 0);
      assert.ok(gone.expired >= before);
      const durations = { expire: 60 };
      await call('POST', `${base}/tags/revalidate`, { kind: 'incremental', tags: ['b'], durations });
      const stale = await state('b');
      assert.ok(stale.stale >= before);
      // It is gone in a minute, and until then not.
      assert.equal(stale.expired, 0);
      const { body } = await call('POST', `${base}/tags/expiration`, {
        kind: 'incremental',
        tags: ['a', 'b'],
      });
      assert.equal(body.expiration, gone.expired);
    });

    test('a sticky address leads to the same process', async () => {
      const create = async (key: string) => {
        const answer = await call('POST', '/sticky-sessions/urls', {
          key,
          endpoint: '/room?x=1',
          method: 'GET',
        });
        assert.equal(answer.status, 200, JSON.stringify(answer.body));
        assert.ok(Date.parse(answer.body.expiresAt) > Date.now() + 3 * 3600 * 1000);
        return new URL(answer.body.url);
      };
      const url = await create('room-1');
      const at = (target: URL) => tools.visit(target.host, target.pathname + target.search);
      const first = (await at(url)).body;
      // One request a process: a second one runs while this one waits.
      const waiting = tools.visit(host, '/wait');
      const others = await Promise.all([tools.visit(host, '/wait'), tools.visit(host, '/wait')]);
      await waiting;
      assert.ok(new Set(others.map(({ body }) => body)).size > 0);
      for (let n = 0; n < 5; n++) assert.equal((await at(url)).body, first);
      const forged = new URL(url);
      forged.searchParams.set('mainstay-sticky', 'x.1.y');
      assert.equal((await at(forged)).status, 200);
      const elsewhere = await call('POST', '/sticky-sessions/urls', { key: 'k', endpoint: '/../x%00' });
      assert.equal(elsewhere.status, 400);
      assert.equal(
        (await call('POST', '/sticky-sessions/urls', { key: 'k', endpoint: '/', expiresInSeconds: 59 }))
          .status,
        400,
      );
    });

    test('the image cache of its own deployment, and of no other', async () => {
      const { body } = await tools.call('GET', '/deployments?limit=1').then((body) => ({ body }));
      const { id } = body.items[0];
      assert.equal((await call('GET', `/deployments/${id}/image-cache`)).body.sourceTag, null);
      assert.equal((await call('DELETE', `/deployments/${id}/image-cache?source=/a.png`)).body.purged, true);
      const stranger = '019537c0-0000-7000-8000-000000000000';
      assert.equal((await call('GET', `/deployments/${stranger}/image-cache`)).status, 404);
    });
  });
}
