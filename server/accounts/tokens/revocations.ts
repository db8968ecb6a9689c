import { clockMarginMilliseconds } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { deleteRevocations, insertRevocation } from './revocation-store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: token id. */
    token: true;
  }
}

export const tokenTopic = 'token';

export async function revokeToken(db: Db, tokenId: string, expiresAt: number): Promise<void> {
  await db.write(async (tx) => {
    await insertRevocation(tx, tokenId, expiresAt);
    announce(tx, tokenTopic, tokenId);
  });
}

export async function sweepRevokedTokens(db: Db, now: number): Promise<void> {
  await db.write((tx) => deleteRevocations(tx, now - clockMarginMilliseconds));
}
