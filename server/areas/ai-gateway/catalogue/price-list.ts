import { readFile, stat } from 'node:fs/promises';
import type { Static } from 'typebox';
import { Value } from 'typebox/value';
import { type Clock, isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { announce } from '#core/notifications.ts';
import { ForbiddenAddress, type Outgoing } from '#core/outgoing.ts';
import { askOutside } from '../outside.ts';
import { CatalogueFile, type Override, type PriceListState } from './schema.ts';
import { findPriceList, type PriceListRow, putPriceList } from './store.ts';

declare module '#core/notifications.ts' {
  interface Topics {
    /** Key: model id, or the address of a price list. */
    ai_models: true;
  }
}

export const bundledName = 'genai-prices 0.1.8';
/** When that version was published. */
export const bundledAsOf = Date.UTC(2026, 8, 23);

/** Notification that the prices or facts of models were changed. */
export const modelsTopic = 'ai_models';

/** What an operator's file or address says of models. */
export interface PriceList {
  models: ReadonlyMap<string, Override>;
  /** Of when its prices are, by its own word or by the date of the file. Milliseconds. */
  asOf: number;
}

const maxBytes = 16 * 1024 * 1024;
const timeoutMilliseconds = 30_000;

/** Reads a price list. Throws an error that says what is wrong with it. */
function parsePriceList(text: string, dated: number): PriceList {
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error('it is not JSON', { cause });
  }
  if (!Value.Check(CatalogueFile, content)) {
    const [first] = Value.Errors(CatalogueFile, content);
    throw new Error(`it is wrong at ${first?.instancePath || 'the whole'}: ${first?.message}`);
  }
  const asOf = content.asOf === undefined ? dated : Date.parse(content.asOf);
  if (Number.isNaN(asOf)) throw new Error('its "asOf" is no date');
  return { models: new Map(Object.entries(content.models)), asOf };
}

/** The operator's file. One that cannot be read or is wrong stops the start, and is named. */
export async function readPriceFile(file: string): Promise<PriceList> {
  const text = await readFile(file, 'utf8');
  const { mtimeMs } = await stat(file);
  try {
    return parsePriceList(text, mtimeMs);
  } catch (cause) {
    throw new Error(`MAINSTAY_AI_CATALOGUE_FILE: ${file}: ${(cause as Error).message}.`, { cause });
  }
}

/** What was fetched last from this address; undefined: nothing yet. */
export function keptPriceList(row: PriceListRow | undefined): PriceList | undefined {
  if (row?.body == null) return undefined;
  try {
    return parsePriceList(row.body, row.as_of ?? 0);
  } catch {
    // Kept by a version that took other lists: it is fetched anew.
    return undefined;
  }
}

interface FetchDeps {
  db: Db;
  clock: Clock;
  outgoing: Outgoing;
  stop: AbortSignal;
}

/**
 * Fetches the operator's address and keeps what it says, for all nodes; one fetch after the other. What cannot be fetched
 * or is wrong changes nothing but the reason that is shown.
 */
export function priceListFetcher(deps: FetchDeps, address: URL): () => Promise<void> {
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const next = last.then(() => fetchPriceList(deps, address));
    last = next.catch(() => {});
    return next;
  };
}

async function fetchPriceList({ db, clock, outgoing, stop }: FetchDeps, address: URL): Promise<void> {
  const url = address.href;
  const known = await findPriceList(db, url);
  let next: Omit<PriceListRow, 'url'>;
  try {
    const signal = AbortSignal.any([stop, AbortSignal.timeout(timeoutMilliseconds)]);
    next = await ask(outgoing, address, { known, signal, now: clock.now() });
  } catch (error) {
    const failure = (error as Error).message.slice(0, 500);
    const { url: _, ...kept } = known ?? { url, ...nothingKept };
    next = { ...kept, tried_at: clock.now(), failure };
  }
  if (stop.aborted) return;
  await db.write(async (tx) => {
    await putPriceList(tx, url, next);
    if (next.body !== known?.body || next.as_of !== known?.as_of) announce(tx, modelsTopic, url);
  });
}

const nothingKept = { body: null, etag: null, as_of: null, fetched_at: null };

async function ask(
  outgoing: Outgoing,
  address: URL,
  { known, signal, now }: { known: PriceListRow | undefined; signal: AbortSignal; now: number },
): Promise<Omit<PriceListRow, 'url'>> {
  const { status, headers, text } = await askOutside(outgoing, address, {
    method: 'GET',
    headers: {
      accept: 'application/json',
      ...(known?.etag != null && keptPriceList(known) ? { 'if-none-match': known.etag } : {}),
    },
    maxBytes,
    signal,
  }).catch((cause) => {
    const reason =
      cause instanceof ForbiddenAddress
        ? 'its address is not public; MAINSTAY_AI_CATALOGUE_PRIVATE_ADDRESSES allows it'
        : `it cannot be reached (${(cause as Error).message})`;
    throw new Error(reason, { cause });
  });
  const fetched = { tried_at: now, fetched_at: now, failure: null };
  if (status === 304 && known) {
    const { url: _, ...rest } = known;
    return { ...rest, ...fetched };
  }
  if (status !== 200) throw new Error(`it answers ${status}`);
  const modified = Date.parse(headers['last-modified'] ?? '');
  const { asOf } = parsePriceList(text, Number.isNaN(modified) ? now : modified);
  return { body: text, etag: headers.etag ?? null, as_of: asOf, ...fetched };
}

/** Where prices come from and of when they are, the last goes before the others. */
export async function priceLists(
  db: Db,
  { file, list, url }: { file: string | undefined; list: PriceList | undefined; url: URL | undefined },
): Promise<Static<typeof PriceListState>[]> {
  const time = (moment: number | null | undefined) => (moment == null ? null : isoTime(moment));
  const untried = { fetchedAt: null, triedAt: null, failure: null };
  const bundled = {
    ...{ source: 'bundled' as const, name: bundledName, asOf: isoTime(bundledAsOf) },
    ...untried,
  };
  if (url) {
    const row = await findPriceList(db, url.href);
    return [
      bundled,
      {
        ...{ source: 'url', name: shownAddress(url), asOf: time(row?.as_of) },
        ...{ fetchedAt: time(row?.fetched_at), triedAt: time(row?.tried_at), failure: row?.failure ?? null },
      },
    ];
  }
  if (!file || !list) return [bundled];
  return [bundled, { source: 'file', name: file, asOf: isoTime(list.asOf), ...untried }];
}

/** Without what may be secret in it. */
function shownAddress({ origin, pathname }: URL): string {
  return `${origin}${pathname}`;
}
