import { sql } from 'kysely';
import type { Connection } from '#adapters/sqlite/connection.ts';
import type { Tx } from '#core/db.ts';
import { Notifications, type Topic } from '#core/notifications.ts';

const pollMilliseconds = 100;
const keptItems = 10_000;
/** Asked for in one select, they would be found by passing over all rows; it is asked after every commit. */
const boundsOfNews = 'select (select min(id) from news) as first, (select max(id) from news) as last';

/**
 * Notifications through a table. SQLite counts the commits that other connections made (`pragma data_version`, a microsecond),
 * so looking ten times a second costs nothing, and works for processes that know nothing of each other.
 */
export class SqliteNotifications extends Notifications {
  readonly #reader: Connection;
  readonly #timer: NodeJS.Timeout;
  #dataVersion = -1;
  #lastId: number | undefined;
  #isFresh = false;
  /** The table is made by the first migration. */
  #exists = false;

  constructor(reader: Connection) {
    super();
    this.#reader = reader;
    this.#timer = setInterval(() => this.#look(), pollMilliseconds);
    this.#timer.unref();
  }

  /**
   * One look in each turn of the event loop: a request that was sent after another process had acknowledged a change
   * is read in a later turn than any look from before that change.
   */
  current(): boolean {
    if (!this.#isFresh) {
      this.#isFresh = true;
      setImmediate(() => {
        this.#isFresh = false;
      });
      this.#look();
    }
    return true;
  }

  async catchUp(): Promise<void> {
    this.#look();
  }

  async send(tx: Tx, items: readonly [Topic, string][]): Promise<void> {
    for (const [topic, key] of items)
      await sql`insert into news (topic, key) values (${topic}, ${key})`.execute(tx);
    await sql`delete from news where id <= (select max(id) from news) - ${keptItems}`.execute(tx);
  }

  stop(): void {
    clearInterval(this.#timer);
  }

  #look(): void {
    const [version] = this.#reader.run('pragma data_version', []).rows as { data_version: number }[];
    if (version?.data_version === this.#dataVersion) return;
    this.#dataVersion = version?.data_version ?? -1;
    this.#read();
  }

  #read(): void {
    this.#exists ||= this.#reader.run("select 1 from sqlite_master where name = 'news'", []).rows.length > 0;
    if (!this.#exists) return;
    const since = this.#lastId;
    const [bounds] = this.#reader.run(boundsOfNews, []).rows as {
      first: number | null;
      last: number | null;
    }[];
    this.#lastId = bounds?.last ?? 0;
    if (since === undefined || this.#lastId === since) return;
    // Trimmed beyond what this process has read.
    if ((bounds?.first ?? 0) > since + 1) {
      this.deliverEverything();
      return;
    }
    const rows = this.#reader.run('select topic, key from news where id > ? order by id', [since]).rows;
    for (const { topic, key } of rows as { topic: Topic; key: string }[]) this.deliver(topic, key);
  }
}
