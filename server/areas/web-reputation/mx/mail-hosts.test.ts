import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { TestClock } from '#testing/clock.ts';
import { type NameServer, startNameServer, type Zone } from '#testing/name-server.ts';
import { MailHostLookup } from './mail-hosts.ts';
import { Resolver } from './resolver.ts';
import { nameServers, readServerAddress } from './server-address.ts';

describe('mail hosts', () => {
  let server: NameServer;
  let silent: NameServer;
  before(async () => {
    server = await startNameServer();
    silent = await startNameServer();
  });
  after(async () => {
    await server[Symbol.asyncDispose]();
    await silent[Symbol.asyncDispose]();
  });

  const open = (
    options: { servers?: string[]; concurrency?: number; timeoutSeconds?: number; clock?: TestClock } = {},
  ) => {
    const {
      servers = [server.address],
      concurrency = 64,
      timeoutSeconds = 1,
      clock = new TestClock(),
    } = options;
    const resolver = new Resolver({
      servers: nameServers(servers),
      clock,
      timeoutSeconds,
      concurrency,
      maxNames: 1000,
    });
    const lookup = new MailHostLookup(resolver, { timeoutSeconds });
    return async (name: string, withAddress = true) => lookup.of(name, { withAddress });
  };
  let names = 0;
  const zone = (records: Zone, at = server) => {
    const name = `n${++names}.example`;
    at.zones.set(name, records);
    return name;
  };
  const askedFor = (name: string) => server.asked.filter((asked) => asked.endsWith(` ${name}`));

  test('an MX record is where mail goes', async () => {
    const name = zone({ mx: ['mx.example'] });
    assert.deepEqual(await open()(name), { hasMx: true, accepts: true, failed: false });
    assert.deepEqual(askedFor(name), [`MX ${name}`]);
  });

  test('without one, an address is, of either kind (RFC 5321, 5.1)', async () => {
    const ask = open();
    assert.deepEqual(await ask(zone({ a: ['192.0.2.1'] })), { hasMx: false, accepts: true, failed: false });
    assert.deepEqual(await ask(zone({ aaaa: ['2001:db8::1'] })), {
      hasMx: false,
      accepts: true,
      failed: false,
    });
    assert.deepEqual(await ask(zone({})), { hasMx: false, accepts: false, failed: false });
  });

  test('the address is asked for only where it is wanted', async () => {
    const name = zone({ a: ['192.0.2.1'] });
    assert.equal((await open()(name, false)).accepts, false);
    assert.deepEqual(askedFor(name), [`MX ${name}`]);
  });

  test('a null MX record means no mail, whatever addresses there are (RFC 7505)', async () => {
    const name = zone({ mx: ['.'], a: ['192.0.2.1'] });
    assert.deepEqual(await open()(name), { hasMx: false, accepts: false, failed: false });
    assert.deepEqual(askedFor(name), [`MX ${name}`]);
  });

  test('a name that does not exist is not asked about again', async () => {
    const name = zone({ missing: true });
    assert.deepEqual(await open()(name), { hasMx: false, accepts: false, failed: false });
    assert.deepEqual(askedFor(name), [`MX ${name}`]);
  });

  test('answers are accepted as long as their records say, negative ones as long as the SOA record says', async () => {
    const clock = new TestClock();
    const ask = open({ clock });
    for (const records of [
      { mx: ['mx.example'], ttl: 120 },
      { missing: true, ttl: 120 },
      { missing: true, withoutSoa: true },
    ]) {
      const name = zone(records);
      await ask(name);
      await ask(name);
      assert.equal(askedFor(name).length, 1);
      clock.advance(records.withoutSoa ? 61 : 121);
      await ask(name);
      assert.equal(askedFor(name).length, 2);
    }
  });

  test('equal questions at once are one question', async () => {
    const name = zone({ mx: ['mx.example'], delayMilliseconds: 50 });
    const ask = open();
    const answers = await Promise.all(Array.from({ length: 50 }, () => ask(name)));
    assert.ok(answers.every(({ hasMx }) => hasMx));
    assert.equal(askedFor(name).length, 1);
  });

  test('no more questions are open than may be; the rest wait their turn', async () => {
    const slow = await startNameServer();
    const list = Array.from({ length: 40 }, () => zone({ mx: ['mx.example'], delayMilliseconds: 10 }, slow));
    const ask = open({ servers: [slow.address], concurrency: 4, timeoutSeconds: 5 });
    const answers = await Promise.all(list.map((name) => ask(name)));
    assert.ok(answers.every(({ hasMx }) => hasMx));
    assert.ok(slow.mostOpen() <= 4, `${slow.mostOpen()}`);
    await slow[Symbol.asyncDispose]();
  });

  test('a server that does not answer costs its head start, and the next one is asked', async () => {
    const name = zone({ mx: ['mx.example'] });
    silent.zones.set(name, { silent: true });
    const ask = open({ servers: [silent.address, server.address] });
    assert.equal((await ask(name)).hasMx, true);
    // From then on the one that answered comes first.
    const next = zone({ mx: ['mx.example'] });
    silent.zones.set(next, { silent: true });
    const again = performance.now();
    assert.equal((await ask(next)).hasMx, true);
    assert.ok(performance.now() - again < 900);
  });

  test('a server that fails is passed over at once', async () => {
    const name = zone({ mx: ['mx.example'] });
    silent.zones.set(name, { failing: true });
    const start = performance.now();
    assert.equal((await open({ servers: [silent.address, server.address] })(name)).hasMx, true);
    assert.ok(performance.now() - start < 900);
  });

  test('a port where nothing listens is noticed at once', async () => {
    const gone = await startNameServer();
    await gone[Symbol.asyncDispose]();
    const start = performance.now();
    assert.equal((await open({ servers: [gone.address] })('x.example')).failed, true);
    assert.ok(performance.now() - start < 900);
  });

  test('when no server answers in time, the last known answer holds however old, else false', async () => {
    const clock = new TestClock();
    const ask = open({ clock });
    const name = zone({ mx: ['mx.example'], ttl: 60 });
    await ask(name);
    server.zones.set(name, { silent: true });
    clock.advance(7 * 86_400);
    const start = performance.now();
    assert.deepEqual(await ask(name), { hasMx: true, accepts: true, failed: true });
    const waited = performance.now() - start;
    assert.ok(waited >= 950 && waited < 5000, `${waited}`);
    // And is not waited for again for a while.
    const again = performance.now();
    assert.equal((await ask(name)).failed, true);
    assert.ok(performance.now() - again < 900);
    assert.deepEqual(await ask(zone({ silent: true })), { hasMx: false, accepts: false, failed: true });
    server.zones.set(name, { mx: ['mx.example'] });
    clock.advance(11);
    assert.deepEqual(await ask(name), { hasMx: true, accepts: true, failed: false });
  });

  test('a slow name delays only itself', async () => {
    const ask = open();
    const slow = zone({ silent: true });
    const fast = zone({ mx: ['mx.example'] });
    const start = performance.now();
    const waiting = ask(slow);
    assert.equal((await ask(fast)).hasMx, true);
    assert.ok(performance.now() - start < 900);
    await waiting;
  });

  test('an answer that does not fit is fetched over TCP', async () => {
    const hosts = Array.from({ length: 100 }, (_, i) => `mx${i}.with-a-rather-long-name.example`);
    assert.equal((await open()(zone({ mx: hosts, truncated: true }))).hasMx, true);
  });

  test('an answer to another question is not accepted', async () => {
    const name = zone({ forged: true });
    assert.deepEqual(await open()(name), { hasMx: false, accepts: false, failed: false });
  });

  test('addresses of name servers are read with and without a port', () => {
    assert.deepEqual(readServerAddress('192.0.2.1'), { host: '192.0.2.1', port: 53 });
    assert.deepEqual(readServerAddress('192.0.2.1:5353'), { host: '192.0.2.1', port: 5353 });
    assert.deepEqual(readServerAddress('2001:db8::1'), { host: '2001:db8::1', port: 53 });
    assert.deepEqual(readServerAddress('[2001:db8::1]:5353'), { host: '2001:db8::1', port: 5353 });
    for (const wrong of ['dns.example', '192.0.2.1:0', '192.0.2.1:65536', '[192.0.2.1]:53', '']) {
      assert.equal(readServerAddress(wrong), undefined, wrong);
    }
  });
});
