import { systemSource } from '#accounts/audit-log/service.ts';
import type { Actor } from '#core/actor.ts';
import type { Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { scopesFor } from '#core/scopes.ts';
import type { Vault } from '#core/vault.ts';
import { makeSecret } from './secret.ts';
import { createKey, type Deps, noOrigin } from './service.ts';
import { matchingSecret } from './states.ts';
import { keysNamed, secretsOf } from './store.ts';

const name = 'Bootstrap';

/**
 * The key that `mainstay-server bootstrap` prints for this actor, with every scope that it may hold. Its secret follows
 * from its id and the vault's hash key, so that a second run prints the same one without its having been kept. Whoever
 * can run this can read the vault anyhow. A key that was revoked or rotated since is replaced.
 */
export async function bootstrapKey(
  tx: Tx,
  deps: Deps,
  actor: Actor & { type: 'user' | 'organization' | 'application' },
  operator: boolean,
): Promise<{ id: string; secret: string }> {
  const { vault, clock } = deps;
  for (const row of await keysNamed(tx, actor.type, actor.id, name)) {
    const secret = derivedSecret(vault, row.id);
    const secrets = await secretsOf(tx, [row.id]);
    const digests = secrets.map(({ id, digest, hash_version }) => ({ id, digest, version: hash_version }));
    const expired = row.expires_at !== null && row.expires_at <= clock.now();
    if (!expired && matchingSecret(vault, digests, secret)) return { id: row.id, secret };
  }
  const id = newId(clock.now());
  const secret = derivedSecret(vault, id);
  await createKey(
    tx,
    deps,
    systemSource,
    {
      name,
      actor,
      origin: noOrigin,
      scopes: scopesFor(actor.type, { operator }),
      expiresAt: null,
      allowedAddresses: [],
    },
    { id, secret },
  );
  return { id, secret };
}

function derivedSecret(vault: Vault, keyId: string): string {
  return makeSecret(vault.hash(`bootstrap secret of ${keyId}`, 1).digest);
}
