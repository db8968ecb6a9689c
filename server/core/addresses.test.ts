import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressBlocks, senderOf } from './addresses.ts';

test('a sender is an IPv4 address, or the /64 of an IPv6 address however it is written', () => {
  const senders: [string, string][] = [
    ['192.0.2.1', '192.0.2.1'],
    ['::ffff:192.0.2.1', '192.0.2.1'],
    ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2::/64'],
    ['2001:0db8:0001:0002::', '2001:db8:1:2::/64'],
    ['2001:db8:1:2:ffff::1', '2001:db8:1:2::/64'],
    ['2001:db8::1', '2001:db8:0:0::/64'],
    ['2001:db8::5:6:7:8:9', '2001:db8:0:5::/64'],
    ['::1', '0:0:0:0::/64'],
    ['fe80::1%eth0', 'fe80:0:0:0::/64'],
  ];
  for (const [address, sender] of senders) assert.equal(senderOf(address), sender, address);
});

test('what is no address is in no block', () => {
  for (const text of ['', 'unknown', '192.0.2.1:80', '::/0'])
    assert.equal(new AddressBlocks(['0.0.0.0/0', '::/0']).has(text), false, text);
});
