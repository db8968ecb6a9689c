import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, before, describe, test } from 'node:test';
import { pino } from 'pino';
import type { Clock } from '#core/clock.ts';
import { Outgoing } from '#core/outgoing.ts';
import { fakeRdap, type RdapReply, sendRdap } from '../testing/rdap-server.ts';
import { Bootstrap } from './bootstrap.ts';
import { RdapSource } from './rdap-source.ts';
import { UpstreamError } from './upstream-error.ts';
import { Upstreams } from './upstreams.ts';

const limits = { connectSeconds: 1, idleSeconds: 0.3, totalSeconds: 1, maxBytes: 65_536 };
const domain = {
  objectClassName: 'domain',
  ldhName: 'example.test',
  events: [{ eventAction: 'registration', eventDate: '2001-02-03' }],
};
const jane = { roles: ['registrant'], vcardArray: ['vcard', [['fn', {}, 'text', 'Jane Doe']]] };
const log = pino({ level: 'silent' });

let folder = '';
before(async () => {
  folder = await mkdtemp(path.join(tmpdir(), 'mainstay-rdap-'));
});
after(() => rm(folder, { recursive: true, force: true }));

async function sourceOf(service: string, clock: Clock = { now: () => 1_000_000_000_000 }) {
  const outgoing = new Outgoing({ allowed: ['127.0.0.2/32', '127.0.0.3/32'] });
  const bootstrap = await Bootstrap.open({
    url: new URL('http://127.0.0.2:9/'),
    overrides: new Map([['test', service]]),
    dataDir: path.join(folder, crypto.randomUUID()),
    ...{ outgoing, limits, clock, log },
  });
  const upstreams = new Upstreams({ limits: { concurrency: 2, perMinute: 6_000, queueSeconds: 1 }, clock });
  return new RdapSource({ bootstrap, upstreams, outgoing, limits, clock });
}

async function failureOf(reply: RdapReply): Promise<UpstreamError> {
  await using server = await fakeRdap(reply);
  const source = await sourceOf(server.url);
  const error = await source.ask('example.test', 'test').then(
    () => undefined,
    (thrown: unknown) => thrown,
  );
  assert.ok(error instanceof UpstreamError, String(error));
  return error;
}

describe('RDAP', () => {
  test('an answer becomes a record', async () => {
    await using server = await fakeRdap({ ...domain, entities: [jane] });
    const answer = await (await sourceOf(server.url)).ask('example.test', 'test');
    assert.ok(answer?.outcome === 'registered');
    assert.equal(answer.record.registrant.name, 'Jane Doe');
    assert.deepEqual(server.paths, ['/domain/example.test']);
  });

  test('404 is a name that nobody has', async () => {
    await using server = await fakeRdap((_request, response) => response.writeHead(404).end());
    assert.deepEqual(await (await sourceOf(server.url)).ask('example.test', 'test'), { outcome: 'free' });
  });

  test('a TLD without a service has no answer', async () => {
    await using server = await fakeRdap(domain);
    assert.equal(await (await sourceOf(server.url)).ask('example.other', 'other'), undefined);
  });

  test('redirects are followed within services that are known', async () => {
    await using server = await fakeRdap((request, response) => {
      if (request.url?.startsWith('/domain/')) response.writeHead(301, { location: '/elsewhere' }).end();
      else sendRdap(response, { ...domain, entities: [jane] });
    });
    const answer = await (await sourceOf(server.url)).ask('example.test', 'test');
    assert.equal(answer?.outcome, 'registered');
    assert.deepEqual(server.paths, ['/domain/example.test', '/elsewhere']);
  });

  for (const location of [
    'http://127.0.0.1:80/',
    'https://127.0.0.1/',
    'https://169.254.169.254/latest',
    'http://127.0.0.3:22/',
    'file:///etc/passwd',
    'gopher://x',
  ]) {
    test(`a redirect to ${location} is not followed`, async () => {
      const error = await failureOf((_request, response) => response.writeHead(302, { location }).end());
      assert.equal(error.failure, 'forbidden');
    });
  }

  test('redirects in a circle end', async () => {
    const error = await failureOf((_request, response) =>
      response.writeHead(307, { location: '/again' }).end(),
    );
    assert.equal(error.failure, 'broken');
  });

  test('429 leaves the service alone for as long as it says', async () => {
    let now = 1_000_000_000_000;
    await using server = await fakeRdap((_request, response) =>
      response.writeHead(429, { 'retry-after': '120' }).end(),
    );
    const source = await sourceOf(server.url, { now: () => now });
    const ask = () =>
      source.ask('example.test', 'test').catch((error: UpstreamError) => error.retryAfterSeconds);
    assert.equal(await ask(), 120);
    now += 100_000;
    assert.equal(await ask(), 20);
    assert.equal(server.paths.length, 1);
    now += 21_000;
    assert.equal(await ask(), 120);
    assert.equal(server.paths.length, 2);
  });

  test('what is no answer is told apart', async () => {
    const failures: [string, RdapReply][] = [
      ['broken', (_request, response) => response.setHeader('content-type', 'text/html').end('<html>')],
      [
        'broken',
        (_request, response) =>
          response.setHeader('content-type', 'application/rdap+json').end('{"ldhName":'),
      ],
      ['broken', (_request, response) => sendRdap(response, {})],
      ['broken', (_request, response) => sendRdap(response, { ...domain, remarks: 'x'.repeat(100_000) })],
      ['broken', (_request, response) => response.writeHead(500).end()],
      ['refused', (_request, response) => response.writeHead(403).end()],
      ['silent', () => {}],
      ['unreachable', (request) => request.socket.destroy()],
    ];
    for (const [expected, reply] of failures) assert.equal((await failureOf(reply)).failure, expected);
  });

  test('the registrar fills what a thin registry leaves open, and its failure is no failure', async () => {
    for (const status of [200, 500]) {
      await using server = await fakeRdap((request, response) => {
        const link = {
          rel: 'related',
          href: `http://${request.headers.host}/registrar`,
          type: 'application/rdap+json',
        };
        if (request.url !== '/registrar') return sendRdap(response, { ...domain, links: [link] });
        response.statusCode = status;
        sendRdap(response, { ...domain, port43: 'whois.registrar.test', entities: [jane] });
      });
      const answer = await (await sourceOf(server.url)).ask('example.test', 'test');
      assert.ok(answer?.outcome === 'registered');
      assert.equal(answer.record.registrant.name, status === 200 ? 'Jane Doe' : null);
      assert.equal(answer.record.domain.created, '2001-02-03T00:00:00.000Z');
    }
  });

  test('a registrar in a private network is not asked', async () => {
    await using victim = await fakeRdap({ ...domain, entities: [jane] }, { host: '127.0.0.1' });
    const links = [
      { rel: 'related', href: victim.url },
      { rel: 'related', href: 'https://169.254.169.254/' },
    ];
    await using server = await fakeRdap({ ...domain, links });
    const answer = await (await sourceOf(server.url)).ask('example.test', 'test');
    assert.equal(answer?.outcome, 'registered');
    assert.deepEqual(victim.paths, []);
  });
});

describe('the list of RDAP services', () => {
  const file = {
    services: [
      [
        ['test', 'prüfung'],
        ['http://old.example/', 'https://rdap.example/v1'],
      ],
    ],
  };

  async function open(url: string, dataDir: string, clock: Clock) {
    const outgoing = new Outgoing({ allowed: ['127.0.0.2/32'] });
    return Bootstrap.open({ url: new URL(url), overrides: new Map(), dataDir, outgoing, limits, clock, log });
  }

  test('is fetched once a day, kept in the data folder, and used when it cannot be fetched', async () => {
    let now = 1_000_000_000_000;
    const clock = { now: () => now };
    const dataDir = path.join(folder, 'kept');
    let broken = false;
    await using server = await fakeRdap((_request, response) => {
      if (broken) response.writeHead(500).end();
      else sendRdap(response, file);
    });
    const first = await open(server.url, dataDir, clock);
    assert.equal((await first.serviceOf('test'))?.href, 'https://rdap.example/v1/');
    await first.serviceOf('test');
    assert.equal(server.paths.length, 1);

    broken = true;
    const second = await open(server.url, dataDir, clock);
    assert.equal((await second.serviceOf('test'))?.href, 'https://rdap.example/v1/');
    assert.equal(server.paths.length, 1);
    now += 86_400_001;
    await second.refresh();
    assert.equal(server.paths.length, 2);
    assert.equal((await second.serviceOf('test'))?.href, 'https://rdap.example/v1/');
  });

  test('that is damaged in the data folder is fetched again', async () => {
    const dataDir = path.join(folder, 'damaged');
    await mkdir(path.join(dataDir, 'whois'), { recursive: true });
    await writeFile(path.join(dataDir, 'whois', 'rdap-dns.json'), '{"fetchedAt": 1, "fi');
    await using server = await fakeRdap(file);
    const bootstrap = await open(server.url, dataDir, { now: () => 5 });
    assert.equal((await bootstrap.serviceOf('test'))?.href, 'https://rdap.example/v1/');
    assert.match(await readFile(path.join(dataDir, 'whois', 'rdap-dns.json'), 'utf8'), /"fetchedAt":5/);
  });
});
