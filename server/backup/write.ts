import { createWriteStream } from 'node:fs';
import { mkdir, open, rename, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createZstdCompress } from 'node:zlib';
import { type Kysely, sql } from 'kysely';
import type { Db, Tables } from '#core/db.ts';
import { tables } from '../platform/areas.ts';
import { databaseName, type Manifest, manifestName, masterKeyName, sha256 } from './manifest.ts';
import { encodeRow, type Row } from './rows.ts';

const batch = 500;

/** Called with the table that is being written and how many of its rows are. */
export type Progress = (table: string, rows: number) => void;

/**
 * Writes the state of one moment into a new folder: all tables, and the master key when it is given. Written aside and
 * renamed at the end, so that a folder of that name is a whole backup.
 */
export async function writeBackup(
  db: Db,
  options: { folder: string; masterKey: Buffer | null; now: number; progress: Progress },
): Promise<Manifest> {
  const aside = `${options.folder}.partial`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { recursive: true, mode: 0o700 });
  try {
    return await write(db, aside, options);
  } catch (error) {
    // A backup that could not be finished is no backup; on a full disk it would take the last of the room.
    await rm(aside, { recursive: true, force: true });
    throw error;
  }
}

async function write(
  db: Db,
  aside: string,
  { folder, masterKey, now, progress }: Parameters<typeof writeBackup>[1],
): Promise<Manifest> {
  const rows: Record<string, number> = {};
  // Of an older version, before its upgrade, some are not there yet.
  const keys = await primaryKeys(db);
  const migrations = await db.snapshot(async (read) => {
    const lines = Readable.from(allLines(read, keys, rows, progress));
    const file = createWriteStream(path.join(aside, databaseName), { mode: 0o600, flush: true });
    await pipeline(lines, createZstdCompress(), file);
    const applied = await read.selectFrom('migrations').select('name').orderBy('name').execute();
    return applied.map(({ name }) => name);
  });
  const names = [databaseName];
  if (masterKey) {
    const text = `${masterKey.toString('base64')}\n`;
    await writeFile(path.join(aside, masterKeyName), text, { mode: 0o600, flush: true });
    names.push(masterKeyName);
  }
  const files: Record<string, string> = {};
  for (const name of names) files[name] = await sha256(path.join(aside, name));
  const manifest: Manifest = { format: 1, createdAt: new Date(now).toISOString(), migrations, rows, files };
  await writeFile(path.join(aside, manifestName), `${JSON.stringify(manifest, null, 2)}\n`, {
    mode: 0o600,
    flush: true,
  });
  await rename(aside, folder);
  await syncFolder(path.dirname(folder));
  return manifest;
}

async function* allLines(
  read: Kysely<Tables>,
  keys: ReadonlyMap<string, readonly string[]>,
  counts: Record<string, number>,
  progress: Progress,
) {
  for (const table of tables) {
    const key = keys.get(table);
    if (!key) continue;
    counts[table] = 0;
    for await (const rows of pages(read, table, key)) {
      counts[table] += rows.length;
      progress(table, counts[table]);
      yield `${rows.map((row) => encodeRow(table, row)).join('\n')}\n`;
    }
  }
}

/** All rows of a table in the order of its key, a page at a time. */
async function* pages(
  read: Kysely<Tables>,
  table: keyof Tables & string,
  key: readonly string[],
): AsyncGenerator<Row[]> {
  const columns = sql.join(key.map((name) => sql.ref(name)));
  let last: Row | undefined;
  for (;;) {
    let query = read.selectFrom(table).selectAll().limit(batch);
    for (const name of key) query = query.orderBy(sql.ref(name));
    const after = last;
    if (after)
      query = query.where(sql<boolean>`(${columns}) > (${sql.join(key.map((name) => after[name]))})`);
    const rows = (await query.execute()) as Row[];
    if (rows.length === 0) return;
    last = rows.at(-1);
    yield rows;
  }
}

/** The columns of the primary key of each table that is there, in its order. */
async function primaryKeys(db: Db): Promise<Map<string, string[]>> {
  const query =
    db.engine === 'sqlite'
      ? sql<KeyColumn>`
          select m.name as "table", p.name as "column" from sqlite_master m join pragma_table_info(m.name) p
          where m.type = 'table' and p.pk > 0 order by m.name, p.pk`
      : sql<KeyColumn>`
          select c.relname as "table", a.attname as "column" from pg_index i
          join pg_class c on c.oid = i.indrelid
          join pg_attribute a on a.attrelid = c.oid and a.attnum = any(i.indkey)
          where i.indisprimary and c.relnamespace = current_schema()::regnamespace
          order by c.relname, array_position(i.indkey::int2[], a.attnum)`;
  const keys = new Map<string, string[]>();
  for (const { table, column } of (await query.execute(db)).rows)
    keys.set(table, [...(keys.get(table) ?? []), column]);
  return keys;
}

interface KeyColumn {
  table: string;
  column: string;
}

async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r');
  await handle.sync();
  await handle.close();
}
