import type { Client } from '#adapters/valkey/client.ts';
import { connect, masters, opening, settled } from '#adapters/valkey/client.ts';
import {
  type Cache,
  type CacheFailure,
  type CacheItem,
  type CacheOperation,
  type CacheOutcome,
  type CacheUsage,
  cacheUnavailable,
  type KeyedEntry,
  type Once,
  usedForAnother,
} from '#core/cache.ts';
import { decodeEntry, decodeItem } from '#core/cache-record.ts';
import type { Clock } from '#core/clock.ts';
import { NothingChanged, outcomeUnknown } from '#core/problem.ts';

export interface ValkeyOptions {
  /** What the items of one application may count. */
  applicationBytes: number;
  timeoutSeconds: number;
  clock: Clock;
  /** A connection was lost or could not be made. */
  onError: (error: unknown) => void;
}

/** Opens the cache in Valkey or Redis 6.2 or later. Resolves even when the server is away: it may come back. */
export async function openValkey(url: URL, options: ValkeyOptions): Promise<Cache> {
  const client = connect(url, options);
  await settled(client, options.timeoutSeconds);
  return new ValkeyCache(client, options);
}

/** An item to remove costs some microseconds: a step keeps the server for a few milliseconds at most. */
const stepItems = 256;
/** Reading an entry reads its value too, which may be large. */
const stepEntries = 50;

class ValkeyCache implements Cache {
  readonly engine = 'valkey';
  readonly #client: ReturnType<typeof connect>;
  readonly #options: ValkeyOptions;

  constructor(client: ReturnType<typeof connect>, options: ValkeyOptions) {
    this.#client = client;
    this.#options = options;
  }

  async get(applicationId: string, key: string): Promise<CacheItem | null> {
    const [items] = keysOf(applicationId);
    await opening(this.#client);
    const record = await this.#client.hgetBuffer(items, key).catch(refuse);
    if (!record) return null;
    const item = decodeItem(record);
    return item.expiresAt > this.#options.clock.now() ? item : null;
  }

  async run(
    applicationId: string,
    operations: readonly CacheOperation[],
    once?: Once,
  ): Promise<CacheOutcome[]> {
    const parameters = [once?.id ?? '', once?.fingerprint ?? '', once?.expiresAt ?? 0];
    const isRead = operations.every(({ op }) => op === 'get');
    const outcomes = (await this.#do(
      applicationId,
      'run',
      [...parameters, ...operations.flatMap(toParameters)],
      isRead ? refuse : refuseWrite,
    )) as Buffer[][];
    if (String(outcomes[0]) === 'used') throw usedForAnother();
    return operations.map((operation, at) => toOutcome(operation, outcomes[at] as Buffer[]));
  }

  async list(
    applicationId: string,
    { prefix, after, limit, total }: Parameters<Cache['list']>[1],
  ): Promise<{ items: KeyedEntry[]; total: number | undefined }> {
    const end = endOf(prefix);
    const items: KeyedEntry[] = [];
    const now = this.#options.clock.now();
    let start = after === undefined ? bound('[', prefix) : bound('(', after);
    while (items.length < limit) {
      const step = (await this.#do(applicationId, 'list', [start, end, stepEntries])) as Buffer[];
      for (let at = 0; at < step.length && items.length < limit; at += 2) {
        const entry = decodeEntry(step[at + 1] as Buffer);
        if (entry.expiresAt > now) items.push({ key: String(step[at]), ...entry });
      }
      const last = step.at(-2);
      if (!last || step.length < 2 * stepEntries) break;
      start = bound('(', last);
    }
    const [, names] = keysOf(applicationId);
    const count = total
      ? await this.#client.zlexcount(names, bound('[', prefix), end).catch(refuse)
      : undefined;
    return { items, total: count };
  }

  async clear(applicationId: string, prefix: string | null): Promise<number> {
    if (prefix === null) return this.#forget(applicationId);
    const end = endOf(prefix);
    let start = bound('[', prefix);
    let count = 0;
    for (;;) {
      const step = await this.#do(applicationId, 'clear', [start, end, stepItems], refuseWrite);
      const [seen, looked, last] = step as [number, number, Buffer];
      count += seen;
      if (looked < stepItems) return count;
      start = bound('(', last);
    }
  }

  async usage(applicationId: string): Promise<CacheUsage> {
    const [, , , state] = keysOf(applicationId);
    const fields = ['items', 'bytes', 'hits', 'misses', 'evictions'] as const;
    const [items, bytes, hits, misses, evictions] = (
      await this.#client.hmget(state, ...fields).catch(refuse)
    ).map(Number) as [number, number, number, number, number];
    return { items, bytes, maxBytes: this.#options.applicationBytes, hits, misses, evictions };
  }

  async sweep(): Promise<void> {
    for await (const applicationId of this.applications())
      for (let looked = stepItems; looked === stepItems; )
        [looked] = (await this.#do(applicationId, 'sweep', [stepItems])) as [number];
  }

  /** An application has four keys at most, however many items: walking over all keys is short. */
  async *applications(): AsyncIterable<string> {
    const pattern = `${prefixOfKeys}{*}:state`;
    for (const server of masters(this.#client)) {
      let cursor = '0';
      do {
        const [next, keys] = await server.scan(cursor, 'MATCH', pattern, 'COUNT', 1000).catch(refuse);
        for (const key of keys) yield key.slice(prefixOfKeys.length + 1, key.indexOf('}'));
        cursor = next;
      } while (cursor !== '0');
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    const client: Client = this.#client;
    // What is under way is answered first; where the server is away there is nobody to say goodbye to.
    if (client.status === 'ready') await client.quit().catch(() => undefined);
    client.disconnect();
  }

  async #forget(applicationId: string): Promise<number> {
    let count = 0;
    for (;;) {
      const [seen, looked] = (await this.#do(applicationId, 'forget', [stepItems], refuseWrite)) as [
        number,
        number,
      ];
      count += seen;
      if (looked < stepItems) return count;
    }
  }

  async #do(
    applicationId: string,
    what: string,
    parameters: (string | Buffer | number)[],
    onError: (error: unknown) => never = refuse,
  ): Promise<unknown> {
    const { clock, applicationBytes } = this.#options;
    await opening(this.#client);
    return this.#client
      .cacheDoBuffer(...keysOf(applicationId), what, clock.now(), applicationBytes, ...parameters)
      .catch(onError);
  }
}

const prefixOfKeys = 'mainstay:cache:';

/**
 * Every write keeps the application's counts and the order of leaving in step, so an application's keys share a hash tag,
 * and applications spread over a cluster.
 */
function keysOf(applicationId: string): [items: string, names: string, order: string, state: string] {
  const tag = `${prefixOfKeys}{${applicationId}}`;
  return [`${tag}:items`, `${tag}:names`, `${tag}:order`, `${tag}:state`];
}

function bound(kind: '[' | '(', key: string | Buffer): Buffer {
  return Buffer.concat([Buffer.from(kind), Buffer.from(key)]);
}

/** 0xff is no byte of UTF-8. */
function endOf(prefix: string): Buffer {
  return Buffer.concat([bound('(', prefix), Buffer.of(0xff)]);
}

type Versions = 'any' | readonly number[] | undefined;

function versionsText(versions: Versions): string {
  if (versions === undefined) return '-';
  return versions === 'any' ? '*' : versions.map((version) => `${version},`).join('');
}

function toParameters(operation: CacheOperation): (string | number)[] {
  switch (operation.op) {
    case 'get':
      return ['get', operation.key, '', '', '', '', '', ''];
    case 'set': {
      const { key, json, byteSize, expiration, expiresAt, condition } = operation;
      const { match, noneMatch } = condition ?? {};
      return [
        'set',
        key,
        json,
        byteSize,
        expiration,
        expiresAt,
        versionsText(match),
        versionsText(noneMatch),
      ];
    }
    case 'delete': {
      const { match, noneMatch } = operation.condition ?? {};
      return ['delete', operation.key, '', '', '', '', versionsText(match), versionsText(noneMatch)];
    }
    case 'increment':
      return [
        'increment',
        operation.key,
        operation.by,
        '',
        operation.expiration,
        operation.expiresAt,
        '',
        '',
      ];
    case 'tally':
      return ['tally', '', operation.hits, operation.misses, '', '', '', ''];
  }
}

function toOutcome(operation: CacheOperation, [kind, content]: Buffer[]): CacheOutcome {
  switch (String(kind)) {
    case 'item':
      return { item: decodeItem(content as Buffer) };
    case 'missing':
      return { item: null };
    case 'entry': {
      const { byteSize, expiration, expiresAt } = operation as CacheOperation & { op: 'set' };
      return { entry: { version: Number(content), expiresAt, expiration, byteSize } };
    }
    case 'failure':
      return { failure: String(content) as CacheFailure };
    default:
      return { entry: null };
  }
}

/** What the server itself refuses has a code in front; everything else is a lost connection. */
function refuse(error: unknown): never {
  const { name, message } = error as Error;
  if (name !== 'ReplyError') throw cacheUnavailable(error);
  if (/\b(OOM|MISCONF)\b/.test(message)) {
    const sentence =
      'The cache’s server is full or failing. Nothing was changed; its operator has to free space.';
    throw new NothingChanged('storage_full', sentence, { cause: error });
  }
  const away = /^(LOADING|CLUSTERDOWN|MASTERDOWN|TRYAGAIN|READONLY|BUSY|MOVED|ASK|NOREPLICAS)\b/;
  throw away.test(message) ? cacheUnavailable(error) : error;
}

/** What ioredis says of a command that never left this process. */
const neverSent =
  /isn't (writeable|ready) and enableOfflineQueue|None of startup nodes is available|Failed to refresh slots cache/;

/** A write that was sent and not answered may have been done, or may still be. */
function refuseWrite(error: unknown): never {
  const { name, message } = error as Error;
  if (name !== 'ReplyError' && !neverSent.test(message)) throw outcomeUnknown(error);
  refuse(error);
}
