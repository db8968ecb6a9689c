import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { exchange } from './exchange.ts';
import { type QuestionType, type Reply, readAnswer } from './message.ts';
import { Places } from './places.ts';
import type { ServerAddress } from './server-address.ts';

/** What is known of the records of a name. */
export interface Known {
  /** There are records of the type that mean something: an MX record that is not the null one. */
  readonly found: boolean;
  /** The name exists, whatever records it has. */
  readonly exists: boolean;
  /** MX alone: the name says that it takes no mail (RFC 7505). */
  readonly refusesMail: boolean;
}

interface Entry extends Known {
  /** Milliseconds. */
  readonly expiresAt: number;
}

export interface Asked {
  /** Undefined where it was never known. */
  readonly known: Known | undefined;
  /** No name server answered: what is known may be old. */
  readonly failed: boolean;
}

/** How long a name whose servers do not answer is left alone. */
const pauseMilliseconds = 10_000;
/** A record may say 0; five names of one request are asked once all the same. */
const leastMilliseconds = 1000;

/**
 * Asks the name servers and remembers their answers as long as these say (RFC 1035; negative ones RFC 2308), and beyond
 * that for when no server answers (RFC 8767). Memory is bounded: the names longest unused are forgotten first.
 */
export class Resolver {
  readonly #servers: readonly ServerAddress[];
  readonly #clock: Clock;
  readonly #timeoutMilliseconds: number;
  readonly #places: Places;
  readonly #entries: LazyLru<string, Entry>;
  readonly #pausedUntil: LazyLru<string, number>;
  readonly #asking = new Map<string, Promise<Entry | undefined>>();
  /** The server that answered last: one that is down costs its delay once. */
  #preferred = 0;

  constructor(options: {
    servers: readonly ServerAddress[];
    clock: Clock;
    timeoutSeconds: number;
    concurrency: number;
    maxNames: number;
  }) {
    this.#servers = options.servers;
    this.#clock = options.clock;
    this.#timeoutMilliseconds = options.timeoutSeconds * 1000;
    this.#places = new Places(options.concurrency);
    this.#entries = new LazyLru({ max: options.maxNames });
    this.#pausedUntil = new LazyLru({ max: Math.min(options.maxNames, 10_000) });
  }

  /** What is known without asking anybody; undefined when somebody has to be asked. */
  peek(name: string, type: QuestionType): Known | undefined {
    const entry = this.#entries.get(`${type} ${name}`);
    return entry && entry.expiresAt > this.#clock.now() ? entry : undefined;
  }

  /** Never later than the signal, which no question outlives by more than its own timeout. */
  async ask(name: string, type: QuestionType, deadline: AbortSignal): Promise<Asked> {
    const known = this.peek(name, type);
    if (known) return { known, failed: false };
    const key = `${type} ${name}`;
    const old = this.#entries.get(key);
    if ((this.#pausedUntil.get(key) ?? 0) > this.#clock.now()) return { known: old, failed: true };
    let asking = this.#asking.get(key);
    if (!asking) {
      asking = this.#askShared(key, name, type).finally(() => this.#asking.delete(key));
      this.#asking.set(key, asking);
    }
    const answered = await Promise.race([asking, aborted(deadline)]);
    return answered ? { known: answered, failed: false } : { known: old, failed: true };
  }

  /**
   * Asks anew, whatever is remembered: for records that somebody is changing at this moment. Undefined when no server
   * answers in time.
   */
  async lookUp(name: string, type: QuestionType): Promise<Reply | undefined> {
    const stop = new AbortController();
    const timer = setTimeout(() => stop.abort(), this.#timeoutMilliseconds);
    try {
      if (!(await this.#places.enter(stop.signal))) return undefined;
      return await this.#askServers(name, type, stop).finally(() => this.#places.leave());
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  async #askShared(key: string, name: string, type: QuestionType): Promise<Entry | undefined> {
    const stop = new AbortController();
    const timer = setTimeout(
      () => stop.abort(new Error('No name server answered in time.')),
      this.#timeoutMilliseconds,
    );
    try {
      if (!(await this.#places.enter(stop.signal))) return undefined;
      const reply = await this.#askServers(name, type, stop).finally(() => this.#places.leave());
      if (!reply) {
        this.#pausedUntil.set(key, this.#clock.now() + pauseMilliseconds);
        return undefined;
      }
      const entry = toEntry(reply, this.#clock.now());
      this.#entries.set(key, entry);
      return entry;
    } finally {
      clearTimeout(timer);
      stop.abort();
    }
  }

  /**
   * One server after the other, each with a head start on the next; what was asked before may still answer. Undefined
   * when none could or the time is over.
   */
  async #askServers(name: string, type: QuestionType, stop: AbortController): Promise<Reply | undefined> {
    const count = this.#servers.length;
    if (count === 0) return undefined;
    const attempts = Math.max(count, 2);
    const headStart = this.#timeoutMilliseconds / (attempts + 1);
    const { promise, resolve } = Promise.withResolvers<Reply | undefined>();
    let open = attempts;
    let started = 0;
    let timer: NodeJS.Timeout | undefined;
    const next = () => {
      clearTimeout(timer);
      if (started === attempts) return;
      const index = (this.#preferred + started) % count;
      started++;
      timer = setTimeout(next, headStart);
      const asked = exchange(this.#servers[index] as ServerAddress, { name, type }, stop.signal);
      void asked
        .then(
          (message) => readAnswer(message, type),
          () => undefined,
        )
        .then((reply) => {
          if (reply) this.#preferred = index;
          open--;
          if (reply || open === 0) resolve(reply);
          else next();
        });
    };
    stop.signal.addEventListener('abort', () => resolve(undefined), { once: true });
    next();
    return promise.finally(() => clearTimeout(timer));
  }
}

function toEntry({ exists, records, ttl }: Reply, now: number): Entry {
  const real = records.filter((record) => record.type !== 'MX' || record.data.exchange !== '.');
  const refusesMail = records.length > 0 && real.length === 0;
  return {
    found: real.length > 0,
    exists,
    refusesMail,
    expiresAt: now + Math.max(ttl * 1000, leastMilliseconds),
  };
}

function aborted(signal: AbortSignal): Promise<undefined> {
  if (signal.aborted) return Promise.resolve(undefined);
  return new Promise((resolve) => signal.addEventListener('abort', () => resolve(undefined), { once: true }));
}
