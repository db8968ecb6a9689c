import { Resolver } from 'node:dns/promises';
import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { Outgoing, type Resolve } from '#core/outgoing.ts';
import { Problem } from '#core/problem.ts';
import type { SettingsOf } from '#core/settings.ts';
import { type AvailabilityAnswer, availability, delegationBy, type IsDelegated } from './availability.ts';
import { AnswerCache } from './cache.ts';
import { Lookup, NoSource } from './lookup.ts';
import type { WhoisMetrics } from './metrics.ts';
import { type RootDomain, rootDomain } from './name.ts';
import { renderText } from './rdap/text.ts';
import type { WhoisRecord } from './record.ts';
import { pair, type whoisSettings } from './settings.ts';
import { Bootstrap } from './sources/bootstrap.ts';
import { RdapSource } from './sources/rdap-source.ts';
import { UpstreamError } from './sources/upstream-error.ts';
import { Upstreams } from './sources/upstreams.ts';
import { type Server, WhoisSource } from './sources/whois-source.ts';
import type { AnswerRow } from './store.ts';

const WHOIS_PORT = 43;

export interface WhoisDeps {
  db: Db;
  clock: Clock;
  log: Logger;
  metrics: WhoisMetrics;
  settings: SettingsOf<typeof whoisSettings> & { dataDir: string };
  /** For tests: how hosts resolve, how delegations are asked for, and the port that referrals mean. */
  network?: { resolve?: Resolve; isDelegated?: IsDelegated; referralPort?: number };
}

/** An answer as it is sent. */
export interface Served {
  /** JSON of the record, or the raw text. */
  readonly body: string;
  readonly ageSeconds: number;
}

/** Looks domains up, through the cache. */
export class Whois {
  readonly #clock: Clock;
  readonly #cache: AnswerCache;
  readonly #lookup: Lookup;
  readonly #isDelegated: IsDelegated;
  readonly #maxKept: number;

  private constructor(options: {
    clock: Clock;
    cache: AnswerCache;
    lookup: Lookup;
    isDelegated: IsDelegated;
    maxKept: number;
  }) {
    this.#clock = options.clock;
    this.#cache = options.cache;
    this.#lookup = options.lookup;
    this.#isDelegated = options.isDelegated;
    this.#maxKept = options.maxKept;
  }

  static async open({ db, clock, log, metrics, settings, network = {} }: WhoisDeps): Promise<Whois> {
    const { resolve, referralPort = WHOIS_PORT } = network;
    const outgoing = new Outgoing({ allowed: settings.whoisPrivateAddresses, ...(resolve && { resolve }) });
    const limits = {
      connectSeconds: settings.whoisConnectTimeout,
      idleSeconds: settings.whoisIdleTimeout,
      totalSeconds: settings.whoisTotalTimeout,
      maxBytes: settings.whoisMaxAnswer,
    };
    const upstreams = new Upstreams({
      limits: {
        concurrency: settings.whoisConcurrency,
        perMinute: settings.whoisPerMinute,
        queueSeconds: settings.whoisQueueTimeout,
      },
      clock,
      observe: metrics.query,
    });
    const bootstrap = await Bootstrap.open({
      url: settings.whoisBootstrapUrl ?? new URL('https://data.iana.org/rdap/dns.json'),
      overrides: new Map(
        settings.whoisRdapServices.map(pair).map(([tld, url]) => [tld, url.replace(/\/*$/, '/')]),
      ),
      dataDir: settings.dataDir,
      ...{ outgoing, limits, clock, log },
    });
    const whois = new WhoisSource({
      ...{ upstreams, outgoing, limits, port: referralPort },
      root: serverOf(settings.whoisRootServer ?? 'whois.iana.org', WHOIS_PORT),
      overrides: new Map(
        settings.whoisServers
          .map(pair)
          .map(([suffix, text]) => [suffix, serverOf(text, WHOIS_PORT)] as const),
      ),
    });
    const rdap = new RdapSource({ bootstrap, upstreams, outgoing, limits, clock });
    const cache = new AnswerCache({
      ...{ db, clock, log, memory: settings.whoisMemory, observe: metrics.cache },
      times: {
        freshSeconds: settings.whoisCacheAge,
        negativeSeconds: settings.whoisNegativeCacheAge,
        staleSeconds: settings.whoisStaleAge,
      },
    });
    const isDelegated = network.isDelegated ?? delegationBy(new Resolver({ timeout: 1_500, tries: 1 }));
    const lookup = new Lookup({ rdap, whois });
    return new Whois({ clock, cache, lookup, isDelegated, maxKept: settings.whoisCacheSize });
  }

  /** The record of the root domain of a name, as JSON. Throws `Problem`. */
  async record(given: string): Promise<Served> {
    // What is in memory under this very text is a root domain: taking the name apart costs a tenth of the request.
    const row = this.#cache.peek(given) ?? (await this.#ofRoot(given));
    return this.#served(registered(row), row);
  }

  /** The WHOIS text of the root domain of a name. Throws `Problem`. */
  async text(given: string): Promise<Served> {
    const name = rootDomain(given);
    const row = await this.#find(name);
    const record = registered(row);
    if (row.raw !== null) return this.#served(row.raw, row);
    const raw = await this.#lookup.text(name);
    const text = raw ?? renderText(JSON.parse(record) as WhoisRecord);
    if (raw !== undefined) await this.#cache.addText(row, text);
    return this.#served(text, row);
  }

  /** Whether names can be registered, in the order given; repeats collapse. Throws `Problem` for what is no name. */
  async availability(given: readonly string[]): Promise<AvailabilityAnswer[]> {
    const names = new Map(given.map(rootDomain).map((name) => [name.ascii, name]));
    const sources = { cache: this.#cache, lookup: this.#lookup, isDelegated: this.#isDelegated };
    return Promise.all([...names.values()].map((name) => availability(name, sources)));
  }

  /** Removes what is too old, and the oldest of what is too much. */
  sweep(): Promise<void> {
    return this.#cache.sweep(this.#maxKept);
  }

  /** Waits for records that are being refreshed behind answers already sent. */
  settle(): Promise<void> {
    return this.#cache.settle();
  }

  async #ofRoot(given: string): Promise<AnswerRow> {
    const name = rootDomain(given);
    return this.#cache.peek(name.ascii) ?? this.#find(name);
  }

  async #find(name: RootDomain): Promise<AnswerRow> {
    try {
      return await this.#cache.get(name.ascii, () => this.#lookup.find(name));
    } catch (error) {
      throw toProblem(error, name);
    }
  }

  #served(body: string, row: AnswerRow): Served {
    return { body, ageSeconds: Math.max(0, Math.floor((this.#clock.now() - row.fetched_at) / 1000)) };
  }
}

/** The record of an answer. Throws `Problem('not_found')` when the domain is not registered. */
function registered(row: AnswerRow): string {
  if (row.outcome === 'registered' && row.record !== null) return row.record;
  const why = row.outcome === 'reserved' ? ': the registry reserves the name.' : '.';
  throw new Problem('not_found', `${row.domain} is not registered${why}`);
}

function toProblem(error: unknown, { ascii, tld }: RootDomain): unknown {
  if (error instanceof NoSource) {
    return new Problem('not_found', `No known registry responds for names below .${tld}.`, {
      cause: error,
    });
  }
  if (!(error instanceof UpstreamError)) return error;
  const { failure, retryAfterSeconds = 60 } = error;
  if (failure === 'silent') {
    const sentence = `The registry of ${ascii} did not respond in time; try again later.`;
    return new Problem('upstream_timeout', sentence, { cause: error });
  }
  const sentence =
    failure === 'throttled'
      ? `The registry of ${ascii} limits requests; try again later.`
      : `The registry of ${ascii} is unavailable; try again later.`;
  return new Problem('unavailable', sentence, { cause: error, retryAfterSeconds });
}

/** "whois.example.org:4343" */
function serverOf(text: string, port: number): Server {
  const [host = '', given] = text.split(':');
  return { host, port: given === undefined ? port : Number(given) };
}
