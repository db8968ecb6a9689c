import { clockMarginMilliseconds } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/news.ts';

declare module '#core/news.ts' {
  interface Topics {
    /** Key: token id. */
    token: true;
  }
}

/** Single tokens revoked before their time (RFC 7009). Kept until they would have expired. */

declare module '#core/db.ts' {
  interface Tables {
    revoked_tokens: { token_id: string; expires_at: number };
  }
}

export const tokenTopic = 'token';

export async function revokeToken(db: Db, tokenId: string, expiresAt: number): Promise<void> {
  await db.write(async (tx) => {
    const row = { token_id: tokenId, expires_at: expiresAt };
    await tx
      .insertInto('revoked_tokens')
      .values(row)
      .onConflict((c) => c.doNothing())
      .execute();
    announce(tx, tokenTopic, tokenId);
  });
}

export async function isTokenRevoked(db: Db, tokenId: string): Promise<boolean> {
  const query = db.selectFrom('revoked_tokens').select('token_id').where('token_id', '=', tokenId);
  return (await query.executeTakeFirst()) !== undefined;
}

export async function sweepRevokedTokens(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    await tx
      .deleteFrom('revoked_tokens')
      .where('expires_at', '<=', now - clockMarginMilliseconds)
      .execute();
  });
}
