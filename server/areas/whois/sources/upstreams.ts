import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { UpstreamError } from './upstream-error.ts';

export interface UpstreamLimits {
  /** Connections to one upstream at a time. */
  concurrency: number;
  /** Queries to one upstream a minute; a third of them may come at once. */
  perMinute: number;
  /** How long a query may wait for its turn. */
  queueSeconds: number;
}

/** What is told of each query; `failure` is undefined for one that was answered. */
export type Observer = (upstream: string, seconds: number, failure: string | undefined) => void;

interface Upstream {
  running: number;
  waiting: (() => void)[];
  /** Queries that may start now, fractional; refilled by time. */
  tokens: number;
  refilledAt: number;
  blockedUntil: number;
  /** Refusals for rate in a row. */
  strikes: number;
}

const MAX_UPSTREAMS = 5_000;
const FIRST_PAUSE_SECONDS = 30;
const MAX_PAUSE_SECONDS = 3_600;

/**
 * Keeps this process polite: each upstream has its own number of connections, its own rate, and is left alone for as
 * long as it asks, or twice as long each time when it does not say.
 */
export class Upstreams {
  readonly #limits: UpstreamLimits;
  readonly #clock: Clock;
  readonly #observe: Observer;
  readonly #upstreams = new LazyLru<string, Upstream>({ max: MAX_UPSTREAMS });

  constructor(options: { limits: UpstreamLimits; clock: Clock; observe?: Observer }) {
    this.#limits = options.limits;
    this.#clock = options.clock;
    this.#observe = options.observe ?? (() => {});
  }

  /** Runs one query when it is its turn. Throws `UpstreamError('throttled')` at once while the upstream wants peace. */
  async run<T>(name: string, work: () => Promise<T>): Promise<T> {
    const upstream = this.#of(name);
    this.#refuseWhileBlocked(name, upstream);
    await this.#enter(name, upstream);
    const started = performance.now();
    let failure: string | undefined;
    try {
      // Others may have been told to wait while this one queued.
      this.#refuseWhileBlocked(name, upstream);
      const result = await work();
      upstream.strikes = 0;
      return result;
    } catch (error) {
      failure = error instanceof UpstreamError ? error.failure : 'broken';
      if (error instanceof UpstreamError && failure === 'throttled')
        this.#pause(upstream, error.retryAfterSeconds);
      throw error;
    } finally {
      upstream.running--;
      upstream.waiting.shift()?.();
      this.#observe(name, (performance.now() - started) / 1000, failure);
    }
  }

  #of(name: string): Upstream {
    const known = this.#upstreams.get(name);
    if (known) return known;
    const made: Upstream = {
      ...{ running: 0, waiting: [], tokens: this.#burst(), blockedUntil: 0, strikes: 0 },
      refilledAt: this.#clock.now(),
    };
    this.#upstreams.set(name, made);
    return made;
  }

  #burst(): number {
    return Math.max(1, Math.floor(this.#limits.perMinute / 3));
  }

  #refuseWhileBlocked(name: string, upstream: Upstream): void {
    const left = Math.ceil((upstream.blockedUntil - this.#clock.now()) / 1000);
    if (left <= 0) return;
    throw new UpstreamError('throttled', name, 'is being left alone for a while.', {
      retryAfterSeconds: left,
    });
  }

  #pause(upstream: Upstream, asked: number | undefined): void {
    const now = this.#clock.now();
    // Queries that failed together count once.
    if (upstream.blockedUntil > now) return;
    const seconds = asked ?? FIRST_PAUSE_SECONDS * 2 ** Math.min(upstream.strikes, 10);
    upstream.strikes++;
    upstream.blockedUntil = now + Math.min(seconds, MAX_PAUSE_SECONDS) * 1000;
  }

  async #enter(name: string, upstream: Upstream): Promise<void> {
    const deadline = performance.now() + this.#limits.queueSeconds * 1000;
    while (upstream.running >= this.#limits.concurrency || !this.#takeToken(upstream)) {
      const left = deadline - performance.now();
      if (left <= 0) {
        const sentence = 'has more queries waiting than it may be asked.';
        throw new UpstreamError('throttled', name, sentence, {
          retryAfterSeconds: Math.ceil(60 / this.#limits.perMinute),
        });
      }
      await this.#turn(upstream, left);
    }
    upstream.running++;
  }

  #takeToken(upstream: Upstream): boolean {
    const now = this.#clock.now();
    const refill = ((now - upstream.refilledAt) / 60_000) * this.#limits.perMinute;
    upstream.tokens = Math.min(this.#burst(), upstream.tokens + refill);
    upstream.refilledAt = now;
    if (upstream.tokens < 1) return false;
    upstream.tokens--;
    return true;
  }

  /** Resolves when a connection has ended, when the next token is due, or when there is no time left. */
  #turn(upstream: Upstream, leftMilliseconds: number): Promise<void> {
    const untilToken = Math.ceil((1 - upstream.tokens) * (60_000 / this.#limits.perMinute));
    const wait = upstream.tokens < 1 ? Math.min(leftMilliseconds, Math.max(1, untilToken)) : leftMilliseconds;
    return new Promise((resolve) => {
      const timer = setTimeout(done, wait);
      function done() {
        clearTimeout(timer);
        const at = upstream.waiting.indexOf(done);
        if (at >= 0) upstream.waiting.splice(at, 1);
        resolve();
      }
      upstream.waiting.push(done);
    });
  }
}
