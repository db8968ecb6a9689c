import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hashPassword, verifyPassword } from './password.ts';

test('a password verifies against its hash, in whatever way it was composed, and nothing else does', async () => {
  const stored = await hashPassword('pässwörd');
  assert.match(stored, /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
  assert.equal(await verifyPassword('pässwörd', stored), true);
  assert.equal(await verifyPassword('pässwörd'.normalize('NFD'), stored), true);
  assert.equal(await verifyPassword('passwörd', stored), false);
  assert.equal(await verifyPassword('', stored), false);
  assert.equal(await verifyPassword('x', 'not a hash'), false);
  assert.notEqual(await hashPassword('pässwörd'), stored);
});
