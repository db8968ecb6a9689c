import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Clock } from '#core/clock.ts';
import type { CacheStatus } from '#core/request-log.ts';
import { etagMatches } from '../files.ts';
import type { Collected } from '../forward/collect.ts';
import type { Observer, Onward } from '../forward/onward.ts';
import { Fills } from './fills.ts';
import { baseKey, type CachePlace, type Responses, type StoredAnswer } from './responses.ts';
import { freshnessOf, mayUseCache } from './rules.ts';

/** Headers that a request has in place of the visitor's; undefined: without it. */
type Changes = Readonly<Record<string, string | undefined>>;

/** Where answers come from when none is kept. */
export interface Origin {
  place: CachePlace;
  /** What the rule that matched adds, and the status that it sets. */
  answerHeaders: Readonly<Record<string, string>>;
  status: number | undefined;
  pass(observe: NonNullable<Onward['observe']>, changes: Changes): Promise<number>;
  /** The whole answer, for nobody who waits. */
  collect(changes: Changes): Promise<Collected>;
}

export interface Answered {
  bytes: number;
  cache: CacheStatus;
}

/** Answers of functions and of proxied servers, from memory where their owners allow it (RFC 9111, 5861, 9213). */
export class AnswerCache {
  readonly #responses: Responses;
  readonly #clock: Clock;
  readonly #fills: Fills;

  constructor({ responses, clock }: { responses: Responses; clock: Clock }) {
    this.#responses = responses;
    this.#clock = clock;
    this.#fills = new Fills(() => clock.now());
  }

  async answer(request: IncomingMessage, response: ServerResponse, origin: Origin): Promise<Answered> {
    if (!mayUseCache(request.method, request.headers)) return this.#bypass(origin);
    const key = baseKey(origin.place);
    for (let round = 0; ; round++) {
      const stored = this.#responses.get(origin.place, request.headers);
      const age = stored ? this.#age(stored) : 0;
      if (stored && age < stored.freshness.fresh) return this.#send(request, response, stored, origin, 'hit');
      if (stored && age < stored.freshness.fresh + stored.freshness.whileRevalidate) {
        const isFirst = this.#fills.refresh(key, () => this.#refresh(request, stored, origin));
        return this.#send(request, response, stored, origin, isFirst ? 'stale' : 'updating');
      }
      if (request.method !== 'GET') return this.#bypass(origin);
      const waiting = round === 0 ? this.#fills.waitFor(key) : null;
      if (waiting === null || (await waiting) !== 'stored')
        return this.#fetch(request, response, stored, origin);
    }
  }

  async #bypass(origin: Origin): Promise<Answered> {
    const bytes = await origin.pass(() => ({ headers: { 'x-mainstay-cache': 'bypass' } }), {});
    return { bytes, cache: 'bypass' };
  }

  /** In seconds since it was asked for. */
  #age({ storedAt }: StoredAnswer): number {
    return Math.max(0, (this.#clock.now() - storedAt) / 1000);
  }

  async #fetch(
    request: IncomingMessage,
    response: ServerResponse,
    stored: StoredAnswer | null,
    origin: Origin,
  ): Promise<Answered> {
    const done = this.#fills.begin(baseKey(origin.place));
    const askedAt = this.#clock.now();
    const mayServe = stored && this.#age(stored) < errorSeconds(stored);
    let instead: 'revalidated' | 'stale' | null = null;
    let isStored = false;
    let cache: CacheStatus = 'bypass';
    let renewed: StoredAnswer | null = null;
    const observe: NonNullable<Onward['observe']> = (status, headers) => {
      if (stored && status === 304 && stored.headers['etag'] !== undefined) {
        instead = 'revalidated';
        renewed = this.#renew(request, stored, headers, askedAt, origin);
        isStored = true;
        return { headers: {}, takes: true };
      }
      if (mayServe && status >= 500) {
        instead = 'stale';
        return { headers: {}, takes: true };
      }
      const keeping = this.#keep(request, origin, { status, headers, askedAt }, (kept) => {
        isStored = kept;
        done?.(kept ? 'stored' : 'not_stored');
      });
      if (!keeping) done?.('not_stored');
      cache = keeping ? 'miss' : 'bypass';
      return keeping ?? { headers: { 'x-mainstay-cache': 'bypass' } };
    };
    try {
      const bytes = await origin.pass(observe, validators(stored));
      if (!stored || instead === null) return { bytes, cache };
      return this.#send(request, response, renewed ?? stored, origin, instead);
    } catch (error) {
      if (!mayServe || response.headersSent) throw error;
      return this.#send(request, response, stored, origin, 'stale');
    } finally {
      done?.(isStored ? 'stored' : 'not_stored');
    }
  }

  /** Watches an answer go by and keeps it; null for one that is not to be kept. */
  #keep(
    request: IncomingMessage,
    { place }: Origin,
    answer: { status: number; headers: Collected['headers']; askedAt: number },
    end: (kept: boolean) => void,
  ): Observer | null {
    const { status, headers, askedAt } = answer;
    const freshness = freshnessOf(status, headers);
    const length = Number(headers['content-length'] ?? 0);
    if (!freshness || !this.#responses.reserve(length)) return null;
    let reserved = length;
    let chunks: Buffer[] | null = [];
    let size = 0;
    const drop = () => {
      if (chunks === null) return;
      chunks = null;
      this.#responses.release(reserved);
    };
    return {
      headers: { 'x-mainstay-cache': 'miss' },
      chunk: (bytes) => {
        if (chunks === null) return false;
        size += bytes.length;
        const more = size - reserved;
        if (more > 0 && (size > this.#responses.maxEntryBytes || !this.#responses.reserve(more))) {
          drop();
          end(false);
          return false;
        }
        reserved += Math.max(0, more);
        chunks.push(bytes);
        return true;
      },
      end: () => {
        if (chunks === null) return;
        const body = Buffer.concat(chunks);
        drop();
        end(
          this.#responses.set(place, request.headers, {
            status,
            headers,
            body,
            storedAt: askedAt,
            freshness,
          }),
        );
      },
      abort: drop,
    };
  }

  async #refresh(request: IncomingMessage, stored: StoredAnswer, origin: Origin): Promise<void> {
    const askedAt = this.#clock.now();
    const changes = { 'if-none-match': undefined, 'if-modified-since': undefined, ...validators(stored) };
    const { status, headers, body } = await origin.collect(changes);
    if (status === 304) this.#renew(request, stored, headers, askedAt, origin);
    const freshness = freshnessOf(status, headers);
    if (freshness)
      this.#responses.set(origin.place, request.headers, {
        status,
        headers,
        body,
        storedAt: askedAt,
        freshness,
      });
  }

  /** It has not changed: what its owner says now about how long it may be kept counts (RFC 9111, 4.3.4). */
  #renew(
    request: IncomingMessage,
    stored: StoredAnswer,
    headers: Collected['headers'],
    askedAt: number,
    { place }: Origin,
  ): StoredAnswer {
    const says = headers['cache-control'] !== undefined || headers['cdn-cache-control'] !== undefined;
    const freshness = says ? freshnessOf(200, headers) : stored.freshness;
    const merged: Record<string, string | string[]> = { ...stored.headers };
    for (const [name, value] of Object.entries(headers))
      if (!name.startsWith('content-')) merged[name] = value;
    merged['cache-tag'] = headers['cache-tag'] ?? stored.tags.join(',');
    const answer = { status: stored.status, headers: merged, body: stored.body, storedAt: askedAt };
    const after = { ...stored, ...answer, age: 0, freshness: freshness ?? stored.freshness };
    if (freshness) this.#responses.set(place, request.headers, { ...answer, freshness });
    return after;
  }

  #send(
    request: IncomingMessage,
    response: ServerResponse,
    stored: StoredAnswer,
    { answerHeaders, status }: Origin,
    cache: CacheStatus,
  ): Answered {
    const { body } = stored;
    const headers = {
      ...stored.headers,
      ...answerHeaders,
      age: String(Math.floor(stored.age + this.#age(stored))),
      'x-mainstay-cache': cache,
    };
    delete (headers as Record<string, unknown>)['cache-tag'];
    const etag = stored.headers['etag'];
    const isSame = typeof etag === 'string' && etagMatches(request.headers['if-none-match'], etag);
    const code = isSame && stored.status === 200 ? 304 : (status ?? stored.status);
    const isEmpty = code === 304 || code === 204 || request.method === 'HEAD';
    response.writeHead(code, {
      ...headers,
      ...(code === 304 || code === 204 ? {} : { 'content-length': String(body.length) }),
    });
    response.end(isEmpty ? undefined : body);
    return { bytes: isEmpty ? 0 : body.length, cache };
  }
}

function errorSeconds({ freshness }: StoredAnswer): number {
  return freshness.fresh + Math.max(freshness.ifError, freshness.whileRevalidate);
}

function validators(stored: StoredAnswer | null): Changes {
  const etag = stored?.headers['etag'];
  return typeof etag === 'string' ? { 'if-none-match': etag } : {};
}
