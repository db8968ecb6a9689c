import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import { keepReserve, spendReserve } from '#adapters/files/reserve.ts';
import { Connection } from '#adapters/sqlite/connection.ts';
import { sqliteDialect } from '#adapters/sqlite/dialect.ts';
import { fromFailure, toFailure } from '#adapters/sqlite/errors.ts';
import { SqliteNotifications } from '#adapters/sqlite/notifications.ts';
import { Writer } from '#adapters/sqlite/writer.ts';
import { Db, type DbOptions } from '#core/db.ts';
import { Problem } from '#core/problem.ts';

/** Opens, or makes, the SQLite database in that file. */
export async function openSqlite(file: string, options: DbOptions): Promise<Db> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const busyMilliseconds = options.retrySeconds * 1000;
  const folder = path.dirname(file);
  const reader = openReader(file, folder, busyMilliseconds);
  keepReserve(folder);
  const writer = new Writer(file, busyMilliseconds);
  const notifications = new SqliteNotifications(reader);
  return new Db(
    {
      name: 'sqlite',
      dialect: sqliteDialect(reader, writer),
      notifications,
      // Writers take turns already.
      holding: (_lock, work) => work(),
      async snapshot(work) {
        // A connection of its own: its open read transaction keeps the moment, and blocks no writer (WAL).
        const still = new Connection(file, { busyMilliseconds, readOnly: true });
        try {
          still.exec('begin');
          return await work(new Kysely({ dialect: sqliteDialect(still, writer) }));
        } finally {
          still.close();
        }
      },
      async close() {
        notifications.stop();
        await writer.close();
        reader.close();
      },
    },
    options,
  );
}

function openReader(file: string, folder: string, busyMilliseconds: number): Connection {
  const open = () => new Connection(file, { busyMilliseconds, readOnly: true });
  try {
    return open();
  } catch (error) {
    const failure = fromFailure(toFailure(error));
    // A full disk has no room even for opening: that is what the reserve is for.
    const isFull = failure instanceof Problem && failure.kind === 'storage_full';
    if (!isFull || !spendReserve(folder)) throw failure;
    return open();
  }
}
