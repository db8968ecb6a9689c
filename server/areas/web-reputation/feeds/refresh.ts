import { createHash } from 'node:crypto';
import { createReadStream } from 'node:fs';
import { mkdir, readdir, rm } from 'node:fs/promises';
import path from 'node:path';
import type { DomainName } from '../domain-name.ts';
import type { HashKey } from '../names/hash.ts';
import { version as indexVersion, NameIndex } from '../names/index-file.ts';
import { writeIndex } from '../names/index-writer.ts';
import { openHashKey } from '../names/key-file.ts';
import { readList, type StoredList, writeList } from '../names/list-file.ts';
import { dayOf, NameCollector } from '../names/sorted-names.ts';
import { Admission, type Refusals } from './admission.ts';
import type { Feed } from './declaration.ts';
import { download, type Validators } from './download.ts';
import { parse } from './formats/parse.ts';
import { localVersion, readLocal } from './local.ts';
import { type FeedState, isDue, readStates, writeStates } from './states.ts';

/** What is known of a list that was taken. Times are milliseconds. */
interface ListAbout extends Validators {
  /** Of the declaration: a feed that is declared otherwise starts anew. */
  readonly declared: string;
  /** Of a local list: changes when the list may have. */
  readonly version: string;
  readonly refused: Refusals;
  readonly changedAt: number;
}
type List = StoredList<ListAbout>;

export interface RefreshOptions {
  readonly folder: string;
  readonly feeds: readonly Feed[];
  readonly isGenuine: (domain: DomainName) => boolean;
  /** Whether lists may be fetched; those that came with the program are read either way. */
  readonly network: boolean;
  /** Fetch also what is not due. */
  readonly force: boolean;
  /** A list that lost more than this leaves the old one in place: 0.5 lets half of it go. */
  readonly leastShare: number;
  readonly timeoutSeconds: number;
  readonly userAgent: string;
  readonly now: number;
}

export const indexFile = (folder: string) => path.join(folder, 'names.index');
const listFile = (folder: string, id: string) => path.join(folder, 'lists', `${id}.names`);
const downloadsAtOnce = 4;

/**
 * Fetches every feed that is due and rebuilds the index when anything changed. A list that cannot be had or accepted
 * leaves the old one in place. Heavy: runs in a thread of its own (refresh-thread.ts).
 */
export async function refresh(options: RefreshOptions): Promise<void> {
  const { folder, feeds } = options;
  await mkdir(path.join(folder, 'lists'), { recursive: true, mode: 0o700 });
  const key = await openHashKey(folder);
  const before = await readStates(folder);
  const states = new Map<string, FeedState>();
  const lists = new Map<string, List>();
  const waiting = [...feeds];
  const one = async () => {
    for (let feed = waiting.shift(); feed; feed = waiting.shift()) {
      const { state, list } = await refreshOne(feed, key, before.get(feed.id), options);
      states.set(feed.id, state);
      if (list) lists.set(feed.id, list);
    }
  };
  await Promise.all(Array.from({ length: downloadsAtOnce }, one));
  await updateIndex(options, key, lists);
  await writeStates(folder, states);
  await removeOthers(folder, feeds);
}

async function refreshOne(feed: Feed, key: HashKey, before: FeedState | undefined, options: RefreshOptions) {
  const { folder, now } = options;
  const file = listFile(folder, feed.id);
  const stored = await readList<ListAbout>(file);
  const known = stored?.about.declared === declarationOf(feed) ? stored : undefined;
  let list: List | undefined = known;
  let state: FeedState = stateOf(before, known);
  try {
    const taken = isLocal(feed)
      ? await takeLocal(feed, key, known, options)
      : await takeDue(feed, key, known, state, options);
    if (taken === 'not due') return { state, list };
    if (taken !== 'unchanged') {
      demandCredible(feed, taken, known, options);
      list = sameNames(taken, known)
        ? { about: { ...taken.about, changedAt: known?.about.changedAt ?? now }, names: taken.names }
        : taken;
      await writeList(file, list);
    }
    state = { ...state, checkedAt: now, fetchedAt: now, error: null };
  } catch (error) {
    state = { ...state, checkedAt: now, error: (error as Error).message };
  }
  return { state: { ...state, ...(list ? factsOf(list) : {}) }, list };
}

function stateOf(before: FeedState | undefined, list: List | undefined): FeedState {
  const nothing = { names: 0, refused: null, changedAt: null };
  const times = { checkedAt: null, fetchedAt: null, error: null };
  // A feed that is declared otherwise than before has no past.
  return {
    ...nothing,
    ...times,
    ...(before && (list || before.names === 0) ? before : {}),
    ...(list ? factsOf(list) : {}),
  };
}

function factsOf({ about, names }: List): Pick<FeedState, 'names' | 'refused' | 'changedAt'> {
  return { names: names.days.length, refused: about.refused, changedAt: about.changedAt };
}

function isLocal(feed: Feed): boolean {
  return feed.source.kind !== 'url';
}

function declarationOf(feed: Feed): string {
  const { status, format, source, path: names, field, where: which, except, isSparing } = feed;
  // How often and how much does not change what is in it.
  const where = source.kind === 'url' ? source.url : source;
  return JSON.stringify([status, format, where, names, field, which, except, isSparing]);
}

type Taken = List | 'unchanged';

async function takeLocal(
  feed: Feed,
  key: HashKey,
  known: List | undefined,
  options: RefreshOptions,
): Promise<Taken> {
  const version = await localVersion(feed);
  if (known?.about.version === version) return 'unchanged';
  return gather(feed, key, known, options, { etag: null, lastModified: null, version }, (found) =>
    readLocal(feed, found),
  );
}

async function takeDue(
  feed: Feed,
  key: HashKey,
  known: List | undefined,
  state: FeedState,
  options: RefreshOptions,
): Promise<Taken | 'not due'> {
  const { source } = feed;
  if (source.kind !== 'url' || !options.network) return 'not due';
  const { now, force, timeoutSeconds, userAgent } = options;
  if (!force && !isDue(feed, state, now)) return 'not due';
  const file = `${listFile(options.folder, feed.id)}.download`;
  try {
    const { maxBytes } = source;
    const sent = await download(source.url, {
      file,
      known: known?.about,
      maxBytes,
      timeoutSeconds,
      userAgent,
    });
    if (!sent) return 'unchanged';
    const about = { ...sent, version: source.url };
    return await gather(feed, key, known, options, about, (found) =>
      parse(createReadStream(file, 'utf8'), feed, found),
    );
  } finally {
    await rm(file, { force: true });
  }
}

async function gather(
  feed: Feed,
  key: HashKey,
  known: List | undefined,
  { isGenuine, now }: RefreshOptions,
  about: Validators & { version: string },
  read: (found: Admission) => Promise<void>,
): Promise<List> {
  const names = new NameCollector(key);
  const excepted = new NameCollector(key);
  const { status, isSparing, except } = feed;
  const admission = new Admission({ status, names, excepted, isGenuine, isSparing });
  await read(admission);
  for (const name of except) admission.except(name);
  if (admission.isNonsense)
    throw new Error(`What was sent is no list of names in the format "${feed.format}".`);
  const sorted = names.sorted({ day: dayOf(now), without: excepted, before: known?.names });
  const { refused } = admission;
  return { about: { ...about, declared: declarationOf(feed), refused, changedAt: now }, names: sorted };
}

function demandCredible(
  feed: Feed,
  taken: List,
  known: List | undefined,
  { leastShare }: RefreshOptions,
): void {
  const count = taken.names.days.length;
  const before = known?.names.days.length ?? 0;
  if (count < feed.smallest) {
    throw new Error(`The list has ${count} names, fewer than the ${feed.smallest} that it must have.`);
  }
  if (count < before * leastShare) {
    throw new Error(
      `The list fell from ${before} to ${count} names, which is more than it may lose at once.`,
    );
  }
}

function sameNames(taken: List, known: List | undefined): boolean {
  const bytes = ({ names: { hashes } }: List) =>
    Buffer.from(hashes.buffer, hashes.byteOffset, hashes.byteLength);
  return known !== undefined && bytes(taken).equals(bytes(known));
}

async function updateIndex(
  { folder, feeds, now }: RefreshOptions,
  key: HashKey,
  lists: Map<string, List>,
): Promise<void> {
  const listed = feeds
    .filter(({ id }) => lists.has(id))
    .map((feed) => ({ id: feed.id, status: feed.status, isLocal: isLocal(feed) }));
  const stamps = listed.map(({ id, status }) => [id, status, lists.get(id)?.about.changedAt]);
  const fingerprint = createHash('sha256')
    .update(JSON.stringify([indexVersion, key, stamps]))
    .digest('hex');
  const file = indexFile(folder);
  if (fingerprintOf(file) === fingerprint) return;
  const names = listed.map(({ id }) => (lists.get(id) as List).names);
  await writeIndex(file, key, { feeds: listed, fingerprint, builtAt: now }, names);
}

function fingerprintOf(file: string): string | undefined {
  try {
    const index = new NameIndex(file);
    index.close();
    return index.about.fingerprint;
  } catch {
    return undefined;
  }
}

/** Lists of feeds that are declared no more, and what a killed process left. */
async function removeOthers(folder: string, feeds: readonly Feed[]): Promise<void> {
  const wanted = new Set(feeds.map(({ id }) => `${id}.names`));
  for (const name of await readdir(path.join(folder, 'lists'))) {
    if (!wanted.has(name)) await rm(path.join(folder, 'lists', name), { force: true });
  }
  for (const name of await readdir(folder)) {
    if (/^(?:names\.index|feeds\.json)\../.test(name)) await rm(path.join(folder, name), { force: true });
  }
}
