import assert from 'node:assert/strict';
import { networkInterfaces } from 'node:os';
import { test } from 'node:test';
import { privateHosts } from '#testing/private-addresses.ts';
import { ForbiddenAddress, Outgoing } from './outgoing.ts';

/** As a URL's host is read before it is resolved; a name resolves to this machine. */
const hostIn = (written: string) => new URL(`http://${written}/`).hostname;
const resolve = async () => ['127.0.0.1'];

test(`${privateHosts.length} ways to write a private address lead nowhere`, async () => {
  assert.ok(privateHosts.length >= 60);
  const outgoing = new Outgoing({ resolve });
  for (const written of privateHosts)
    for (const host of [hostIn(written), written])
      await assert.rejects(outgoing.addressesOf(host), ForbiddenAddress, host);
});

test('an address with a zone, or one that is none, is never connected to', async () => {
  for (const address of ['fe80::1%eth0', '::1%lo', '', 'localhost', '127.1', '0x7f000001', '1.1.1.1:80'])
    assert.equal(new Outgoing().permits(address), false, address);
  await assert.rejects(new Outgoing({ resolve: async () => [] }).addressesOf(''));
});

test('this machine is out of reach at all its addresses, public ones too, unless they are allowed', () => {
  const own = Object.values(networkInterfaces()).flatMap((entries) => entries ?? []);
  assert.ok(own.length > 0);
  for (const { address } of own) {
    assert.equal(new Outgoing().permits(address), false, address);
    assert.equal(new Outgoing({ allowed: [address] }).permits(address), true, address);
  }
});

for (const address of [
  '1.1.1.1',
  '8.8.8.8',
  '172.32.0.1',
  '192.0.1.1',
  '2606:4700::1111',
  '2001:4860:4860::8888',
]) {
  test(`${address} may be connected to`, () => assert.equal(new Outgoing().permits(address), true));
}

test('an address that the operator allows may be connected to, its neighbours may not', () => {
  const outgoing = new Outgoing({ allowed: ['127.0.0.2/32', 'fd00::/64'] });
  assert.deepEqual(
    ['127.0.0.2', '127.0.0.1', 'fd00::1', 'fd01::1'].map((address) => outgoing.permits(address)),
    [true, false, true, false],
  );
});

test('a name with one private address among public ones is refused', async () => {
  const outgoing = new Outgoing({ resolve: async () => ['1.1.1.1', '169.254.169.254'] });
  await assert.rejects(outgoing.addressesOf('whois.example'), ForbiddenAddress);
});

test('what was checked is what is connected to: a second look at the name changes nothing', async () => {
  const answers = [['1.1.1.1'], ['127.0.0.1']];
  const outgoing = new Outgoing({ resolve: async () => answers.shift() ?? [] });
  const lookup = Outgoing.pinned(await outgoing.addressesOf('whois.example'));
  const found = await new Promise((resolve) =>
    lookup('whois.example', { all: true }, (_, addresses) => resolve(addresses)),
  );
  assert.deepEqual(found, [{ address: '1.1.1.1', family: 4 }]);
  assert.equal(answers.length, 1);
});
