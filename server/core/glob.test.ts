import assert from 'node:assert/strict';
import { test } from 'node:test';
import { globMatcher } from './glob.ts';

const cases: readonly [pattern: string, matching: readonly string[], other: readonly string[]][] = [
  ['a.js', ['a.js'], ['b.js', 'a-js', 'x/a.js']],
  ['*.js', ['a.js', '.js', '.a.js'], ['a.ts', 'x/a.js', 'a.jsx']],
  ['api/*', ['api/a', 'api/.a'], ['api', 'api/', 'api/a/b']],
  ['api/**', ['api', 'api/', 'api/a', 'api/a/b'], ['apis', 'x/api/a']],
  ['**', ['a', 'a/b', ''], []],
  ['/**', ['/', '/a', '/a/b'], ['a']],
  ['**/*.js', ['a.js', 'x/a.js', 'x/y/.a.js'], ['a.ts', 'x/a.js/b']],
  ['**/test/**', ['test', 'test/a', 'x/test/a/b'], ['tests/a', 'x/atest/b']],
  ['a/**/b', ['a/b', 'a/x/b', 'a/x/y/b'], ['ab', 'a/xb', 'a/b/c']],
  ['a?.js', ['ab.js'], ['a.js', 'a/.js']],
  ['[ab].js', ['a.js', 'b.js'], ['c.js', 'ab.js']],
  ['[!a-c].js', ['d.js'], ['a.js', '/.js']],
  ['[z-a]', ['[z-a]'], ['z', 'a']],
  ['*.{js,ts}', ['a.js', 'a.ts'], ['a.jsx', 'a.{js,ts}']],
  ['{a,b{c,d}}/*', ['a/x', 'bc/x', 'bd/x'], ['b/x', 'c/x']],
  ['{a}*', ['{a}', '{a}b'], ['a']],
  ['a{*', ['a{', 'a{b'], ['a']],
  ['\\*', ['*'], ['a', '\\*']],
  ['a+(b)*', ['a+(b)', 'a+(b)c'], ['ab', 'abb']],
  ['$^.|*', ['$^.|', '$^.|x'], ['x']],
];

for (const [pattern, matching, other] of cases)
  test(`${pattern} matches what a shell's glob does`, () => {
    const matches = globMatcher(pattern);
    for (const path of matching) assert.equal(matches(path), true, path);
    for (const path of other) assert.equal(matches(path), false, path);
  });

test('patterns that are made for backtracking take no longer than others', () => {
  const before = process.cpuUsage().user;
  for (const pattern of [
    '/*a*a*a*a*a*a*a*a*a*a*b',
    '{a*,a*}{a*,a*}{a*,a*}{a*,a*}{a*,a*}b',
    '**/a**/a**/a**/b',
  ])
    assert.equal(globMatcher(pattern)(`/${'a'.repeat(2000)}`), false);
  const milliseconds = (process.cpuUsage().user - before) / 1000;
  assert.ok(milliseconds < 1000, `${milliseconds} ms`);
});
