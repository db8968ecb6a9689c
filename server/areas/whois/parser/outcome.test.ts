import assert from 'node:assert/strict';
import { test } from 'node:test';
import { outcomeOf } from './outcome.ts';
import { parseWhois } from './parse.ts';

const answers: [string, string][] = [
  ['No match for "EXAMPLE.COM".\nNOTICE: queries that exceed the limit are refused.', 'free'],
  ['Domain: example.de\nStatus: free', 'free'],
  ['%% No entries found.', 'free'],
  ['domain_name: example.nz\nquery_status: 220 Available', 'free'],
  ['Domain:\texample.be\nStatus:\tNOT AVAILABLE\nRegistered:\tTue Dec 12 2000', 'registered'],
  ['Domain Name: EXAMPLE.COM\nName Server: ns1.example.net', 'registered'],
  ['Name is restricted from registration', 'reserved'],
  ['Reserved by the registry operator', 'reserved'],
  ['WHOIS LIMIT EXCEEDED - SEE WWW.EXAMPLE.ORG FOR DETAILS', 'throttled'],
  ['% Connection refused; access control limit reached. Query rate limit exceeded.', 'throttled'],
  ['You have exceeded your query limit. Please try again later.', 'throttled'],
  ["Server can't process your request.", 'refused'],
  ['Requests of this client are not permitted.', 'refused'],
  ['TLD is not supported.', 'refused'],
  ['Hello.', 'unknown'],
  ['', 'unknown'],
];

for (const [text, expected] of answers) {
  test(`"${text.split('\n', 1)[0]}" means ${expected}`, () => {
    assert.equal(outcomeOf(text, parseWhois(text, 'example.com')), expected);
  });
}
