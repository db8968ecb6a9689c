import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { startInstance } from '#testing/instance.ts';
import { rootDirectory } from './directory.ts';
import { labelRules, normalizeLabel } from './labels.ts';

describe('root directories', () => {
  const accepted: [string | null, string | null][] = [
    [null, null],
    ['', null],
    ['.', null],
    ['./', null],
    ['apps/web', 'apps/web'],
    ['./apps//web/./', 'apps/web'],
    ['ä/.hidden', 'ä/.hidden'],
    ['a..b', 'a..b'],
    ['...', '...'],
  ];
  for (const [given, kept] of accepted) {
    test(`${JSON.stringify(given)} is kept as ${JSON.stringify(kept)}`, () => {
      assert.equal(rootDirectory(given), kept);
    });
  }

  const refused: Record<string, string> = {
    'an absolute path': '/apps',
    'a path above the root': '../apps',
    'a path that leaves in its middle': 'apps/../../etc',
    'a path that ends with ".."': 'apps/..',
    backslashes: 'apps\\web',
    'a network path': '\\\\server\\share',
    'a drive letter': 'C:/apps',
    'a drive letter alone': 'c:',
    NUL: 'apps\0web',
    'a newline': 'apps\nweb',
    'a home directory': '~/apps',
    'blanks at the end of a part': 'apps /web',
    'half a character': 'a\ud800',
    '1,025 characters': 'a/'.repeat(513),
    'a part of 256 bytes': 'é'.repeat(128),
  };
  for (const [what, given] of Object.entries(refused)) {
    test(`${what} is refused`, () => {
      assert.throws(() => rootDirectory(given), /rootDirectory/);
    });
  }

  test('the API refuses them with 400 and a sentence', async () => {
    await using instance = await startInstance('sqlite');
    const organizationId = instance.bootstrapped.organization.id;
    for (const directory of [...Object.values(refused), 5, ['a'], {}]) {
      const body = { organizationId, name: 'x', rootDirectory: directory };
      const answer = await instance.call('POST', '/applications', { as: 'user', body });
      assert.equal(answer.status, 400, JSON.stringify(directory));
      assert.deepEqual(Object.keys(answer.body), ['error']);
    }
    for (const body of [
      { name: 'x' },
      { organizationId: 'x', name: 'x' },
      { organizationId, name: '' },
      { organizationId, name: 'x', slug: '-x' },
      { organizationId, name: 'x', slug: 'x'.repeat(65) },
      { organizationId, name: 'x', plan: 'gold' },
      [],
      'x',
    ])
      assert.equal((await instance.call('POST', '/applications', { as: 'user', body })).status, 400);
  });
});

describe('labels', () => {
  const rules = labelRules({
    reserved: ['Taken-By-Operator'],
    imitates: (label) => (label.includes('ma1nstay') ? 'mainstay' : undefined),
  });
  const refused: Record<string, [string, RegExp]> = {
    'a reserved word': ['admin', /reserved/],
    "an operator's word": ['taken-by-operator', /reserved/],
    'a look-alike': ['ma1nstay-login', /too similar to "mainstay"/],
    '51 characters': ['x'.repeat(51), /at most 50/],
    'a hyphen at the beginning': ['-x', /hyphen/],
    'a hyphen at the end': ['x-', /hyphen/],
    'another script': ['пример', /other scripts/],
    'a dot': ['a.b', /only the letters/],
    'an IDNA prefix': ['xn--80ak6aa92e', /third and fourth/],
    nothing: ['', /at least one/],
  };
  for (const [what, [label, reason]] of Object.entries(refused)) {
    test(`${what} is refused with the reason`, () => {
      assert.match(rules.refusal(label) ?? '', reason);
    });
  }

  test('what was meant is accepted', () => {
    assert.equal(normalizeLabel('  My Fancy_App '), 'my-fancy-app');
    for (const label of ['a', '1', 'my-app', 'x'.repeat(50)]) assert.equal(rules.refusal(label), null, label);
  });
});
