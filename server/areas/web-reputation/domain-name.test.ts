import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isDomain, readDomain } from './domain-name.ts';

test('a name below the suffix of a company has two registrable parents', () => {
  const read = readDomain('a.user.github.io');
  assert.ok(isDomain(read));
  assert.equal(read.registrable, 'user.github.io');
  assert.equal(read.registered, 'github.io');
  assert.equal(read.suffix, 'github.io');
});

test('the suffix of a company is itself a domain, that of a registry is none', () => {
  const company = readDomain('github.io');
  assert.ok(isDomain(company) && company.isSuffix && company.registrable === 'github.io');
  const registry = readDomain('co.uk');
  assert.ok(!isDomain(registry) && registry.isSuffix);
});

test('names of private networks are domains, and known for what they are', () => {
  const read = readDomain('printer.local');
  assert.ok(isDomain(read) && !read.isPublic);
});

test('a name that the root’s dot ends, in capitals or in full-width letters, is the same name', () => {
  for (const text of ['Example.COM.', 'ｅｘａｍｐｌｅ．ｃｏｍ', 'example。com']) {
    const read = readDomain(text);
    assert.ok(isDomain(read), text);
    assert.equal(read.name, 'example.com');
  }
});

test('nothing that a URL parser would turn into another name is accepted', () => {
  for (const text of [
    'a%2eb.com',
    'exa\tmple.com',
    'example.com:443',
    'http://example.com',
    'a|b.com',
    '1.2.3',
    '127.1',
  ]) {
    assert.equal(isDomain(readDomain(text)), false, text);
  }
});
