import { sql } from 'kysely';
import type { Db } from '#core/db.ts';
import { type SealedColumn, sealedVersion, type Vault } from '#core/vault.ts';

/** Rows of one column, done and in all, for showing progress. */
export interface ResealProgress {
  table: string;
  column: string;
  done: number;
  total: number;
}

type Row = Record<string, unknown>;
const batch = 200;

export async function resealColumn(
  { db, vault }: { db: Db; vault: Vault },
  target: SealedColumn,
  version: number,
  report: (progress: ResealProgress) => void,
): Promise<number> {
  const { table, column, key, context } = target;
  const from = sql.table(table);
  const keyColumns = sql.join(key.map((name) => sql.ref(name)));
  const counted = await sql<{ n: number }>`select count(*) as n from ${from}`.execute(db);
  const total = Number(counted.rows[0]?.n ?? 0);
  let done = 0;
  let resealed = 0;
  let last: unknown[] | undefined;
  for (;;) {
    const after = last ? sql`where (${keyColumns}) > (${sql.join(last)})` : sql``;
    const page = sql<Row>`select ${keyColumns} from ${from} ${after} order by ${keyColumns} limit ${batch}`;
    const { rows } = await page.execute(db);
    const end = rows.at(-1);
    if (!end) return resealed;
    last = key.map((name) => end[name]);
    resealed += await db.write(async (tx) => {
      let changed = 0;
      for (const row of rows) {
        const where = sql.join(
          key.map((name) => sql`${sql.ref(name)} = ${row[name]}`),
          sql` and `,
        );
        const current =
          await sql<Row>`select ${sql.ref(column)} as sealed from ${from} where ${where}`.execute(tx);
        const sealed = current.rows[0]?.['sealed'] as Uint8Array | null | undefined;
        if (!sealed || sealedVersion(sealed) >= version) continue;
        const bound = context(row as Record<string, string>);
        const renewed = vault.encrypt(bound, vault.decrypt(bound, sealed));
        await sql`update ${from} set ${sql.ref(column)} = ${renewed} where ${where}`.execute(tx);
        changed++;
      }
      return changed;
    });
    done += rows.length;
    report({ table, column, done, total });
  }
}
