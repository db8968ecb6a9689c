import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import { Problem } from '#core/problem.ts';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { startInstance } from '#testing/instance.ts';
import { Whois } from './service.ts';
import { fakeRdap, sendRdap } from './testing/rdap-server.ts';
import { fakeWhois } from './testing/whois-server.ts';

const log = pino({ level: 'silent' });

for (const engine of engines) {
  describe(`availability on ${engine}`, () => {
    test('each name by the cheapest sure answer: what is kept, the DNS for a yes, RDAP, WHOIS', async () => {
      await using whois = await fakeWhois((query, socket) => {
        if (query.startsWith('silent')) return;
        socket.end(query.startsWith('kept') ? 'This name is reserved.' : 'No match.');
      });
      await using rdap = await fakeRdap((request, response) => {
        const name = request.url?.split('/').at(-1) ?? '';
        if (name.startsWith('free')) response.writeHead(404).end();
        else sendRdap(response, { ldhName: name, entities: [{ roles: ['registrant'], handle: 'X' }] });
      });
      await using instance = await startInstance(engine);
      const { platform } = instance;
      const seen: string[] = [];
      const service = await Whois.open({
        ...{ db: platform.db, log, clock: new TestClock() },
        metrics: { query: () => {}, cache: () => {} },
        settings: {
          ...platform.config,
          whoisRdapServices: [`rdap=${rdap.url}`],
          whoisServers: [`whois=${whois.host}:${whois.port}`],
          whoisRootServer: `${whois.host}:${whois.port}`,
          whoisBootstrapUrl: new URL(rdap.url),
          whoisPrivateAddresses: ['127.0.0.2/32'],
          whoisIdleTimeout: 1,
          whoisConnectTimeout: 1,
        },
        network: {
          isDelegated: async (domain) => {
            seen.push(domain);
            return domain.startsWith('used');
          },
        },
      });
      const names = [
        'used.rdap',
        'www.free.rdap',
        'taken.rdap',
        'FREE.rdap',
        'free.whois',
        'kept.whois',
        'silent.whois',
        'x.nowhere',
      ];
      assert.deepEqual(await service.availability(names), [
        { domain: 'used.rdap', status: 'registered', source: 'dns' },
        { domain: 'free.rdap', status: 'free', source: 'rdap' },
        { domain: 'taken.rdap', status: 'registered', source: 'rdap' },
        { domain: 'free.whois', status: 'free', source: 'whois' },
        { domain: 'kept.whois', status: 'reserved', source: 'whois' },
        { domain: 'silent.whois', status: 'unknown', source: null },
        { domain: 'x.nowhere', status: 'unknown', source: null },
      ]);
      seen.length = 0;
      assert.deepEqual(await service.availability(['taken.rdap', 'free.whois']), [
        { domain: 'taken.rdap', status: 'registered', source: 'cache' },
        { domain: 'free.whois', status: 'free', source: 'cache' },
      ]);
      assert.deepEqual(seen, []);
      await assert.rejects(service.availability(['example.com', 'co.uk']), Problem);
    });

    test('one name and a list of names are asked for alike; more than twenty are refused', async () => {
      await using rdap = await fakeRdap((_request, response) => response.writeHead(404).end());
      const settings = {
        MAINSTAY_WHOIS_RDAP_SERVICES: `rdap=${rdap.url}`,
        MAINSTAY_WHOIS_BOOTSTRAP_URL: rdap.url,
        MAINSTAY_WHOIS_PRIVATE_ADDRESSES: '127.0.0.2/32',
      };
      await using instance = await startInstance(engine, { settings });
      const many = Array.from({ length: 21 }, (_, index) => `domain=n${index}.rdap`).join('&');
      const tooMany = await instance.call('GET', `/whois/availability?${many}`, { as: 'application' });
      assert.deepEqual(
        [tooMany.status, tooMany.body.error],
        [400, '21 names are too many: send 20 at most.'],
      );
      for (const query of ['', '?domain=', '?domain=ok.rdap&domain=192.0.2.1']) {
        assert.equal(
          (await instance.call('GET', `/whois/availability${query}`, { as: 'application' })).status,
          400,
        );
      }
      const one = await instance.call('GET', '/whois/availability?domain=free.rdap', { as: 'application' });
      assert.deepEqual(one.body, {
        items: [{ domain: 'free.rdap', status: 'free', source: 'rdap' }],
        total: 1,
      });
    });
  });
}
