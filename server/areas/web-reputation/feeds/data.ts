import { mkdir, stat } from 'node:fs/promises';
import { setTimeout as sleep } from 'node:timers/promises';
import { Worker } from 'node:worker_threads';
import type { Logger } from 'pino';
import { Problem } from '#core/problem.ts';
import type { DomainName } from '../domain-name.ts';
import { type AboutIndex, NameIndex } from '../names/index-file.ts';
import { type ListedStatus, worst } from '../statuses.ts';
import { type Feed, readFeeds } from './declaration.ts';
import { self } from './lease.ts';
import { indexFile } from './refresh.ts';
import type { RefreshJob, RefreshOutcome } from './refresh-thread.ts';
import { type FeedState, isDue, readStates } from './states.ts';

/** That a name, or a parent of the one that was asked for, stands on lists. */
export interface Listed {
  /** The name that the lists have. */
  readonly name: string;
  readonly status: ListedStatus;
  readonly feeds: readonly ListedBy[];
}
interface ListedBy {
  readonly feed: string;
  readonly status: ListedStatus;
  /** Milliseconds, the start of the day. */
  readonly since: number;
}

export type FeedSettings = Omit<RefreshJob, 'force' | 'holder' | 'inBackground'>;

/**
 * The names of all feeds, as the index on disk has them. Processes of one machine share a folder: one refreshes it, all
 * notice within a few seconds. Opening an index takes a millisecond, so that no request waits for a new one.
 */
export class FeedData implements AsyncDisposable {
  readonly #settings: FeedSettings;
  readonly #log: Logger;
  #index: NameIndex | undefined;
  #opened = '';
  #starting: Promise<void> | undefined;
  #refreshing: Promise<void> | undefined;
  #thread: Worker | undefined;
  /** Whether another process was refreshing when this one last wanted to. */
  #isBusy = false;
  #isClosed = false;

  constructor(options: { settings: FeedSettings; log: Logger }) {
    this.#settings = options.settings;
    this.#log = options.log;
  }

  /** Resolves when there is an index; the first caller of a machine waits while it is made, about half a second. */
  async ready(): Promise<void> {
    if (this.#index) return;
    this.#starting ??= this.#start().finally(() => {
      this.#starting = undefined;
    });
    await this.#starting;
  }

  /** Whether `find` may be called. */
  get isReady(): boolean {
    return this.#index !== undefined;
  }

  /** Names the index that is open: another one, another name. */
  get opened(): string {
    return this.#opened;
  }

  /** What is in use: undefined until `ready`. */
  get about(): (AboutIndex & { count: number }) | undefined {
    return this.#index && { ...this.#index.about, count: this.#index.count };
  }

  /** The nearest listed name from the domain itself up to its registrable domain. Only when ready. */
  find({ name, registrable }: DomainName): Listed | undefined {
    const index = this.#index;
    if (!index) throw new Error('The name index is not open yet.');
    for (let start = 0; name.length - start >= registrable.length; start = name.indexOf('.', start) + 1) {
      const set = index.find(name, start);
      if (set >= 0) return toListed(name.slice(start), index, set);
      if (name.length - start === registrable.length) break;
    }
    return undefined;
  }

  /** The feeds as the file declares them now. */
  declared(): Promise<Feed[]> {
    return readFeeds(this.#settings.feedsFile);
  }

  /** How each feed fares, by its id. */
  states(): Promise<Map<string, FeedState>> {
    return readStates(this.#settings.folder);
  }

  /** Takes the lists that are due and opens the index that comes of it. `network: false` reads local lists alone. */
  refresh(options: { network?: boolean; force?: boolean } = {}): Promise<void> {
    this.#refreshing ??= this.#refresh(options).finally(() => {
      this.#refreshing = undefined;
    });
    return this.#refreshing;
  }

  /** For a timer: fetches what is due, and does nothing where nothing is. */
  async tend(now: number): Promise<void> {
    if (!this.isReady) return this.ready();
    const [declared, states] = await Promise.all([this.declared(), this.states()]);
    const isOtherwise = declared.length !== states.size || declared.some(({ id }) => !states.has(id));
    const anyDue = this.#settings.network && declared.some((feed) => isDue(feed, states.get(feed.id), now));
    if (isOtherwise || anyDue) await this.refresh();
  }

  /** Opens the index again if another one lies there now. */
  async reopen(): Promise<void> {
    const file = indexFile(this.#settings.folder);
    const found = await stat(file).catch(() => undefined);
    const stamp = found ? `${found.ino} ${found.mtimeMs} ${found.size}` : '';
    if (!found || stamp === this.#opened || this.#isClosed) return;
    try {
      const opened = new NameIndex(file);
      this.#index?.close();
      this.#index = opened;
      this.#opened = stamp;
    } catch (err) {
      this.#log.error({ err }, 'The name index cannot be read; it will be made anew.');
    }
  }

  async #start(): Promise<void> {
    await this.reopen();
    // An index from before an upgrade serves while the next one is made.
    const refreshed = this.refresh({ network: false });
    if (this.isReady) return;
    await refreshed;
    // Where another process is at it, its index appears shortly.
    for (let waited = 0; !this.isReady && this.#isBusy && waited < startMilliseconds; waited += 50) {
      await sleep(50);
      await this.reopen();
    }
    if (this.isReady) return;
    const sentence = 'The reputation lists are not ready on this node. Try again shortly.';
    throw new Problem('unavailable', sentence, { retryAfterSeconds: 5 });
  }

  async #refresh({ network = this.#settings.network, force = false }): Promise<void> {
    try {
      await mkdir(this.#settings.folder, { recursive: true, mode: 0o700 });
      const inBackground = this.isReady;
      const job = { ...this.#settings, network, force, holder: self, inBackground };
      this.#isBusy = (await this.#run(job)) === 'busy';
    } catch (err) {
      this.#isBusy = false;
      this.#log.error({ err }, 'The reputation lists were not refreshed; what is there stays in use.');
    }
    await this.reopen();
  }

  #run(workerData: RefreshJob): Promise<RefreshOutcome | undefined> {
    if (this.#isClosed) return Promise.resolve(undefined);
    const thread = new Worker(new URL('./refresh-thread.ts', import.meta.url), { workerData });
    this.#thread = thread;
    const { promise, resolve, reject } = Promise.withResolvers<RefreshOutcome | undefined>();
    let outcome: RefreshOutcome | undefined;
    thread.on('message', (message: RefreshOutcome) => {
      outcome = message;
    });
    thread.on('error', reject);
    thread.on('exit', () => resolve(outcome));
    return promise.finally(() => {
      this.#thread = undefined;
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#isClosed = true;
    await this.#thread?.terminate();
    await this.#refreshing?.catch(() => undefined);
    await this.#starting?.catch(() => undefined);
    this.#index?.close();
    this.#index = undefined;
  }
}

const startMilliseconds = 30_000;

function toListed(name: string, index: NameIndex, set: number): Listed {
  const feeds = index
    .listings(set)
    .map(({ feed, day }) => ({ feed: feed.id, status: feed.status, since: day * 86_400_000 }));
  return { name, status: worst(feeds.map((by) => by.status)) as ListedStatus, feeds };
}
