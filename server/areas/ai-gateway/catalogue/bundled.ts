import { findProvider, type ModelInfo, type ModelPrice, type TieredPrices } from '@pydantic/genai-prices';
import { bundledAsOf, bundledName } from './price-list.ts';
import { noRates, type Prices, type Rates } from './rates.ts';

/** Bundled prices: the data of `@pydantic/genai-prices` (MIT), read once in our own form. */

export interface BundledModel {
  /** `owner/name`. */
  id: string;
  name: string;
  description: string | undefined;
  contextWindow: number | null;
  /** At that moment; some change with the date or the time of day. Null: the list does not know. */
  pricesAt(now: number): Prices | null;
}

/** Our name of an owner, and that of the price list. */
const owners: Record<string, string> = {
  openai: 'openai',
  anthropic: 'anthropic',
  google: 'google',
  mistral: 'mistral',
  groq: 'groq',
  together: 'together',
  fireworks: 'fireworks',
  deepseek: 'deepseek',
  xai: 'x-ai',
  cerebras: 'cerebras',
  perplexity: 'perplexity',
  openrouter: 'openrouter',
  azure: 'azure',
};

export function bundledModels(): Map<string, BundledModel> {
  const models = new Map<string, BundledModel>();
  for (const [owner, providerId] of Object.entries(owners)) {
    const provider = findProvider({ providerId });
    for (const model of provider?.models ?? []) {
      const id = `${owner}/${model.id}`;
      models.set(id, {
        id,
        name: model.name ?? model.id,
        description: model.description,
        contextWindow: model.context_window ?? null,
        pricesAt: byMinute((now) => pricesOf(model, now)),
      });
    }
  }
  return models;
}

/** Prices change by the date or by the time of day, never within a minute. */
function byMinute(read: (now: number) => Prices | null): (now: number) => Prices | null {
  let minute = Number.NaN;
  let kept: Prices | null = null;
  return (now) => {
    const wanted = Math.floor(now / 60_000);
    if (wanted !== minute) {
      kept = read(now);
      minute = wanted;
    }
    return kept;
  };
}

/** Other spellings of a model that the list knows (dated versions), by owner. */
export function bundledId(owner: string, name: string): string | undefined {
  const providerId = Object.hasOwn(owners, owner) ? owners[owner] : undefined;
  if (providerId === undefined || name.length > 200) return undefined;
  const found = findProvider({ providerId })?.models.find((model) => matches(model.match, name));
  return found ? `${owner}/${found.id}` : undefined;
}

function matches(logic: ModelInfo['match'], name: string): boolean {
  if ('or' in logic) return logic.or.some((part) => matches(part, name));
  if ('and' in logic) return logic.and.every((part) => matches(part, name));
  if ('equals' in logic) return logic.equals === name;
  if ('starts_with' in logic) return name.startsWith(logic.starts_with);
  if ('ends_with' in logic) return name.endsWith(logic.ends_with);
  if ('contains' in logic) return name.includes(logic.contains);
  return new RegExp(logic.regex).test(name);
}

function pricesOf(model: ModelInfo, now: number): Prices | null {
  const price = priceAt(model, now);
  if (!price) return null;
  const starts = new Set([0]);
  for (const value of Object.values(price))
    if (typeof value === 'object') for (const tier of value.tiers) starts.add(tier.start);
  const tiers = [...starts].sort((a, b) => a - b).map((above) => ({ above, rates: ratesAt(price, above) }));
  return { tiers, source: bundledName, asOf: bundledAsOf };
}

/** The last entry whose condition holds; one without a condition always does. */
function priceAt({ prices }: ModelInfo, now: number): ModelPrice | undefined {
  if (!Array.isArray(prices)) return prices;
  const time = new Date(now).toISOString();
  const holding = prices.filter(({ constraint }) => {
    if (!constraint) return true;
    if (constraint.type === 'start_date') return time.slice(0, 10) >= constraint.start_date;
    const clock = `${time.slice(11, 19)}Z`;
    const { start_time: start, end_time: end } = constraint;
    return start <= end ? clock >= start && clock < end : clock >= start || clock < end;
  });
  return holding.at(-1)?.prices;
}

function ratesAt(price: ModelPrice, above: number): Rates {
  const value = (key: string): number | null => {
    const found = Object.hasOwn(price, key) ? price[key] : undefined;
    if (found === undefined) return null;
    return typeof found === 'number' ? found : tiered(found, above);
  };
  /** Dollars per `per` units, in pico-dollars a unit. */
  const pico = (key: string, per: number): number | null => {
    const dollars = value(key);
    return dollars === null ? null : Math.round((dollars * 1e12) / per);
  };
  const hours = pico('audio_hours', 3600) ?? pico('input_audio_hours', 3600);
  return {
    ...noRates,
    input: pico('input_mtok', 1e6) ?? 0,
    output: pico('output_mtok', 1e6) ?? 0,
    cachedInput: pico('cache_read_mtok', 1e6),
    cacheWrite: pico('cache_write_mtok', 1e6),
    cacheWriteLong: pico('cache_write_1h_mtok', 1e6),
    inputAudio: pico('input_audio_mtok', 1e6),
    outputAudio: pico('output_audio_mtok', 1e6),
    inputImage: pico('input_image_mtok', 1e6),
    outputImage: pico('output_image_mtok', 1e6),
    perRequest: pico('requests_kcount', 1000) ?? 0,
    perSecond: hours ?? 0,
    perSearch: pico('web_searches_kcount', 1000) ?? 0,
  };
}

function tiered({ base, tiers }: TieredPrices, above: number): number {
  let found = base;
  for (const tier of tiers) if (above >= tier.start) found = tier.price;
  return found;
}
