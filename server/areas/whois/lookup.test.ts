import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Lookup, NoSource } from './lookup.ts';
import { rootDomain } from './name.ts';
import { parseWhois } from './parser/parse.ts';
import type { RdapSource } from './sources/rdap-source.ts';
import { UpstreamError, type UpstreamFailure } from './sources/upstream-error.ts';
import type { WhoisSource } from './sources/whois-source.ts';

const record = parseWhois('Domain Name: EXAMPLE.TEST\nCreation Date: 2001-02-03', 'example.test');

/** Sources that answer, fail with a failure, or have nothing. */
function lookupWith(
  rdap: 'registered' | 'free' | UpstreamFailure | null,
  whois: 'registered' | UpstreamFailure | null,
) {
  const asked: string[] = [];
  const answer = async (source: string, reply: string | null) => {
    asked.push(source);
    if (reply === null) return undefined;
    if (reply === 'free') return { outcome: 'free' };
    if (reply === 'registered') return { outcome: 'registered', record, raw: 'text' };
    throw new UpstreamError(reply as UpstreamFailure, source, '');
  };
  const lookup = new Lookup({
    rdap: { ask: () => answer('rdap', rdap) } as unknown as RdapSource,
    whois: { ask: () => answer('whois', whois) } as unknown as WhoisSource,
  });
  return { lookup, asked };
}

test('RDAP is asked first, and WHOIS only where RDAP is missing or fails', async () => {
  const cases: [Parameters<typeof lookupWith>, string, string[]][] = [
    [['registered', 'registered'], 'rdap', ['rdap']],
    [['free', 'registered'], 'rdap', ['rdap']],
    [[null, 'registered'], 'whois', ['rdap', 'whois']],
    [['broken', 'registered'], 'whois', ['rdap', 'whois']],
    [['throttled', 'registered'], 'whois', ['rdap', 'whois']],
  ];
  for (const [replies, source, asked] of cases) {
    const made = lookupWith(...replies);
    assert.equal((await made.lookup.find(rootDomain('example.test'))).source, source);
    assert.deepEqual(made.asked, asked);
  }
});

test('of several failures the one that the client can act on is reported', async () => {
  for (const [rdap, whois, told] of [
    ['silent', 'throttled', 'throttled'],
    ['throttled', 'silent', 'throttled'],
    ['broken', 'silent', 'silent'],
    ['refused', 'unreachable', 'unreachable'],
  ] as const) {
    const { lookup } = lookupWith(rdap, whois);
    const error = await lookup.find(rootDomain('example.test')).catch((thrown: UpstreamError) => thrown);
    assert.equal((error as UpstreamError).failure, told);
  }
  await assert.rejects(lookupWith(null, null).lookup.find(rootDomain('example.test')), NoSource);
});

test('the RDAP service of a TLD is not asked for names of a registry that others run below it', async () => {
  const { lookup, asked } = lookupWith('free', 'registered');
  assert.equal((await lookup.find(rootDomain('www.example.uk.com'))).outcome, 'registered');
  assert.deepEqual(asked, ['whois']);
});
