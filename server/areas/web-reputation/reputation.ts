import { LazyLru } from '#core/lazy-lru.ts';
import { type DomainName, toUnicode } from './domain-name.ts';
import { type Address, isWellFormed } from './email/address.ts';
import { isRole } from './email/roles.ts';
import type { TypoFinder } from './email/typo.ts';
import type { FeedData, Listed } from './feeds/data.ts';
import type { MailHostLookup, MailHosts } from './mx/mail-hosts.ts';
import type { OverridesInForce } from './overrides.ts';
import type { SquatDetector } from './squat/detector.ts';
import type { Imitation } from './squat/imitation.ts';
import { isWithheld, type Status } from './statuses.ts';
import type { OverrideRow } from './store.ts';

interface Evidence {
  readonly listed: Listed | undefined;
  /** Looked for only where no list decides. */
  readonly imitation: Imitation | undefined;
}

/** What is known of a domain, and from where. */
export interface Verdict extends Evidence {
  readonly status: Status;
  readonly override: OverrideRow | undefined;
}

/** Records that name servers could not be asked for; the caller is told in a header. */
export interface Answers<T> {
  readonly records: T[];
  readonly unanswered: string[];
}

export interface DomainRecord {
  domain: string;
  status: Status;
  withholdingRecommended: boolean;
  isMxRecordAvailable: boolean;
}

export interface EmailRecord {
  email: string;
  role: boolean;
  domain: { domain: string; status: Status; withholdingRecommended: boolean; mxRecordAvailable: boolean };
  validations: {
    valid: boolean;
    validators: { regex: { valid: boolean }; typo: { valid: boolean }; mx: { valid: boolean } };
  };
}

const noMail: MailHosts = { hasMx: false, accepts: false, failed: false };

/** What tells an imitation of the protected names, and a mistyped mail provider. */
export interface NameRules {
  readonly squats: SquatDetector;
  readonly typos: TypoFinder;
}

/** Answers what a domain or an address is known for. Once it is ready, it waits for name servers alone. */
export class Reputation {
  readonly #feeds: FeedData;
  readonly #mail: MailHostLookup;
  readonly #readRules: () => Promise<NameRules>;
  #reading: Promise<void> | undefined;
  #rules: NameRules | undefined;
  /** Of names asked for lately, in the index of the feeds that is open now. */
  readonly #evidence: LazyLru<string, Evidence>;
  #index = '';

  constructor(parts: {
    feeds: FeedData;
    /** Some 400 ms of work in turns: done for the first request that needs them, not at every start. */
    readRules: () => Promise<NameRules>;
    mail: MailHostLookup;
    maxNames: number;
  }) {
    this.#feeds = parts.feeds;
    this.#readRules = parts.readRules;
    this.#mail = parts.mail;
    this.#evidence = new LazyLru({ max: parts.maxNames });
  }

  /** Whether the other methods may be called. */
  get isReady(): boolean {
    return this.#rules !== undefined && this.#feeds.isReady;
  }

  async ready(): Promise<void> {
    if (!this.#rules) this.#reading ??= this.#read();
    await Promise.all([this.#reading, this.#feeds.ready()]);
  }

  async #read(): Promise<void> {
    try {
      this.#rules = await this.#readRules();
    } finally {
      this.#reading = undefined;
    }
  }

  get #known(): NameRules {
    if (!this.#rules) throw new Error('The protected names are not read yet.');
    return this.#rules;
  }

  /** Overrides win, then the lists; a name that nobody lists may still be an imitation. */
  verdict(domain: DomainName, overrides: OverridesInForce): Verdict {
    const override = overrides.of(domain);
    const { listed, imitation } = this.#evidenceOf(domain);
    const status = override?.status ?? listed?.status ?? (imitation ? 'squat' : 'neutral');
    return { status, override, listed, imitation };
  }

  #evidenceOf(domain: DomainName): Evidence {
    if (this.#index !== this.#feeds.opened) {
      this.#evidence.clear();
      this.#index = this.#feeds.opened;
    }
    const known = this.#evidence.get(domain.name);
    if (known) return known;
    const listed = this.#feeds.find(domain);
    const evidence = { listed, imitation: listed ? undefined : this.#known.squats.examine(domain) };
    this.#evidence.set(domain.name, evidence);
    return evidence;
  }

  async domains(names: readonly DomainName[], overrides: OverridesInForce): Promise<Answers<DomainRecord>> {
    const hosts = await all(names.map(({ name }) => this.#mail.of(name, { withAddress: false })));
    const records = names.map((domain, i) => {
      const { status } = this.verdict(domain, overrides);
      const { hasMx } = hosts[i] ?? noMail;
      return {
        domain: domain.name,
        status,
        withholdingRecommended: isWithheld(status),
        isMxRecordAvailable: hasMx,
      };
    });
    return { records, unanswered: unansweredOf(names, hosts) };
  }

  async emails(addresses: readonly Address[], overrides: OverridesInForce): Promise<Answers<EmailRecord>> {
    const hosts = await all(
      addresses.map(({ domain }) => (domain ? this.#mail.of(domain.name, { withAddress: true }) : noMail)),
    );
    const records = addresses.map((address, i) => this.#email(address, hosts[i] ?? noMail, overrides));
    const names = addresses.map(({ domain, domainText }) => ({ name: domain?.name ?? domainText }));
    return { records, unanswered: [...new Set(unansweredOf(names, hosts))] };
  }

  #email(address: Address, { hasMx, accepts }: MailHosts, overrides: OverridesInForce): EmailRecord {
    const { text, local, domain, domainText } = address;
    const status = domain ? this.verdict(domain, overrides).status : 'neutral';
    const isRight = isWellFormed(address);
    const isMeant = this.#known.typos.find(domainText) === undefined;
    return {
      email: text,
      role: isRole(local),
      domain: {
        domain: domainText,
        status,
        withholdingRecommended: isWithheld(status),
        mxRecordAvailable: hasMx,
      },
      validations: {
        valid: isRight && isMeant && accepts,
        validators: { regex: { valid: isRight }, typo: { valid: isMeant }, mx: { valid: accepts } },
      },
    };
  }

  /** The address that was meant, where the domain looks mistyped. */
  suggestion({ local, domainText }: Address): string | null {
    const meant = this.#known.typos.find(domainText);
    return meant === undefined ? null : `${local}@${toUnicode(meant)}`;
  }
}

/** Without a promise where every answer is at hand: requests for known names need no turn of the event loop. */
function all(hosts: (MailHosts | Promise<MailHosts>)[]): MailHosts[] | Promise<MailHosts[]> {
  return hosts.some((each) => each instanceof Promise) ? Promise.all(hosts) : (hosts as MailHosts[]);
}

function unansweredOf(names: readonly { name: string }[], hosts: readonly MailHosts[]): string[] {
  return names.filter((_, i) => hosts[i]?.failed).map(({ name }) => name);
}
