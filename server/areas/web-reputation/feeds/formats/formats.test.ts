import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Format } from '../declaration.ts';
import type { Place } from './json.ts';
import { linesOf } from './lines.ts';
import { parse } from './parse.ts';

async function read(format: Format, text: string, options: Place = {}) {
  const names: string[] = [];
  const excepted: string[] = [];
  await parse(
    [text],
    { format, ...options },
    { name: (name) => names.push(name), except: (name) => excepted.push(name) },
  );
  return { names, excepted };
}

test('a plain list has a name a line, comments, and URLs that mean a whole site', async () => {
  const text =
    '# comment\n; another\n\na.com\r\n b.com # why\nhttps://c.com/\nhttps://d.com/a/path\n.e.com\ntwo words\n';
  assert.deepEqual((await read('plain', text)).names, ['a.com', 'b.com', 'c.com', 'e.com']);
});

test('a wildcard list names what is below', async () => {
  assert.deepEqual((await read('wildcard', '*.a.com\n*.b.co.uk\n')).names, ['a.com', 'b.co.uk']);
});

test('a hosts file has names behind an address, its own names left out', async () => {
  const text = '127.0.0.1 localhost\n::1 ip6-localhost\n0.0.0.0 a.com b.com # both\n0.0.0.0 0.0.0.0\na.net\n';
  assert.deepEqual((await read('hosts', text)).names, ['a.com', 'b.com']);
});

test('network rules count where they are about a whole domain; exceptions take out', async () => {
  const text = [
    '[Adblock Plus 2.0]',
    '! comment',
    '||a.com^',
    '||*.b.com^$third-party,important',
    '||c.com^$script',
    '||d.com/path^',
    '||e.com',
    '@@||f.com^',
    '##.banner',
    '/regex/',
    '||g.com^$domain=h.com',
  ].join('\n');
  assert.deepEqual(await read('adblock', text), { names: ['a.com', 'b.com', 'e.com'], excepted: ['f.com'] });
});

test('JSON gives a list, the keys of an object, or a field of each item, wherever the path leads', async () => {
  assert.deepEqual((await read('json', '["a.com", 5, "b.com"]')).names, ['a.com', 'b.com']);
  assert.deepEqual(
    (await read('json', '{"data": {"domains": {"a.com": {}}}}', { path: 'data.domains' })).names,
    ['a.com'],
  );
  assert.deepEqual((await read('json', '[{"host": "a.com"}, {}, null]', { field: 'host' })).names, ['a.com']);
  const entities =
    '[{"is": "ad", "domains": ["*.a.com", "x.b.com"]}, {"is": "shop", "domains": ["c.com"]}, {"domains": ["d.com"]}, null]';
  assert.deepEqual(
    (await read('json', entities, { field: 'domains', where: { is: ['ad', 'counter'] } })).names,
    ['a.com', 'x.b.com'],
  );
  await assert.rejects(read('json', '{"data": 5}', { path: 'data' }), /no list of names/);
  await assert.rejects(read('json', '<html>'));
});

test('lines are put together from pieces, and endless ones passed over', async () => {
  const lines: string[] = [];
  for await (const line of linesOf(['a.c', 'om\nb.com\n', 'x'.repeat(5000), 'x'.repeat(5000), '\nc.com']))
    lines.push(line);
  assert.deepEqual(lines, ['a.com', 'b.com', 'c.com']);
});
