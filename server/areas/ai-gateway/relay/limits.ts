import type { Clock } from '#core/clock.ts';
import { LazyLru } from '#core/lazy-lru.ts';
import { refusal } from '../problem.ts';
import type { Rules } from '../rules/rules.ts';
import type { Call } from './call.ts';

interface Bucket {
  /** What may still be used; refills evenly. */
  left: number;
  at: number;
}

const minute = 60_000;

/**
 * Requests and tokens a minute, by the level whose policy sets them. Counted by each process for itself; buckets refill
 * evenly, so a burst of a whole minute is possible once.
 */
export class Limits {
  readonly #clock: Clock;
  readonly #buckets = new LazyLru<string, Bucket>({ max: 50_000 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Takes the request and its input from every limit, and gives the headers that OpenAI's clients read. */
  demand(call: Pick<Call, 'caller' | 'needs'>, rules: Rules): Record<string, string> {
    const subjects: Record<string, string | null> = {
      organization: call.caller.organizationId,
      application: call.caller.applicationId,
      'API key': call.caller.apiKeyId,
    };
    const wanted = [
      ...rules.requestsPerMinute.map((one) => ({ ...one, unit: 'requests', amount: 1 })),
      ...rules.tokensPerMinute.map((one) => ({
        ...one,
        unit: 'tokens',
        amount: Math.max(1, call.needs.contextTokens),
      })),
    ].map((one) => ({ ...one, name: `${one.unit} ${one.level} ${subjects[one.level]}` }));
    const headers: Record<string, string> = {};
    const least = new Map<string, number>();
    for (const { name, limit, amount, unit, level } of wanted) {
      const bucket = this.#bucket(name, limit);
      // A request larger than a whole minute may begin when the bucket is full.
      const short = Math.min(amount, limit) - bucket.left;
      const share = bucket.left / limit;
      if (share < (least.get(unit) ?? 2)) {
        least.set(unit, share);
        headers[`x-ratelimit-limit-${unit}`] = String(limit);
        headers[`x-ratelimit-remaining-${unit}`] = String(Math.max(0, Math.floor(bucket.left - amount)));
        headers[`x-ratelimit-reset-${unit}`] = `${Math.ceil(((limit - bucket.left + amount) / limit) * 60)}s`;
      }
      if (short > 1e-6) {
        const retryAfterSeconds = Math.max(1, Math.ceil((short / limit) * 60));
        throw refusal(
          'rate_limit_exceeded',
          `The policy of the ${level} allows ${limit} ${unit} a minute. Try again in ${retryAfterSeconds} s; an admin of the organization can change it.`,
          { retryAfterSeconds, headers },
        );
      }
    }
    for (const { name, limit, amount } of wanted) this.#bucket(name, limit).left -= amount;
    return headers;
  }

  #bucket(name: string, limit: number): Bucket {
    const now = this.#clock.now();
    const known = this.#buckets.get(name) ?? { left: limit, at: now };
    known.left = Math.min(limit, known.left + ((now - known.at) / minute) * limit);
    known.at = now;
    this.#buckets.set(name, known);
    return known;
  }
}
