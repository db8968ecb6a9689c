import type { Db, Tx } from '#core/db.ts';

/** Single tokens revoked before their time (RFC 7009). Kept until they would have expired. */

declare module '#core/db.ts' {
  interface Tables {
    revoked_tokens: { token_id: string; expires_at: number };
  }
}

export async function insertRevocation(tx: Tx, tokenId: string, expiresAt: number): Promise<void> {
  await tx
    .insertInto('revoked_tokens')
    .values({ token_id: tokenId, expires_at: expiresAt })
    .onConflict((conflict) => conflict.doNothing())
    .execute();
}

export async function isTokenRevoked(db: Db, tokenId: string): Promise<boolean> {
  const query = db.selectFrom('revoked_tokens').select('token_id').where('token_id', '=', tokenId);
  return (await query.executeTakeFirst()) !== undefined;
}

/** Those of tokens that had expired by then. */
export async function deleteRevocations(tx: Tx, until: number): Promise<void> {
  await tx.deleteFrom('revoked_tokens').where('expires_at', '<=', until).execute();
}
