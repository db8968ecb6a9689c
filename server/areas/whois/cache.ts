import { LRUCache } from 'lru-cache';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { runShared } from '#core/waits.ts';
import type { Finding } from './lookup.ts';
import { type AnswerRow, find, put, removeExpired, trim } from './store.ts';

export interface CacheTimes {
  freshSeconds: number;
  negativeSeconds: number;
  staleSeconds: number;
}

/** Near the end of its term a record may change any hour. */
const LAST_WEEK = 7 * 86_400_000;
const NEAR_EXPIRY_SECONDS = 3_600;

/** How the cache answered: kept, kept but old, found by a query that was under way already, or asked for. */
export type CacheResult = 'fresh' | 'stale' | 'shared' | 'miss';

/**
 * Answers by domain, shared by all nodes through the database, with the busiest in memory. An old one is served while a
 * new one is fetched, and when none can be had; equal look-ups at once are one.
 */
export class AnswerCache {
  readonly #db: Db;
  readonly #clock: Clock;
  readonly #log: Logger;
  readonly #times: CacheTimes;
  readonly #memory: LRUCache<string, AnswerRow>;
  readonly #running = new Map<string, Promise<AnswerRow>>();
  readonly #observe: (result: CacheResult) => void;

  constructor(options: {
    db: Db;
    clock: Clock;
    log: Logger;
    times: CacheTimes;
    /** Bytes. */
    memory: number;
    observe: (result: CacheResult) => void;
  }) {
    this.#db = options.db;
    this.#clock = options.clock;
    this.#log = options.log;
    this.#times = options.times;
    this.#memory = new LRUCache({ maxSize: options.memory, sizeCalculation: bytesOf });
    this.#observe = options.observe;
  }

  /** The kept answer while it is fresh and in memory: the hot path. */
  peek(domain: string): AnswerRow | undefined {
    const row = this.#memory.get(domain);
    if (!row || row.fresh_until <= this.#clock.now()) return undefined;
    this.#observe('fresh');
    return row;
  }

  /** A kept answer that may be served, from memory or database; undefined when there is none. */
  async kept(domain: string): Promise<AnswerRow | undefined> {
    const now = this.#clock.now();
    const remembered = this.#memory.get(domain);
    if (remembered && remembered.fresh_until > now) return remembered;
    // Another node may have asked meanwhile.
    const row = await find(this.#db, domain);
    // A query of this process may have ended while the database was read: what it found is newer than the row.
    const meanwhile = this.#memory.get(domain);
    if (meanwhile && meanwhile.fresh_until > now) return meanwhile;
    if (!row || row.keep_until <= now) return undefined;
    this.#memory.set(domain, row);
    return row;
  }

  /** The answer, kept or found by `ask`. What `ask` throws is thrown only when nothing is kept. */
  async get(domain: string, ask: () => Promise<Finding>): Promise<AnswerRow> {
    const row = await this.kept(domain);
    if (row && row.fresh_until > this.#clock.now()) {
      this.#observe('fresh');
      return row;
    }
    if (!row) {
      this.#observe(this.#running.has(domain) ? 'shared' : 'miss');
      return this.#ask(domain, ask);
    }
    this.#observe('stale');
    this.#ask(domain, ask).catch((err) => {
      this.#log.info({ err, domain }, 'A record could not be refreshed; the old one is served.');
    });
    return row;
  }

  /** Adds the text that was fetched later. */
  async addText(row: AnswerRow, raw: string): Promise<void> {
    await this.#keep({ ...row, raw });
  }

  async sweep(max: number): Promise<void> {
    await this.#db.write(async (tx) => {
      await removeExpired(tx, this.#clock.now());
      await trim(tx, max);
    });
  }

  /** Waits for what is being fetched in the background. */
  async settle(): Promise<void> {
    await Promise.allSettled(this.#running.values());
  }

  #ask(domain: string, ask: () => Promise<Finding>): Promise<AnswerRow> {
    const running = this.#running.get(domain);
    if (running !== undefined) return running;
    const started = runShared(() => this.#fetch(domain, ask)).finally(() => this.#running.delete(domain));
    this.#running.set(domain, started);
    return started;
  }

  async #fetch(domain: string, ask: () => Promise<Finding>): Promise<AnswerRow> {
    const { outcome, source, record, raw } = await ask();
    const now = this.#clock.now();
    const fresh = this.#freshSeconds(outcome, record?.domain.expires ?? null, now);
    const row: AnswerRow = {
      ...{ domain, outcome, source, raw, fetched_at: now },
      record: record === null ? null : JSON.stringify(record),
      fresh_until: now + fresh * 1000,
      // That a name is free is forgotten at once: it is what people wait for.
      keep_until: now + (outcome === 'registered' ? fresh + this.#times.staleSeconds : fresh) * 1000,
    };
    await this.#keep(row);
    return row;
  }

  #freshSeconds(outcome: Finding['outcome'], expires: string | null, now: number): number {
    if (outcome !== 'registered') return this.#times.negativeSeconds;
    const near = expires !== null && Date.parse(expires) - now < LAST_WEEK;
    return near ? Math.min(NEAR_EXPIRY_SECONDS, this.#times.freshSeconds) : this.#times.freshSeconds;
  }

  async #keep(row: AnswerRow): Promise<void> {
    this.#memory.set(row.domain, row);
    try {
      await this.#db.write((tx) => put(tx, row));
    } catch (err) {
      // The answer is right whether or not it could be kept.
      this.#log.warn({ err, domain: row.domain }, 'A WHOIS record could not be kept.');
    }
  }
}

/** Strings of JavaScript take two bytes a character at most; the rest of a row is small. */
function bytesOf({ domain, record, raw }: AnswerRow): number {
  return 200 + 2 * (domain.length + (record?.length ?? 0) + (raw?.length ?? 0));
}
