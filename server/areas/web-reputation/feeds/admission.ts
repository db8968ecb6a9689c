import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import type { NameCollector } from '../names/sorted-names.ts';
import type { ListedStatus } from '../statuses.ts';
import type { Found } from './formats/format.ts';

/** Why names of a list were not taken, and how many for each reason. */
export interface Refusals {
  /** No domain names at all. */
  malformed: number;
  /** Whole public suffixes: com, co.uk, github.io. */
  suffix: number;
  /** Of private networks, or below no suffix that exists: printer.local. */
  private: number;
  /** Of well-known owners: a list that names paypal.com or drive.google.com is wrong there. */
  genuine: number;
}

/** What may be said of well-known domains too: google-analytics.com does track. */
const sparesNobody: ReadonlySet<ListedStatus> = new Set(['relay_email', 'tracker', 'adult_content']);

/** Decides which names of a feed are taken, and gathers them. */
export class Admission implements Found {
  readonly refused: Refusals = { malformed: 0, suffix: 0, private: 0, genuine: 0 };
  readonly #names: NameCollector;
  readonly #excepted: NameCollector;
  readonly #isGenuine: (domain: DomainName) => boolean;
  #seen = 0;

  constructor(options: {
    status: ListedStatus;
    names: NameCollector;
    excepted: NameCollector;
    isGenuine: (domain: DomainName) => boolean;
    /** Spares well-known owners whatever the status. */
    isSparing?: boolean;
  }) {
    this.#names = options.names;
    this.#excepted = options.excepted;
    const spares = options.isSparing || !sparesNobody.has(options.status);
    this.#isGenuine = spares ? options.isGenuine : () => false;
  }

  name(text: string): void {
    this.#seen++;
    const domain = this.#read(text);
    if (!domain) return;
    if (this.#isGenuine(domain)) this.refused.genuine++;
    else this.#names.add(site(domain));
  }

  except(text: string): void {
    const domain = readDomain(text);
    if (isDomain(domain)) this.#excepted.add(site(domain));
  }

  /** Whether most of what was read is no list of names: a page in HTML, a list in another format. */
  get isNonsense(): boolean {
    return this.refused.malformed > this.#seen / 2;
  }

  #read(text: string): DomainName | undefined {
    const domain = readDomain(text);
    if (!isDomain(domain)) {
      this.refused[domain.isSuffix ? 'suffix' : 'malformed']++;
      return undefined;
    }
    // github.io is a domain, but what stands below it belongs to many.
    if (domain.isSuffix) this.refused.suffix++;
    else if (!domain.isPublic) this.refused.private++;
    else return domain;
    return undefined;
  }
}

/** A list that names www.example.com means the site. */
function site({ name, registrable }: DomainName): string {
  return name === `www.${registrable}` ? registrable : name;
}
