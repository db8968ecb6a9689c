import { sql } from 'kysely';
import type { Db, Tx } from '#core/db.ts';

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

/** Applies what is pending, each in a transaction of its own, under a lock that all nodes share. Returns the names. */
export async function migrate(db: Db, migrations: readonly Migration[]): Promise<string[]> {
  const state = await migrationState(db, migrations);
  if (state.unknown.length > 0) {
    throw new Error(
      `The database was made by a newer version of Mainstay (it has ${state.unknown.join(', ')}). ` +
        'Run that version, or restore a backup made before the upgrade.',
    );
  }
  const names: string[] = [];
  for (const migration of migrations.filter(({ name }) => state.pending.includes(name))) {
    if (await apply(db, migration)) names.push(migration.name);
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
