import type { Db, Tx } from '#core/db.ts';

export interface CodeTable {
  digest: string;
  client_id: string;
  user_id: string;
  redirect_uri: string;
  scope: string;
  code_challenge: string;
  nonce: string | null;
  /** What it was exchanged for. */
  grant_id: string | null;
  authenticated_at: number;
  /** Of the user, when they approved. */
  epoch: number | null;
  expires_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    oauth_codes: CodeTable;
  }
}

export async function insertCode(tx: Tx, row: CodeTable): Promise<void> {
  await tx.insertInto('oauth_codes').values(row).execute();
}

/** Unless its person was suspended, or everything of theirs ended, since they approved. */
export function findStandingCode(tx: Tx, digest: string): Promise<CodeTable | undefined> {
  return tx
    .selectFrom('oauth_codes as c')
    .innerJoin('users as u', 'u.id', 'c.user_id')
    .selectAll('c')
    .where('c.digest', '=', digest)
    .where('u.suspended_at', 'is', null)
    .whereRef('c.epoch', '=', 'u.epoch')
    .executeTakeFirst();
}

/** Notes what it was exchanged for. */
export async function setGrantOfCode(tx: Tx, digest: string, grantId: string): Promise<void> {
  await tx.updateTable('oauth_codes').set({ grant_id: grantId }).where('digest', '=', digest).execute();
}

/** Keeps used codes for as long as their return would mean something. */
export async function sweepCodes(db: Db, now: number): Promise<void> {
  await db.write(async (tx) => {
    const day = 86_400_000;
    await tx
      .deleteFrom('oauth_codes')
      .where('expires_at', '<=', now - day)
      .execute();
  });
}
