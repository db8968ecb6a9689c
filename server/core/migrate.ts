import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';
import { runWithin, WaitedTooLong, Waits } from '#core/waits.ts';

/** Column types by engine. Text compares by bytes on both, so that order and cursors are the same everywhere. */
interface ColumnTypes {
  id: 'uuid' | 'text';
  text: ReturnType<typeof sql> | 'text';
  bytes: 'bytea' | 'blob';
  /** Milliseconds since 1970, counts, sizes. */
  integer: 'bigint' | 'integer';
}

export interface Migration {
  /** `0001_foundation`: sorts in order of application. */
  name: string;
  up(tx: Tx, types: ColumnTypes, engine: Db['engine']): Promise<void>;
}

declare module '#core/db.ts' {
  interface Tables {
    migrations: { name: string; applied_at: number };
  }
}

function columnTypes(engine: Db['engine']): ColumnTypes {
  return engine === 'postgres'
    ? { id: 'uuid', text: sql`text collate "C"`, bytes: 'bytea', integer: 'bigint' }
    : { id: 'text', text: 'text', bytes: 'blob', integer: 'integer' };
}

/** The migrations that this database has had. */
async function applied(db: Db): Promise<Set<string>> {
  const tables = await db.introspection.getTables();
  if (!tables.some((table) => table.name === 'migrations')) return new Set();
  const rows = await db.selectFrom('migrations').select('name').execute();
  return new Set(rows.map((row) => row.name));
}

export interface MigrationState {
  pending: string[];
  /** In the database and not in this program: a newer version has been here. */
  unknown: string[];
}

export async function migrationState(db: Db, migrations: readonly Migration[]): Promise<MigrationState> {
  const done = await applied(db);
  const ours = migrations.map((migration) => migration.name);
  return {
    pending: ours.filter((name) => !done.has(name)),
    unknown: [...done].filter((name) => !ours.includes(name)),
  };
}

export function refuseNewer(unknown: readonly string[]): void {
  if (unknown.length === 0) return;
  throw new Error(
    `The database was made by a newer version of Mainstay (it has ${unknown.join(', ')}). ` +
      'Run that version, or restore a backup made before the upgrade.',
  );
}

interface Waiting {
  /** Told when another node holds the lock. */
  say?: (text: string) => void;
  /** After so long it is said, and after so long given up. */
  sayAfterSeconds?: number;
  giveUpAfterSeconds?: number;
}

/** Waits for the lock that all nodes share, says so, and gives up in the end. */
async function patiently<T>(work: () => Promise<T>, waiting: Waiting): Promise<T> {
  const { say, sayAfterSeconds = 2, giveUpAfterSeconds = 300 } = waiting;
  const within = (seconds: number) => runWithin(new Waits({ seconds, isAbandoned: () => false }), work);
  try {
    return await within(sayAfterSeconds);
  } catch (error) {
    if (!(error instanceof WaitedTooLong)) throw error;
  }
  say?.('Another node is changing the database: waiting for it to finish.');
  try {
    return await within(giveUpAfterSeconds);
  } catch (cause) {
    if (!(cause instanceof WaitedTooLong)) throw cause;
    const sentence =
      `Another node has held the lock of the migrations for ${giveUpAfterSeconds} s. See what it does ` +
      "(select * from pg_locks where locktype = 'advisory'), and start again.";
    throw new Error(sentence, { cause });
  }
}

/** Applies what is pending, each in a transaction of its own, under a lock that all nodes share. Returns the names. */
export async function migrate(
  db: Db,
  migrations: readonly Migration[],
  waiting: Waiting = {},
): Promise<string[]> {
  const state = await migrationState(db, migrations);
  refuseNewer(state.unknown);
  const names: string[] = [];
  for (const migration of migrations.filter(({ name }) => state.pending.includes(name))) {
    if (await patiently(() => apply(db, migration), waiting)) names.push(migration.name);
  }
  return names;
}

async function apply(db: Db, { name, up }: Migration): Promise<boolean> {
  const types = columnTypes(db.engine);
  return db.write(
    async (tx) => {
      await tx.schema
        .createTable('migrations')
        .ifNotExists()
        .addColumn('name', types.text as 'text', (column) => column.primaryKey())
        .addColumn('applied_at', types.integer, (column) => column.notNull())
        .execute();
      // Another node may have been here while this one waited for the lock.
      const there = await tx
        .selectFrom('migrations')
        .select('name')
        .where('name', '=', name)
        .executeTakeFirst();
      if (there) return false;
      await up(tx, types, db.engine);
      await tx.insertInto('migrations').values({ name, applied_at: Date.now() }).execute();
      return true;
    },
    { queue: 'migrations' },
  );
}
