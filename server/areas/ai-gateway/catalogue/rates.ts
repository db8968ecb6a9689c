import type { Usage } from './usage.ts';

/**
 * Unit prices in pico-dollars: a price in micro-dollars per million tokens is the same number of pico-dollars a token.
 * Null: the price list does not name it, and the more general rate holds.
 */
export interface Rates {
  input: number;
  output: number;
  cachedInput: number | null;
  cacheWrite: number | null;
  cacheWriteLong: number | null;
  inputAudio: number | null;
  outputAudio: number | null;
  inputImage: number | null;
  outputImage: number | null;
  perRequest: number;
  perImage: number;
  perSecond: number;
  perCharacter: number;
  perSearch: number;
}

export interface Prices {
  /** By input tokens, the lowest first: those of a request with more input than `above`. */
  tiers: readonly { above: number; rates: Rates }[];
  /** Where they come from: `genai-prices 0.1.8`, `file 2026-11-01`, `operator`. */
  source: string;
  /** Of when they are. Milliseconds. */
  asOf: number;
}

export const noRates: Rates = {
  input: 0,
  output: 0,
  cachedInput: null,
  cacheWrite: null,
  cacheWriteLong: null,
  inputAudio: null,
  outputAudio: null,
  inputImage: null,
  outputImage: null,
  perRequest: 0,
  perImage: 0,
  perSecond: 0,
  perCharacter: 0,
  perSearch: 0,
};

/** OpenAI's processing tiers, as factors of the list price in percent. https://openai.com/api/pricing, September 2026. */
const serviceTiers: Record<string, number> = { flex: 50, batch: 50, priority: 200 };

export function tierPercent(serviceTier: string | undefined): number {
  return serviceTier !== undefined && Object.hasOwn(serviceTiers, serviceTier)
    ? (serviceTiers[serviceTier] as number)
    : 100;
}

export function ratesFor(prices: Prices, inputTokens: number): Rates {
  let found = prices.tiers[0]?.rates ?? noRates;
  for (const { above, rates } of prices.tiers) if (inputTokens > above) found = rates;
  return found;
}

/**
 * The cost in nano-dollars, rounded up once. Sums are exact: integers of pico-dollars, beyond what a double holds.
 * Every class of tokens is charged once, at its own rate where it has one.
 */
export function costNanos(prices: Prices, usage: Usage, percent = 100): number {
  const rates = ratesFor(prices, usage.input);
  const plainInput = Math.max(
    0,
    usage.input -
      usage.cacheRead -
      usage.cacheWrite -
      usage.cacheWriteLong -
      usage.inputAudio -
      (rates.inputImage === null ? 0 : usage.inputImage),
  );
  const plainOutput = Math.max(
    0,
    usage.output - usage.outputAudio - (rates.outputImage === null ? 0 : usage.outputImage),
  );
  const cacheWrite = rates.cacheWrite ?? rates.input;
  const parts: [number, number][] = [
    [plainInput, rates.input],
    [usage.cacheRead, rates.cachedInput ?? rates.input],
    [usage.cacheWrite, cacheWrite],
    [usage.cacheWriteLong, rates.cacheWriteLong ?? cacheWrite],
    [usage.inputAudio, rates.inputAudio ?? rates.input],
    [rates.inputImage === null ? 0 : usage.inputImage, rates.inputImage ?? 0],
    [plainOutput, rates.output],
    [usage.outputAudio, rates.outputAudio ?? rates.output],
    [rates.outputImage === null ? 0 : usage.outputImage, rates.outputImage ?? 0],
    [usage.images, rates.perImage],
    [usage.characters, rates.perCharacter],
    [usage.webSearches, rates.perSearch],
    [1, rates.perRequest],
  ];
  let pico = 0n;
  for (const [units, rate] of parts)
    if (units > 0 && rate > 0) pico += BigInt(Math.ceil(units)) * BigInt(rate);
  // Seconds may be fractions; a thousandth of one is as fine as any provider bills.
  if (usage.seconds > 0 && rates.perSecond > 0)
    pico += (BigInt(Math.ceil(usage.seconds * 1000)) * BigInt(rates.perSecond)) / 1000n;
  const scaled = pico * BigInt(percent);
  return Number((scaled + 99_999n) / 100_000n);
}

/** What answers show: micro-dollars, rounded up. */
export function toMicros(nanos: number): number {
  return Math.ceil(nanos / 1000);
}
