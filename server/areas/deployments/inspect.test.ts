import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { systemClock } from '#core/clock.ts';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import type { ZipPart } from '#testing/zip.ts';
import { deleteOld } from './retention.ts';

const page = (text: string): ZipPart => ({ name: 'index.html', content: `<h1>${text}</h1>` });

for (const engine of engines) {
  describe(`what a deployment consists of, on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    before(async () => {
      instance = await startInstance(engine, { settings: runnerSettings });
      tools = deployer(instance);
    });
    after(() => instance[Symbol.asyncDispose]());

    test('files, routes, the rule that takes an address, and variables', async () => {
      const { id } = await tools.deployed([
        {
          name: 'mainstay.yaml',
          content:
            'version: 4\nassets: public\nenv: { GREETING: hello }\nroutes:\n' +
            '  - { source: /old/*, destination: /new/$1, redirect: true }\n' +
            '  - { source: /missing, destination: nothing.js }\n' +
            '  - { source: /a, destination: /b.txt, methods: [POST] }\n',
        },
        { name: 'public/index.html', content: 'x'.repeat(2000) },
        { name: 'public/b.txt', content: 'b' },
      ]);
      const files = await tools.call('GET', `/deployments/${id}/files?limit=1`);
      assert.deepEqual([files.total, files.items[0].path, files.items[0].bytes], [2, '/b.txt', 1]);
      const rest = await tools.call('GET', `/deployments/${id}/files?limit=1&cursor=${files.nextCursor}`);
      assert.equal(rest.items[0].path, '/index.html');
      assert.ok(rest.items[0].brotliBytes < 100);
      assert.equal((await tools.call('GET', `/deployments/${id}/files?query=INDEX`)).total, 1);
      assert.deepEqual(await tools.call('GET', `/deployments/${id}/functions`), { items: [], total: 0 });
      assert.equal((await tools.call('GET', `/deployments/${id}/routes`)).items[0].source, '/old/*');
      const verdict = async (body: object) => {
        const { kind, route, target, status } = await tools.call(
          'POST',
          `/deployments/${id}/routes/test`,
          body,
        );
        return [kind, route, target, status];
      };
      assert.deepEqual(await verdict({ url: '/old/x?a=1' }), ['redirect', 0, '/new/x?a=1', 307]);
      assert.deepEqual(await verdict({ url: '/a' }), ['file', null, '/index.html', null]);
      assert.deepEqual(await verdict({ url: 'https://x.example/a', method: 'POST' }), [
        'file',
        2,
        '/b.txt',
        null,
      ]);
      assert.deepEqual(await verdict({ url: '/..' }), ['bad_request', null, null, 400]);
      const { steps } = await tools.call('POST', `/deployments/${id}/routes/test`, { url: '/missing' });
      assert.deepEqual(
        steps.map(({ result }: { result: string }) => result),
        ['does not match the path', 'leads to nothing that is there', 'is for other methods'],
      );
      const { items } = await tools.call('GET', `/deployments/${id}/variables`);
      assert.deepEqual(
        items.find(({ key }: { key: string }) => key === 'GREETING'),
        { key: 'GREETING', source: 'configuration', sensitive: false },
      );
      const cache = await tools.call('GET', `/deployments/${id}/image-cache?source=/a.png`);
      assert.deepEqual(
        [cache.enabled, cache.deploymentTag, cache.policy.qualities],
        [true, `image:${id}`, [75]],
      );
      assert.deepEqual(await tools.call('DELETE', `/deployments/${id}/image-cache`), {
        ...{ purged: true, tag: `image:${id}` },
      });
    });

    test('is shown to nobody else', async () => {
      const { id } = await tools.deployed([page('mine')]);
      const stranger = await addPerson(instance, `stranger-${engine}@example.com`);
      for (const [method, path] of [
        ...['', '/logs', '/hostnames', '/files', '/functions', '/routes', '/variables', '/image-cache'].map(
          (path) => ['GET', path] as const,
        ),
        ...['/cancel', '/promote', '/rollback', '/redeploy', '/upload/start'].map(
          (path) => ['POST', path] as const,
        ),
        ['DELETE', '/image-cache'] as const,
        ['DELETE', ''] as const,
      ]) {
        const answer = await instance.call(method, `/deployments/${id}${path}`, { as: stranger });
        assert.equal(answer.status, 404, `${method} ${path}`);
      }
      const body = { url: '/' };
      const test = await instance.call('POST', `/deployments/${id}/routes/test`, { as: stranger, body });
      assert.equal(test.status, 404);
    });

    test('goes when it is old and nobody can want it back', async () => {
      const first = await tools.deployed([page('1')]);
      const second = await tools.deployed([page('2')]);
      const third = await tools.deployed([page('3')]);
      const { db } = instance.platform;
      const later = systemClock.now() + 1000;
      await deleteOld(db, later, { kept: 1, milliseconds: 3_600_000 }, async () => {});
      assert.equal((await instance.call('GET', `/deployments/${first.id}`, { as: 'user' })).status, 200);
      await tools.call('POST', `/deployments/${first.id}/rollback`);
      await deleteOld(db, later, { kept: 1, milliseconds: 0 }, async () => {});
      const status = async (id: string) =>
        (await instance.call('GET', `/deployments/${id}`, { as: 'user' })).status;
      assert.deepEqual(await Promise.all([first.id, second.id, third.id].map(status)), [200, 404, 200]);
    });
  });
}
