import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import type { ZipPart } from '#testing/zip.ts';

/** Answers with a number that grows, and with the headers that the query asks for. */
const counter =
  "import http from 'node:http';\nlet n = 0;\n" +
  'http.createServer((q, s) => {\n' +
  "  const url = new URL(q.url, 'http://x'); n += 1;\n" +
  "  for (const [name, value] of url.searchParams) if (name.startsWith('h-')) s.setHeader(name.slice(2), value);\n" +
  "  if (url.pathname === '/fails' && n > Number(url.searchParams.get('after') ?? 0)) { s.statusCode = 500; return s.end('broken'); }\n" +
  "  if (url.pathname === '/etag') { s.setHeader('etag', '\"v1\"'); if (q.headers['if-none-match'] === '\"v1\"') { s.statusCode = 304; return s.end(); } }\n" +
  "  if (url.pathname === '/slow') return setTimeout(() => s.end(`${n}`), 150);\n" +
  "  if (url.pathname === '/cut') return q.socket.destroy();\n" +
  "  if (url.pathname === '/echo') return s.end(JSON.stringify({ cookie: q.headers.cookie ?? null, pid: process.pid }));\n" +
  '  s.end(`${n}`);\n}).listen(process.env.PORT);\n';

const page = (text: string): ZipPart => ({ name: 'index.html', content: `<h1>${text}</h1>` });

for (const engine of engines) {
  describe(`the gateway on ${engine}`, () => {
    let instance: Instance;
    let tools: ReturnType<typeof deployer>;
    let environments: { id: string; slug: string }[];
    before(async () => {
      instance = await startInstance(engine, { settings: runnerSettings });
      tools = deployer(instance);
      environments = (await tools.call('GET', `/applications/${tools.applicationId}/environments`)).items;
    });
    after(() => instance[Symbol.asyncDispose]());

    /** What the request log has of a path, oldest first, once it has so many. */
    async function logged(path: string, count: number) {
      for (;;) {
        const { items } = await tools.call(
          'GET',
          `/applications/${tools.applicationId}/requests?pathPrefix=${path}`,
        );
        if (items.length >= count) return items.toReversed();
      }
    }

    describe('its cache', () => {
      let host = '';
      const ask = async (path: string, headers: Record<string, string> = {}, method = 'GET') => {
        const { status, headers: seen, body } = await tools.visit(host, path, { headers, method });
        return { status, body, cache: seen['x-mainstay-cache'], age: seen['age'], headers: seen };
      };
      const withControl = (path: string, value: string, more = '') =>
        `${path}?h-cache-control=${encodeURIComponent(value)}${more}`;
      before(async () => {
        ({ host } = await tools.deployed([
          { name: 'package.json', content: '{"type":"module","main":"server.js"}' },
          { name: 'server.js', content: counter },
        ]));
      });

      test('keeps what its owner lets a shared cache keep, and nothing else', async () => {
        const kept = withControl('/kept', 's-maxage=60');
        const first = await ask(kept);
        const second = await ask(kept);
        assert.deepEqual([first.cache, second.cache], ['miss', 'hit']);
        assert.equal(second.body, first.body);
        assert.match(String(second.age), /^\d+$/);
        assert.equal((await ask(kept, {}, 'HEAD')).cache, 'hit');
        for (const [control, more] of [
          ['max-age=60', ''],
          ['private, s-maxage=60', ''],
          ['no-store, s-maxage=60', ''],
          ['s-maxage=60', '&h-set-cookie=a%3Db'],
          ['s-maxage=60', '&h-vary=*'],
        ] as const) {
          const path = withControl('/own', control, more);
          const [a, b] = [await ask(path), await ask(path)];
          assert.equal(b.body === a.body, false, path);
        }
        const authorized = await ask(kept, { authorization: 'Bearer x' });
        assert.equal(authorized.cache, 'bypass');
        assert.notEqual(authorized.body, first.body);
        const targeted = `/cdn?h-cdn-cache-control=max-age%3D60&h-cache-control=no-store`;
        assert.equal((await ask(targeted)).body, (await ask(targeted)).body);
      });

      test('tells apart what varies', async () => {
        const path = withControl('/vary', 's-maxage=60', '&h-vary=accept-language');
        const german = await ask(path, { 'accept-language': 'de' });
        const english = await ask(path, { 'accept-language': 'en' });
        assert.notEqual(german.body, english.body);
        assert.equal((await ask(path, { 'accept-language': 'de' })).body, german.body);
      });

      test('asks once for many who ask at the same time', async () => {
        const path = withControl('/slow', 's-maxage=60');
        const all = await Promise.all(Array.from({ length: 20 }, () => ask(path)));
        assert.equal(new Set(all.map(({ body }) => body)).size, 1);
        assert.equal(all.filter(({ cache }) => cache === 'miss').length, 1);
      });

      test('serves what is stale while it asks again, and when asking fails', async () => {
        const path = withControl('/swr', 's-maxage=0, stale-while-revalidate=60');
        const first = await ask(path);
        const stale = await ask(path);
        assert.equal(stale.body, first.body);
        assert.ok(stale.cache === 'stale' || stale.cache === 'updating');
        const failing = withControl('/fails', 's-maxage=0, stale-if-error=60', '&after=1000000');
        assert.equal((await ask(failing)).status, 200);
      });

      test('asks whether what it has is still right', async () => {
        const path = withControl('/etag', 's-maxage=0');
        const first = await ask(path);
        const again = await ask(path);
        assert.deepEqual([first.cache, again.cache, again.body], ['miss', 'revalidated', first.body]);
        const conditional = await ask(path, { 'if-none-match': '"v1"' });
        assert.equal(conditional.status, 304);
      });

      test('is purged by tag and by path, and by a new deployment', async () => {
        const tagged = withControl('/tagged', 's-maxage=600', '&h-cache-tag=posts,post-1');
        // What was asked for in the millisecond of a purge is not kept.
        const kept = async () => {
          for (;;) {
            const answer = await ask(tagged);
            if ((await ask(tagged)).body === answer.body) return answer;
          }
        };
        const first = await kept();
        assert.equal(first.headers['cache-tag'], undefined);
        const purge = (body: object) =>
          tools.call('POST', `/applications/${tools.applicationId}/cache/purge`, body);
        // Before any that concerns it: the notification of that one may come after what was fetched since. Only whole segments
        // count: `/tag*` is below `/tag`, not beside it.
        await purge({ tags: ['other'], paths: ['/tag*'] });
        assert.equal((await ask(tagged)).body, first.body);
        await purge({ tags: ['post-1'], environment: 'production' });
        const second = await kept();
        assert.notEqual(second.body, first.body);
        await purge({ paths: ['/tagged'] });
        const third = await kept();
        assert.notEqual(third.body, second.body);
        await purge({});
        assert.notEqual((await ask(tagged)).body, third.body);
      });

      test('tells the request log what it did', async () => {
        const path = withControl('/logged', 's-maxage=60');
        const missed = await ask(path);
        await ask(path);
        const passed = await ask(withControl('/logged', 'no-store'));
        const lines = await logged('/logged', 3);
        const [, hit] = lines;
        const { response, deploymentFunction, deployment, metrics } = hit;
        assert.equal(response.cacheHit, true);
        assert.ok(metrics.bytesSent > metrics.responseBodyBytes, 'head and body are sent');
        assert.equal(deploymentFunction.path, 'server.js');
        assert.equal(deployment.status, 'ACTIVE');
        assert.deepEqual(
          lines.map((line: typeof hit) => [line.response.cacheStatus, line.metrics.responseBodyBytes]),
          [
            ['miss', missed.body.length],
            ['hit', missed.body.length],
            ['bypass', passed.body.length],
          ],
        );
      });

      test('tells the request log of a response that did not come', async () => {
        assert.equal((await ask('/cut')).status, 502);
        const [{ error }] = await logged('/cut', 1);
        assert.equal(error, 'The connection ended without a response.');
      });

      test('keeps its own cookies and headers from the code', async () => {
        const { body } = await ask('/echo', { cookie: 'a=b; __mainstay_access=x; c=d' });
        assert.equal(JSON.parse(body).cookie, 'a=b; c=d');
      });
    });

    test('the request log has the bytes of a file that is too large to be kept', async () => {
      const content = 'x'.repeat(300 * 1024);
      const { host } = await tools.deployed([page('large'), { name: 'large.txt', content }]);
      assert.equal((await tools.visit(host, '/large.txt')).body, content);
      const [{ response, metrics, deploymentAsset }] = await logged('/large.txt', 1);
      assert.deepEqual([response.cacheStatus, metrics.responseBodyBytes], ['miss', content.length]);
      assert.equal(deploymentAsset.path, '/large.txt');
      const head = await tools.visit(host, '/large.txt', { method: 'HEAD' });
      assert.equal(head.headers['x-mainstay-cache'], 'miss');
      const [, answered] = await logged('/large.txt', 2);
      assert.deepEqual([answered.response.cacheStatus, answered.metrics.responseBodyBytes], ['miss', 0]);
    });

    test('pages of a deployment that was replaced continue with its files', async () => {
      const assets = (name: string) => [page(name), { name: `assets/app-${name}1234.js`, content: name }];
      const first = await tools.deployed(assets('Kx9aZ'));
      const second = await tools.deployed(assets('Qw7eR'));
      const { host } = second;
      assert.equal((await tools.visit(host, '/assets/app-Kx9aZ1234.js')).body, 'Kx9aZ');
      assert.equal((await tools.visit(host, '/assets/app-Qw7eR1234.js')).body, 'Qw7eR');
      assert.equal((await tools.visit(host, '/')).body, '<h1>Qw7eR</h1>');
      const pinned = { headers: { 'x-deployment-id': first.id } };
      assert.equal((await tools.visit(host, '/', pinned)).body, '<h1>Kx9aZ</h1>');
      assert.equal((await tools.visit(host, `/?dpl=${first.id}`)).body, '<h1>Kx9aZ</h1>');
      const cookie = `__mainstay_dpl=${first.id}`;
      const mode = (value: string) => ({ headers: { cookie, 'sec-fetch-mode': value } });
      assert.equal((await tools.visit(host, '/', mode('cors'))).body, '<h1>Kx9aZ</h1>');
      assert.equal((await tools.visit(host, '/', mode('navigate'))).body, '<h1>Qw7eR</h1>');
      const stranger = { headers: { 'x-deployment-id': '019537c0-0000-7000-8000-000000000000' } };
      assert.equal((await tools.visit(host, '/', stranger)).body, '<h1>Qw7eR</h1>');
      await tools.call('DELETE', `/deployments/${first.id}`);
      assert.equal((await tools.visit(host, '/assets/app-Kx9aZ1234.js')).status, 404);
    });

    test('a protected environment is seen by those who are let in', async () => {
      const preview = environments.find(({ slug }) => slug === 'preview');
      const base = `/applications/${tools.applicationId}/environments/${preview?.id}/protection`;
      const { id, host } = await tools.deployed([page('secret')], { environment: 'preview' });
      assert.equal((await tools.visit(host, '/')).status, 200);
      assert.deepEqual(await tools.call('GET', base), {
        ...{ enabled: false, hasPassword: false, bypassCreatedAt: null },
      });
      await tools.call('PUT', base, { enabled: true });
      const door = await tools.visit(host, '/a?b=c');
      assert.equal(door.status, 401);
      assert.match(door.body, /This deployment is protected/);
      assert.doesNotMatch(door.body, /secret|<form/);
      const own = await tools.ownHostOf(id);
      assert.equal((await tools.visit(own, '/')).status, 401);

      const enters = async (path: string, options: Parameters<typeof tools.visit>[2] = {}) => {
        const entered = await tools.visit(host, path, options);
        const cookies = [entered.headers['set-cookie'] ?? []].flat();
        const cookie = cookies.find((one) => one.startsWith('__mainstay_access='))?.split(';')[0] ?? '';
        return { entered, cookie };
      };
      const sees = async (cookie: string) => (await tools.visit(host, '/', { headers: { cookie } })).status;

      // By a sign-in on the instance, in the browser that was sent there.
      const state = /state=([\w-]+)/.exec(door.body)?.[1] ?? '';
      const { url } = await tools.call('POST', '/preview-access', { hostname: host, to: '/a?b=c', state });
      const { pathname, search } = new URL(url);
      assert.equal((await tools.visit(host, pathname + search)).status, 401);
      const arrived = await enters(pathname + search, { headers: { cookie: `__mainstay_state=${state}` } });
      assert.deepEqual([arrived.entered.status, arrived.entered.headers['location']], [303, '/a?b=c']);
      assert.equal(await sees(arrived.cookie), 200);
      assert.equal(await sees(arrived.cookie.slice(0, -2)), 401);
      const stranger = { as: 'application' as const, body: { hostname: host, state } };
      assert.equal((await instance.call('POST', '/preview-access', stranger)).status, 403);

      // By a shared link, until the links are ended.
      const link = await tools.call('POST', `${base}/share-links`, { deploymentId: id, path: '/x' });
      const shared = new URL(link.url);
      const viaLink = await enters(shared.pathname + shared.search);
      assert.equal(viaLink.entered.headers['location'], '/x');
      assert.equal(await sees(viaLink.cookie), 200);
      await tools.call('DELETE', `${base}/share-links`);
      assert.equal(await sees(viaLink.cookie), 401);
      assert.equal((await enters(shared.pathname + shared.search)).entered.status, 401);

      // By a password.
      await tools.call('PUT', base, { password: 'open sesame' });
      const form = (password: string) => ({
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: new URLSearchParams({ password, to: '//evil.example' }).toString(),
      });
      assert.match((await tools.visit(host, '/_mainstay/access', form('wrong'))).body, /password is wrong/);
      const viaPassword = await enters('/_mainstay/access', form('open sesame'));
      assert.deepEqual([viaPassword.entered.status, viaPassword.entered.headers['location']], [303, '/']);
      assert.equal(await sees(viaPassword.cookie), 200);
      for (let n = 0; n < 10; n++) await tools.visit(host, '/_mainstay/access', form('wrong'));
      assert.equal((await tools.visit(host, '/_mainstay/access', form('open sesame'))).status, 429);

      // By the token of automation, until there is another one.
      const { token } = await tools.call('POST', `${base}/bypass`);
      const automated = (value: string) => ({ headers: { 'x-mainstay-protection-bypass': value } });
      assert.equal((await tools.visit(host, '/', automated(token))).status, 200);
      const newer = (await tools.call('POST', `${base}/bypass`)).token;
      assert.equal((await tools.visit(host, '/', automated(token))).status, 401);
      assert.equal((await tools.visit(host, '/', automated(newer))).status, 200);
      await tools.call('DELETE', `${base}/bypass`);
      assert.equal((await tools.visit(host, '/', automated(newer))).status, 401);

      await tools.call('PUT', base, { enabled: false });
      assert.equal((await tools.visit(host, '/')).body, '<h1>secret</h1>');
    });

    test('images are served within the policy', async () => {
      const pixel = Buffer.from('R0lGODlhAQABAAAAACwAAAAAAQABAAA=', 'base64');
      const { host } = await tools.deployed([
        {
          name: 'mainstay.yaml',
          content:
            'version: 4\nassets: .\nimages:\n  localPatterns: [{ pathname: /img/** }]\n  widths: [640]\n',
        },
        page('x'),
        { name: 'img/a b.gif', content: pixel },
        { name: 'other/c.gif', content: pixel },
        { name: 'img/d.svg', content: '<svg xmlns="http://www.w3.org/2000/svg"/>' },
      ]);
      const source = encodeURIComponent('/img/a%20b.gif');
      const seen = await tools.visit(host, `/_mainstay/image/${source}/a.gif?width=640`);
      assert.equal(seen.status, 200, seen.body);
      assert.deepEqual(
        ['content-type', 'x-mainstay-image-source', 'x-gigadrive-image-source', 'content-disposition'].map(
          (name) => seen.headers[name],
        ),
        ['image/gif', 'local', 'local', 'attachment'],
      );
      assert.match(String(seen.headers['cache-control']), /max-age=14400/);
      const next = await tools.visit(host, '/_next/image?url=%2Fimg%2Fa%2520b.gif&w=640&q=75', {
        headers: { accept: 'image/webp,*/*' },
      });
      assert.equal(next.status, 308);
      const location = String(next.headers['location']);
      assert.match(location, /^\/_gigadrive\/image\/.*width=640&quality=75&format=webp$/);
      assert.equal((await tools.visit(host, location)).status, 200);
      for (const path of [
        `/_mainstay/image/${source}/a.gif?width=641`,
        `/_mainstay/image/${encodeURIComponent('/other/c.gif')}/c.gif`,
        `/_mainstay/image/${encodeURIComponent('/img/d.svg')}/d.svg`,
        `/_mainstay/image/${encodeURIComponent('http://127.0.0.1/a.png')}/a.png`,
        `/_mainstay/image/${encodeURIComponent('//evil/a.png')}/a.png`,
        '/_mainstay/image/x',
      ])
        assert.equal((await tools.visit(host, path)).status, 400, path);
    });
  });
}
