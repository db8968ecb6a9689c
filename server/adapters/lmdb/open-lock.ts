import { mkdirSync } from 'node:fs';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** A process that is frozen while it opens or writes may not hold up the others for ever. */
const waitMilliseconds = 10_000;
/** How long the shared side is kept: taking it costs more than a small write. An opener waits for so long at most. */
const keepMilliseconds = 10;

/** The code of a failure to share: another process has been opening the cache for too long. LMDB has no such code. */
export const openedByAnother = -1;

/**
 * Keeps processes from opening the data file while another one writes to it. LMDB's open reads which transaction was the
 * last one and then notes it for everybody, without taking its lock: a commit between the two was forgotten, the next
 * writer wrote over it, and pages were given out twice. The lock is an empty SQLite file, whose locks the kernel frees when
 * their holder dies; Node has no `flock`.
 */
export class OpenLock {
  readonly #database: DatabaseSync;
  #timer: NodeJS.Timeout | undefined;

  constructor(folder: string) {
    mkdirSync(folder, { recursive: true, mode: 0o700 });
    this.#database = new DatabaseSync(path.join(folder, 'open-lock.sqlite'), { timeout: waitMilliseconds });
  }

  /** For the time of opening: nobody writes, and nobody else opens. */
  static whileAlone<T>(folder: string, open: () => T): T {
    const lock = new OpenLock(folder);
    try {
      lock.#database.exec('begin exclusive');
      return open();
    } finally {
      lock.close();
    }
  }

  /** Before a write. Throws when another process has been opening for too long. */
  share(): void {
    if (this.#timer) return;
    // A transaction has its shared lock from its first read on.
    this.#database.exec('begin; select 1 from sqlite_schema');
    this.#timer = setTimeout(() => this.#release(), keepMilliseconds);
    this.#timer.unref();
  }

  close(): void {
    clearTimeout(this.#timer);
    this.#database.close();
  }

  #release(): void {
    this.#timer = undefined;
    this.#database.exec('rollback');
  }
}
