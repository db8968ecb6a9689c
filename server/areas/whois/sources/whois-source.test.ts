import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import { systemClock } from '#core/clock.ts';
import { Outgoing } from '#core/outgoing.ts';
import { type FakeWhois, fakeWhois, type Reply } from '../testing/whois-server.ts';
import { UpstreamError, type UpstreamFailure } from './upstream-error.ts';
import { Upstreams } from './upstreams.ts';
import { WhoisSource } from './whois-source.ts';

const registered = 'Domain Name: EXAMPLE.TEST\nCreation Date: 2001-02-03\nName Server: ns1.example.net\n';
const limits = { connectSeconds: 1, idleSeconds: 0.3, totalSeconds: 1, maxBytes: 65_536 };

/** A source whose root server is `root`; hosts named in answers resolve by `hosts`, to the root's port. */
function sourceOf(root: FakeWhois, hosts: Record<string, string[]> = {}) {
  const asked: string[] = [];
  const outgoing = new Outgoing({
    allowed: ['127.0.0.2/32', '127.0.0.3/32'],
    resolve: async (host) => {
      asked.push(host);
      return hosts[host] ?? [];
    },
  });
  const upstreams = new Upstreams({
    limits: { concurrency: 2, perMinute: 6_000, queueSeconds: 1 },
    clock: systemClock,
  });
  const source = new WhoisSource({
    ...{ upstreams, outgoing, limits, port: root.port, overrides: new Map() },
    root: { host: root.host, port: root.port },
  });
  return { source, asked };
}

/** One server that is the root (which refers to itself) and the registry. */
async function registry(reply: Reply | string | Buffer, options: { referral?: string } = {}) {
  const referral = options.referral ?? 'whois.nic.test';
  return fakeWhois((query, socket) => {
    if (query === 'test') socket.end(`domain: TEST\nwhois:        ${referral}\n`);
    else if (typeof reply === 'function') void reply(query, socket);
    else socket.end(reply);
  });
}

const here = { 'whois.nic.test': ['127.0.0.2'] };

async function failure(ask: Promise<unknown>): Promise<UpstreamFailure | undefined> {
  const error = await ask.then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  return error.failure;
}

describe('WHOIS on port 43', () => {
  test('the root refers to the registry, whose answer is kept letter by letter', async () => {
    const text = '% Notice\r\nDomain Name: EXAMPLE.TEST\r\n\tCreation Date:  2001-02-03\r\n\r\n% ä\r\n';
    await using server = await registry(text);
    const { source } = sourceOf(server, here);
    const answer = await source.ask('example.test', 'test', 'test');
    assert.equal(answer?.outcome, 'registered');
    assert.equal(answer.raw, text.replaceAll('\r\n', '\n'));
    assert.equal(answer.record.domain.created, '2001-02-03T00:00:00.000Z');
    assert.deepEqual(server.queries, ['test', 'example.test']);
  });

  test('the root is asked once for a TLD', async () => {
    await using server = await registry(registered);
    const { source } = sourceOf(server, here);
    await source.ask('example.test', 'test', 'test');
    await source.ask('example.test', 'test', 'test');
    assert.deepEqual(server.queries, ['test', 'example.test', 'example.test']);
  });

  test('a TLD without a server has no answer', async () => {
    await using server = await fakeWhois('domain: TEST\nstatus: ACTIVE\n');
    const { source } = sourceOf(server);
    assert.equal(await source.ask('example.test', 'test', 'test'), undefined);
  });

  test('a name that is not registered is free, one that is kept back is reserved', async () => {
    await using server = await registry((query, socket) => {
      socket.end(
        query.startsWith('free') ? 'No match for domain.' : 'This name is reserved by the registry.',
      );
    });
    const { source } = sourceOf(server, here);
    assert.equal((await source.ask('free.test', 'test', 'test'))?.outcome, 'free');
    assert.equal((await source.ask('kept.test', 'test', 'test'))?.outcome, 'reserved');
  });

  test('servers that want more than the name are asked in their own words', async () => {
    await using server = await registry(registered, { referral: 'whois.denic.de' });
    const { source } = sourceOf(server, { 'whois.denic.de': ['127.0.0.2'] });
    await source.ask('example.test', 'test', 'test');
    assert.equal(server.queries.at(-1), '-T dn,ace example.test');
  });
});

describe('a WHOIS server that misbehaves', () => {
  test('an answer that dribbles in is read to its end', async () => {
    await using server = await registry(async (_query, socket) => {
      for (const line of registered.split(/(?<=\n)/)) {
        socket.write(line);
        await sleep(100);
      }
      socket.end();
    });
    const { source } = sourceOf(server, here);
    const answer = await source.ask('example.test', 'test', 'test');
    assert.deepEqual(answer?.record.nameservers, ['ns1.example.net']);
  });

  test('silence is noticed', async () => {
    await using server = await registry(() => {});
    const { source } = sourceOf(server, here);
    assert.equal(await failure(source.ask('example.test', 'test', 'test')), 'silent');
  });

  test('an answer that never ends is given up, however fast it comes', async () => {
    const endless: Reply = (_query, socket) => {
      const more = () => {
        while (!socket.destroyed && socket.write('x'.repeat(1_000)));
      };
      socket.on('drain', more);
      more();
    };
    await using server = await registry(endless);
    assert.equal(await failure(sourceOf(server, here).source.ask('example.test', 'test', 'test')), 'broken');
  });

  test('an answer that never ends is given up, however slow it comes', async () => {
    await using server = await registry(async (_query, socket) => {
      while (!socket.destroyed) {
        socket.write('x\n');
        await sleep(50);
      }
    });
    assert.equal(await failure(sourceOf(server, here).source.ask('example.test', 'test', 'test')), 'silent');
  });

  test('a connection that is cut is no answer', async () => {
    await using server = await registry((_query, socket) => {
      socket.write(registered.slice(0, 30), () => socket.resetAndDestroy());
    });
    assert.equal(
      await failure(sourceOf(server, here).source.ask('example.test', 'test', 'test')),
      'unreachable',
    );
  });

  test('a sentence that asks for patience leaves the server alone', async () => {
    await using server = await registry('You have exceeded your query limit. Please try again later.');
    const { source } = sourceOf(server, here);
    assert.equal(await failure(source.ask('example.test', 'test', 'test')), 'throttled');
    assert.equal(await failure(source.ask('example2.test', 'test', 'test')), 'throttled');
    assert.deepEqual(server.queries, ['test', 'example.test']);
  });

  test('text in an old charset is read as what the registry writes', async () => {
    const latin = Buffer.from('Domain Name: EXAMPLE.TEST\nRegistrant Name: J\xe4rve\n', 'latin1');
    const korean = Buffer.concat([
      Buffer.from('Domain Name: EXAMPLE.KR\nRegistrant: '),
      Buffer.from([0xb1, 0xb8, 0xb1, 0xdb]),
      Buffer.from('\n'),
    ]);
    await using server = await fakeWhois((query, socket) => {
      if (!query.includes('.')) socket.end('whois: whois.nic.test\n');
      else socket.end(query.endsWith('kr') ? korean : latin);
    });
    const { source } = sourceOf(server, here);
    assert.equal((await source.ask('example.test', 'test', 'test'))?.record.registrant.name, 'Järve');
    assert.equal((await source.ask('example.kr', 'kr', 'kr'))?.record.registrant.name, '구글');
  });

  test('a text that says nothing of the domain is no answer', async () => {
    await using server = await registry('Hello.');
    assert.equal(await failure(sourceOf(server, here).source.ask('example.test', 'test', 'test')), 'broken');
  });
});

describe('a referral to the registrar', () => {
  const thin = (server: string) => `${registered}Registrar WHOIS Server: ${server}\n`;
  const full = 'Domain Name: EXAMPLE.TEST\nRegistrant Name: Jane Doe\nCreation Date: 1999-01-01\n';

  test('is followed once, and fills what the registry leaves open', async () => {
    await using root = await registry(thin('whois.registrar.test'));
    await using registrar = await fakeWhois(`${full}Registrar WHOIS Server: whois.nic.test\n`, {
      host: '127.0.0.3',
      port: root.port,
    });
    const { source } = sourceOf(root, { ...here, 'whois.registrar.test': ['127.0.0.3'] });
    const answer = await source.ask('example.test', 'test', 'test');
    assert.equal(answer?.record.registrant.name, 'Jane Doe');
    assert.equal(answer.record.domain.created, '2001-02-03T00:00:00.000Z');
    assert.match(answer.raw, /ns1\.example\.net[\s\S]*Jane Doe/);
    assert.deepEqual([root.queries.length, registrar.queries.length], [2, 1]);
  });

  for (const [what, host, hosts] of [
    ['this machine', '127.0.0.1', {}],
    ['the metadata service of a cloud', '169.254.169.254', {}],
    ['a name that resolves to this machine', 'evil.test', { 'evil.test': ['127.0.0.1'] }],
    ['a name that resolves to a private network', 'evil.test', { 'evil.test': ['10.0.0.5'] }],
    [
      'a name with a private address among its addresses',
      'evil.test',
      { 'evil.test': ['127.0.0.3', '127.0.0.1'] },
    ],
  ] as [string, string, Record<string, string[]>][]) {
    test(`to ${what} is not followed; the registry's answer stands`, async () => {
      await using root = await registry(thin(host));
      await using victim = await fakeWhois(full, { host: '127.0.0.1', port: root.port });
      const { source } = sourceOf(root, { ...here, ...hosts });
      const answer = await source.ask('example.test', 'test', 'test');
      assert.equal(answer?.outcome, 'registered');
      assert.equal(answer.record.registrant.name, null);
      assert.deepEqual(victim.queries, []);
    });
  }

  test('of the root into a private network is refused', async () => {
    await using root = await registry(registered, { referral: 'internal.test' });
    const { source } = sourceOf(root, { 'internal.test': ['192.168.0.1'] });
    assert.equal(await failure(source.ask('example.test', 'test', 'test')), 'forbidden');
  });

  test('in a circle ends', async () => {
    await using root = await registry(thin('whois.registrar.test'));
    const { source } = sourceOf(root, { ...here, 'whois.registrar.test': ['127.0.0.2'] });
    const answer = await source.ask('example.test', 'test', 'test');
    assert.equal(answer?.outcome, 'registered');
    assert.equal(root.queries.length, 3);
  });

  test('is resolved once, so that a name cannot change between the check and the connection', async () => {
    await using root = await registry(thin('whois.registrar.test'));
    const { source, asked } = sourceOf(root, { ...here, 'whois.registrar.test': ['127.0.0.3'] });
    await source.ask('example.test', 'test', 'test');
    assert.equal(asked.filter((host) => host === 'whois.registrar.test').length, 1);
  });
});
