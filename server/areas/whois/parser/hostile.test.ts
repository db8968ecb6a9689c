import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mapRdap } from '../rdap/map.ts';
import { decode } from '../sources/charset.ts';
import { queryFor } from '../sources/query-forms.ts';
import { outcomeOf } from './outcome.ts';
import { parseWhois } from './parse.ts';

/** Texts that cost a careless parser time out of proportion, each as long as asked. */
const hostile: Record<string, (length: number) => string> = {
  'one line without an end': (length) => 'a'.repeat(length),
  'blanks before a word': (length) => `${' '.repeat(length)}x`,
  'blanks after a label': (length) => `Registrar:${' '.repeat(length)}`,
  colons: (length) => ':'.repeat(length),
  dots: (length) => `Domain${'.'.repeat(length)}: x`,
  'open brackets': (length) => '['.repeat(length),
  'open parentheses after a name server': (length) => `Name Server: ${'('.repeat(length)}`,
  'empty lines': (length) => '\n'.repeat(length),
  'short lines': (length) => 'a\n'.repeat(length / 2),
  'labels that nobody knows': (length) =>
    Array.from({ length: length / 12 }, (_, n) => `label${n}: 1`).join('\n'),
  'contacts in contacts': (length) => `Registrant:\n${' Registrant:\n'.repeat(length / 13)}`,
  'name servers': (length) => 'nserver: ns1.example.com\n'.repeat(length / 25),
  handles: (length) => `domain: x.cz\n\n${'contact: A-1\nname: x\n\n'.repeat(length / 24)}`,
  'at signs': (length) => `Registrant:\n  ${'a@'.repeat(length / 2)}`,
  'a street of lines': (length) => `Registrant:\n${'  1 High Street\n'.repeat(length / 16)}`,
  'commas in a status': (length) => `Status: ${', '.repeat(length / 2)}`,
  'statuses that are all different': (length) =>
    `Status: ${Array.from({ length: length / 8 }, (_, n) => `s${n}`).join(',\nStatus: ')}`,
  'statuses in one line': (length) =>
    Array.from({ length: length / 8 }, (_, n) => `s${n},`)
      .join('')
      .replace(/^/, 'Status: '),
  'name servers that are all different': (length) =>
    Array.from({ length: length / 30 }, (_, n) => `nserver: ns${n}.example.com`).join('\n'),
  'sections of every party': (length) => 'Registrant:\n x\nAdmin:\n x\nTech:\n x\n'.repeat(length / 34),
  'a block of words': (length) => `Registrant:\n${' x y z\n'.repeat(length / 7)}`,
  'dates of digits': (length) => `created: ${'1'.repeat(length)}`,
  'dates of dashes': (length) => `created: ${'1-'.repeat(length / 2)}`,
  tabs: (length) => `a:${'\t'.repeat(length)}b: c`,
  accents: (length) => 'e\u0301'.repeat(length / 2),
};

const KILOBYTES_64 = 65_536;

function milliseconds(text: string): number {
  const started = performance.now();
  const record = parseWhois(text, 'example.com');
  outcomeOf(text, record);
  return performance.now() - started;
}

for (const [name, make] of Object.entries(hostile)) {
  test(`${name}: sixteen times the text takes no more than its share of time`, () => {
    const least = (text: string) => Math.min(...[1, 2, 3].map(() => milliseconds(text)));
    least(make(KILOBYTES_64));
    const small = least(make(KILOBYTES_64));
    const large = least(make(16 * KILOBYTES_64));
    // Quadratic time would be 256-fold; the floor keeps the clock's grain out.
    assert.ok(large < 40 * Math.max(small, 1), `${small} ms, then ${large} ms`);
  });
}

test('megabytes are answered as fast as the part of them that is read', () => {
  const text = 'Registrant Name: x\n'.repeat(500_000);
  assert.ok(milliseconds(text) < 20 * Math.max(1, milliseconds(text.slice(0, 262_144))));
});

/** What every object has by itself. A look-up of a foreign text in one finds these. */
const inherited = ['constructor', 'toString', 'valueOf', '__proto__', 'hasOwnProperty'];

for (const tld of ['jp', 'no', 'lv', 'by', 'il', 'com', 'constructor']) {
  test(`labels and values that every object has are like any others: .${tld}`, () => {
    const lines = inherited.flatMap((name) => [`${name}: ${name}`, `[${name}] ${name}`, name]);
    const record = parseWhois(`Registrar: Example\n${lines.join('\n')}`, `example.${tld}`);
    JSON.stringify(record);
  });
}

test('so are statuses and kinds of RDAP, servers, character sets and suffixes', () => {
  for (const name of inherited) {
    const card = { addresses: { a: { components: [{ kind: name, value: 'x' }] } } };
    const record = mapRdap({ status: [name], entities: [{ roles: ['registrant'], jscard: card }] });
    assert.equal(typeof JSON.parse(JSON.stringify(record)), 'object');
    assert.deepEqual(record.domain.status, [name]);
    assert.equal(queryFor(name, 'example.com'), 'example.com');
    assert.equal(decode(new Uint8Array([0xe9]), name), 'é');
  }
});
