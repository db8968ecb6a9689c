import type { Db, Tx } from '#core/db.ts';

interface WhoisAnswerTable {
  /** The registrable domain in ASCII form. */
  domain: string;
  outcome: 'registered' | 'free' | 'reserved';
  source: 'rdap' | 'whois';
  /** The record as the API gives it, JSON; null when there is none. */
  record: string | null;
  raw: string | null;
  fetched_at: number;
  /** Until then it is served as it is. */
  fresh_until: number;
  /** Until then it is served while a new one is fetched, or cannot be. */
  keep_until: number;
}

declare module '#core/db.ts' {
  interface Tables {
    whois_answers: WhoisAnswerTable;
  }
}

export type AnswerRow = WhoisAnswerTable;

export function find(db: Db | Tx, domain: string): Promise<AnswerRow | undefined> {
  return db.selectFrom('whois_answers').selectAll().where('domain', '=', domain).executeTakeFirst();
}

/** The newer of two answers stays, whichever node writes last. */
export async function put(tx: Tx, row: AnswerRow): Promise<void> {
  const { domain: _domain, ...values } = row;
  await tx
    .insertInto('whois_answers')
    .values(row)
    .onConflict((conflict) =>
      conflict.column('domain').doUpdateSet(values).where('whois_answers.fetched_at', '<=', row.fetched_at),
    )
    .execute();
}

export async function removeExpired(tx: Tx, now: number): Promise<void> {
  await tx.deleteFrom('whois_answers').where('keep_until', '<', now).execute();
}

/** Removes the oldest answers beyond `max`. */
export async function trim(tx: Tx, max: number): Promise<void> {
  const first = await tx
    .selectFrom('whois_answers')
    .select('fetched_at')
    .orderBy('fetched_at', 'desc')
    .offset(max)
    .limit(1)
    .executeTakeFirst();
  if (first) await tx.deleteFrom('whois_answers').where('fetched_at', '<=', first.fetched_at).execute();
}
