import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { type FrameworkTrial, frameworkTrials, registrySettings, tryFramework } from '#testing/frameworks.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { startNpmRegistry } from '#testing/npm-registry.ts';
import type { ZipPart } from '#testing/zip.ts';

/** A server in the place of what a build leaves: says where it is, and what it was told. */
const server = (file: string): ZipPart => ({
  name: file,
  content: `import http from 'node:http';
http.createServer((q, s) => s.end(JSON.stringify({ file: '${file}', path: q.url, env: { PORT: process.env.PORT, HOST: process.env.HOST, PROTOCOL_HEADER: process.env.PROTOCOL_HEADER } }))).listen(process.env.PORT, process.env.HOST);
`,
});
const file = (name: string, content = name): ZipPart => ({ name, content });

interface Built {
  framework: string | null;
  /** Dependencies, or a whole package.json. */
  manifest?: object;
  /** What the build has left. */
  files: ZipPart[];
  /** The file of the function; absent: none. */
  server?: string;
  /** Paths, with the names of the files that answer; a leading `!` is for those that browsers keep permanently. */
  published: Record<string, string>;
}

const on = (...names: string[]) => ({
  type: 'module',
  dependencies: Object.fromEntries(names.map((name) => [name, '*'])),
});

const table: Record<string, Built> = {
  'a folder': {
    framework: null,
    files: [file('index.html'), file('a/b.txt')],
    published: { '/': 'index.html', '/a/b.txt': 'a/b.txt' },
  },
  'a folder in public': {
    framework: null,
    files: [file('public/index.html')],
    published: { '/': 'public/index.html' },
  },
  'a folder in dist': {
    framework: null,
    files: [file('dist/index.html'), file('readme.md')],
    published: { '/': 'dist/index.html' },
  },
  Vite: {
    framework: 'vite',
    manifest: on('vite'),
    files: [file('index.html'), file('dist/index.html'), file('dist/assets/a.js')],
    published: {
      '/': 'dist/index.html',
      '/some/page': 'dist/index.html',
      '/assets/a.js': '!dist/assets/a.js',
    },
  },
  'Astro, static': {
    framework: 'astro',
    manifest: on('astro', 'vite'),
    files: [file('dist/index.html'), file('dist/about/index.html'), file('dist/_astro/a.css')],
    published: {
      '/': 'dist/index.html',
      '/about/': 'dist/about/index.html',
      '/_astro/a.css': '!dist/_astro/a.css',
    },
  },
  'Astro with a server': {
    framework: 'astro',
    manifest: on('astro', '@astrojs/node'),
    files: [
      server('dist/server/entry.mjs'),
      file('dist/client/_astro/a.css'),
      file('dist/client/robots.txt'),
    ],
    server: 'dist/server/entry.mjs',
    published: { '/_astro/a.css': '!dist/client/_astro/a.css', '/robots.txt': 'dist/client/robots.txt' },
  },
  'Express, by main': {
    framework: 'express',
    manifest: { ...on('express', 'vite'), main: './lib/start.js' },
    files: [server('lib/start.js'), server('index.js'), file('public/a.css')],
    server: 'lib/start.js',
    published: { '/a.css': 'public/a.css' },
  },
  'Fastify, by its start script': {
    framework: 'fastify',
    manifest: { ...on('fastify', 'express'), scripts: { start: 'node --enable-source-maps src/begin.js' } },
    files: [server('src/begin.js'), server('index.js')],
    server: 'src/begin.js',
    published: {},
  },
  'Hono, by a usual name': {
    framework: 'hono',
    manifest: on('hono', 'fastify'),
    files: [server('src/server.ts')],
    server: 'src/server.ts',
    published: {},
  },
  'Next.js, standalone': {
    framework: 'next',
    manifest: on('next', 'express'),
    files: [server('.next/standalone/server.js'), file('.next/static/a.js'), file('public/robots.txt')],
    server: '.next/standalone/server.js',
    published: { '/_next/static/a.js': '!.next/static/a.js', '/robots.txt': 'public/robots.txt' },
  },
  'Next.js, exported': {
    framework: 'next',
    manifest: on('next'),
    files: [file('out/index.html'), file('out/_next/static/a.js')],
    published: { '/': 'out/index.html', '/_next/static/a.js': '!out/_next/static/a.js' },
  },
  'SvelteKit, adapter-node': {
    framework: 'sveltekit',
    manifest: on('@sveltejs/kit', 'vite'),
    files: [
      server('build/index.js'),
      file('build/client/_app/immutable/a.js'),
      file('build/client/robots.txt'),
    ],
    server: 'build/index.js',
    published: {
      '/_app/immutable/a.js': '!build/client/_app/immutable/a.js',
      '/robots.txt': 'build/client/robots.txt',
    },
  },
  'SvelteKit, adapter-static': {
    framework: 'sveltekit',
    manifest: on('@sveltejs/kit'),
    files: [file('build/index.html'), file('build/_app/immutable/a.js')],
    published: { '/': 'build/index.html', '/_app/immutable/a.js': '!build/_app/immutable/a.js' },
  },
  Nuxt: {
    framework: 'nuxt',
    manifest: on('nuxt', 'vite'),
    files: [
      server('.output/server/index.mjs'),
      file('.output/public/_nuxt/a.js'),
      file('.output/public/robots.txt'),
    ],
    server: '.output/server/index.mjs',
    published: { '/_nuxt/a.js': '!.output/public/_nuxt/a.js', '/robots.txt': '.output/public/robots.txt' },
  },
  'Nuxt, generated': {
    framework: 'nuxt',
    manifest: on('nuxt'),
    files: [file('.output/public/index.html'), file('.output/public/_nuxt/a.js')],
    published: { '/': '.output/public/index.html', '/_nuxt/a.js': '!.output/public/_nuxt/a.js' },
  },
  NestJS: {
    framework: 'nestjs',
    manifest: { dependencies: { '@nestjs/core': '*', express: '*' }, type: 'module' },
    files: [server('dist/main.js')],
    server: 'dist/main.js',
    published: {},
  },
};

describe('what frameworks leave', () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  before(async () => {
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
  });
  after(() => instance[Symbol.asyncDispose]());

  for (const [name, built] of Object.entries(table))
    test(`${name}: what is published, and what serves the rest`, async () => {
      const manifest = built.manifest ? [file('package.json', JSON.stringify(built.manifest))] : [];
      const { host, summary } = await tools.deployed([...manifest, ...built.files], { prebuilt: true });
      assert.equal(summary.framework, built.framework);
      for (const [path, expected] of Object.entries(built.published)) {
        const seen = await tools.visit(host, path, { headers: { accept: 'text/html' } });
        assert.deepEqual([seen.status, seen.body], [200, expected.replace('!', '')], path);
        assert.equal(/immutable/.test(String(seen.headers['cache-control'])), expected.startsWith('!'), path);
      }
      const rest = await tools.visit(host, '/api/x?y=1');
      if (built.server === undefined) assert.ok(!rest.body.includes('env'), rest.body);
      else {
        const { file: answered, path, env } = JSON.parse(rest.body);
        assert.deepEqual(
          [answered, path, env.PORT, env.HOST],
          [built.server, '/api/x?y=1', '3000', '127.0.0.1'],
        );
        if (built.framework === 'sveltekit') assert.equal(env.PROTOCOL_HEADER, 'x-forwarded-proto');
      }
    });

  test('a build that left nothing says what is missing', async () => {
    const cases: [object, RegExp][] = [
      [on('next'), /build of Next\.js left no output.*output: "standalone"/s],
      [on('@sveltejs/kit'), /build of SvelteKit left no output.*adapter-node/s],
      [on('vite'), /build of Vite left no output.*dist/s],
      [on('express'), /build of Express left no output.*"main"/s],
    ];
    for (const [manifest, expected] of cases) {
      const parts = [file('package.json', JSON.stringify(manifest)), file('readme.md')];
      const { status, reason } = await tools.deploy(parts, { prebuilt: true });
      assert.equal(status, 'FAILED');
      assert.match(reason, expected);
    }
  });

  test('a monorepo: the server lies as deep as the project does', async () => {
    const { organization } = instance.bootstrapped;
    const body = { organizationId: organization.id, name: 'Deep', rootDirectory: 'apps/web' };
    const { id: applicationId } = await tools.call('POST', '/applications', body);
    for (const place of [
      'apps/web/.next/standalone/apps/web',
      'apps/web/.next/standalone/web',
      'apps/web/.next/standalone',
    ]) {
      const { host } = await tools.deployed(
        [
          file('apps/web/package.json', JSON.stringify(on('next'))),
          file(`${place}/package.json`, '{"type":"module"}'),
          server(`${place}/server.js`),
          file('apps/web/public/a.txt'),
        ],
        { prebuilt: true, applicationId },
      );
      assert.equal(JSON.parse((await tools.visit(host, '/x')).body).file, `${place}/server.js`);
      assert.equal((await tools.visit(host, '/a.txt')).body, 'apps/web/public/a.txt');
    }
  });
});

describe('a workspace', { skip: sandboxMissing ?? false }, () => {
  test('is installed by its own lock file, and its packages are part of what runs', async () => {
    await using registry = await startNpmRegistry({ small: { 'index.js': "module.exports = 'small';\n" } });
    await using instance = await startInstance('sqlite', {
      settings: { ...runnerSettings, MAINSTAY_BUILD_NPM_REGISTRY: `http://127.0.0.1:${registry.port}/` },
    });
    const tools = deployer(instance);
    const { organization } = instance.bootstrapped;
    const body = { organizationId: organization.id, name: 'Part', rootDirectory: 'apps/api' };
    const { id: applicationId } = await tools.call('POST', '/applications', body);
    const api = { name: 'api', main: 'server.js', dependencies: { small: '1.0.0', '@acme/words': '*' } };
    const lock = {
      ...{ name: 'all', lockfileVersion: 3, requires: true },
      packages: {
        '': { name: 'all', workspaces: ['apps/*', 'packages/*'] },
        'apps/api': { name: 'api', dependencies: api.dependencies },
        'packages/words': { name: '@acme/words', version: '1.0.0' },
        'node_modules/@acme/words': { resolved: 'packages/words', link: true },
        'node_modules/api': { resolved: 'apps/api', link: true },
        'node_modules/small': { version: '1.0.0' },
      },
    };
    const { host, log } = await tools.deployed(
      [
        file(
          'package.json',
          JSON.stringify({ name: 'all', private: true, workspaces: ['apps/*', './packages/*/'] }),
        ),
        file('package-lock.json', JSON.stringify(lock)),
        file('packages/words/package.json', '{"name":"@acme/words","version":"1.0.0"}'),
        file('packages/words/index.js', "module.exports = 'words';\n"),
        file('apps/api/package.json', JSON.stringify(api)),
        file(
          'apps/api/server.js',
          "const said = [require('small'), require('@acme/words')].join(' ');\nrequire('node:http').createServer((q, s) => s.end(said)).listen(process.env.PORT);\n",
        ),
      ],
      { applicationId },
    );
    assert.match(log, /\$ npm ci /);
    assert.equal((await tools.visit(host, '/')).body, 'small words');
  });
});

/** The cheap share of `npm run soak -- 1 framework`. */
const registry = await registrySettings();
describe('the manual’s projects', { skip: sandboxMissing ?? (registry.missing || false) }, () => {
  let instance: Instance;
  before(async () => {
    instance = await startInstance('sqlite', { settings: { ...runnerSettings, ...registry.settings } });
  });
  after(() => instance[Symbol.asyncDispose]());

  for (const name of ['Static folder', 'Vite', 'Fastify'])
    test(`${name} works as the guide says`, () =>
      tryFramework(deployer(instance), name, frameworkTrials[name] as FrameworkTrial));
});
