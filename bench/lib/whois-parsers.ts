import { readFileSync } from 'node:fs';
import { createRequire, registerHooks } from 'node:module';
import path from 'node:path';
import { parseWhois } from '../../server/areas/whois/parser/parse.ts';

/** The few fields that every contestant reads, in one form. */
export interface Read {
  created?: string | undefined;
  updated?: string | undefined;
  expires?: string | undefined;
  registrar?: string | undefined;
  nameservers: string[];
}

export interface Parser {
  parse(text: string, domain: string): unknown;
  /** Not measured. */
  read(parsed: never): Read;
}

const require = createRequire(import.meta.url);

/** rdapper keeps its parser to itself; it is exported while it is loaded. */
async function rdapper(): Promise<Parser> {
  registerHooks({
    load(url, context, next) {
      const loaded = next(url, context);
      if (!url.endsWith('/rdapper/dist/index.mjs')) return loaded;
      return { ...loaded, source: `${String(loaded.source)}\nexport { normalizeWhois };` };
    },
  });
  const { normalizeWhois } = (await import('rdapper')) as unknown as {
    normalizeWhois: (domain: string, tld: string, text: string, server: string) => object;
  };
  type Result = Record<'creationDate' | 'updatedDate' | 'expirationDate', string | undefined> & {
    registrar?: { name?: string };
    nameservers?: { host: string }[];
  };
  return {
    parse: (text, domain) =>
      normalizeWhois(domain, domain.slice(domain.lastIndexOf('.') + 1), text, 'whois.example'),
    read: ({ creationDate, updatedDate, expirationDate, registrar, nameservers }: Result) => ({
      ...{ created: creationDate, updated: updatedDate, expires: expirationDate, registrar: registrar?.name },
      nameservers: (nameservers ?? []).map(({ host }) => host),
    }),
  };
}

function whoiser(): Parser {
  const { parseDomainWhois } = require('whoiser/src/parsers.js') as {
    parseDomainWhois: (domain: string, text: string) => object;
  };
  type Result = Record<string, string | undefined> & { 'Name Server'?: string[] };
  return {
    parse: (text, domain) => parseDomainWhois(domain, text),
    read: (result: Result) => ({
      ...{ created: result['Created Date'], updated: result['Updated Date'], expires: result['Expiry Date'] },
      registrar: result['Registrar'],
      nameservers: [result['Name Server'] ?? []].flat().map(String),
    }),
  };
}

function whoisParsed(): Parser {
  const parseRawData = require('whois-parsed/parse-raw-data.js') as (text: string, domain: string) => object;
  type Result = Record<'creationDate' | 'updatedDate' | 'expirationDate' | 'registrar', string | undefined>;
  return {
    parse: (text, domain) => parseRawData(text, domain),
    read: ({ creationDate, updatedDate, expirationDate, registrar }: Result) => ({
      ...{ created: creationDate, updated: updatedDate, expires: expirationDate, registrar, nameservers: [] },
    }),
  };
}

const ours: Parser = {
  parse: parseWhois,
  read: ({ domain, registrar, nameservers }: ReturnType<typeof parseWhois>) => ({
    ...{ created: domain.created ?? undefined, updated: domain.updated ?? undefined },
    ...{ expires: domain.expires ?? undefined, registrar: registrar.name ?? undefined },
    nameservers: [...nameservers],
  }),
};

export async function parsers(): Promise<Record<string, Parser>> {
  return { ours, rdapper: await rdapper(), whoiser: whoiser(), 'whois-parsed': whoisParsed() };
}

export interface Sample {
  text: string;
  domain: string;
  // biome-ignore lint/suspicious/noExplicitAny: the index holds expectations of every shape.
  expect: Record<string, any>;
}

/** The collected answers with what others expect of them. */
export function samples(data: string): Sample[] {
  const lines = readFileSync(path.join(data, 'index.jsonl'), 'utf8').trim().split('\n');
  return lines
    .map((line) => JSON.parse(line) as { file: string; domain: string; expect: object })
    .map(({ file, domain, expect }) => ({
      text: readFileSync(path.join(data, file), 'utf8'),
      domain,
      expect,
    }));
}

/** Some parsers throw at what they do not know. */
export function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
