import assert from 'node:assert/strict';
import { randomBytes } from 'node:crypto';
import { describe, test } from 'node:test';
import { seal, sealedVersion, unseal, Vault } from '#core/vault.ts';
import { TestClock } from '#testing/clock.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance } from '#testing/instance.ts';
import { sealedColumns } from '../../platform/areas.ts';
import { addDataKey, changeMasterKey, openVault, reseal, WrongMasterKey } from './service.ts';

describe('sealed values', () => {
  const key = randomBytes(32);

  test('open with their key and context, and with nothing else', () => {
    const sealed = seal(key, 3, 'things.value:1', Buffer.from('hello'));
    assert.equal(unseal(key, 'things.value:1', sealed).toString(), 'hello');
    assert.equal(sealedVersion(sealed), 3);
    assert.throws(() => unseal(key, 'things.value:2', sealed));
    assert.throws(() => unseal(randomBytes(32), 'things.value:1', sealed));
    for (let at = 5; at < sealed.length; at++) {
      const changed = Buffer.from(sealed);
      changed[at] = (changed[at] ?? 0) ^ 1;
      assert.throws(() => unseal(key, 'things.value:1', changed), `byte ${at}`);
    }
    assert.throws(() => unseal(key, 'things.value:1', sealed.subarray(0, 20)));
  });

  test('are never the same twice', () => {
    const one = seal(key, 1, 'c', Buffer.from('same'));
    assert.notDeepEqual(one, seal(key, 1, 'c', Buffer.from('same')));
  });

  test('a key is not used before its moment, and a missing one has a clear message', () => {
    let now = 1000;
    const keys = { data: [{ version: 1, key, activeFrom: 0 }], hash: [{ version: 1, key, activeFrom: 0 }] };
    const next = { version: 2, key: randomBytes(32), activeFrom: 2000 };
    const vault = new Vault({ ...keys, data: [...keys.data, next] }, () => now);
    assert.equal(sealedVersion(vault.encrypt('c', 'x')), 1);
    now = 2000;
    const sealed = vault.encrypt('c', 'x');
    assert.equal(sealedVersion(sealed), 2);
    const behind = new Vault(keys, () => now);
    assert.throws(() => behind.decrypt('c', sealed), { kind: 'unavailable' });
  });
});

for (const engine of engines) {
  describe(`the vault on ${engine}`, () => {
    test('a wrong master key is refused with a sentence', async () => {
      await using instance = await startInstance(engine);
      const { db, clock } = instance.platform;
      await assert.rejects(openVault({ db, clock, masterKey: randomBytes(32) }), WrongMasterKey);
    });

    test('a rotation encrypts everything again while nodes continue, and forgets the old key later', async () => {
      const clock = new TestClock();
      await using home = await testHome(engine);
      await using one = await startInstance(engine, { home, clock });
      await using two = await startInstance(engine, { home, clock });
      const { db, vault, masterKey } = one.platform;
      const { body: key } = await one.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'stored answer' },
        headers: { 'idempotency-key': 'before' },
      });
      const { version } = await addDataKey({ db, clock, masterKey });
      clock.advance(5);
      // Each node hears of the new key on its own.
      const nodes = [vault, two.platform.vault];
      for (let waited = 0; nodes.some((node) => node.version !== version); waited += 20) {
        assert.ok(waited < 1000, 'not heard within a second');
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
      const first = await reseal({ db, clock, vault, columns: sealedColumns });
      assert.ok(first.resealed >= 3);
      assert.deepEqual(first.forgotten, []);
      assert.equal((await reseal({ db, clock, vault, columns: sealedColumns })).resealed, 0);
      clock.advance(3700);
      assert.deepEqual((await reseal({ db, clock, vault, columns: sealedColumns })).forgotten, [1]);
      // Everything still opens: signing keys, stored answers, secrets.
      const again = await two.call('POST', '/api-keys', {
        as: 'user',
        body: { name: 'stored answer' },
        headers: { 'idempotency-key': 'before' },
      });
      assert.equal(again.body.secret, key.secret);
      await using three = await startInstance(engine, { home, clock });
      await fetchToken(three.url, key);
    });

    test('a new master key opens everything, the old one nothing', async () => {
      await using instance = await startInstance(engine);
      const { db, clock, masterKey } = instance.platform;
      const newKey = randomBytes(32);
      await changeMasterKey(db, masterKey, newKey);
      await openVault({ db, clock, masterKey: newKey });
      await assert.rejects(openVault({ db, clock, masterKey }), WrongMasterKey);
    });
  });
}
