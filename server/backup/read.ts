import { createReadStream } from 'node:fs';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { createZstdDecompress } from 'node:zlib';
import type { VaultKeyTable } from '#accounts/vault/service.ts';
import type { Db, Tables, Tx } from '#core/db.ts';
import { migrate } from '#core/migrate.ts';
import { migrations } from '../migrations/index.ts';
import { tables } from '../platform/areas.ts';
import { databaseName, type Manifest } from './manifest.ts';
import { decodeRow, type Row } from './rows.ts';
import type { Progress } from './write.ts';

const batch = 100;

/** Whether any table of ours has a row. A database that was only ever migrated is still empty. */
export async function isEmpty(db: Db): Promise<boolean> {
  const present = new Set((await db.introspection.getTables()).map(({ name }) => name));
  for (const table of tables) {
    if (!present.has(table)) continue;
    const row = await db.selectFrom(table).selectAll().limit(1).executeTakeFirst();
    if (row) return false;
  }
  return true;
}

/**
 * Fills an empty database of either engine from a backup, in one transaction, and brings it up to date. A backup of an
 * older version is loaded into the tables of its time first.
 */
export async function readBackup(
  db: Db,
  folder: string,
  manifest: Manifest,
  progress: Progress,
): Promise<void> {
  const unknown = manifest.migrations.filter(
    (name) => !migrations.some((migration) => migration.name === name),
  );
  if (unknown.length > 0) {
    throw new Error(`The backup was made by a newer version of Mainstay (it has ${unknown.join(', ')}).`);
  }
  await migrate(
    db,
    migrations.filter(({ name }) => manifest.migrations.includes(name)),
  );
  await db.write(async (tx) => {
    const counts: Record<string, number> = {};
    for await (const { table, rows } of batches(path.join(folder, databaseName))) {
      await insert(tx, table, rows);
      counts[table] = (counts[table] ?? 0) + rows.length;
      progress(table, counts[table]);
    }
    for (const [table, expected] of Object.entries(manifest.rows)) {
      if ((counts[table] ?? 0) !== expected)
        throw new Error(`The backup is damaged: rows of ${table} are missing.`);
    }
  });
  await migrate(db, migrations);
}

/** The keys of the vault as the backup holds them: among the first of its rows. */
export async function vaultKeysIn(folder: string): Promise<VaultKeyTable[]> {
  const found: Row[] = [];
  for await (const { table, rows } of batches(path.join(folder, databaseName))) {
    if (table === 'vault_keys') found.push(...rows);
    else if (found.length > 0) break;
  }
  return found as unknown as VaultKeyTable[];
}

async function insert(tx: Tx, table: string, rows: Row[]): Promise<void> {
  await tx
    .insertInto(table as keyof Tables)
    .values(rows as never)
    .execute();
}

async function* batches(file: string): AsyncGenerator<{ table: string; rows: Row[] }> {
  const lines = createInterface({
    input: createReadStream(file).pipe(createZstdDecompress()),
    crlfDelay: Infinity,
  });
  let current: { table: string; rows: Row[] } | undefined;
  for await (const line of lines) {
    const { table, row } = decodeRow(line);
    if (current && (current.table !== table || current.rows.length >= batch)) {
      yield current;
      current = undefined;
    }
    current ??= { table, rows: [] };
    current.rows.push(row);
  }
  if (current) yield current;
}
