import { inOneGo } from '#core/time-slices.ts';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { isNational } from './suffixes.ts';

/** A name that squats imitate. */
export interface ProtectedName {
  /** The domain that is imitated. */
  readonly domain: string;
  /** Its label below the public suffix. */
  readonly label: string;
  /** The public suffixes below which its owner uses it. */
  readonly suffixes: ReadonlySet<string>;
  /** Whether it is used below the suffixes of many countries. */
  readonly everywhere: boolean;
  readonly kind: NameKind;
  /** Known in one country or trade: names near it are others' more often than imitations. */
  readonly isMinor: boolean;
}

/**
 * `distinctive`: a word that means nothing else. `ordinary`: a word or surname that many others use, but whose typos are
 * squatted (apple). `common`: one where only forged letters tell an imitation from a neighbour (canon, canyon).
 */
type NameKind = 'distinctive' | 'ordinary' | 'common';

export interface ProtectedNames {
  readonly names: readonly ProtectedName[];
  /** Registrable domains that imitate nobody. */
  readonly genuine: ReadonlySet<string>;
  /** Labels that are genuine below every country's suffix. */
  readonly everywhere: ReadonlySet<string>;
  /** Labels that are no spelling of another name. */
  readonly words: ReadonlySet<string>;
}

const kinds = { '': 'distinctive', '~': 'ordinary', '~~': 'common' } as const satisfies Record<
  string,
  NameKind
>;

export interface NamesFile {
  readonly name: string;
  readonly text: string;
}

/** Reads files of the form that protected-names.txt explains; throws an `Error` that names a wrong line. */
export function readProtectedNames(...files: readonly NamesFile[]): ProtectedNames {
  return inOneGo(readingProtectedNames(files));
}

/** As `readProtectedNames`, a line a step. */
export function* readingProtectedNames(files: readonly NamesFile[]): Generator<void, ProtectedNames> {
  const names = new Map<string, ProtectedName>();
  const genuine = new Set<string>();
  const everywhere = new Set<string>();
  const words = new Set<string>();
  for (const { name: file, text } of files) {
    for (const [index, line] of text.split('\n').entries()) {
      yield;
      const items = line.replace(/#.*/, '').split(/\s+/).filter(Boolean);
      if (items.length === 0) continue;
      if (items[0] === '-') {
        for (const word of items.slice(1)) words.add(word);
        continue;
      }
      const where = `${file}, line ${index + 1}`;
      const read = readLine(items, where);
      if (read.name) names.set(read.name.domain, read.name);
      for (const domain of read.genuine) genuine.add(domain.registrable);
      for (const label of read.everywhere) everywhere.add(label);
    }
  }
  return { names: [...names.values()], genuine, everywhere, words };
}

function readLine(items: readonly string[], where: string) {
  // A line that begins with "=" only says that its domains are genuine.
  const isProtected = items[0] !== '=';
  const [, minor = '', mark = '', first = ''] =
    /^(\^?)(~{0,2})(.*)$/.exec(isProtected ? (items[0] ?? '') : '') ?? [];
  const others = items.slice(1);
  const everywhere = others.filter((item) => item.endsWith('.*')).map((item) => item.slice(0, -2));
  const written = [...(isProtected ? [first] : []), ...others.filter((item) => !item.endsWith('.*'))];
  const genuine = written.map((text) => domainOf(text, where));
  const own = genuine[0];
  if (!isProtected || !own) return { name: undefined, genuine, everywhere };
  const label = labelOf(own);
  const name: ProtectedName = {
    domain: own.registrable,
    label,
    suffixes: suffixesOf(genuine.filter((domain) => labelOf(domain) === label)),
    everywhere: everywhere.includes(label),
    kind: kinds[mark as keyof typeof kinds],
    isMinor: minor !== '',
  };
  return { name, genuine, everywhere };
}

/** Most names have one suffix, and few combinations occur: names share them. */
const knownSuffixes = new Map<string, ReadonlySet<string>>();

function suffixesOf(domains: readonly DomainName[]): ReadonlySet<string> {
  const all = new Set(domains.map(({ suffix }) => suffix));
  const key = [...all].sort().join(' ');
  const known = knownSuffixes.get(key);
  if (known) return known;
  knownSuffixes.set(key, all);
  return all;
}

/** Whether the domain is known to imitate nobody. */
export function isGenuine({ genuine, everywhere }: ProtectedNames, domain: DomainName): boolean {
  if (genuine.has(domain.registrable)) return true;
  return isNational(domain.suffix) && everywhere.has(labelOf(domain));
}

/** The label that was registered: `example` of www.example.co.uk. */
export function labelOf(domain: DomainName): string {
  return domain.registrable.slice(0, -domain.suffix.length - 1);
}

function domainOf(text: string, where: string): DomainName {
  const read = readDomain(text);
  if (!isDomain(read)) throw new Error(`${where}: "${text}" ${read.refused}.`);
  if (read.name !== read.registrable) {
    throw new Error(`${where}: "${text}" is below a registrable domain; write ${read.registrable}.`);
  }
  return read;
}
