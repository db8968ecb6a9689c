import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance } from '#testing/instance.ts';
import { type NameServer, startNameServer } from '#testing/name-server.ts';
import { addPerson } from '#testing/people.ts';
import { addresses } from './address.ts';
import { readOwnDomain } from './domain.ts';
import { checkDue } from './service.ts';

interface DnsRecord {
  type: string;
  name: string;
  value: string;
  status: string;
  found: string[];
}

for (const engine of engines) {
  describe(`domains on ${engine}`, () => {
    const clock = new TestClock();
    let dns: NameServer;
    let instance: Instance;
    let organizationId: string;
    before(async () => {
      dns = await startNameServer();
      const settings = {
        MAINSTAY_DNS_SERVERS: dns.address,
        MAINSTAY_DOMAINS_PER_APPLICATION: '3',
        MAINSTAY_MX_TIMEOUT: '1s',
      };
      instance = await startInstance(engine, { clock, settings });
      organizationId = instance.bootstrapped.organization.id;
    });
    after(async () => {
      await instance[Symbol.asyncDispose]();
      await dns[Symbol.asyncDispose]();
    });

    let count = 0;
    const application = async (): Promise<{ id: string; target: string; path: string }> => {
      const body = { organizationId, name: `Site ${++count}` };
      const { id } = (await instance.call('POST', '/applications', { as: 'user', body })).body;
      const path = `/applications/${id}/domains`;
      return { id, path, target: `site-${count}.apps.localhost` };
    };
    const add = async (path: string, domain: string) => {
      clock.advance(3);
      return instance.call('POST', path, { as: 'user', body: { domain } });
    };
    const check = async (path: string, id: string) =>
      (await instance.call('POST', `${path}/${id}/check`, { as: 'user' })).body;
    const hostnames = async (id: string): Promise<string[]> =>
      (await instance.call('GET', `/applications/${id}/hostnames`, { as: 'user' })).body.items.map(
        (item: { hostname: string; source: string }) => `${item.source} ${item.hostname}`,
      );
    const due = () => {
      const { db } = instance.platform;
      const resolver = {
        lookUp: async (name: string, type: 'TXT' | 'CNAME') => {
          const zone = dns.zones.get(name);
          if (zone?.silent) return undefined;
          const values = type === 'TXT' ? (zone?.txt ?? []) : zone?.cname ? [zone.cname] : [];
          return {
            exists: true,
            ttl: 60,
            records: values.map((data) => ({ type, name, data, ttl: 60 })),
          };
        },
      };
      const where = addresses({ appsDomain: undefined, gatewayPort: 4080, appsPort: 0 });
      return checkDue({
        db,
        clock,
        resolver: resolver as never,
        addresses: where,
        quota: 3,
        quotaOfOrganization: 500,
      });
    };

    test('one without records is pending, and says which record is missing', async () => {
      const { path, target } = await application();
      const { status, body } = await add(path, ' WWW.Example.COM. ');
      assert.equal(status, 200, JSON.stringify(body));
      assert.equal(body.domain, 'www.example.com');
      assert.equal(body.state, 'pending');
      const [cname, txt] = body.records as [DnsRecord, DnsRecord];
      assert.deepEqual(
        [cname.type, cname.name, cname.value, cname.status],
        ['CNAME', 'www.example.com', target, 'missing'],
      );
      assert.deepEqual([txt.type, txt.name, txt.status], ['TXT', '_mainstay.www.example.com', 'missing']);
      assert.match(txt.value, /^mainstay-verification=[0-9a-f]{40}$/);
      assert.match(body.problem, /no CNAME record at www\.example\.com/);
      const { items, total } = (await instance.call('GET', path, { as: 'user' })).body;
      assert.equal(total, 1);
      assert.deepEqual(items[0], body);
    });

    test('a CNAME record to the own hostname proves it, through aliases too', async () => {
      const { id, path, target } = await application();
      dns.zones.set('cname.example.com', { cname: 'alias.example.com.' });
      dns.zones.set('alias.example.com', { cname: 'elsewhere.example.net' });
      const first = (await add(path, 'cname.example.com')).body;
      assert.equal(first.state, 'pending');
      assert.equal(first.records[0].status, 'different');
      assert.deepEqual(first.records[0].found, ['alias.example.com', 'elsewhere.example.net']);
      assert.match(first.problem, /points to alias\.example\.com instead of/);
      dns.zones.set('alias.example.com', { cname: target.toUpperCase() });
      const verified = await check(path, first.id);
      assert.equal(verified.state, 'verified');
      assert.equal(verified.problem, null);
      assert.ok((await hostnames(id)).includes('user cname.example.com:4080'));
    });

    test('an apex and a wildcard are proven by a TXT record, and only by that', async () => {
      const { id, path, target } = await application();
      dns.zones.set('apex-site.com', { cname: target });
      dns.zones.set('*.wild-site.com', { cname: target });
      const apex = (await add(path, 'apex-site.com')).body;
      const wild = (await add(path, '*.wild-site.com')).body;
      assert.deepEqual(
        apex.records.map(({ type }: DnsRecord) => type),
        ['TXT', 'ALIAS'],
      );
      assert.equal(wild.state, 'pending');
      assert.match(wild.problem, /_mainstay\.wild-site\.com/);
      for (const domain of [wild, apex]) {
        const txt = domain.records.find(({ type }: DnsRecord) => type === 'TXT');
        dns.zones.set(txt.name, { txt: ['v=spf1 -all', txt.value] });
        assert.equal((await check(path, domain.id)).state, 'verified', domain.domain);
      }
      assert.deepEqual((await hostnames(id)).slice(1).sort(), [
        'user *.wild-site.com:4080',
        'user apex-site.com:4080',
      ]);
    });

    test('the token of another application proves nothing', async () => {
      const [one, two] = [await application(), await application()];
      const first = (await add(one.path, 'shared.example.com')).body;
      const second = (await add(two.path, 'shared.example.com')).body;
      const txt = first.records[1] as DnsRecord;
      dns.zones.set(txt.name, { txt: [txt.value] });
      assert.equal((await check(two.path, second.id)).state, 'pending');
      assert.equal((await check(one.path, first.id)).state, 'verified');
    });

    test("another tenant's is taken over by an application that proves it with a TXT record, not by an alias", async () => {
      const [one, two] = [await application(), await application()];
      dns.zones.set('moved.example.com', { cname: one.target });
      const first = (await add(one.path, 'moved.example.com')).body;
      assert.equal(first.state, 'verified');
      dns.zones.set('moved.example.com', { cname: two.target });
      const second = (await add(two.path, 'moved.example.com')).body;
      assert.equal(second.state, 'pending');
      assert.match(second.problem, /Another application uses this domain/);
      assert.ok((await hostnames(one.id)).includes('user moved.example.com:4080'));
      const txt = second.records[1] as DnsRecord;
      dns.zones.set(txt.name, { txt: [txt.value] });
      assert.equal((await check(two.path, second.id)).state, 'verified');
      assert.deepEqual(await hostnames(one.id), [`system ${one.target}:4080`]);
      assert.ok((await hostnames(two.id)).includes('user moved.example.com:4080'));
      const lost = (await instance.call('GET', `${one.path}/${first.id}`, { as: 'user' })).body;
      assert.equal(lost.state, 'failed');
      assert.match(lost.problem, /another application/);
    });

    test('a verified one is re-checked, and given up only when its proof stays away for days', async () => {
      const { id, path, target } = await application();
      dns.zones.set('kept.example.com', { cname: target });
      const { id: domainId } = (await add(path, 'kept.example.com')).body;
      dns.zones.delete('kept.example.com');
      const state = async () =>
        (await instance.call('GET', `${path}/${domainId}`, { as: 'user' })).body.state;
      for (const [hours, wanted] of [
        [25, 'verified'],
        [70, 'verified'],
        [3, 'failed'],
      ] as const) {
        clock.advance(hours * 3600);
        await due();
        assert.equal(await state(), wanted, `${hours}`);
      }
      assert.equal((await hostnames(id)).length, 1);
      dns.zones.set('kept.example.com', { cname: target });
      clock.advance(25 * 3600);
      await due();
      assert.equal(await state(), 'verified');
      dns.zones.set('kept.example.com', { silent: true });
      clock.advance(200 * 3600);
      await due();
      assert.equal(await state(), 'verified');
    });

    test('a pending one is given up after a week', async () => {
      const { path } = await application();
      const { id } = (await add(path, 'never.example.com')).body;
      clock.advance(7 * 86_400);
      await due();
      const { body } = await instance.call('GET', `${path}/${id}`, { as: 'user' });
      assert.equal(body.state, 'failed');
    });

    test('a name server that does not answer changes nothing, and is named', async () => {
      const { path } = await application();
      dns.zones.set('quiet.example.com', { silent: true });
      const { body } = await add(path, 'quiet.example.com');
      assert.equal(body.state, 'pending');
      assert.match(body.problem, /No name server/);
      assert.equal(body.records[0].status, 'unknown');
    });

    test('one deleted answers no more; quota, repetition and rate are refused', async () => {
      const { id, path, target } = await application();
      dns.zones.set('short.example.com', { cname: target });
      const first = (await add(path, 'short.example.com')).body;
      assert.equal((await add(path, 'short.example.com')).status, 409);
      assert.equal((await add(path, 'b.example.com')).status, 200);
      assert.equal((await add(path, 'c.example.com')).status, 200);
      const refused = await add(path, 'd.example.com');
      assert.deepEqual(
        [refused.status, refused.body.error],
        [403, 'The application has 3 domains, and 3 is the limit. Delete one, or ask the operator for more.'],
      );
      assert.equal((await instance.call('DELETE', `${path}/${first.id}`, { as: 'user' })).status, 204);
      assert.equal((await instance.call('DELETE', `${path}/${first.id}`, { as: 'user' })).status, 404);
      assert.equal((await hostnames(id)).length, 1);
      const { items } = (await instance.call('GET', path, { as: 'user' })).body;
      const statuses = new Set<number>();
      for (let at = 0; at < 40; at++) {
        const answer = await instance.call('POST', `${path}/${items[0].id}/check`, { as: 'user' });
        statuses.add(answer.status);
      }
      assert.deepEqual([...statuses], [200, 429]);
      clock.advance(120);
    });

    test('an Idempotency-Key adds it once', async () => {
      const { path } = await application();
      const headers = { 'idempotency-key': `domain-${path}` };
      const body = { domain: 'once.example.com' };
      const one = await instance.call('POST', path, { as: 'user', body, headers });
      const two = await instance.call('POST', path, { as: 'user', body, headers });
      assert.deepEqual([two.status, two.body.id], [200, one.body.id]);
    });

    test('an organization lists those of all its applications, by state', async () => {
      const body = { name: `Owner of domains ${engine}` };
      const owner = (await instance.call('POST', '/organizations', { as: 'user', body })).body;
      const all = `/organizations/${owner.id}/domains`;
      for (const name of ['one', 'two']) {
        const made = { organizationId: owner.id, name: `${name} of them` };
        const { id } = (await instance.call('POST', '/applications', { as: 'user', body: made })).body;
        await add(`/applications/${id}/domains`, `${name}.listed.example.com`);
      }
      const listed = await instance.call('GET', all, { as: 'user' });
      assert.deepEqual(
        listed.body.items.map(({ domain, records }: { domain: string; records: DnsRecord[] }) => [
          domain,
          records[0]?.value,
        ]),
        [
          ['one.listed.example.com', 'one-of-them.apps.localhost'],
          ['two.listed.example.com', 'two-of-them.apps.localhost'],
        ],
      );
      const page = await instance.call('GET', `${all}?limit=1&state=pending`, { as: 'user' });
      assert.deepEqual([page.body.total, page.body.items.length], [2, 1]);
      const next = await instance.call('GET', `${all}?limit=1&cursor=${page.body.nextCursor}`, {
        as: 'user',
      });
      assert.equal(next.body.items[0].domain, 'two.listed.example.com');
      assert.equal((await instance.call('GET', `${all}?state=failed`, { as: 'user' })).body.total, 0);
      assert.equal((await instance.call('GET', `${all}?state=odd`, { as: 'user' })).status, 400);
      const stranger = await addPerson(instance, `all-domains-${engine}@example.com`);
      assert.equal((await instance.call('GET', all, { as: stranger })).status, 404);
    });

    test('others see nothing of it', async () => {
      const [one, two] = [await application(), await application()];
      const { id } = (await add(one.path, 'private.example.com')).body;
      const stranger = await addPerson(instance, `domains-${engine}@example.com`);
      assert.equal((await instance.call('GET', one.path, { as: stranger })).status, 404);
      for (const method of ['GET', 'DELETE'])
        assert.equal((await instance.call(method, `${two.path}/${id}`, { as: 'user' })).status, 404);
      assert.equal((await instance.call('POST', `${two.path}/${id}/check`, { as: 'user' })).status, 404);
    });
  });
}

describe('texts that are no domain of your own', () => {
  const own = ['apps.example', 'console.acme.com'];
  const refused: Record<string, [string, RegExp]> = {
    'a public suffix': ['co.uk', /public suffix/],
    'a suffix of a company': ['github.io', /public suffix/],
    'an address': ['192.0.2.1', /IP address/],
    'an address in brackets': ['[2001:db8::1]', /IP address/],
    'an address in another spelling': ['0x7f000001.1', /number|IP/],
    "the platform's own": ['console.acme.com', /platform/],
    "a name below the platform's own": ['x.console.acme.com', /platform/],
    'a wildcard that covers the platform': ['*.console.acme.com', /platform/],
    'a wildcard in the middle': ['a.*.example.com', /first label/],
    'two wildcards': ['*.*.example.com', /first label/],
    'a part of a label as a wildcard': ['a*.example.com', /first label/],
    'a wildcard of a suffix': ['*.co.uk', /public suffix/],
    'a URL': ['https://example.com/', /URL/],
    'an e-mail address': ['a@example.com', /e-mail/],
    'a single label': ['localhost', /label/],
    'a private name': ['printer.local', /public suffix/],
    'a port': ['example.com:80', /character/],
    'a blank': ['exam ple.com', /character/],
    'a label of 64 characters': [`${'x'.repeat(64)}.com`, /63/],
    '254 characters': [`${'a.'.repeat(126)}com`, /253/],
  };
  for (const [what, [text, reason]] of Object.entries(refused)) {
    test(`${what} is refused with the reason`, () => {
      assert.throws(() => readOwnDomain(text, own), reason);
    });
  }

  test('names in other scripts are kept in ASCII', () => {
    assert.equal(readOwnDomain('Bücher.example.de', own).name, 'xn--bcher-kva.example.de');
    assert.equal(readOwnDomain('acme.com', own).isApex, true);
  });
});
