import { domainToASCII } from 'node:url';
import type { RootDomain } from './name.ts';
import { readCountryNames } from './parser/countries.ts';
import type { WhoisRecord } from './record.ts';
import { suffixServers } from './sources/known-servers.ts';
import type { RdapSource } from './sources/rdap-source.ts';
import { UpstreamError, type UpstreamFailure } from './sources/upstream-error.ts';
import type { WhoisSource } from './sources/whois-source.ts';

/** What the sources say of a domain, at one moment. */
export interface Finding {
  readonly outcome: 'registered' | 'free' | 'reserved';
  readonly record: WhoisRecord | null;
  /** The WHOIS text, null where it was not asked for. */
  readonly raw: string | null;
  readonly source: 'rdap' | 'whois';
}

/** No registry is known to answer for the name. */
export class NoSource extends Error {
  override name = 'NoSource';
}

/** Asks the sources in their order: RDAP, then WHOIS where there is no RDAP or it fails. */
export class Lookup {
  readonly #rdap: RdapSource;
  readonly #whois: WhoisSource;

  constructor(options: { rdap: RdapSource; whois: WhoisSource }) {
    this.#rdap = options.rdap;
    this.#whois = options.whois;
  }

  /** Throws `UpstreamError` when no source answered, `NoSource` when there is none. */
  async find({ ascii, suffix, tld }: RootDomain): Promise<Finding> {
    await readCountryNames();
    const failures: UpstreamError[] = [];
    const attempt = async <T>(ask: () => Promise<T>): Promise<T | undefined> => {
      try {
        return await ask();
      } catch (error) {
        if (!(error instanceof UpstreamError)) throw error;
        failures.push(error);
        return undefined;
      }
    };
    // The RDAP service of a TLD knows nothing of registries below it that are run by others.
    const rdap = suffixServers.has(suffix) ? undefined : await attempt(() => this.#rdap.ask(ascii, tld));
    if (rdap?.outcome === 'free') return { outcome: 'free', record: null, raw: null, source: 'rdap' };
    if (rdap) return { outcome: 'registered', record: named(rdap.record, ascii), raw: null, source: 'rdap' };
    const whois = await attempt(() => this.#whois.ask(ascii, suffix, tld));
    if (whois?.outcome === 'registered') {
      return { outcome: 'registered', record: named(whois.record, ascii), raw: whois.raw, source: 'whois' };
    }
    if (whois) return { outcome: whois.outcome, record: null, raw: whois.raw, source: 'whois' };
    throw worst(failures) ?? new NoSource(`No registry responds for names below .${suffix}.`);
  }

  /** The WHOIS text alone: null where the registry gives none any more, undefined where it may give it later. */
  async text({ ascii, suffix, tld }: RootDomain): Promise<string | null | undefined> {
    try {
      const answer = await this.#whois.ask(ascii, suffix, tld);
      return answer?.outcome === 'registered' ? answer.raw : null;
    } catch (error) {
      if (!(error instanceof UpstreamError)) throw error;
      return error.failure === 'throttled' || error.failure === 'silent' ? undefined : null;
    }
  }
}

/** The name in one form, whatever the registry writes. */
function named(record: WhoisRecord, asked: string): WhoisRecord {
  const name = domainToASCII(record.domain.name ?? '') || asked;
  return { ...record, domain: { ...record.domain, name } };
}

/** What the client should hear of when several sources failed: first what it can do something about. */
const order: readonly UpstreamFailure[] = [
  'throttled',
  'silent',
  'unreachable',
  'refused',
  'broken',
  'forbidden',
];

function worst(failures: readonly UpstreamError[]): UpstreamError | undefined {
  return failures.toSorted((a, b) => order.indexOf(a.failure) - order.indexOf(b.failure))[0];
}
