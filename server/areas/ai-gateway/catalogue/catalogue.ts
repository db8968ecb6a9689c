import { Cached } from '#core/cached.ts';
import { isoTime } from '#core/clock.ts';
import type { Db } from '#core/db.ts';
import { andThen, type Maybe } from '#core/maybe.ts';
import type { BundledModel } from './bundled.ts';
import { type Capabilities, type Facts, factsOf } from './capabilities.ts';
import { keptPriceList, modelsTopic, type PriceList } from './price-list.ts';
import { noRates, type Prices } from './rates.ts';
import type { Override } from './schema.ts';
import { findPriceList, listOverrides } from './store.ts';

export interface Entry extends Facts {
  /** `owner/name`. */
  id: string;
  name: string;
  description: string | undefined;
  /** Where its row comes from. */
  source: 'bundled' | 'file' | 'override';
  /** Whether a list of prices names it, and not only what was set for it here. */
  listed: boolean;
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

/** Bundled data, below the file or address of the operator, below what was set in the dashboard. */
export class Catalogue {
  readonly #snapshots: Cached<Snapshot>;

  constructor(db: Db, { file, url }: { file: PriceList | undefined; url: URL | undefined }) {
    this.#snapshots = new Cached<Snapshot>({
      notifications: db.notifications,
      max: 1,
      topics: [],
      sweepingTopics: [modelsTopic],
      load: async () => {
        const list = url ? keptPriceList(await findPriceList(db, url.href)) : file;
        const rows = await listOverrides(db);
        const overrides = rows.map(({ id, body, updated_at }): [string, Dated] => [
          id,
          { ...(JSON.parse(body) as Override), asOf: updated_at },
        ]);
        // Its data are 600 KB of JavaScript, which an instance without a request to a model never reads.
        return toSnapshot(await import('./bundled.ts'), list ?? noPrices, new Map(overrides));
      },
    });
  }

  now(): Maybe<Snapshot> {
    return this.#snapshots.get('');
  }

  async get(id: string): Promise<Entry | undefined> {
    return andThen(this.now(), (snapshot) => snapshot.get(id));
  }
}

function toSnapshot(
  { bundledId, bundledModels }: typeof import('./bundled.ts'),
  { models, asOf }: PriceList,
  overrides: ReadonlyMap<string, Dated>,
): Snapshot {
  const bundled = bundledModels();
  const known = new Map<string, Entry | undefined>();
  const get = (id: string) => {
    if (!bundled.has(id) && !models.has(id) && !overrides.has(id)) return undefined;
    if (!known.has(id)) {
      const listed = models.get(id);
      const dated = listed && { ...listed, asOf };
      known.set(id, toEntry(id, bundled.get(id), dated, overrides.get(id)));
    }
    return known.get(id);
  };
  const ids = [...new Set([...bundled.keys(), ...models.keys(), ...overrides.keys()])].sort();
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

/** What somebody said of a model, and when. */
type Dated = Override & { asOf: number };

const noPrices: PriceList = { models: new Map(), asOf: 0 };

function toEntry(
  id: string,
  bundled: BundledModel | undefined,
  fromFile: Dated | undefined,
  override: Dated | undefined,
): Entry {
  const facts = factsOf(id);
  const given = { ...fromFile, ...override };
  const capabilities: Capabilities = {
    ...facts.capabilities,
    ...fromFile?.capabilities,
    ...override?.capabilities,
  };
  const fixed = fixedPrices(fromFile, override);
  return {
    id,
    name: bundled?.name ?? id.slice(id.indexOf('/') + 1),
    description: bundled?.description,
    capabilities,
    modalities: facts.modalities,
    contextWindow: given.contextWindow ?? bundled?.contextWindow ?? facts.contextWindow,
    maxOutputTokens: given.maxOutputTokens ?? facts.maxOutputTokens,
    source: override ? 'override' : fromFile ? 'file' : 'bundled',
    listed: bundled !== undefined || fromFile !== undefined,
    override,
    pricesAt: (now) => fixed ?? bundled?.pricesAt(now) ?? null,
  };
}

function fixedPrices(fromFile: Dated | undefined, override: Dated | undefined): Prices | undefined {
  if (override?.prices) return toPrices(override.prices, 'operator', override.asOf);
  if (!fromFile?.prices) return undefined;
  const { prices, asOf } = fromFile;
  return toPrices(prices, `file ${isoTime(asOf).slice(0, 10)}`, asOf);
}

/** Micro-dollars per million tokens are pico-dollars a token; micro-dollars a unit are a million pico-dollars. */
function toPrices(prices: NonNullable<Override['prices']>, source: string, asOf: number): Prices {
  if (prices === 'free') return { tiers: [{ above: 0, rates: noRates }], source, asOf };
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
  return { tiers: [{ above: 0, rates }], source, asOf };
}
