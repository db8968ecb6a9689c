import { readFile } from 'node:fs/promises';
import { createRequire, findPackageJSON } from 'node:module';
import path from 'node:path';
import { isDomain, readDomain } from '../domain-name.ts';
import { labelOf } from '../squat/protected-names.ts';

/** A brand as a package has it, with the registrable domains of its web sites. */
export interface Brand {
  readonly title: string;
  readonly domains: readonly string[];
  /** In how many places it is known: services where it has an account, and countries. What money is sent through counts more. */
  readonly renown: number;
}

interface Entity {
  readonly identities?: Readonly<Record<string, string>>;
  readonly officialWebsites?: readonly string[];
}
interface Item {
  readonly displayName: string;
  readonly tags: Readonly<Record<string, string>>;
  readonly locationSet?: { readonly include?: readonly unknown[] };
}

/** Banks, carriers and telephone companies are imitated wherever they are. */
const worthImitating = /\/(bank|money_transfer|post_office|courier|telecommunication|mobile_phone)$/;

/** Brands that OpenStreetMap knows, with the web sites that Wikidata has for them. */
export async function placeBrands(): Promise<{ brands: Brand[]; genuine: string[] }> {
  const [{ nsi }, { wikidata }] = await Promise.all([
    packaged<{ nsi: Record<string, { items?: readonly Item[] }> }>(
      'name-suggestion-index',
      'dist/json/nsi.min.json',
    ),
    packaged<{ wikidata: Record<string, Entity> }>(
      'name-suggestion-index',
      'dist/wikidata/wikidata.min.json',
    ),
  ]);
  const brands: Brand[] = [];
  for (const [tree, { items = [] }] of Object.entries(nsi)) {
    if (!tree.startsWith('brands/')) continue;
    for (const { displayName, tags, locationSet } of items) {
      const entity = wikidata[tags['brand:wikidata'] ?? ''];
      const domains = (entity?.officialWebsites ?? []).flatMap(siteOf);
      const countries = locationSet?.include?.includes('001') ? 5 : (locationSet?.include?.length ?? 0);
      const accounts = Object.keys(entity?.identities ?? {}).length;
      const renown = accounts + Math.min(countries, 5) + (worthImitating.test(tree) ? 2 : 0);
      const titles = new Set([displayName, tags['brand'], tags['brand:en'], tags['name:en']].filter(isText));
      for (const title of titles) brands.push({ title, domains, renown });
    }
  }
  return { brands, genuine: Object.values(wikidata).flatMap(sitesOf) };
}

/** Brands that have an icon, with the domain that the icon is from. */
export async function iconBrands(): Promise<Brand[]> {
  const icons = await packaged<readonly { title: string; source: string }[]>(
    'simple-icons',
    'data/simple-icons.json',
  );
  return icons.map(({ title, source }) => ({ title, domains: siteOf(source), renown: 5 }));
}

/** Words and names of people, of English dictionaries. */
export function dictionary(): { words: ReadonlySet<string>; people: ReadonlySet<string> } {
  const require = createRequire(import.meta.url);
  const { dictionary: lists } = require('@zxcvbn-ts/language-en') as { dictionary: Record<string, string[]> };
  const of = (name: string) => lists[`${name}-en`] ?? [];
  return {
    words: new Set([...of('commonWords'), ...of('wikipedia')]),
    people: new Set([...of('firstnames'), ...of('lastnames').slice(0, 20_000)]),
  };
}

function sitesOf({ officialWebsites = [] }: Entity): string[] {
  return officialWebsites.flatMap(siteOf);
}

function siteOf(url: string): string[] {
  const host = URL.parse(url)?.hostname;
  const domain = host ? readDomain(host) : undefined;
  return domain && isDomain(domain) && labelOf(domain) !== '' ? [domain.registrable] : [];
}

async function packaged<T>(name: string, file: string): Promise<T> {
  return JSON.parse(await readFile(fileOf(name, file), 'utf8'));
}

function fileOf(name: string, file: string): string {
  const manifest = findPackageJSON(name, import.meta.url);
  if (!manifest) throw new Error(`The package ${name} is not installed.`);
  return path.join(path.dirname(manifest), file);
}

function isText(text: string | undefined): text is string {
  return text !== undefined;
}
