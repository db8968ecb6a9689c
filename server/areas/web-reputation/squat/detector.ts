import { type DomainName, toUnicode } from '../domain-name.ts';
import { isWord, partsOf, type Wording, wordingOfAll } from './affixes.ts';
import { Candidates } from './candidates.ts';
import { distance, isRearranged } from './likeness.ts';
import { asSeen } from './look-alikes.ts';
import { neighbourWords } from './neighbour-words.ts';
import { isGenuine, labelOf, type ProtectedName, type ProtectedNames } from './protected-names.ts';
import { isNational, isOpen } from './suffixes.ts';

export const techniques = [
  'wrong_tld',
  'homoglyph',
  'typo',
  'hyphenation',
  'combosquatting',
  'subdomain',
] as const;
export type Technique = (typeof techniques)[number];

export interface Imitation {
  /** The domain that is imitated. */
  readonly of: string;
  readonly technique: Technique;
}

/** What a label looks like in ASCII, and whether forged letters made it so. */
interface Seen {
  readonly text: string;
  readonly isForged: boolean;
}

/** Tells names that imitate a protected one. Takes no network and no list of squats: it works on names never seen before. */
export class SquatDetector {
  readonly #protected: ProtectedNames;
  readonly #byLabel = new Map<string, ProtectedName[]>();
  readonly #byDomain = new Map<string, ProtectedName>();
  readonly #byStart = new Map<string, ProtectedName[]>();
  readonly #candidates: Candidates;

  constructor(names: ProtectedNames) {
    this.#protected = names;
    for (const name of names.names) {
      this.#byDomain.set(name.domain, name);
      push(this.#byLabel, name.label, name);
      if (name.label.length >= startLength) push(this.#byStart, name.label.slice(0, startLength), name);
    }
    this.#candidates = new Candidates(names.names.filter(({ label }) => label.length >= 3));
  }

  examine(domain: DomainName): Imitation | undefined {
    if (isGenuine(this.#protected, domain)) return undefined;
    const seen = see(labelOf(domain));
    return (
      this.#sameLabel(seen, domain) ??
      this.#likeLabel(seen, domain.suffix) ??
      this.#affixed(seen) ??
      this.#subdomains(domain)
    );
  }

  #sameLabel(
    { text, isForged }: Seen,
    { suffix, registrable, registered }: DomainName,
  ): Imitation | undefined {
    // An account on somebody's platform is mostly its own name's: microsoft.github.io.
    const isAccount = registrable !== registered;
    for (const name of this.#byLabel.get(text) ?? []) {
      if (isForged) return { of: name.domain, technique: 'homoglyph' };
      if (!isAccount && name.label.length >= 3 && isWrongSuffix(name, suffix))
        return { of: name.domain, technique: 'wrong_tld' };
    }
    if (!text.includes('-')) return undefined;
    for (const name of this.#byLabel.get(text.replaceAll('-', '')) ?? []) {
      if (name.label.length >= 4 && reaches(name, suffix))
        return { of: name.domain, technique: 'hyphenation' };
    }
    return undefined;
  }

  #likeLabel({ text, isForged }: Seen, suffix: string): Imitation | undefined {
    if (text.length < 3 || (!isForged && (isWord(text) || neighbourWords.has(text)))) return undefined;
    let closest: ProtectedName | undefined;
    let least = Number.POSITIVE_INFINITY;
    for (const name of this.#candidates.of(text)) {
      const far = farness(name, text);
      if (far >= least || far > tolerance(name, isForged)) continue;
      if (!isForged && !reaches(name, suffix)) continue;
      closest = name;
      least = far;
    }
    return closest && { of: closest.domain, technique: isForged || least < 0.9 ? 'homoglyph' : 'typo' };
  }

  /** The name with words around it: paypal-login, securepaypal, paypa1-support. */
  #affixed({ text, isForged }: Seen): Imitation | undefined {
    for (let at = 0; at + startLength <= text.length; at++) {
      for (const name of this.#byStart.get(text.slice(at, at + startLength)) ?? []) {
        if (!text.startsWith(name.label, at)) continue;
        const before = text.slice(0, at);
        const after = text.slice(at + name.label.length);
        if (before + after === '') continue;
        const isApart = (before === '' || before.endsWith('-')) && (after === '' || after.startsWith('-'));
        if (suffices(name, wordingOfAll([...partsOf(before), ...partsOf(after)]), isApart))
          return { of: name.domain, technique: 'combosquatting' };
      }
    }
    return this.#affixedLoosely(text, isForged);
  }

  #affixedLoosely(text: string, isForged: boolean): Imitation | undefined {
    const tokens = text.split('-').filter((token) => token !== '');
    if (tokens.length < 2) return undefined;
    for (const [i, token] of tokens.entries()) {
      const wording = wordingOfAll(tokens.filter((_, j) => j !== i));
      if (wording !== 'pressing') continue;
      // Short names count where they stand apart: dhl-delivery.
      for (const name of this.#byLabel.get(token) ?? []) {
        if (name.label.length === 3 && name.kind !== 'common')
          return { of: name.domain, technique: 'combosquatting' };
      }
      if (token.length < 5) continue;
      const like = this.#likeLabel({ text: token, isForged }, 'com');
      if (like && (like.technique === 'homoglyph' || token.length > 6))
        return { of: like.of, technique: 'combosquatting' };
    }
    return undefined;
  }

  #subdomains(domain: DomainName): Imitation | undefined {
    if (domain.name === domain.registrable) return undefined;
    const labels = domain.name.slice(0, -domain.suffix.length - 1).split('.');
    // pay.pal.com
    for (const name of this.#byLabel.get(labels.join('')) ?? []) {
      if (name.label.length > 4 && reaches(name, domain.suffix))
        return { of: name.domain, technique: 'subdomain' };
    }
    for (const [i, label] of labels.entries()) {
      // www.paypal.com.example.net
      const whole = this.#byDomain.get(`${label}.${labels[i + 1]}`);
      if (whole) return { of: whole.domain, technique: 'subdomain' };
      if (i === labels.length - 1) break;
      const seen = see(label);
      for (const name of this.#byLabel.get(seen.text) ?? []) {
        if (name.label.length >= 5 && name.kind === 'distinctive')
          return { of: name.domain, technique: 'subdomain' };
      }
      const affixed = this.#affixed(seen);
      if (affixed) return { of: affixed.of, technique: 'subdomain' };
    }
    return undefined;
  }
}

const startLength = 4;

function see(label: string): Seen {
  const unicode = toUnicode(label);
  return unicode === label ? { text: label, isForged: false } : { text: asSeen(unicode), isForged: true };
}

/** Whether the label of a protected name below this suffix is somebody else's. */
function isWrongSuffix(name: ProtectedName, suffix: string): boolean {
  if (name.kind === 'common') return false;
  return (name.kind === 'distinctive' && name.label.length > 3) || isOpen(suffix);
}

/** Whether who reads a name below this suffix may take it for the protected one. Short names: only where they belong. */
function reaches(name: ProtectedName, suffix: string): boolean {
  if (suffix === 'com' || name.suffixes.has(suffix)) return true;
  if (name.label.length < 6) return false;
  return (name.everywhere && isNational(suffix)) || (name.kind === 'distinctive' && isOpen(suffix));
}

function farness(name: ProtectedName, text: string): number {
  const far = distance(name.label, text);
  return far > 1 && name.label.length >= 6 && isRearranged(name.label, text) ? 1 : far;
}

/** How far a spelling may be from the name. Short names have too many neighbours. */
function tolerance({ label, kind }: ProtectedName, isForged: boolean): number {
  if (label.length === 3) return isForged ? 0.6 : 0.4;
  if (kind === 'common' && !isForged) return label.length === 4 ? 0.4 : 0.9;
  if (label.length === 4) return isForged || kind === 'distinctive' ? 1 : 0.95;
  if (label.length < 8) return 1.2;
  return label.length < 11 ? 1.6 : 2;
}

function suffices(name: ProtectedName, wording: Wording, isApart: boolean): boolean {
  if (wording === 'none' || name.kind === 'common') return false;
  const isLong = name.label.length > 4;
  if (name.kind === 'ordinary') return wording === 'pressing' ? isApart || isLong : isApart && isLong;
  return wording === 'pressing' || isLong || isApart;
}

function push<K, V>(map: Map<K, V[]>, key: K, value: V): void {
  const known = map.get(key);
  if (known) known.push(value);
  else map.set(key, [value]);
}
