import { readFile } from 'node:fs/promises';
import { Value } from 'typebox/value';
import { Cached } from '#core/cached.ts';
import type { Db } from '#core/db.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import { type BundledModel, bundledId, bundledModels } from './bundled.ts';
import { type Capabilities, type Facts, factsOf } from './capabilities.ts';
import { noRates, type Prices } from './rates.ts';
import { CatalogueFile, type Override } from './schema.ts';
import { listOverrides } from './store.ts';

declare module '#core/news.ts' {
  interface Topics {
    /** Key: model id. */
    ai_models: true;
  }
}

/** News that the prices or facts of a model were changed. */
export const modelsTopic = 'ai_models';

export interface Entry extends Facts {
  /** `owner/name`. */
  id: string;
  name: string;
  description: string | undefined;
  /** Where its row comes from. */
  source: 'bundled' | 'file' | 'override';
  override: Override | undefined;
  pricesAt(now: number): Prices | null;
}

/** The models that are known, at one moment. */
export interface Snapshot {
  get(id: string): Entry | undefined;
  /** Every id, sorted. */
  ids(): readonly string[];
  /** The ids whose name, behind the owner, is this. */
  named(name: string): readonly string[];
  /** The entry of a dated or otherwise spelled version. */
  like(owner: string, name: string): Entry | undefined;
}

/** Bundled data, below a file of the operator, below what was set in the dashboard. */
export class Catalogue {
  readonly #bundled = bundledModels();
  readonly #file: ReadonlyMap<string, Override>;
  readonly #snapshots: Cached<Snapshot>;

  constructor(db: Db, file: ReadonlyMap<string, Override>) {
    this.#file = file;
    this.#snapshots = new Cached<Snapshot>({
      news: db.news,
      max: 1,
      topics: [],
      sweepingTopics: [modelsTopic],
      load: async () => {
        const rows = await listOverrides(db);
        return this.#snapshot(new Map(rows.map(({ id, body }) => [id, JSON.parse(body) as Override])));
      },
    });
  }

  now(): Maybe<Snapshot> {
    return this.#snapshots.get('');
  }

  async get(id: string): Promise<Entry | undefined> {
    return andThen(this.now(), (snapshot) => snapshot.get(id));
  }

  #snapshot(overrides: ReadonlyMap<string, Override>): Snapshot {
    const known = new Map<string, Entry | undefined>();
    const get = (id: string) => {
      if (!this.#bundled.has(id) && !this.#file.has(id) && !overrides.has(id)) return undefined;
      if (!known.has(id))
        known.set(id, toEntry(id, this.#bundled.get(id), this.#file.get(id), overrides.get(id)));
      return known.get(id);
    };
    const ids = [...new Set([...this.#bundled.keys(), ...this.#file.keys(), ...overrides.keys()])].sort();
    const byName = Map.groupBy(ids, (id) => id.slice(id.indexOf('/') + 1));
    return {
      get,
      ids: () => ids,
      named: (name) => byName.get(name) ?? [],
      like(owner, name) {
        const exact = get(`${owner}/${name}`);
        if (exact) return exact;
        const id = bundledId(owner, name);
        return id === undefined ? undefined : get(id);
      },
    };
  }
}

function toEntry(
  id: string,
  bundled: BundledModel | undefined,
  fromFile: Override | undefined,
  override: Override | undefined,
): Entry {
  const facts = factsOf(id);
  const given = { ...fromFile, ...override };
  const capabilities: Capabilities = {
    ...facts.capabilities,
    ...fromFile?.capabilities,
    ...override?.capabilities,
  };
  const own = override?.prices ?? fromFile?.prices;
  const fixed = own === undefined ? undefined : toPrices(own, override?.prices ? 'operator' : 'file');
  return {
    id,
    name: bundled?.name ?? id.slice(id.indexOf('/') + 1),
    description: bundled?.description,
    capabilities,
    modalities: facts.modalities,
    contextWindow: given.contextWindow ?? bundled?.contextWindow ?? facts.contextWindow,
    maxOutputTokens: given.maxOutputTokens ?? facts.maxOutputTokens,
    source: override ? 'override' : fromFile ? 'file' : 'bundled',
    override,
    pricesAt: (now) => fixed ?? bundled?.pricesAt(now) ?? null,
  };
}

/** Micro-dollars per million tokens are pico-dollars a token; micro-dollars a unit are a million pico-dollars. */
function toPrices(prices: NonNullable<Override['prices']>, source: string): Prices {
  if (prices === 'free') return { tiers: [{ above: 0, rates: noRates }], source };
  const rates = {
    ...noRates,
    input: Math.ceil(prices.input ?? 0),
    output: Math.ceil(prices.output ?? 0),
    cachedInput: prices.cachedInput === undefined ? null : Math.ceil(prices.cachedInput),
    cacheWrite: prices.cacheWrite === undefined ? null : Math.ceil(prices.cacheWrite),
    perRequest: Math.ceil((prices.perRequest ?? 0) * 1e6),
    perImage: Math.ceil((prices.perImage ?? 0) * 1e6),
    perSecond: Math.ceil((prices.perSecond ?? 0) * 1e6),
  };
  return { tiers: [{ above: 0, rates }], source };
}

/** The operator's file, by id. A file that cannot be read or is wrong stops the start, and is named. */
export async function readCatalogueFile(file: string | undefined): Promise<Map<string, Override>> {
  if (file === undefined) return new Map();
  const text = await readFile(file, 'utf8');
  let content: unknown;
  try {
    content = JSON.parse(text);
  } catch (cause) {
    throw new Error(`MAINSTAY_AI_CATALOGUE_FILE: ${file} is not JSON.`, { cause });
  }
  if (!Value.Check(CatalogueFile, content)) {
    const [first] = Value.Errors(CatalogueFile, content);
    throw new Error(
      `MAINSTAY_AI_CATALOGUE_FILE: ${file} is wrong at ${first?.instancePath || 'the whole'}: ${first?.message}.`,
    );
  }
  return new Map(Object.entries(content.models));
}
