import { sql } from 'kysely';
import { countRows, type Db, type Tx } from '#core/db.ts';

export type LogType = 'INFO' | 'ERROR' | 'WARN' | 'DEBUG';

interface LogTable {
  id: string;
  deployment_id: string;
  seq: number;
  type: LogType;
  message: string;
  created_at: number;
}

declare module '#core/db.ts' {
  interface Tables {
    deployment_log: LogTable;
  }
}

export type LogRow = LogTable;

export async function lastSeq(tx: Tx, deploymentId: string): Promise<number> {
  const row = await tx
    .selectFrom('deployment_log')
    .select(sql<number | null>`max(seq)`.as('seq'))
    .where('deployment_id', '=', deploymentId)
    .executeTakeFirst();
  return Number(row?.seq ?? 0);
}

export async function insertLog(tx: Tx, rows: readonly LogRow[]): Promise<void> {
  for (let at = 0; at < rows.length; at += 100)
    await tx
      .insertInto('deployment_log')
      .values(rows.slice(at, at + 100) as LogRow[])
      .execute();
}

export function logLines(
  db: Db,
  deploymentId: string,
  page: { offset: number; limit: number; after: number | undefined },
): Promise<LogRow[]> {
  let query = db
    .selectFrom('deployment_log')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('seq')
    .offset(page.offset)
    .limit(page.limit);
  if (page.after !== undefined) query = query.where('created_at', '>', page.after);
  return query.execute();
}

/** Those behind the line with that number, in order. */
export function logLinesAfter(db: Db, deploymentId: string, seq: number, limit: number): Promise<LogRow[]> {
  return db
    .selectFrom('deployment_log')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .where('seq', '>', seq)
    .orderBy('seq')
    .limit(limit)
    .execute();
}

export function countLog(db: Db, deploymentId: string, after: number | undefined): Promise<number> {
  const query = db.selectFrom('deployment_log').where('deployment_id', '=', deploymentId);
  return countRows(after === undefined ? query : query.where('created_at', '>', after));
}
