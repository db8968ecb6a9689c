import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Problem } from '#core/problem.ts';
import { rootDomain } from './name.ts';

const roots: [string, string][] = [
  ['example.com', 'example.com'],
  ['WWW.Example.COM.', 'example.com'],
  ['a.b.c.example.co.uk', 'example.co.uk'],
  ['_dmarc.example.com', 'example.com'],
  ['münchen.de', 'xn--mnchen-3ya.de'],
  ['www.XN--MNCHEN-3YA.de', 'xn--mnchen-3ya.de'],
  ['faß.de', 'xn--fa-hia.de'],
  ['例え.テスト.jp', 'xn--zckzah.jp'],
  ['www.example.uk.com', 'example.uk.com'],
  ['uk.com', 'uk.com'],
  ['shop.github.io', 'github.io'],
];

for (const [given, root] of roots) {
  test(`the root domain of ${given} is ${root}`, () => assert.equal(rootDomain(given).ascii, root));
}

const refused: [string, RegExp][] = [
  ['', /is empty/],
  ['   ', /is empty/],
  ['co.uk', /public suffix/],
  ['com', /public suffix/],
  ['localhost', /without a dot/],
  ['https://example.com', /is a URL/],
  ['example.com/path', /is a URL/],
  ['jane@example.com', /e-mail address/],
  ['example .com', /contains blanks/],
  ['192.0.2.1', /IP address/],
  ['2001:db8::1', /IP address/],
  ['[2001:db8::1]', /IP address/],
  ['0x7f.1', /IP address/],
  [`${'a'.repeat(296)}.com`, /longer than the 253/],
  [`${'a'.repeat(64)}.com`, /not a domain name/],
  ['xn--zzzzzz99999.com', /punycode that does not decode/],
  ['-example.com', /not a domain name/],
  ['exa%mple.com', /not a domain name/],
  ['example..com', /not a domain name/],
  ['.example.com', /not a domain name/],
  ['exam\u0000ple.com', /not a domain name/],
];

for (const [given, sentence] of refused) {
  test(`"${given.slice(0, 40)}" is refused with a sentence that says what it is`, () => {
    assert.throws(
      () => rootDomain(given),
      (error) => error instanceof Problem && error.kind === 'invalid_request' && sentence.test(error.message),
    );
  });
}
