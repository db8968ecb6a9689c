import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { fakeRdap, sendRdap } from './testing/rdap-server.ts';
import { fakeWhois } from './testing/whois-server.ts';

const daySeconds = 86_400;

const rdapAnswer = (name: string) => ({
  objectClassName: 'domain',
  ldhName: name,
  status: ['active'],
  events: [
    { eventAction: 'registration', eventDate: '2001-02-03T00:00:00Z' },
    { eventAction: 'expiration', eventDate: '2090-01-01T00:00:00Z' },
  ],
  entities: [
    {
      roles: ['registrant'],
      vcardArray: [
        'vcard',
        [
          ['fn', {}, 'text', 'Jane Doe'],
          ['adr', { cc: 'GB' }, 'text', []],
        ],
      ],
    },
  ],
});

const whoisAnswer = (name: string, expires = '2090-01-01') =>
  `Domain Name: ${name}\r\nCreation Date: 2001-02-03\r\nExpiry Date: ${expires}\r\nRegistrant Name: Jane Doe\r\n`;

/** A registry of each kind on loopback, and the settings that point an instance at them. */
async function upstreams(options: { whois?: (query: string, socket: Socket) => void } = {}) {
  const stack = new AsyncDisposableStack();
  const rdap = stack.use(
    await fakeRdap((request, response) => {
      const name = request.url?.split('/').at(-1) ?? '';
      if (name.startsWith('free')) response.writeHead(404).end();
      else if (name.startsWith('busy')) response.writeHead(429, { 'retry-after': '77' }).end();
      else if (name.startsWith('broken')) response.writeHead(500).end();
      else sendRdap(response, rdapAnswer(name));
    }),
  );
  const reply = options.whois ?? ((query, socket) => socket.end(whoisAnswer(query)));
  const whois = stack.use(await fakeWhois(reply));
  const settings = {
    MAINSTAY_WHOIS_RDAP_SERVICES: `rdap=${rdap.url},both=${rdap.url}`,
    MAINSTAY_WHOIS_SERVERS: `whois=${whois.host}:${whois.port},both=${whois.host}:${whois.port}`,
    MAINSTAY_WHOIS_ROOT_SERVER: `${whois.host}:${whois.port}`,
    MAINSTAY_WHOIS_BOOTSTRAP_URL: `${rdap.url}list`,
    MAINSTAY_WHOIS_PRIVATE_ADDRESSES: '127.0.0.2/32',
    MAINSTAY_WHOIS_CONNECT_TIMEOUT: '1s',
    MAINSTAY_WHOIS_IDLE_TIMEOUT: '1s',
    MAINSTAY_WHOIS_TOTAL_TIMEOUT: '2s',
    MAINSTAY_WHOIS_PER_MINUTE: '60000',
  };
  return { rdap, whois, settings, [Symbol.asyncDispose]: () => stack.disposeAsync() };
}

const record = (name: string) => `/whois/domain?domain=${encodeURIComponent(name)}`;

for (const engine of engines) {
  describe(`GET /whois/domain on ${engine}`, () => {
    test('answers from RDAP, from WHOIS, and with the root domain of a subdomain', async () => {
      await using registries = await upstreams();
      await using instance = await startInstance(engine, { settings: registries.settings });
      const first = await instance.call('GET', record('www.Example.rdap'), { as: 'application' });
      assert.equal(first.status, 200);
      assert.match(first.headers.get('content-type') ?? '', /^application\/json/);
      assert.equal(first.headers.get('age'), '0');
      assert.deepEqual(first.body.domain, {
        name: 'example.rdap',
        id: null,
        status: ['ok'],
        created: '2001-02-03T00:00:00.000Z',
        updated: null,
        expires: '2090-01-01T00:00:00.000Z',
      });
      assert.deepEqual([first.body.registrant.name, first.body.registrant.country], ['Jane Doe', 'GB']);
      const second = await instance.call('GET', record('example.whois'), { as: 'user' });
      assert.equal(second.body.domain.created, '2001-02-03T00:00:00.000Z');
      assert.equal(second.body.billing.name, null);
      assert.deepEqual(registries.whois.queries, ['example.whois']);
    });

    test('raw is the WHOIS text, and the RDAP answer in lines where there is none', async () => {
      await using registries = await upstreams();
      await using instance = await startInstance(engine, { settings: registries.settings });
      for (const name of ['example.whois', 'example.both']) {
        const answer = await instance.call('GET', `${record(name)}&raw=true`, { as: 'application' });
        assert.equal(answer.status, 200);
        assert.equal(answer.headers.get('content-type'), 'text/plain; charset=utf-8');
        assert.equal(answer.body, whoisAnswer(name).replaceAll('\r\n', '\n'));
      }
      const rendered = await instance.call('GET', `${record('example.rdap')}&raw=true`, {
        as: 'application',
      });
      assert.match(rendered.body, /^Domain Name: example\.rdap\n[\s\S]*Registrant Name: Jane Doe\n/);
      const json = await instance.call('GET', `${record('example.both')}&raw=false`, { as: 'application' });
      assert.equal(json.body.registrant.name, 'Jane Doe');
      assert.equal(registries.whois.queries.filter((query) => query === 'example.both').length, 1);
    });

    test('WHOIS answers where RDAP is broken', async () => {
      await using registries = await upstreams();
      await using instance = await startInstance(engine, { settings: registries.settings });
      const answer = await instance.call('GET', record('broken.both'), { as: 'application' });
      assert.equal(answer.body.domain.created, '2001-02-03T00:00:00.000Z');
    });

    test('404 for a name that nobody has, 503 for a registry that wants peace, 504 for one that is silent', async () => {
      await using registries = await upstreams({
        whois: (query, socket) => {
          if (!query.startsWith('silent')) socket.end(query.includes('.') ? 'No match.' : 'domain: X\n');
        },
      });
      await using instance = await startInstance(engine, { settings: registries.settings });
      const ask = (name: string) => instance.call('GET', record(name), { as: 'application' });
      const free = await ask('free.rdap');
      assert.deepEqual([free.status, free.body.error], [404, 'free.rdap is not registered.']);
      assert.equal(
        (await instance.call('GET', `${record('free.whois')}&raw=true`, { as: 'application' })).status,
        404,
      );
      const silent = await ask('silent.whois');
      assert.equal(silent.status, 504);
      assert.match(silent.body.error, /did not respond in time/);
      const busy = await ask('busy.rdap');
      assert.equal(busy.status, 503);
      assert.equal(busy.headers.get('retry-after'), '77');
      const nobody = await ask('example.nowhere');
      assert.deepEqual(
        [nobody.status, nobody.body.error],
        [404, 'No known registry responds for names below .nowhere.'],
      );
    });

    test('what is no domain is refused with a sentence that says what it is', async () => {
      await using instance = await startInstance(engine);
      const bad: [string, RegExp][] = [
        ['', /"domain" is missing/],
        ['?domain=', /is empty/],
        ['?domain=co.uk', /public suffix/],
        ['?domain=192.0.2.1', /IP address/],
        ['?domain=https://example.com/x', /is a URL/],
        ['?domain=exa%20mple.com', /contains blanks/],
        [`?domain=${'a.'.repeat(148)}com`, /longer than the 253/],
        ['?domain=xn--zzzzzz99999.com', /punycode that does not decode/],
        ['?domain=example.com&raw=maybe', /"raw" must be/],
        ['?domain=a.com&domain=b.com', /"domain" must be/],
      ];
      for (const [query, sentence] of bad) {
        const answer = await instance.call('GET', `/whois/domain${query}`, { as: 'application' });
        assert.equal(answer.status, 400, query);
        assert.match(answer.body.error, sentence);
      }
    });

    test('a token is needed, with the scope', async () => {
      await using instance = await startInstance(engine);
      assert.equal((await instance.call('GET', record('example.com'))).status, 401);
      assert.equal((await instance.call('GET', '/whois/availability?domain=example.com')).status, 401);
    });
  });

  describe(`the cache of whois records on ${engine}`, () => {
    test('two hundred equal look-ups at once ask the registry once', async () => {
      await using registries = await upstreams();
      await using instance = await startInstance(engine, { settings: registries.settings });
      await instance.token('application');
      const ask = () => instance.call('GET', record('example.rdap'), { as: 'application' });
      const answers = await Promise.all(Array.from({ length: 200 }, ask));
      assert.ok(answers.every(({ status }) => status === 200));
      assert.deepEqual(
        registries.rdap.paths.filter((path) => path !== '/list'),
        ['/domain/example.rdap'],
      );
    });

    test('a record is kept for a day, with its age, and shared by all nodes', async () => {
      const clock = new TestClock();
      await using registries = await upstreams();
      await using home = await testHome(engine);
      const options = { settings: registries.settings, clock, home };
      await using first = await startInstance(engine, options);
      await using second = await startInstance(engine, options);
      await first.call('GET', record('example.whois'), { as: 'application' });
      clock.advance(3_600);
      const again = await second.call('GET', record('example.whois'), { as: 'application' });
      assert.equal(again.headers.get('age'), '3600');
      assert.equal(registries.whois.queries.length, 1);
    });

    test('an old record is served while a new one is fetched, and when none can be had', async () => {
      const clock = new TestClock();
      let answers = true;
      await using registries = await upstreams({
        whois: (query, socket) => (answers ? socket.end(whoisAnswer(query)) : socket.destroy()),
      });
      await using instance = await startInstance(engine, { settings: registries.settings, clock });
      const ask = () => instance.call('GET', record('example.whois'), { as: 'application' });
      await ask();
      clock.advance(daySeconds + 1);
      const stale = await ask();
      assert.equal(stale.headers.get('age'), '86401');
      await waitFor(() => registries.whois.queries.length === 2);
      await waitFor(async () => (await ask()).headers.get('age') === '0');

      answers = false;
      clock.advance(3 * daySeconds);
      const kept = await ask();
      assert.deepEqual([kept.status, kept.headers.get('age')], [200, String(3 * daySeconds)]);
      clock.advance(6 * daySeconds);
      assert.equal((await ask()).status, 503);
    });

    test('a domain that is about to expire is asked for again after an hour, a free one after ten minutes', async () => {
      const clock = new TestClock();
      const soon = new Date(clock.now() + 3 * daySeconds * 1000).toISOString();
      await using registries = await upstreams({
        whois: (query, socket) =>
          socket.end(query.startsWith('free') ? 'No match.' : whoisAnswer(query, soon)),
      });
      await using instance = await startInstance(engine, { settings: registries.settings, clock });
      const ask = (name: string) => instance.call('GET', record(name), { as: 'application' });
      await ask('ends.whois');
      await ask('free.whois');
      await ask('free.whois');
      assert.deepEqual(registries.whois.queries, ['ends.whois', 'free.whois']);
      clock.advance(601);
      await ask('ends.whois');
      await ask('free.whois');
      assert.deepEqual(registries.whois.queries, ['ends.whois', 'free.whois', 'free.whois']);
      clock.advance(3_000);
      await ask('ends.whois');
      await waitFor(() => registries.whois.queries.at(-1) === 'ends.whois');
    });
  });
}

async function waitFor(condition: () => boolean | Promise<boolean>): Promise<void> {
  for (let tries = 0; !(await condition()); tries++) {
    if (tries > 100) assert.fail('It never came.');
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}
