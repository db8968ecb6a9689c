import { hiddenKey, isHidden, itemKey, prefixRange } from '#adapters/lmdb/environment.ts';
import type { Found, Tables } from '#adapters/lmdb/tables.ts';
import {
  type CacheEntry,
  type CacheItem,
  type CacheOperation,
  type CacheOutcome,
  holds,
  never,
  type Once,
} from '#core/cache.ts';

/** What can be asked of the cache, done on its tables. */

/** Undefined: the id of `once` was used for another request. */
export function runOperations(
  tables: Tables,
  applicationId: string,
  operations: readonly CacheOperation[],
  once: Once | undefined,
): CacheOutcome[] | undefined {
  const runAll = () => operations.map((operation) => runOne(tables, applicationId, operation));
  if (!once) return runAll();
  const key = hiddenKey(applicationId, once.id);
  const found = tables.find(key);
  const before = live(tables, found);
  if (before) {
    const remembered = JSON.parse(String(tables.item(before).json)) as Remembered;
    if (remembered.fingerprint !== once.fingerprint) return undefined;
    return operations.map((operation, index) =>
      // What was read is read anew: it may be large, and reading twice does no harm.
      operation.op === 'get'
        ? runOne(tables, applicationId, operation)
        : recall(remembered.outcomes[index] as RememberedOutcome),
    );
  }
  const outcomes = runAll();
  if (outcomes.some((outcome) => !('failure' in outcome))) {
    const remembered: Remembered = { fingerprint: once.fingerprint, outcomes: outcomes.map(remember) };
    const json = JSON.stringify(remembered);
    tables.put(applicationId, key, found, { expiresAt: once.expiresAt, expiration: 0, byteSize: 0, json });
  }
  return outcomes;
}

/** Removes up to `limit` items of the range. `seen`: those that a client could see; `last`: more may follow it. */
export function removeRange(
  tables: Tables,
  applicationId: string,
  range: { start: Buffer; end: Buffer },
  limit: number,
): { seen: number; last: Buffer | undefined } {
  const keys = tables.keys({ ...range, limit });
  let seen = 0;
  for (const key of keys) {
    const found = tables.find(key);
    if (!found) continue;
    if (live(tables, found) && !isHidden(key)) seen++;
    tables.remove(applicationId, found);
  }
  return { seen, last: keys.length < limit ? undefined : keys.at(-1) };
}

/** A range of every key of the application, hidden ones too. */
export function everything(applicationId: string): { start: Buffer; end: Buffer } {
  const { start, end } = prefixRange(applicationId, '');
  return { start, end: Buffer.concat([end, Buffer.of(0xff)]) };
}

/** Removes up to `limit` expired items of the application; true: there may be more. */
export function removeExpired(tables: Tables, applicationId: string, limit: number): boolean {
  const leaving = tables.leaving(applicationId, limit + 1);
  const expired = leaving.filter(({ expiresAt }) => expiresAt <= tables.now).slice(0, limit);
  for (const place of expired) tables.remove(applicationId, place);
  tables.state(applicationId).nextExpiry = leaving[expired.length]?.expiresAt ?? never;
  return expired.length === limit;
}

function runOne(tables: Tables, applicationId: string, operation: CacheOperation): CacheOutcome {
  if (operation.op === 'tally') {
    const state = tables.state(applicationId);
    state.hits += operation.hits;
    state.misses += operation.misses;
    return { entry: null };
  }
  const key = itemKey(applicationId, operation.key);
  const found = tables.find(key);
  const seen = live(tables, found);
  if (operation.op === 'get') return { item: seen ? tables.item(seen) : null };
  if (operation.op === 'increment') return increment(tables, applicationId, key, found, operation);
  if (!holds(operation.condition, seen?.version)) return { failure: 'precondition' };
  if (operation.op === 'delete') {
    if (found) tables.remove(applicationId, found);
    return { entry: null };
  }
  const entry = tables.put(applicationId, key, found, operation);
  return entry ? { entry } : { failure: 'full' };
}

function increment(
  tables: Tables,
  applicationId: string,
  key: Buffer,
  found: Found | undefined,
  operation: CacheOperation & { op: 'increment' },
): CacheOutcome {
  const seen = live(tables, found);
  const before = seen ? wholeNumber(tables.item(seen).json) : 0;
  if (before === undefined) return { failure: 'not_a_number' };
  const sum = before + operation.by;
  if (!Number.isSafeInteger(sum)) return { failure: 'overflow' };
  const text = String(sum);
  const json = `"${text}"`;
  const { expiration, expiresAt } = seen ?? operation;
  const entry = tables.put(applicationId, key, found, { expiration, expiresAt, byteSize: text.length, json });
  return entry ? { item: { ...entry, json: Buffer.from(json) } } : { failure: 'full' };
}

function live(tables: Tables, found: Found | undefined): Found | undefined {
  return found && found.expiresAt > tables.now ? found : undefined;
}

/** A sign, 16 digits, and the quotes. */
const longestNumber = 19;

/** Undefined when the value is not the plain decimal text of a number that JavaScript counts exactly. */
function wholeNumber(json: Buffer): number | undefined {
  if (json.length > longestNumber) return undefined;
  const text = json.toString('latin1', 1, json.length - 1);
  const value = Number(text);
  return Number.isSafeInteger(value) && String(value) === text ? value : undefined;
}

type RememberedOutcome = Exclude<CacheOutcome, { item: unknown }> | { item: null | RememberedItem };
type RememberedItem = CacheEntry & { json: string };

interface Remembered {
  fingerprint: string;
  outcomes: RememberedOutcome[];
}

function remember(outcome: CacheOutcome): RememberedOutcome {
  if (!('item' in outcome)) return outcome;
  const { item } = outcome;
  return { item: item && { ...item, json: item.json.toString() } };
}

function recall(outcome: RememberedOutcome): CacheOutcome {
  if (!('item' in outcome)) return outcome;
  const { item } = outcome;
  const recalled: CacheItem | null = item && { ...item, json: Buffer.from(item.json) };
  return { item: recalled };
}
