import { inOneGo } from '#core/time-slices.ts';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { Candidates } from '../squat/candidates.ts';
import { distance } from '../squat/likeness.ts';
import { neighbourWords } from '../squat/neighbour-words.ts';
import { isGenuine, type ProtectedName, type ProtectedNames } from '../squat/protected-names.ts';
import { mailProviders } from './providers.ts';

/** What people type for the suffix they mean. Some of these are suffixes too: Cameroon's, Oman's, Colombia's. */
const suffixSlips: ReadonlyMap<string, string> = new Map(
  (
    'com: c cm co om con cim cok coml coma comm como come comn commm ccom coom xom vom dom cpm clm cmo ocm cop cob conm con com1 coj cpom cxom comc cokm cob com-com combr' +
    '|net: ner nwt met bet ent nte nett neet nel ney nt ne nrt' +
    '|fr: ft fe rf frr|de: ed dr ee d|it: iy ti itt|ru: eu rru|org: ogr orgg|co.uk: couk co.ul co.ukk con.uk cp.uk co.um co.k'
  )
    .split('|')
    .flatMap((group) => {
      const [meant = '', slips = ''] = group.split(': ');
      return slips.split(' ').map((slip) => [slip, meant] as const);
    }),
);

/** Finds the mail provider that somebody meant. */
export class TypoFinder {
  readonly #providers: ProtectedNames;
  readonly #others: ProtectedNames;
  readonly #order = new Map<ProtectedName, number>();
  readonly #byLabel = new Map<string, ProtectedName>();
  readonly #candidates: Candidates;

  /** `others` are domains that are right as they are, whatever they resemble. */
  constructor(others: ProtectedNames, providers: ProtectedNames = mailProviders()) {
    this.#providers = providers;
    this.#others = others;
    const suggested = providers.names.filter(({ kind }) => kind !== 'common');
    for (const [index, name] of suggested.entries()) this.#order.set(name, index);
    for (const name of providers.names)
      if (!this.#byLabel.has(name.label)) this.#byLabel.set(name.label, name);
    this.#candidates = inOneGo(Candidates.building(suggested));
  }

  /** The domain that was meant, or undefined: `gmial.com` gives `gmail.com`, `gmail.con` too. */
  find(domainText: string): string | undefined {
    const domain = readDomain(domainText);
    if (!isDomain(domain)) return this.#withoutSuffix(domainText);
    if (domain.name !== domain.registrable || this.#isRight(domain)) return undefined;
    return this.#wrongSuffix(domain) ?? this.#wrongLabel(domain);
  }

  #isRight(domain: DomainName): boolean {
    return isGenuine(this.#providers, domain) || isGenuine(this.#others, domain);
  }

  /** gmail, gmailcom */
  #withoutSuffix(text: string): string | undefined {
    const known = this.#byLabel.get(text);
    if (known && known.kind !== 'common') return known.domain;
    for (const name of this.#order.keys()) if (text === name.domain.replaceAll('.', '')) return name.domain;
    return undefined;
  }

  #wrongSuffix(domain: DomainName): string | undefined {
    const dot = domain.name.indexOf('.');
    const label = domain.name.slice(0, dot);
    const name = this.#byLabel.get(label);
    if (!name) return undefined;
    const meant = suffixSlips.get(domain.name.slice(dot + 1));
    const isMeant = meant !== undefined && name.suffixes.has(meant);
    // A word below another suffix is another name: live.co is no live.com. But live.con is nothing.
    if (name.kind === 'common') return isMeant && !domain.isPublic ? `${label}.${meant}` : undefined;
    return isMeant ? `${label}.${meant}` : name.domain;
  }

  #wrongLabel(domain: DomainName): string | undefined {
    const dot = domain.name.indexOf('.');
    const label = domain.name.slice(0, dot);
    const written = domain.name.slice(dot + 1);
    if (label.length < 4 || neighbourWords.has(label)) return undefined;
    let best: { name: ProtectedName; far: number } | undefined;
    for (const name of this.#candidates.of(label)) {
      const far = distance(name.label, label);
      if (far > tolerance(name.label, label)) continue;
      if (suffixOf(name, written) === undefined) continue;
      if (!best || far < best.far || (far === best.far && this.#rank(name) < this.#rank(best.name)))
        best = { name, far };
    }
    return best && `${best.name.label}.${suffixOf(best.name, written)}`;
  }

  #rank(name: ProtectedName): number {
    return this.#order.get(name) ?? 0;
  }
}

/** The provider's suffix that was written, or meant; undefined where it has none like it. */
function suffixOf(name: ProtectedName, written: string): string | undefined {
  if (name.suffixes.has(written)) return written;
  const meant = suffixSlips.get(written);
  if (meant !== undefined && name.suffixes.has(meant)) return meant;
  return name.everywhere && /^(?:[a-z]{2,3}\.)?[a-z]{2}$/.test(written) ? written : undefined;
}

/** With another first letter, a short name is more often another name: jmail, tmail. */
function tolerance(label: string, typed: string): number {
  if (label.length < 5) return 0.9;
  if (label.length < 7) return label.length === typed.length && label[0] !== typed[0] ? 0.95 : 1;
  return label.length < 9 ? 1.2 : 1.6;
}
