import { createHash } from 'node:crypto';
import { type Cache, never } from '#core/cache.ts';
import type { Clock } from '#core/clock.ts';

/** Entries leave after that time; what is said about tags stays, so that nothing old is served again. */
const entryMilliseconds = 30 * 24 * 3600 * 1000;

/**
 * The place of an environment's runtime cache beside the caches of applications: its id as a UUID of version 8, which
 * none of ours has.
 */
export function spaceOf(environmentId: string): string {
  return `${environmentId.slice(0, 14)}8${environmentId.slice(15)}`;
}

export function isRuntimeSpace(id: string): boolean {
  return id[14] === '8';
}

export interface TagTimes {
  stale: number;
  expired: number;
}

interface TagRecord extends TagTimes {
  /** When it is gone, where that is later. */
  expiresAt: number;
}

/** What frameworks keep of an environment's pages: entries of each build apart, tags for all of them. */
export class RuntimeCache {
  readonly #cache: Cache;
  readonly #clock: Clock;

  constructor({ cache, clock }: { cache: Cache; clock: Clock }) {
    this.#cache = cache;
    this.#clock = clock;
  }

  /** The JSON text of the entry; null where there is none. */
  async get(environmentId: string, build: string, kind: string, key: string): Promise<Buffer | null> {
    return (await this.#cache.get(spaceOf(environmentId), entryKey(build, kind, key)))?.json ?? null;
  }

  async put(environmentId: string, build: string, kind: string, key: string, json: string): Promise<boolean> {
    const [outcome] = await this.#cache.run(spaceOf(environmentId), [
      {
        ...{ op: 'set', key: entryKey(build, kind, key), json, byteSize: Buffer.byteLength(json) },
        ...{ expiration: entryMilliseconds / 1000, expiresAt: this.#clock.now() + entryMilliseconds },
      },
    ]);
    return outcome !== undefined && !('failure' in outcome);
  }

  /** The newest moments of all the tags. */
  async state(environmentId: string, tags: readonly string[]): Promise<TagTimes> {
    const now = this.#clock.now();
    const state = { stale: 0, expired: 0 };
    for (const tag of tags) {
      const record = await this.#tag(environmentId, tag);
      if (!record) continue;
      // A moment that has not come yet would make what is still good look gone.
      const expired = record.expiresAt <= now ? Math.max(record.expired, record.expiresAt) : record.expired;
      state.stale = Math.max(state.stale, record.stale);
      state.expired = Math.max(state.expired, expired);
    }
    return state;
  }

  /** `expireSeconds`: what has the tags is stale now and gone then; undefined: it is gone now. */
  async revalidate(environmentId: string, tags: readonly string[], expireSeconds?: number): Promise<void> {
    const now = this.#clock.now();
    for (const tag of new Set(tags)) {
      const before = (await this.#tag(environmentId, tag)) ?? { stale: 0, expired: 0, expiresAt: 0 };
      const passed = before.expiresAt <= now ? Math.max(before.expired, before.expiresAt) : before.expired;
      const record: TagRecord =
        expireSeconds === undefined
          ? { stale: before.stale, expired: now, expiresAt: 0 }
          : { stale: now, expired: passed, expiresAt: now + Math.round(expireSeconds * 1000) };
      const json = JSON.stringify(record);
      await this.#cache.run(spaceOf(environmentId), [
        {
          ...{ op: 'set', key: tagKey(tag), json, byteSize: json.length },
          ...{ expiration: 0, expiresAt: never },
        },
      ]);
    }
  }

  async #tag(environmentId: string, tag: string): Promise<TagRecord | null> {
    const item = await this.#cache.get(spaceOf(environmentId), tagKey(tag));
    return item ? (JSON.parse(item.json.toString('utf8')) as TagRecord) : null;
  }
}

/** Keys of frameworks may be longer than those of the cache. */
function entryKey(build: string, kind: string, key: string): string {
  return `entry ${digest(build)} ${kind} ${digest(key)}`;
}

function tagKey(tag: string): string {
  return `tag ${digest(tag)}`;
}

function digest(text: string): string {
  return createHash('sha256').update(text).digest('base64url').slice(0, 32);
}
