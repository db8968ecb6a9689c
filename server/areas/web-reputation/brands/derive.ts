import { isDomain, readDomain } from '../domain-name.ts';
import { isWord } from '../squat/affixes.ts';
import { SquatDetector } from '../squat/detector.ts';
import { neighbourWords } from '../squat/neighbour-words.ts';
import { namesOf, readOwnLists } from '../squat/own-lists.ts';
import { labelOf, type ProtectedNames, readProtectedNames } from '../squat/protected-names.ts';
import { type Brand, dictionary, iconBrands, placeBrands } from './sources.ts';

const shortestLabel = 5;
/** A domain with this many brands of other names on it is a platform's. */
const mostBrands = 4;

/**
 * What packages of data know of brands, as lines of the form of protected-names.txt: names to protect beside ours, and of all that
 * is genuine what a detector would flag.
 */
export async function derivePackagedNames(): Promise<string> {
  const own = namesOf(...(await readOwnLists()));
  const [places, icons] = await Promise.all([placeBrands(), iconBrands()]);
  const { words, people } = dictionary();
  const isCommon = (label: string) =>
    isWord(label) || neighbourWords.has(label) || words.has(label) || people.has(label);

  const brands = [...places.brands, ...icons];
  const lines = protectedLines(brands, own, isCommon);
  const names = merged(own, readProtectedNames({ name: 'packaged names', text: lines.join('\n') }));
  const detector = new SquatDetector(names);
  const flagged = (domains: Iterable<string>) =>
    [...new Set(domains)].filter((domain) => imitated(detector, domain));

  const sites = flagged([...places.genuine, ...icons.flatMap(({ domains }) => domains)]);
  const alone = [...words, ...people].filter((word) => {
    if (!/^[a-z]{4,}$/.test(word)) return false;
    const imitation = imitated(detector, `${word}.com`);
    // Of all words, the plural of a name is the likeliest imitation of it.
    return imitation?.technique === 'typo' && !imitation.of.startsWith(`${word.slice(0, -1)}.`);
  });
  return [...lines, ...inRows('=', sites), ...inRows('-', alone), ''].join('\n');
}

function protectedLines(
  brands: readonly Brand[],
  own: ProtectedNames,
  isCommon: (label: string) => boolean,
): string[] {
  const known = new Set(own.names.map(({ label }) => bare(label)));
  const owners = new Map<string, Set<string>>();
  for (const { title, domains } of brands)
    for (const domain of domains) owners.set(domain, (owners.get(domain) ?? new Set()).add(bareTitle(title)));
  const lines = new Map<string, { domains: Set<string>; renown: number }>();
  for (const { title, domains, renown } of brands) {
    const slug = bareTitle(title);
    const main = domains.find((domain) => isNamed(labelIn(domain), slug));
    if (!main) continue;
    const label = bare(labelIn(main));
    if (label.length < shortestLabel || /^\d/.test(label) || known.has(label)) continue;
    if ((owners.get(main)?.size ?? 0) > mostBrands) continue;
    const line = lines.get(label) ?? { domains: new Set([main]), renown: 0 };
    for (const domain of domains) line.domains.add(domain);
    line.renown = Math.max(line.renown, renown);
    lines.set(label, line);
  }
  return [...lines].flatMap(([label, { domains, renown }]) => {
    // A word in anybody's use is worth protecting where the brand is known in many countries.
    if (renown < (isCommon(label) ? 9 : 5)) return [];
    const mark = isCommon(label) ? '~~' : label.length < 6 ? '~' : '';
    return [`^${mark}${[...domains].join(' ')}`];
  });
}

/** Whether the label is the brand's own, not that of a group or a platform. */
function isNamed(label: string, slug: string): boolean {
  const text = bare(label);
  return text === slug || (text.length > 6 && slug.startsWith(text));
}

function imitated(detector: SquatDetector, domain: string) {
  const read = readDomain(domain);
  return isDomain(read) ? detector.examine(read) : undefined;
}

function merged(own: ProtectedNames, packaged: ProtectedNames): ProtectedNames {
  return {
    names: [...packaged.names, ...own.names],
    genuine: own.genuine.union(packaged.genuine),
    everywhere: own.everywhere,
    words: own.words,
  };
}

function labelIn(domain: string): string {
  const read = readDomain(domain);
  return isDomain(read) ? labelOf(read) : '';
}

function bare(label: string): string {
  return label.replaceAll('-', '');
}

function bareTitle(title: string): string {
  return title
    .normalize('NFKD')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]/g, '');
}

function inRows(mark: string, items: readonly string[]): string[] {
  const rows: string[] = [];
  for (let i = 0; i < items.length; i += 20) rows.push([mark, ...items.slice(i, i + 20)].join(' '));
  return rows;
}
