import { LazyLru } from '#core/lazy-lru.ts';
import type { Outgoing } from '#core/outgoing.ts';
import { merge } from '../merge.ts';
import { type Outcome, outcomeOf } from '../parser/outcome.ts';
import { parseWhois } from '../parser/parse.ts';
import { hostName } from '../parser/values.ts';
import type { WhoisRecord } from '../record.ts';
import { decode } from './charset.ts';
import { suffixServers } from './known-servers.ts';
import { queryFor } from './query-forms.ts';
import { UpstreamError } from './upstream-error.ts';
import type { Upstreams } from './upstreams.ts';
import { askWhois, type WhoisLimits } from './whois-client.ts';

export interface WhoisAnswer {
  readonly outcome: 'registered' | 'free' | 'reserved';
  readonly record: WhoisRecord;
  /** The registry's text, followed by the registrar's where it was asked. */
  readonly raw: string;
}

const DAY = 86_400_000;

/** A WHOIS server as the operator names it: "whois.example.org" or "whois.example.org:4343". */
export interface Server {
  readonly host: string;
  readonly port: number;
}

/** Asks on port 43: the root's referral names the registry's server, the registry's answer the registrar's. */
export class WhoisSource {
  readonly #options: WhoisSourceOptions;
  /** What the root says of each TLD; `none` when it names no server. */
  readonly #servers = new LazyLru<string, Server | 'none'>({ max: 3_000, ttl: DAY });

  constructor(options: WhoisSourceOptions) {
    this.#options = options;
  }

  /** The server of the registry; undefined when it has none. Throws `UpstreamError`. */
  async serverOf(suffix: string, tld: string): Promise<Server | undefined> {
    const { overrides, port } = this.#options;
    const own = overrides.get(suffix) ?? overrides.get(tld);
    if (own) return own;
    const known = suffixServers.get(suffix);
    if (known) return { host: known, port };
    const remembered = this.#servers.get(tld) ?? (await this.#askRoot(tld));
    return remembered === 'none' ? undefined : remembered;
  }

  /** Undefined when the registry has no WHOIS server. Throws `UpstreamError`. */
  async ask(domain: string, suffix: string, tld: string): Promise<WhoisAnswer | undefined> {
    const server = await this.serverOf(suffix, tld);
    if (!server) return undefined;
    const first = await this.#query(server, domain, tld);
    if (first.outcome !== 'registered') return first;
    const referral = referralOf(first.record, server.host);
    if (!referral || !isThin(first.record)) return first;
    return this.#withRegistrar(first, { host: referral, port: this.#options.port }, domain, tld);
  }

  /** One referral is followed, never a second: registrars refer to nobody. That it fails is no failure of the look-up. */
  async #withRegistrar(
    first: WhoisAnswer,
    server: Server,
    domain: string,
    tld: string,
  ): Promise<WhoisAnswer> {
    try {
      const second = await this.#query(server, domain, tld);
      if (second.outcome !== 'registered') return first;
      return {
        outcome: 'registered',
        record: merge(first.record, second.record),
        raw: `${first.raw}\n\n${second.raw}`,
      };
    } catch (error) {
      if (error instanceof UpstreamError) return first;
      throw error;
    }
  }

  async #query(server: Server, domain: string, tld: string): Promise<WhoisAnswer> {
    const { upstreams } = this.#options;
    return upstreams.run(server.host, async () => {
      const raw = decode(await this.#send(server, queryFor(server.host, domain)), tld).replaceAll(
        '\r\n',
        '\n',
      );
      const record = parseWhois(raw, domain);
      const outcome: Outcome = outcomeOf(raw, record);
      if (outcome === 'throttled')
        throw new UpstreamError('throttled', server.host, 'says that it was asked too often.');
      if (outcome === 'refused')
        throw new UpstreamError('refused', server.host, 'does not answer this client.');
      if (outcome === 'unknown')
        throw new UpstreamError('broken', server.host, 'sent a text that says nothing of the domain.');
      return { outcome, record, raw };
    });
  }

  #send(server: Server, query: string): Promise<Buffer> {
    const { outgoing, limits } = this.#options;
    return askWhois({ server: server.host, port: server.port, query, outgoing, limits });
  }

  async #askRoot(tld: string): Promise<Server | 'none'> {
    const { root, upstreams, port } = this.#options;
    const text = await upstreams.run(root.host, async () => decode(await this.#send(root, tld), tld));
    const host = rootReferral(text);
    const found = host === null ? 'none' : { host, port };
    this.#servers.set(tld, found);
    return found;
  }
}

export interface WhoisSourceOptions {
  upstreams: Upstreams;
  outgoing: Outgoing;
  limits: WhoisLimits;
  /** IANA's server. */
  root: Server;
  /** The operator's own servers, by suffix or TLD. */
  overrides: ReadonlyMap<string, Server>;
  /** The port of every server that an answer refers to. */
  port: number;
}

/** The line "whois: whois.example" (or "refer:") of the root's answer. */
function rootReferral(text: string): string | null {
  for (const line of text.split('\n', 300)) {
    const colon = line.indexOf(':');
    const label = line.slice(0, Math.max(colon, 0)).trim().toLowerCase();
    if (label === 'whois' || label === 'refer') return hostName(line.slice(colon + 1).trim());
  }
  return null;
}

function referralOf(record: WhoisRecord, asked: string): string | null {
  const server = record.registrar.whoisServer;
  return server !== null && server !== asked ? server : null;
}

/** Whether the registry says nothing about the holder. */
function isThin({ registrant }: WhoisRecord): boolean {
  return (registrant.name ?? registrant.organization ?? registrant.country) === null;
}
