import { readFile } from 'node:fs/promises';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { SquatDetector } from '../squat/detector.ts';
import { readNames } from '../squat/files.ts';
import { isGenuine, type ProtectedNames } from '../squat/protected-names.ts';
import { type Kind, kinds, permute } from './permutations.ts';

/** How well squats are told from what they imitate and from names in their own right. Shares, 0 to 1. */
export interface Figures {
  readonly caught: Readonly<Record<Kind, number>>;
  /** Of all permutations, each kind counting as much as any other. */
  readonly overall: number;
  readonly homoglyphs: number;
  /** Of names like those in reports on phishing. */
  readonly imitations: number;
  /** Of popular names, wrongly. */
  readonly flagged: number;
  readonly wronglyFlagged: readonly string[];
  readonly missed: readonly string[];
  /** Where one name in twenty is a squat. */
  readonly precision: number;
}

export type Half = 'training' | 'test';

/** The names whose permutations the detector was tuned with, and others. */
const imitated: Readonly<Record<Half, string>> = {
  training:
    'google facebook amazon apple microsoft paypal netflix instagram twitter linkedin whatsapp youtube yahoo ebay dropbox ' +
    'github gmail outlook icloud adobe spotify chase wellsfargo bankofamerica citibank mastercard coinbase binance ' +
    'discord reddit walmart target airbnb booking uber salesforce docusign samsung nintendo roblox pinterest shopify',
  test:
    'wikipedia.org tiktok telegram.org snapchat tumblr hotmail icloud protonmail.com etsy alibaba aliexpress bestbuy costco ' +
    'homedepot ikea adidas starbucks mcdonalds expedia tripadvisor fedex usps americanexpress capitalone hsbc santander ' +
    'barclays revolut.com metamask.io trezor.io kraken steampowered steamcommunity epicgames playstation twitch.tv disneyplus ' +
    'hulu zillow squarespace wordpress godaddy cloudflare atlassian zendesk mailchimp lastpass nordvpn kaspersky huawei ' +
    'xiaomi lenovo nvidia vodafone verizon comcast',
};

export async function examine(half: Half): Promise<Figures> {
  const names = await readNames(undefined);
  const detector = new SquatDetector(names);
  const caught = {} as Record<Kind, number>;
  const missed: string[] = [];
  const sizes: number[] = [];
  for (const kind of kinds) {
    const all = imitated[half]
      .split(' ')
      .flatMap((name) => squatsOf(kind, name.includes('.') ? name : `${name}.com`, names));
    const left = all.filter((name) => !detector.examine(name));
    caught[kind] = 1 - left.length / all.length;
    sizes.push(all.length);
    missed.push(...left.map(({ name }) => name));
  }
  const imitations = await imitationsOf(half);
  const unseen = imitations.filter((name) => !detector.examine(name));
  missed.push(...unseen.map(({ name }) => name));
  const popular = (await read(`popular-${half}.txt`)).split(/\s+/).flatMap(domainOf);
  const wrong = popular.filter((name) => detector.examine(name));
  const mean = (of: readonly Kind[]) => of.reduce((sum, kind) => sum + caught[kind], 0) / of.length;
  const overall = mean(kinds);
  const flagged = wrong.length / popular.length;
  return {
    ...{ caught, overall, flagged, missed },
    homoglyphs: mean(['homoglyph_ascii', 'homoglyph_unicode', 'homoglyph_script']),
    imitations: 1 - unseen.length / imitations.length,
    wronglyFlagged: wrong.map(({ name }) => name),
    precision: (0.05 * overall) / (0.05 * overall + 0.95 * flagged),
  };
}

function squatsOf(kind: Kind, domain: string, names: ProtectedNames): DomainName[] {
  // What the owner has registered itself is no squat: google.co, wikipedia.de.
  return permute(kind, domain)
    .flatMap(domainOf)
    .filter((squat) => !isGenuine(names, squat));
}

async function imitationsOf(half: Half): Promise<DomainName[]> {
  const [, training = '', test = ''] = (await read('imitations.txt')).split(/\[(?:training|test)\]\n/);
  const lines = (half === 'training' ? training : test).trim().split('\n');
  return lines.flatMap((line) => domainOf(line.split(' ')[1] ?? ''));
}

async function read(name: string): Promise<string> {
  const text = await readFile(new URL(name, import.meta.url), 'utf8');
  return text.replace(/^#.*\n/gm, '');
}

function domainOf(text: string): DomainName[] {
  const read = readDomain(text);
  return isDomain(read) ? [read] : [];
}
