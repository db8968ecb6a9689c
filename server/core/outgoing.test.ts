import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ForbiddenAddress, Outgoing } from './outgoing.ts';

const notPublic = [
  ...[
    '127.0.0.1',
    '10.1.2.3',
    '172.16.0.1',
    '172.31.255.255',
    '192.168.1.1',
    '169.254.169.254',
    '100.64.0.1',
  ],
  ...[
    '0.0.0.0',
    '224.0.0.1',
    '255.255.255.255',
    '198.18.0.1',
    '192.0.2.1',
    '::',
    '::1',
    'fe80::1',
    'fd00::1',
  ],
  ...[
    '::ffff:127.0.0.1',
    '::ffff:10.0.0.1',
    '::127.0.0.1',
    '64:ff9b::7f00:1',
    '2002:7f00:1::',
    '2001:db8::1',
    'ff02::1',
  ],
];

for (const address of notPublic) {
  test(`${address} is never connected to`, async () => {
    assert.equal(new Outgoing().permits(address), false);
    await assert.rejects(new Outgoing().addressesOf(address), ForbiddenAddress);
  });
}

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
