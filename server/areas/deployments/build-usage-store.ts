import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';

interface BuildUsageTable {
  organization_id: string;
  /** `2026-11`, UTC. */
  month: string;
  application_id: string;
  milliseconds: number;
}

declare module '#core/db.ts' {
  interface Tables {
    build_usage: BuildUsageTable;
  }
}

export async function buildTimeIn(db: Db, organizationId: string, month: string): Promise<number> {
  const row = await db
    .selectFrom('build_usage')
    .select(sql<number | null>`sum(milliseconds)`.as('sum'))
    .where('organization_id', '=', organizationId)
    .where('month', '=', month)
    .executeTakeFirst();
  return Number(row?.sum ?? 0);
}

export async function addBuildTime(
  tx: Tx,
  of: { organizationId: string; applicationId: string; month: string; milliseconds: number },
): Promise<void> {
  const { organizationId, applicationId, month, milliseconds } = of;
  await tx
    .insertInto('build_usage')
    .values({ organization_id: organizationId, application_id: applicationId, month, milliseconds })
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'month', 'application_id'])
        .doUpdateSet((eb) => ({ milliseconds: eb('build_usage.milliseconds', '+', milliseconds) })),
    )
    .execute();
}

/** Months before that one. */
export async function deleteBuildTime(tx: Tx, before: string): Promise<void> {
  await tx.deleteFrom('build_usage').where('month', '<', before).execute();
}
