import type { Db, Tx } from '#core/db.ts';

interface PartTable {
  deployment_id: string;
  part_number: number;
  blob: string;
  etag: string;
  size: number;
}

declare module '#core/db.ts' {
  interface Tables {
    deployment_parts: PartTable;
    deployment_blobs: { deployment_id: string; blob: string };
  }
}

export type PartRow = PartTable;

export function parts(db: Db | Tx, deploymentId: string): Promise<PartRow[]> {
  return db
    .selectFrom('deployment_parts')
    .selectAll()
    .where('deployment_id', '=', deploymentId)
    .orderBy('part_number')
    .execute();
}

/** Replaces the part of that number. */
export async function putPart(tx: Tx, row: PartRow): Promise<void> {
  await tx
    .insertInto('deployment_parts')
    .values(row)
    .onConflict((conflict) =>
      conflict
        .columns(['deployment_id', 'part_number'])
        .doUpdateSet({ blob: row.blob, etag: row.etag, size: row.size }),
    )
    .execute();
}

export async function holdBlobs(tx: Tx, deploymentId: string, blobs: readonly string[]): Promise<void> {
  for (let at = 0; at < blobs.length; at += 100) {
    const values = blobs.slice(at, at + 100).map((blob) => ({ deployment_id: deploymentId, blob }));
    await tx
      .insertInto('deployment_blobs')
      .values(values)
      .onConflict((conflict) => conflict.doNothing())
      .execute();
  }
}

export async function heldBy(tx: Tx, deploymentId: string): Promise<string[]> {
  const rows = await tx
    .selectFrom('deployment_blobs')
    .select('blob')
    .where('deployment_id', '=', deploymentId)
    .execute();
  return rows.map(({ blob }) => blob);
}

/** Those of the names that a deployment or an upload still holds. */
export async function heldAmong(db: Db, names: readonly string[]): Promise<Set<string>> {
  if (names.length === 0) return new Set();
  const [held, uploaded] = await Promise.all([
    db
      .selectFrom('deployment_blobs')
      .select('blob')
      .where('blob', 'in', [...names])
      .execute(),
    db
      .selectFrom('deployment_parts')
      .select('blob')
      .where('blob', 'in', [...names])
      .execute(),
  ]);
  return new Set([...held, ...uploaded].map(({ blob }) => blob));
}
