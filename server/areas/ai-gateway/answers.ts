import { createHash } from 'node:crypto';
import type { Logger } from 'pino';
import type { Cache } from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';
import type { Call } from './relay/call.ts';
import type { Rules } from './rules/rules.ts';

/** An answer as it was sent, for sending it again. */
export interface KeptAnswer {
  contentType: string;
  model: string;
  provider: string;
  /** JSON, or the whole of a stream; it says that it costs nothing. */
  body: string;
}

/** Where the answer to a request is kept, and for how long. */
export interface Place {
  organizationId: string;
  key: string;
  seconds: number;
}

/** What is larger is not kept. */
export const maxKeptCharacters = 1024 * 1024;
export const maxKeptSeconds = 30 * 86_400;

const kinds: ReadonlySet<Call['kind']> = new Set(['chat', 'responses', 'messages', 'embeddings', 'images']);
/** Fields that say something about the request and not about its answer. */
const asides: ReadonlySet<string> = new Set(['metadata', 'user', 'safety_identifier', 'prompt_cache_key']);

/** Answers to requests that were made before, to the letter, by the same application under the same policies. */
export class AnswerCache {
  readonly #cache: Cache;
  readonly #clock: Clock;
  readonly #log: Logger;

  constructor(deps: { cache: Cache; clock: Clock; log: Logger }) {
    this.#cache = deps.cache;
    this.#clock = deps.clock;
    this.#log = deps.log;
  }

  /** Undefined: nobody asks for this request to be kept. */
  placeOf(call: Call, models: readonly string[], rules: Rules): Place | undefined {
    const seconds = secondsFor(call, rules);
    if (seconds === 0 || !kinds.has(call.kind) || call.form) return undefined;
    const { caller, kind, body } = call;
    const said = Object.fromEntries(Object.entries(body.parsed()).filter(([name]) => !asides.has(name)));
    const text = canonical([
      ...[kind, caller.applicationId, models, said, call.passedHeaders],
      rules.levels.map((level) => level.body),
    ]);
    const key = `ai-answers/${createHash('sha256').update(text).digest('base64url')}`;
    return { organizationId: caller.organizationId, key, seconds };
  }

  /** A cache that is away is no reason to refuse: the provider is asked then. */
  async find({ organizationId, key }: Place): Promise<KeptAnswer | undefined> {
    try {
      const item = await this.#cache.get(organizationId, key);
      return item ? (JSON.parse(JSON.parse(item.json.toString())) as KeptAnswer) : undefined;
    } catch (err) {
      this.#log.warn({ err }, 'The cache of answers of models could not be read.');
      return undefined;
    }
  }

  async keep({ organizationId, key, seconds }: Place, answer: KeptAnswer): Promise<void> {
    if (answer.body.length > maxKeptCharacters) return;
    const value = JSON.stringify({ ...answer, body: costless(answer.body) });
    const expiresAt = this.#clock.now() + seconds * 1000;
    const byteSize = Buffer.byteLength(value);
    const json = JSON.stringify(value);
    try {
      await this.#cache.run(organizationId, [
        { op: 'set', key, json, byteSize, expiration: seconds, expiresAt },
      ]);
    } catch (err) {
      this.#log.warn({ err }, 'An answer of a model could not be kept.');
    }
  }
}

/** The least of what the policies and the request say; a policy of 0 keeps nothing, whatever the request says. */
function secondsFor({ cacheSeconds }: Call, rules: Rules): number {
  const allowed = rules.cacheTtlSeconds;
  return Math.min(allowed ?? maxKeptSeconds, cacheSeconds ?? allowed ?? 0);
}

/** JSON with the names of each object in order: spelling and order do not tell requests apart. */
function canonical(value: unknown): string {
  return JSON.stringify(value, (_name, one: unknown) =>
    typeof one === 'object' && one !== null && !Array.isArray(one)
      ? Object.fromEntries(Object.entries(one).sort(([a], [b]) => (a < b ? -1 : 1)))
      : one,
  );
}

/** Inside of strings quotes are escaped: this is the member alone. */
function costless(body: string): string {
  return body.replace(/(?<!\\)"cost_micros":\d+/g, '"cost_micros":0');
}
