import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { addPerson } from '#testing/people.ts';
import { type ZipPart, zip } from '#testing/zip.ts';

for (const engine of engines) {
  describe(`deployments on ${engine}`, () => {
    let instance: Instance;
    let applicationId = '';
    let tools: ReturnType<typeof deployer>;
    const call: typeof tools.call = (...args) => tools.call(...args);
    const visit: typeof tools.visit = (...args) => tools.visit(...args);
    const deploy: typeof tools.deploy = (...args) => tools.deploy(...args);
    const ended: typeof tools.ended = (id) => tools.ended(id);
    const hostOf: typeof tools.hostOf = (id) => tools.hostOf(id);
    before(async () => {
      instance = await startInstance(engine, { settings: runnerSettings });
      tools = deployer(instance);
      applicationId = tools.applicationId;
    });
    after(() => instance[Symbol.asyncDispose]());

    const page = (text: string): ZipPart => ({ name: 'index.html', content: `<h1>${text}</h1>` });

    test('an organization sees what is live, and what was deployed last', async () => {
      const organizationId = instance.bootstrapped.organization.id;
      const path = `/organizations/${organizationId}/deployments/latest`;
      assert.deepEqual((await call('GET', path)).items, []);
      const other = await call('POST', '/applications', { organizationId, name: 'Other' });
      await call('POST', '/deployments', { applicationId: other.id });
      const good = await deploy([page('live')]);
      const failed = await deploy([{ name: 'readme.md', content: 'nothing to serve' }]);
      const { items } = await call('GET', path);
      assert.deepEqual(
        items.map((item: Record<string, { id: string } | null>) => [
          item['applicationName'],
          item['latest']?.id === failed.id,
          item['live']?.id ?? null,
          item['hostname'],
        ]),
        [
          ['Web', true, good.id, 'web.apps.localhost:4080'],
          ['Other', false, null, null],
        ],
      );
      assert.equal(items[0].latest.status, 'FAILED');
      const one = await call('GET', `${path}?applicationIds=${other.id}`);
      assert.deepEqual(
        one.items.map(({ applicationId: id }: { applicationId: string }) => id),
        [other.id],
      );
      assert.equal((await call('GET', `${path}?limit=1`)).items[0].applicationId, applicationId);
      for (const bad of [
        'x',
        `${other.id},../`,
        Array(101)
          .fill(other.id)
          .map((id, at) => `${id.slice(0, -3)}${100 + at}`)
          .join(),
      ])
        assert.equal(
          (await instance.call('GET', `${path}?applicationIds=${bad}`, { as: 'user' })).status,
          400,
        );
      const stranger = await addPerson(instance, `latest-${engine}@example.com`);
      assert.equal((await instance.call('GET', path, { as: stranger })).status, 404);
    });

    test('a deployment says who started it, and with which API key', async () => {
      for (const as of ['user', 'application'] as const) {
        const body = { applicationId };
        const made = await instance.call('POST', '/deployments', { as, body });
        assert.equal(made.status, 200);
        const query = as === 'application' ? `?applicationId=${applicationId}` : '';
        const { items } = await call('GET', `/api-keys${query}`);
        assert.equal(made.body.actorType, as);
        assert.ok(
          items.some(({ id }: { id: string }) => id === made.body.apiKeyId),
          as,
        );
      }
    });

    test('a static folder answers at its hostname', async () => {
      const deployment = await deploy([
        page('one'),
        { name: 'style.css', content: 'body { color: red } '.repeat(200) },
        { name: '.env', content: 'SECRET=1' },
      ]);
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
      assert.equal(deployment.live, true);
      const host = await hostOf(deployment.id);
      assert.match(host, /^web\.apps\.localhost:4080$/);
      const seen = await visit(host, '/');
      assert.equal(seen.status, 200);
      assert.equal(seen.body, '<h1>one</h1>');
      assert.equal(seen.headers['content-type'], 'text/html; charset=utf-8');
      assert.equal((await visit(host, '/.env')).status, 404);
      const etag = String(seen.headers['etag']);
      assert.equal((await visit(host, '/', { headers: { 'if-none-match': etag } })).status, 304);
      assert.equal((await visit(host, '/', { method: 'POST' })).status, 405);
      const packed = await visit(host, '/style.css', { headers: { 'accept-encoding': 'br, gzip' } });
      assert.equal(packed.headers['content-encoding'], 'br');
      const part = await visit(host, '/style.css', { headers: { range: 'bytes=5-9' } });
      assert.deepEqual(
        [part.status, part.body, part.headers['content-range']],
        [206, '{ col', 'bytes 5-9/4000'],
      );
    });

    test('a second deployment takes over, and a rollback goes back', async () => {
      const first = await deploy([page('first')]);
      const second = await deploy([page('second')]);
      const host = await hostOf(second.id);
      assert.equal((await visit(host, '/')).body, '<h1>second</h1>');
      const { items } = await call('GET', `/deployments/${first.id}/hostnames`);
      assert.deepEqual(
        items.map(({ type }: { type: string }) => type),
        ['DEPLOYMENT'],
      );
      assert.equal((await visit(items[0].hostname, '/')).body, '<h1>first</h1>');
      await call('POST', `/deployments/${first.id}/rollback`);
      assert.equal((await visit(host, '/')).body, '<h1>first</h1>');
      const again = await call('POST', `/deployments/${second.id}/redeploy`);
      assert.equal((await ended(again.id)).status, 'ACTIVE');
      assert.equal((await visit(host, '/')).body, '<h1>second</h1>');
    });

    test('a server answers, with the variables of its application', async () => {
      await call('POST', `/applications/${applicationId}/env-vars`, {
        key: 'GREETING',
        value: 'hello',
        sensitive: true,
      });
      const deployment = await deploy([
        {
          name: 'package.json',
          content: JSON.stringify({ name: 'x', main: 'server.js', scripts: { start: 'node server.js' } }),
        },
        {
          name: 'server.js',
          content:
            "const http = require('node:http');\n" +
            "http.createServer((q, s) => { if (q.url === '/crash') process.exit(1); s.setHeader('x-seen', q.headers['x-forwarded-host']); s.end(`${process.env.GREETING} ${q.method} ${q.url}`); }).listen(process.env.PORT);\n",
        },
      ]);
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
      const host = await hostOf(deployment.id);
      const seen = await visit(host, '/a%20b?c=d', { method: 'POST' });
      assert.equal(seen.body, 'hello POST /a%20b?c=d');
      assert.equal(seen.headers['x-seen'], host);
      assert.equal((await visit(host, '/crash')).status, 502);
      assert.equal((await visit(host, '/')).body, 'hello GET /');
    });

    test('code of a deployment reaches the platform with a key of its own', {
      skip: sandboxMissing ?? false,
    }, async () => {
      const deployment = await deploy([
        {
          name: 'mainstay.yaml',
          content: 'version: 4\nfunctions:\n  f.mjs: {}\nroutes:\n  - { source: /*, destination: f.mjs }\n',
        },
        {
          name: 'f.mjs',
          content:
            'const { MAINSTAY_API_URL: api, MAINSTAY_CLIENT_ID: id, MAINSTAY_CLIENT_SECRET: secret } = process.env;\n' +
            'export default { async fetch() {\n' +
            "  const basic = Buffer.from(id + ':' + secret).toString('base64');\n" +
            "  const t = await (await fetch(api + '/oauth2/token', { method: 'POST', headers: { authorization: 'Basic ' + basic }, body: new URLSearchParams({ grant_type: 'client_credentials' }) })).json();\n" +
            "  const headers = { authorization: 'Bearer ' + t.access_token, 'content-type': 'application/json' };\n" +
            "  const put = await fetch(api + '/fastcache', { method: 'POST', headers, body: JSON.stringify({ key: 'a', value: 'b' }) });\n" +
            "  const orgs = await fetch(api + '/applications', { method: 'POST', headers, body: '{}' });\n" +
            '  return Response.json([put.status, orgs.status]);\n} };\n',
        },
      ]);
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
      assert.equal((await visit(await hostOf(deployment.id), '/')).body, '[201,403]');
    });

    test('routes, functions and assets of a configuration', async () => {
      const deployment = await deploy([
        {
          name: 'mainstay.yaml',
          content:
            'version: 4\nassets: public\nfunctions:\n  src/*.mjs:\n    memory: 256\nroutes:\n' +
            "  - { source: /api/*, destination: 'src/api.mjs', headers: { x-from: route } }\n" +
            '  - { source: /old, destination: /new, redirect: true, statusCode: 301 }\n',
        },
        { name: 'public/index.html', content: 'home' },
        {
          name: 'src/api.mjs',
          content: 'export default { fetch: (r) => Response.json({ path: new URL(r.url).pathname }) };\n',
        },
      ]);
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
      const host = await hostOf(deployment.id);
      assert.equal((await visit(host, '/')).body, 'home');
      const api = await visit(host, '/api/users');
      assert.deepEqual([api.body, api.headers['x-from']], ['{"path":"/api/users"}', 'route']);
      const moved = await visit(host, '/old?a=1');
      assert.deepEqual([moved.status, moved.headers['location']], [301, '/new?a=1']);
      assert.equal((await visit(host, '/src/api.mjs')).status, 404);
    });

    test('build commands run, their output is in the log, and secrets in it are masked', async () => {
      const deployment = await deploy([
        {
          name: 'mainstay.yaml',
          content:
            'version: 4\nassets: dist\nbuild_commands:\n  - echo "building $GREETING"\n  - mkdir dist && echo built > dist/index.html\n',
        },
      ]);
      assert.equal(deployment.status, 'ACTIVE', deployment.log);
      assert.match(deployment.log, /\$ mkdir dist/);
      assert.equal((await visit(await hostOf(deployment.id), '/')).body, 'built\n');
    });

    test('the same archive makes the same artefact, whenever and wherever it is built', async () => {
      const { db, blobs } = instance.platform;
      const read = async (name: string) => {
        const content = await blobs.deployments.stream(name, { start: 0, end: Number.MAX_SAFE_INTEGER });
        return Buffer.concat(await Array.fromAsync(content));
      };
      /** The manifest, with a digest of each blob in the place of its name. */
      const artefactOf = async (id: string) => {
        const row = await db
          .selectFrom('deployments')
          .select('artefact')
          .where('id', '=', id)
          .executeTakeFirstOrThrow();
        const held = await db
          .selectFrom('deployment_blobs')
          .select('blob')
          .where('deployment_id', '=', id)
          .execute();
        let manifest = (await read(row.artefact ?? '')).toString();
        for (const { blob } of held)
          if (manifest.includes(blob))
            manifest = manifest.replaceAll(
              blob,
              createHash('sha256')
                .update(await read(blob))
                .digest('hex'),
            );
        return JSON.parse(manifest);
      };
      const configuration = {
        ...{ version: 4, assets: 'dist', functions: { 'api.mjs': {} } },
        build_commands: ['cp -r pages dist && echo made > dist/made.txt'],
      };
      const parts: ZipPart[] = [
        { name: 'mainstay.json', content: JSON.stringify(configuration) },
        { name: 'api.mjs', content: 'export default { fetch: () => new Response() };' },
        ...Array.from({ length: 40 }, (_, at) => ({
          name: `pages/${at}.html`,
          content: `<p>${at}</p>`.repeat(at * 20),
        })),
        { name: 'pages/large.bin', content: Buffer.alloc(100_000, 'large') },
      ];
      const organizationId = instance.bootstrapped.organization.id;
      const other = await call('POST', '/applications', { organizationId, name: 'Same archive' });
      const first = await tools.deployed(parts);
      const second = await tools.deployed(parts, { applicationId: other.id });
      const made = await artefactOf(first.id);
      assert.equal(Object.keys(made.files).length, 42);
      assert.deepEqual(await artefactOf(second.id), made);
    });

    test('a log comes as it is printed, up to its end, and resumes where a connection broke', async () => {
      const { id } = await call('POST', '/deployments', { applicationId });
      const as = { authorization: `Bearer ${await instance.token('user')}` };
      const open = (headers: Record<string, string> = {}) =>
        fetch(`${instance.url}/deployments/${id}/logs/stream`, { headers: { ...as, ...headers } });
      const live = await open();
      assert.equal(live.headers.get('content-type'), 'text/event-stream; charset=utf-8');
      const read = live.text();
      await tools.upload(id, zip([{ name: 'index.html', content: 'one' }]));
      const text = await read;
      const dataOf = (events: string) =>
        [...events.matchAll(/^event: line\nid: \d+\ndata: (.*)$/gm)].map(([, data]) =>
          JSON.parse(data ?? ''),
        );
      const { items } = await call('GET', `/deployments/${id}/logs?limit=1000`);
      assert.deepEqual(dataOf(text), items);
      assert.match(text, /\nevent: end\ndata: \{\}\n\n$/);
      const [first] = /(?<=^id: )\d+$/m.exec(text) ?? [];
      const rest = await (await open({ 'last-event-id': first ?? '' })).text();
      assert.deepEqual(dataOf(rest), items.slice(1));
      const stranger = await addPerson(instance, `stranger-of-log-${engine}@example.com`);
      const refused = await instance.call('GET', `/deployments/${id}/logs/stream`, { as: stranger });
      assert.equal(refused.status, 404);
    });

    test('what goes wrong is said, and what answered before continues', async () => {
      const good = await deploy([page('good')]);
      const host = await hostOf(good.id);
      const cases: [ZipPart[], RegExp][] = [
        [[{ name: '../x', content: 'a' }], /segment "\.\."/],
        [[], /archive is empty/],
        [
          [{ name: 'readme.md', content: 'x' }],
          /no configuration file, no known framework and no index\.html/,
        ],
        [[{ name: 'mainstay.yaml', content: 'version: 3\n' }], /version must be 4/],
        [[{ name: 'mainstay.yaml', content: 'version: 4\nassets: none\n' }], /assets names "none"/],
        [
          [{ name: 'mainstay.yaml', content: 'version: 4\nassets: .\nservices:\n  redis: ~\n' }, page('x')],
          /services\.redis/,
        ],
        [
          [{ name: 'mainstay.yaml', content: 'version: 4\nassets: .\nbuild_commands: ["exit 7"]\n' }],
          /exit code 7/,
        ],
        [
          [
            { name: 'mainstay.yaml', content: 'version: 4\nfunctions:\n  f.js:\n    memory: 9\n' },
            { name: 'f.js' },
          ],
          /functions\["f\.js"\]\.memory/,
        ],
        [
          [
            { name: 'package.json', content: '{"main":"s.js"}' },
            { name: 's.js', content: 'throw new Error("broken start")' },
          ],
          /broken start/,
        ],
      ];
      for (const [parts, expected] of cases) {
        const deployment = await deploy(parts);
        assert.equal(deployment.status, 'FAILED');
        assert.match(deployment.reason, expected);
        assert.match(deployment.log, expected);
      }
      assert.equal((await visit(host, '/')).body, '<h1>good</h1>');
    });

    test('a preview goes to production with the variables of production, and no build', async () => {
      const vars = `/applications/${tools.applicationId}/env-vars`;
      const { items } = await tools.call('GET', `/applications/${tools.applicationId}/environments`);
      for (const { id: environmentId, slug } of items)
        await tools.call('POST', vars, { key: 'STAGE', value: slug, sensitive: false, environmentId });
      const source =
        "require('node:http').createServer((q, s) => s.end(process.env.STAGE)).listen(process.env.PORT);\n";
      const preview = await tools.deployed(
        [
          { name: 'index.js', content: source },
          { name: 'package.json', content: '{}' },
        ],
        {
          environment: 'preview',
        },
      );
      assert.equal((await tools.visit(preview.host, '/')).body, 'preview');
      const { id } = await tools.call('POST', `/deployments/${preview.id}/redeploy?environment=production`);
      const promoted = await tools.ended(id);
      assert.deepEqual([promoted.status, promoted.redeployOf, promoted.live], ['ACTIVE', preview.id, true]);
      assert.doesNotMatch(await tools.logOf(id), /Unpacking/);
      assert.equal((await tools.visit(await tools.hostOf(id), '/')).body, 'production');
      assert.equal((await tools.visit(preview.host, '/')).body, 'preview');
      const unknown = await instance.call('POST', `/deployments/${id}/redeploy?environment=nowhere`, {
        as: 'user',
      });
      assert.equal(unknown.status, 404);
    });

    test('settings that have no effect are named in the log', async () => {
      const { log } = await tools.deployed([
        {
          name: 'mainstay.json',
          content: JSON.stringify({
            ...{ version: 4, assets: 'public', populateAssetCache: true, regions: ['eu-west-1'] },
            functions: { 'a.mjs': { streaming: false } },
          }),
        },
        { name: 'a.mjs', content: 'export default { fetch: () => new Response() };' },
        { name: 'public/index.html', content: 'x' },
      ]);
      for (const setting of ['populateAssetCache', 'regions', 'functions["a.mjs"].streaming'])
        assert.ok(log.includes(`${setting} has no effect: `), `${setting}: ${log}`);
    });

    test('a branch goes to preview, with hostnames of its own', async () => {
      const deployment = await deploy([page('preview')], { branch: 'feature/x' });
      const { items } = await call('GET', `/deployments/${deployment.id}/hostnames`);
      const names = items.map(({ hostname }: { hostname: string }) => hostname);
      assert.ok(
        names.some((name: string) => name.startsWith('web-feature-x.')),
        names.join(),
      );
      assert.equal((await visit(names[0], '/')).body, '<h1>preview</h1>');
      assert.notEqual((await visit('web.apps.localhost', '/')).body, '<h1>preview</h1>');
    });

    test('the branch and the commit that an archive was made from are kept, and choose the environment', async () => {
      const sha = 'c0ffee'.repeat(7).slice(0, 40);
      const places: [Record<string, unknown>, string, string][] = [
        [{ gitSource: { ref: 'refs/heads/main', sha } }, 'main', 'production'],
        [{ gitSource: { ref: 'topic', sha } }, 'topic', 'preview'],
        [
          { gitSource: { ref: 'topic', sha }, branch: 'topic', environment: 'production' },
          'topic',
          'production',
        ],
      ];
      const { items } = await call('GET', `/applications/${applicationId}/environments`);
      for (const [sent, branch, environment] of places) {
        const { id, status, log } = await deploy([page(branch)], sent);
        assert.equal(status, 'ACTIVE', log);
        const shown = await call('GET', `/deployments/${id}`);
        assert.deepEqual([shown.branch, shown.gitSha], [branch, sha]);
        const place = items.find((one: { id: string }) => one.id === shown.environmentId);
        assert.equal(place.slug, environment);
      }
      const bad = { applicationId, gitSource: { ref: 'main', sha: 'no commit' } };
      assert.equal((await instance.call('POST', '/deployments', { as: 'user', body: bad })).status, 400);
    });

    test('an upload is bound to its deployment, its parts and its time', async () => {
      const { id } = await call('POST', '/deployments', { applicationId });
      const { uploadId } = await call('POST', `/deployments/${id}/upload/start`);
      const { url } = await call('POST', `/deployments/${id}/upload/part`, { uploadId, partNumber: 1 });
      const { pathname, searchParams } = new URL(url);
      const put = (path: string, query: URLSearchParams) =>
        fetch(`${instance.url}${path}?${query}`, { method: 'PUT', body: 'x' });
      assert.equal((await put(pathname.replace(/1$/, '2'), searchParams)).status, 403);
      const later = new URLSearchParams(searchParams);
      later.set('expires', String(Number(later.get('expires')) + 1));
      assert.equal((await put(pathname, later)).status, 403);
      const part = await put(pathname, searchParams);
      const etag = createHash('md5').update('x').digest('hex');
      assert.equal(part.headers.get('etag'), `"${etag}"`);
      const wrong = { uploadId, parts: [{ partNumber: 1, etag: '"no"' }] };
      assert.equal(
        (await instance.call('POST', `/deployments/${id}/upload/complete`, { as: 'user', body: wrong }))
          .status,
        400,
      );
      assert.equal((await call('POST', `/deployments/${id}/cancel`)).status, 'FAILED');
      assert.equal((await call('POST', `/deployments/${id}/cancel`)).status, 'FAILED');
      assert.equal((await put(pathname, searchParams)).status, 409);
    });

    test('another tenant sees nothing, and unknown hosts lead nowhere', async () => {
      const { id } = await call('POST', '/deployments', { applicationId });
      const stranger = '019537c0-0000-7000-8000-000000000000';
      for (const [method, path] of [
        ['GET', `/deployments/${stranger}`],
        ['GET', `/deployments/${stranger}/logs`],
        ['POST', `/deployments/${stranger}/promote`],
        ['GET', `/deployments?applicationId=${stranger}`],
      ] as const)
        assert.equal((await instance.call(method, path, { as: 'user' })).status, 404);
      assert.equal((await instance.call('GET', `/deployments/${id}`)).status, 401);
      assert.equal((await visit('nobody.apps.localhost', '/')).status, 404);
      assert.equal((await visit('example.com', '/')).status, 404);
    });
  });
}
