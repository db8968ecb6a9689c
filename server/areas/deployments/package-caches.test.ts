import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type NpmRegistry, startNpmRegistry } from '#testing/npm-registry.ts';
import type { ZipPart } from '#testing/zip.ts';

const kibibytes = 1024;
const word = "module.exports = 'from the registry';\n";

/** A server that says what its dependency says. */
const using = (dependency: string): ZipPart[] => [
  {
    name: 'package.json',
    content: JSON.stringify({ main: 'server.js', dependencies: { [dependency]: '1.0.0' } }),
  },
  {
    name: 'server.js',
    content: `const word = require('${dependency}');\nrequire('node:http').createServer((q, s) => s.end(word)).listen(process.env.PORT);\n`,
  },
];

describe('packages of builds', { skip: sandboxMissing ?? false }, () => {
  let registry: NpmRegistry;
  before(async () => {
    const large = { 'index.js': word, 'data.bin': randomBytes(600 * kibibytes) };
    registry = await startNpmRegistry({ small: { 'index.js': word }, large });
  });
  after(() => registry[Symbol.asyncDispose]());

  async function open(host: string, settings: Record<string, string> = {}) {
    const instance = await startInstance('sqlite', {
      settings: {
        ...runnerSettings,
        MAINSTAY_BUILD_NPM_REGISTRY: `http://${host}:${registry.port}/`,
        ...settings,
      },
    });
    const { organization } = instance.bootstrapped;
    const tools = deployer(instance);
    const another = async () => {
      const made = await tools.call('POST', '/applications', {
        organizationId: organization.id,
        name: 'Other',
      });
      return made.id as string;
    };
    registry.downloads.length = 0;
    return { instance, another, ...tools };
  }

  // The last is no loopback by its looks: it is a private address behind the way out.
  for (const host of ['localhost', '127.0.0.1', '[::ffff:127.0.0.1]'])
    test(`come from the registry that the operator names, at ${host} too`, async () => {
      await using tools = disposing(await open(host));
      const deployed = await tools.deployed(using('small'));
      assert.equal((await tools.visit(deployed.host, '/')).body, 'from the registry');
      assert.deepEqual(registry.downloads, ['small']);
    });

  test('are downloaded once for an application, and once more for another', async () => {
    await using tools = disposing(await open('127.0.0.1'));
    const first = await tools.deployed(using('small'));
    assert.match(first.log, /Package cache: empty\./);
    const second = await tools.deployed(using('small'));
    assert.match(second.log, /Package cache: 1 MiB from earlier builds\./);
    assert.deepEqual(registry.downloads, ['small']);
    const other = await tools.deployed(using('small'), { applicationId: await tools.another() });
    assert.match(other.log, /Package cache: empty\./);
    assert.deepEqual(registry.downloads, ['small', 'small']);
  });

  test('are not kept beyond the bound of an application', async () => {
    await using tools = disposing(await open('127.0.0.1', { MAINSTAY_BUILD_CACHE: '400KiB' }));
    await tools.deployed(using('large'));
    assert.match((await tools.deployed(using('large'))).log, /Package cache: empty\./);
    assert.deepEqual(registry.downloads, ['large', 'large']);
  });

  test('of all applications have a bound as well: what was used longest ago goes', async () => {
    await using tools = disposing(await open('127.0.0.1', { MAINSTAY_BUILD_CACHES: '1000KiB' }));
    const other = await tools.another();
    await tools.deployed(using('large'));
    await tools.deployed(using('large'), { applicationId: other });
    assert.match((await tools.deployed(using('large'), { applicationId: other })).log, /from earlier builds/);
    assert.match((await tools.deployed(using('large'))).log, /Package cache: empty\./);
  });

  test('are kept nowhere when the operator wants none', async () => {
    await using tools = disposing(await open('127.0.0.1', { MAINSTAY_BUILD_CACHE: '0B' }));
    await tools.deployed(using('small'));
    assert.doesNotMatch((await tools.deployed(using('small'))).log, /Package cache/);
    assert.deepEqual(registry.downloads, ['small', 'small']);
  });

  test('a variable of the application names another registry, which private addresses are not open to', async () => {
    await using tools = disposing(await open('127.0.0.1'));
    const variables = `/applications/${tools.applicationId}/env-vars`;
    await tools.call('POST', variables, { key: 'npm_config_registry', value: 'http://10.0.0.1/' });
    await tools.call('POST', variables, { key: 'npm_config_fetch_retries', value: '0' });
    const { status, log } = await tools.deploy(using('small'));
    assert.equal(status, 'FAILED');
    assert.match(log, /403/);
    assert.deepEqual(registry.downloads, []);
  });

  test('the registry is out of reach for functions, and for builds at any other port', async () => {
    await using tools = disposing(await open('[::ffff:127.0.0.1]'));
    const { host, log } = await tools.deployed([
      { name: 'ask.mjs', content: probe(registry.port) },
      {
        name: 'build.mjs',
        content:
          "import fs from 'node:fs';\nimport { asked } from './ask.mjs';\nfs.mkdirSync('out');\nfs.writeFileSync('out/built.json', await asked());\n",
      },
      {
        name: 'f.mjs',
        content:
          "import { asked } from './ask.mjs';\nexport default { fetch: async (r) => new Response(r.method === 'HEAD' ? '' : await asked()) };\n",
      },
      {
        name: 'mainstay.json',
        content: JSON.stringify({
          ...{ version: 4, assets: 'out', build_commands: ['node build.mjs'], functions: { 'f.mjs': {} } },
          routes: [{ source: '/function', destination: 'f.mjs' }],
        }),
      },
    ]);
    const { port } = new URL(tools.instance.url);
    assert.notEqual(Number(port), registry.port);
    assert.deepEqual(JSON.parse((await tools.visit(host, '/built.json')).body), [200, 403, 403], log);
    assert.deepEqual(JSON.parse((await tools.visit(host, '/function')).body), [403, 403, 403]);
  });
});

/** Statuses of the way out for the registry, for another port beside it, and for it by another address. */
const probe = (port: number) => `
import http from 'node:http';
const proxy = { host: '127.0.0.1', port: 3128, method: 'CONNECT' };
const ask = (path) => new Promise((resolve) => http.request({ ...proxy, path })
  .on('connect', (r, s) => { s.destroy(); resolve(r.statusCode); })
  .on('response', (r) => { r.resume(); resolve(r.statusCode); })
  .on('error', (e) => resolve(e.code)).end());
const own = '[::ffff:7f00:1]';
export const asked = async () => JSON.stringify(await Promise.all(
  [own + ':${port}', own + ':${port + 1}', '127.0.0.1:${port}'].map(ask)));
`;

function disposing<T extends { instance: Instance }>(opened: T): T & AsyncDisposable {
  return { ...opened, [Symbol.asyncDispose]: () => opened.instance[Symbol.asyncDispose]() };
}
