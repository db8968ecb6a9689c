import { LRUCache } from 'lru-cache';
import type { Clock } from '#core/clock.ts';
import type { Provider } from '../providers/provider.ts';
import type { Speeds } from './candidates.ts';

const windowMilliseconds = 30_000;
const failuresToOpen = 5;
const sampleToOpen = 20;
const openMilliseconds = 15_000;

interface Breaker {
  provider: string;
  model: string;
  /** Times of outcomes in view, oldest first; true: it failed. */
  outcomes: { at: number; failed: boolean }[];
  openUntil: number;
  probing: boolean;
}

interface Speed {
  latencyMs: number;
  tokensPerSecond: number;
  at: number;
}

type BreakerState = 'closed' | 'open' | 'half_open';

/**
 * What this process has seen of each provider, model and key: a breaker that keeps requests from one that fails (5
 * failures in 30 s, or half of 20 requests), lets one through after 15 s to see, and how fast it answers. Each process
 * learns for itself; nothing depends on it being known elsewhere.
 */
export class Health implements Speeds {
  readonly #clock: Clock;
  readonly #breakers = new LRUCache<string, Breaker>({ max: 5000 });
  readonly #speeds = new LRUCache<string, Speed>({ max: 5000 });

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  state(key: string): BreakerState {
    const breaker = this.#breakers.get(key);
    if (!breaker || breaker.openUntil === 0) return 'closed';
    return breaker.openUntil > this.#clock.now() || breaker.probing ? 'open' : 'half_open';
  }

  /** Before an attempt: the one that is let through to see keeps others out until it ends. */
  begin(key: string): void {
    const breaker = this.#breakers.get(key);
    if (breaker && breaker.openUntil !== 0) breaker.probing = true;
  }

  /** After an attempt, a stream at its end. A client that left says nothing about the provider: undefined. */
  end(
    key: string,
    failed: boolean | undefined,
    { provider, model }: { provider: { slug: string }; model: string },
  ): void {
    const now = this.#clock.now();
    const breaker = this.#breakers.get(key) ?? {
      ...{ provider: provider.slug, model },
      ...{ outcomes: [], openUntil: 0, probing: false },
    };
    this.#breakers.set(key, breaker);
    if (failed === undefined) {
      breaker.probing = false;
      return;
    }
    if (breaker.probing) {
      breaker.probing = false;
      breaker.outcomes = [];
      breaker.openUntil = failed ? now + openMilliseconds : 0;
      return;
    }
    breaker.outcomes.push({ at: now, failed });
    while (breaker.outcomes.length > 100 || (breaker.outcomes[0]?.at ?? now) < now - windowMilliseconds)
      breaker.outcomes.shift();
    const failures = breaker.outcomes.filter((outcome) => outcome.failed).length;
    const half = breaker.outcomes.length >= sampleToOpen && failures * 2 >= breaker.outcomes.length;
    const inARow = breaker.outcomes.slice(-failuresToOpen);
    const many = inARow.length >= failuresToOpen && inARow.every((outcome) => outcome.failed);
    if (half || many) breaker.openUntil = now + openMilliseconds;
  }

  measured(provider: Provider, upstream: string, latencyMs: number, tokensPerSecond: number): void {
    const key = `${provider.id} ${upstream}`;
    const known = this.#speeds.get(key);
    const mix = (before: number | undefined, value: number) =>
      before === undefined ? value : before * 0.8 + value * 0.2;
    this.#speeds.set(key, {
      latencyMs: mix(known?.latencyMs, latencyMs),
      tokensPerSecond: mix(known?.tokensPerSecond, tokensPerSecond),
      at: this.#clock.now(),
    });
  }

  latencyMs(provider: Provider, upstream: string): number | undefined {
    return this.#fresh(provider, upstream)?.latencyMs;
  }

  tokensPerSecond(provider: Provider, upstream: string): number | undefined {
    return this.#fresh(provider, upstream)?.tokensPerSecond;
  }

  #fresh(provider: Provider, upstream: string): Speed | undefined {
    const speed = this.#speeds.get(`${provider.id} ${upstream}`);
    return speed && speed.at > this.#clock.now() - 3_600_000 ? speed : undefined;
  }

  /** The breakers that are not closed, for metrics. */
  *open(): Iterable<{ provider: string; model: string }> {
    for (const [key, { provider, model }] of this.#breakers.entries())
      if (this.state(key) !== 'closed') yield { provider, model };
  }
}
