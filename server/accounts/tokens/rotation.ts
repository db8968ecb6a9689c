import { type Clock, clockMarginMilliseconds } from '#core/clock.ts';
import type { Db, Tx } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import type { Vault } from '#core/vault.ts';
import { insert, list, remove, type SigningKeyRow, setTimes } from './keyring-store.ts';
import { inCharge, newSigningKey } from './signing-key.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: empty. */
    signing_keys: true;
  }
}

export const signingKeysTopic = 'signing_keys';

/** Every node knows by then whose turn it is. */
const handoverMilliseconds = 2000;
export interface KeyTimes {
  /** How long a key signs before the next takes over. */
  rotationSeconds: number;
  /** How long a key is published, at least, before it signs: longer than verifiers keep the key set. */
  leadSeconds: number;
  /** The longest life of a token that these keys sign. */
  tokenSeconds: number;
}

interface Deps {
  db: Db;
  vault: Vault;
  clock: Clock;
  times: KeyTimes;
}

/**
 * Does what is due: makes the first keys, hands over when the signing key is old enough or `demanded`, drops keys whose
 * last token has expired. One key signs; the next is published all the while, so that a rotation never shows verifiers
 * a key that they could not know. Any node may call this at any time.
 * Returns the moment from which the next key signs, when this call decided it.
 */
export async function turnKeys(
  deps: Deps,
  options: { demanded?: boolean } = {},
): Promise<number | undefined> {
  const { db, vault, clock, times } = deps;
  if (!options.demanded && !isAnythingDue(await list(db), times, clock.now())) return undefined;
  return db.write(
    async (tx) => {
      const now = clock.now();
      const rows = await list(tx);
      for (const row of rows) if (isExpired(row, times, now)) await remove(tx, row.kid);
      const { signer, next } = standing(rows, now);
      if (!signer) await insert(tx, newSigningKey(vault, now, now));
      const due = signer && next && (options.demanded || isOld(signer, times, now));
      const signsFrom = due ? await handOver(tx, rows, next, times, now) : undefined;
      if (!next || due) await insert(tx, newSigningKey(vault, now, null));
      announce(tx, signingKeysTopic, '');
      return signsFrom;
    },
    { queue: signingKeysTopic },
  );
}

async function handOver(
  tx: Tx,
  rows: readonly SigningKeyRow[],
  next: SigningKeyRow,
  times: KeyTimes,
  now: number,
) {
  // The one in charge last: it may still be waiting for its own moment when rotations follow each other quickly.
  const last = rows.reduce((a, b) => ((b.signs_from ?? 0) > (a.signs_from ?? 0) ? b : a));
  const published = next.created_at + times.leadSeconds * 1000;
  const signsFrom = Math.max(now + handoverMilliseconds, published, last.signs_from ?? 0);
  await setTimes(tx, next.kid, { signs_from: signsFrom });
  await setTimes(tx, last.kid, { signs_until: signsFrom });
  return signsFrom;
}

function isAnythingDue(rows: readonly SigningKeyRow[], times: KeyTimes, now: number): boolean {
  const { signer, next } = standing(rows, now);
  return !signer || !next || isOld(signer, times, now) || rows.some((row) => isExpired(row, times, now));
}

/** The key that signs at this moment, and the one that waits for its turn. */
function standing(rows: readonly SigningKeyRow[], now: number) {
  const signer = inCharge(rows, (row) => row.signs_from, now);
  return { signer, next: rows.find((row) => row.signs_from === null) };
}

function isOld(
  { signs_from, signs_until }: SigningKeyRow,
  { rotationSeconds }: KeyTimes,
  now: number,
): boolean {
  return signs_until === null && signs_from !== null && now - signs_from >= rotationSeconds * 1000;
}

function isExpired({ signs_until }: SigningKeyRow, { tokenSeconds }: KeyTimes, now: number): boolean {
  return signs_until !== null && now > signs_until + tokenSeconds * 1000 + clockMarginMilliseconds;
}
