import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { Kysely } from 'kysely';
import { Connection } from '#adapters/sqlite/connection.ts';
import { sqliteDialect } from '#adapters/sqlite/dialect.ts';
import { SqliteNews } from '#adapters/sqlite/news.ts';
import { Writer } from '#adapters/sqlite/writer.ts';
import { Db, type DbOptions } from '#core/db.ts';

/** Opens, or makes, the SQLite database in that file. */
export async function openSqlite(file: string, options: DbOptions): Promise<Db> {
  mkdirSync(path.dirname(file), { recursive: true, mode: 0o700 });
  const busyMilliseconds = options.retrySeconds * 1000;
  const reader = new Connection(file, { busyMilliseconds, readOnly: true });
  const writer = new Writer(file, busyMilliseconds);
  const news = new SqliteNews(reader);
  return new Db(
    {
      name: 'sqlite',
      dialect: sqliteDialect(reader, writer),
      news,
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
        news.stop();
        await writer.close();
        reader.close();
      },
    },
    options,
  );
}
