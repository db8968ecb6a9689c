import { DatabaseSync } from 'node:sqlite';

/** A file a day and stream, named by the day: `requests/2026-11-22.db`. */

export const dayMilliseconds = 86_400_000;
/** In the first, lines waited as rows of `tail`. A file of a later one is set aside, like one that is broken. */
const version = 2;

export function dayOf(at: number): string {
  return new Date(at).toISOString().slice(0, 10);
}

export function dayStart(day: string): number {
  return Date.parse(`${day}T00:00:00Z`);
}

export const dayFilePattern = /^(\d{4}-\d{2}-\d{2})\.db$/;

/** Opens, or makes, a day's file for writing. One of the first version is still to be brought up to date. */
export function openDayFile(file: string): DatabaseSync {
  const database = new DatabaseSync(file, { timeout: 5000, enableForeignKeyConstraints: false });
  try {
    database.exec('pragma page_size = 16384; pragma auto_vacuum = incremental;');
    // NORMAL: the end of a process loses nothing that was committed, the end of the power perhaps the last moments.
    database.exec('pragma journal_mode = wal; pragma synchronous = normal;');
    database.exec(
      'pragma cache_size = -16000; pragma temp_store = memory; pragma journal_size_limit = 67108864;',
    );
    const found = versionOf(database);
    if (found > version) throw new WrongVersion(`version ${found}`);
    if (found === 0)
      database.exec(`begin immediate;
        create table if not exists meta (name text primary key, value integer not null) without rowid;
        create table if not exists block (id integer primary key, scope text, first integer, last integer, id_min text,
          id_max text, stored_min integer, stored_max integer, lines integer, head text);
        create index if not exists block_scope on block (scope, last);
        create table if not exists part (key integer primary key, data blob);
        create table if not exists gone (block integer, line integer, primary key (block, line)) without rowid;
        create table if not exists rollup (scope text, step integer, at integer, data text,
          primary key (scope, step, at)) without rowid;
        ${batchTables}
        commit;`);
  } catch (error) {
    database.close();
    throw error;
  }
  return database;
}

/** What the second version has beyond the first. */
export const batchTables = `
  create table if not exists batch (block integer primary key, scope text, units integer);
  create index if not exists batch_scope on batch (scope);
  create table if not exists waiting (scope text primary key, units integer not null, small integer not null) without rowid;
  pragma user_version = ${version};`;

export function versionOf(database: DatabaseSync): number {
  return (database.prepare('pragma user_version').get() as { user_version: number }).user_version;
}

class WrongVersion extends Error {
  override name = 'WrongVersion';
}

const CORRUPT = 11;
const NOT_A_DATABASE = 26;

/** Whether the file itself is at fault, rather than the disk, a lock, or us. */
export function isBroken(error: unknown): boolean {
  if (error instanceof WrongVersion) return true;
  const code = (error as { errcode?: number }).errcode ?? 0;
  return [CORRUPT, NOT_A_DATABASE].includes(code & 0xff);
}
