import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { networkInterfaces } from 'node:os';
import { after, before, describe, test } from 'node:test';
import { deployer, runnerSettings, sandboxMissing } from '#testing/deploying.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { privateHosts } from '#testing/private-addresses.ts';

const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
const hosts = [
  ...privateHosts,
  ...own.map(({ address, family }) => (family === 'IPv6' ? `[${address}]` : address)),
];

/** Tries each address in every way that code has: as it is, by the proxy as a URL, and by CONNECT as it is written. */
const probe = (port: number) => `
import http from 'node:http';
import net from 'node:net';
const proxy = { host: '127.0.0.1', port: 3128 };
const hosts = ${JSON.stringify(hosts)};
const once = (begin) => new Promise((resolve) => {
  const socket = begin(resolve);
  socket.on('error', () => resolve('no'));
  socket.setTimeout(5000, () => { socket.destroy(); resolve('no'); });
});
const direct = (host) => once((told) => net.connect({ host: host.replace(/[[\\]]/g, ''), port: ${port} }).on('connect', function () { this.destroy(); told('REACHED'); }));
const connected = (host) => once((told) => http.request({ ...proxy, method: 'CONNECT', path: host + ':${port}' }).on('connect', (r, s) => { s.destroy(); told(r.statusCode === 200 ? 'REACHED' : 'no'); }).on('response', (r) => { r.resume(); told('no'); }).end());
const asked = (host) => once((told) => http.request({ ...proxy, path: 'http://' + host + ':${port}/' }).on('response', (r) => { r.resume(); told(r.statusCode < 400 ? 'REACHED' : 'no'); }).end());
export const probed = async () => {
  const reached = [];
  await Promise.all(hosts.flatMap((host) => Object.entries({ direct, connected, asked }).map(async ([how, way]) => {
    if (await way(host).catch(() => 'no') === 'REACHED') reached.push(how + ' ' + host);
  })));
  return JSON.stringify({ tried: hosts.length, reached });
};
`;

describe('private addresses', { skip: sandboxMissing ?? false }, () => {
  let instance: Instance;
  let tools: ReturnType<typeof deployer>;
  let reached = 0;
  let port = 0;
  /** On every address of this machine: whoever gets through is counted here. */
  const canary = createServer((socket) => {
    reached += 1;
    socket.end('HTTP/1.1 200 OK\r\ncontent-length: 6\r\nconnection: close\r\n\r\ncanary');
  });
  before(async () => {
    await new Promise<void>((resolve) => canary.listen(0, '::', resolve));
    ({ port } = canary.address() as { port: number });
    instance = await startInstance('sqlite', { settings: runnerSettings });
    tools = deployer(instance);
  });
  after(async () => {
    await instance[Symbol.asyncDispose]();
    canary.close();
  });

  test(`none of ${hosts.length} forms is reached from a build, a function or a proxy route`, async () => {
    assert.equal(await (await fetch(`http://127.0.0.1:${port}/`)).text(), 'canary');
    assert.equal(reached, 1);
    const routes = hosts.map((host, at) => ({ source: `/p${at}`, destination: `http://${host}:${port}/` }));
    const { host, log } = await tools.deployed([
      { name: 'probe.mjs', content: probe(port) },
      {
        name: 'build.mjs',
        content:
          "import fs from 'node:fs';\nimport { probed } from './probe.mjs';\nconst told = await probed();\nconsole.log(told);\nfs.mkdirSync('out');\nfs.writeFileSync('out/built.json', told);\n",
      },
      {
        name: 'f.mjs',
        content:
          "import { probed } from './probe.mjs';\nexport default { fetch: async (r) => new Response(r.method === 'HEAD' ? '' : await probed()) };\n",
      },
      {
        name: 'mainstay.json',
        content: JSON.stringify({
          version: 4,
          assets: 'out',
          build_commands: ['node build.mjs'],
          functions: { 'f.mjs': { max_duration: 300 } },
          routes: [...routes, { source: '/function', destination: 'f.mjs' }],
        }),
      },
    ]);
    const nothing = { tried: hosts.length, reached: [] };
    assert.deepEqual(JSON.parse((await tools.visit(host, '/built.json')).body), nothing, log);
    assert.deepEqual(JSON.parse((await tools.visit(host, '/function')).body), nothing);
    const seen = await Promise.all(hosts.map((_, at) => tools.visit(host, `/p${at}`)));
    for (const [at, { status }] of seen.entries()) assert.equal(status, 502, `${hosts[at]}: ${status}`);
    assert.equal(reached, 1);
  });
});
