import type { FastifyInstance } from 'fastify';
import type { Auth } from '#core/actor.ts';
import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { Problem } from '#core/problem.ts';

interface Window {
  startedAt: number;
  count: number;
  previous: number;
}

export interface Standing {
  limit: number;
  /** How many more are allowed now. */
  remaining: number;
  /** Seconds until the limit is whole again. */
  resetSeconds: number;
}

/**
 * Counts events by key in a sliding window (two fixed windows, the older one weighted by what of it is still in view).
 * Counts live in this process and in bounded memory: the keys that were quiet longest are forgotten first.
 */
export class RateLimiter {
  readonly #windows: LazyLru<string, Window>;
  readonly #limit: number;
  readonly #windowMilliseconds: number;
  readonly #clock: Clock;

  constructor(options: { limit: number; windowSeconds: number; clock: Clock; maxKeys?: number }) {
    this.#limit = options.limit;
    this.#windowMilliseconds = options.windowSeconds * 1000;
    this.#clock = options.clock;
    this.#windows = new LazyLru({ max: options.maxKeys ?? 50_000 });
  }

  /** Counts one event and tells where the key stands after it. */
  count(key: string): Standing {
    const now = this.#clock.now();
    const window = this.#windowAt(key, now);
    window.count++;
    return this.#standing(window, now);
  }

  /** Where the key stands, without counting. */
  look(key: string): Standing {
    const now = this.#clock.now();
    return this.#standing(this.#windowAt(key, now), now);
  }

  #windowAt(key: string, now: number): Window {
    const found = this.#windows.get(key);
    const age = found ? now - found.startedAt : Number.POSITIVE_INFINITY;
    if (found && age < this.#windowMilliseconds) return found;
    const previous = found && age < 2 * this.#windowMilliseconds ? found.count : 0;
    const startedAt = found && previous > 0 ? found.startedAt + this.#windowMilliseconds : now;
    const fresh = { startedAt, count: 0, previous };
    this.#windows.set(key, fresh);
    return fresh;
  }

  #standing({ startedAt, count, previous }: Window, now: number): Standing {
    const inView = 1 - (now - startedAt) / this.#windowMilliseconds;
    const used = count + previous * inView;
    return {
      limit: this.#limit,
      remaining: Math.floor(this.#limit - used),
      resetSeconds: Math.max(1, Math.ceil((startedAt + this.#windowMilliseconds - now) / 1000)),
    };
  }
}

/** The RateLimit fields of draft-ietf-httpapi-ratelimit-headers. */
export function rateHeaders({ limit, remaining, resetSeconds }: Standing): Record<string, string> {
  return {
    'ratelimit-limit': String(limit),
    'ratelimit-remaining': String(Math.max(0, remaining)),
    'ratelimit-reset': String(resetSeconds),
  };
}

/** A person counts as one, in however many browsers and programs. */
function bearerOf({ through, clientId, actor }: Auth): string {
  return through === 'api_key' ? clientId : `user ${actor.id}`;
}

/** The limit that holds for every authenticated route, unless the operator lifts it. */
export function registerRateLimit(app: FastifyInstance, options: { perMinute: number; clock: Clock }): void {
  const { perMinute, clock } = options;
  if (perMinute === 0) return;
  const limiter = new RateLimiter({ limit: perMinute, windowSeconds: 60, clock });
  app.addHook('onRequest', (request, reply, done) => {
    if (!request.auth) return done();
    const standing = limiter.count(bearerOf(request.auth));
    reply.headers(rateHeaders(standing));
    if (standing.remaining >= 0) return done();
    const who = request.auth.through === 'api_key' ? 'This key' : 'You';
    const sentence = `${who} can make ${perMinute} requests per minute. Wait, or ask the operator to raise the limit.`;
    done(new Problem('too_many_requests', sentence, { retryAfterSeconds: standing.resetSeconds }));
  });
}
