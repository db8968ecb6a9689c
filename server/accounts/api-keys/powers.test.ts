import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isWithin } from '#core/addresses.ts';
import { scopes, scopesFor } from '#core/scopes.ts';
import { type Maker, type Power, refusal, scopesOfRole } from './powers.ts';

const now = Date.UTC(2026, 0, 1);
const day = 86_400_000;
const everything = new Set(scopes);

const key: Maker = {
  through: 'api_key',
  scopes: everything,
  fresh: false,
  expiresAt: null,
  addresses: [],
  clientId: null,
};
const session: Maker = { ...key, through: 'session' };
const fresh: Maker = { ...session, fresh: true };
const program: Maker = { ...key, through: 'oauth_client', clientId: 'mainstay-cli' };
const narrow: Maker = { ...key, scopes: new Set(['openid', 'platform:api_keys:write']) };
const short: Maker = { ...key, expiresAt: now + day };
const local: Maker = { ...key, addresses: ['192.0.2.0/24', '2001:db8::/32'] };
/** A key that a program made. */
const made: Maker = { ...key, clientId: 'mainstay-cli' };

const power: Power = { heldBy: 'bearer', scopes: ['openid'], expiresAt: now + day, addresses: [] };
const forEver: Power = { ...power, expiresAt: null };
const century: Power = { ...power, expiresAt: now + 36_500 * day };
const operator: Power = { ...power, scopes: ['platform:admin:write'] };
const owner: Power = { heldBy: 'person', scopes: scopesOfRole('OWNER'), expiresAt: null, addresses: [] };
const member: Power = { ...owner, scopes: scopesOfRole('MEMBER'), expiresAt: now + 7 * day };
const grant: Power = { heldBy: 'program', scopes: scopesFor('user'), expiresAt: null, addresses: [] };

/** Who makes what; the last word is null when they may, else a part of the reason why not. */
const table: [string, Maker, Power, RegExp | null][] = [
  ['a key with the same scopes makes a secret', key, power, null],
  ['a key without an end makes one without an end', key, forEver, null],
  ['a key makes no scope that it lacks', narrow, { ...power, scopes: ['fastcache:read'] }, /fastcache:read/],
  ['a key makes less than it has', narrow, power, null],
  ['an operator’s key hands on an operator’s scope', key, operator, null],
  ['a narrow key makes no operator’s secret', narrow, operator, /platform:admin:write/],
  ['a key that ends makes one that ends with it', short, power, null],
  [
    'a key that ends makes none that ends later',
    short,
    { ...power, expiresAt: now + 2 * day },
    /must not be later/,
  ],
  ['a key that ends makes none without an end', short, forEver, /must not be later/],
  ['a key of some addresses makes one of fewer', local, { ...power, addresses: ['192.0.2.7'] }, null],
  [
    'a key of some addresses makes none of others',
    local,
    { ...power, addresses: ['198.51.100.1'] },
    /192\.0/,
  ],
  [
    'a key of some addresses makes none of a wider block',
    local,
    { ...power, addresses: ['192.0.0.0/16'] },
    /192\.0/,
  ],
  ['a key of some addresses makes none for anywhere', local, power, /allowed addresses must be within/],
  [
    'one address of several outside is one too many',
    local,
    { ...power, addresses: ['192.0.2.1', '::1'] },
    /allowed addresses must be within/,
  ],
  ['a session makes what ends within a year', session, power, null],
  ['an old session makes nothing without an end', session, forEver, /Sign in again/],
  ['an old session makes nothing that ends in a century', session, century, /Sign in again/],
  ['a fresh session makes what lasts', fresh, forEver, null],
  ['a fresh session makes what lasts a century', fresh, century, null],
  ['a program makes what ends', program, power, null],
  ['a program makes nothing that lasts', program, forEver, /OAuth app/],
  ['a program makes nothing for a century', program, century, /OAuth app/],
  ['a program never makes what an operator may', program, operator, /cannot be granted to an OAuth app/],
  ['nor does a key that a program made', made, operator, /cannot be granted to an OAuth app/],
  ['a key that a program made is a key otherwise', made, forEver, null],
  ['who lacks what an owner may makes no owner', narrow, owner, /scope/],
  ['who lacks what a member may makes no member', narrow, member, /scope/],
  ['a key of every scope makes an owner, whatever its own end', short, owner, null],
  ['an old session makes no owner', session, owner, /Sign in again/],
  ['an old session invites a member', session, member, null],
  ['a fresh session makes an owner', fresh, owner, null],
  ['a program makes no owner', program, owner, /OAuth app/],
  ['a session lets a program act, however old it is', session, grant, null],
  [
    'nobody lets a program act as an operator',
    fresh,
    { ...grant, scopes: ['platform:admin:read'] },
    /cannot be granted/,
  ],
];

for (const [what, maker, wanted, reason] of table) {
  test(what, () => {
    const problem = refusal(maker, wanted, now);
    if (reason === null) return assert.equal(problem, undefined);
    assert.equal(problem?.kind, 'forbidden');
    assert.match(problem.message, reason);
  });
}

test('a member may look, and nothing else', () => {
  const member = scopesOfRole('MEMBER');
  assert.ok(member.includes('network:env_vars:read'));
  assert.ok(member.every((scope) => !/write|delete|trigger|chat|api_keys|admin/.test(scope)));
});

const blocks: [block: string, within: string[], expected: boolean][] = [
  ['192.0.2.1', ['192.0.2.0/24'], true],
  ['192.0.2.0/24', ['192.0.2.0/24'], true],
  ['192.0.2.0/23', ['192.0.2.0/24'], false],
  ['0.0.0.0/0', ['128.0.0.0/1', '0.0.0.0/1'], false],
  ['::ffff:192.0.2.1', ['192.0.2.0/24'], true],
  ['::ffff:c000:201', ['192.0.2.0/24'], true],
  ['::ffff:192.0.2.0/120', ['192.0.2.0/24'], true],
  ['::ffff:192.0.2.0/96', ['192.0.2.0/24'], false],
  ['192.0.2.1', ['::ffff:192.0.2.0/120'], true],
  ['192.0.2.1', ['::/0'], false],
  ['2001:db8::1', ['2001:db8::/32'], true],
  ['2001:db9::1', ['2001:db8::/32'], false],
];
for (const [block, within, expected] of blocks)
  test(`${block} is ${expected ? '' : 'not '}within ${within.join(' and ')}`, () =>
    assert.equal(isWithin(block, within), expected));
