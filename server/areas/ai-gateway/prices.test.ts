import assert from 'node:assert/strict';
import { test } from 'node:test';
import { bundledId, bundledModels } from './catalogue/bundled.ts';
import { costNanos, noRates, type Prices } from './catalogue/rates.ts';
import { noUsage, type Usage } from './catalogue/usage.ts';

/** Worked out apart from this code, from the makers' price lists: model, what was used, percent of the service tier, nano-dollars. */
const worked: [string, Partial<Usage>, number, number][] = [
  ['openai/gpt-4o', { input: 1000, output: 500 }, 100, 7500000],
  ['openai/gpt-4o', { input: 1, output: 1 }, 100, 12500],
  ['openai/gpt-4o', { input: 12345, output: 678, cacheRead: 10000 }, 100, 25142500],
  ['openai/gpt-4o', { input: 100000, output: 0, cacheRead: 99999 }, 100, 125001250],
  ['openai/gpt-4o-mini', { input: 1000, output: 500 }, 100, 450000],
  ['openai/gpt-4o-mini', { input: 1, output: 1 }, 100, 750],
  ['openai/gpt-4o-mini', { input: 12345, output: 678, cacheRead: 10000 }, 100, 1508550],
  ['openai/gpt-4o-mini', { input: 100000, output: 0, cacheRead: 99999 }, 100, 7500075],
  ['openai/gpt-4.1', { input: 1000, output: 500 }, 100, 6000000],
  ['openai/gpt-4.1', { input: 1, output: 1 }, 100, 10000],
  ['openai/gpt-4.1', { input: 12345, output: 678, cacheRead: 10000 }, 100, 15114000],
  ['openai/gpt-4.1', { input: 100000, output: 0, cacheRead: 99999 }, 100, 50001500],
  ['openai/gpt-4.1-mini', { input: 1000, output: 500 }, 100, 1200000],
  ['openai/gpt-4.1-mini', { input: 1, output: 1 }, 100, 2000],
  ['openai/gpt-4.1-mini', { input: 12345, output: 678, cacheRead: 10000 }, 100, 3022800],
  ['openai/gpt-4.1-mini', { input: 100000, output: 0, cacheRead: 99999 }, 100, 10000300],
  ['openai/gpt-4.1-nano', { input: 1000, output: 500 }, 100, 300000],
  ['openai/gpt-4.1-nano', { input: 1, output: 1 }, 100, 500],
  ['openai/gpt-4.1-nano', { input: 12345, output: 678, cacheRead: 10000 }, 100, 755700],
  ['openai/gpt-4.1-nano', { input: 100000, output: 0, cacheRead: 99999 }, 100, 2500075],
  ['openai/o3', { input: 1000, output: 500 }, 100, 6000000],
  ['openai/o3', { input: 1, output: 1 }, 100, 10000],
  ['openai/o3', { input: 12345, output: 678, cacheRead: 10000 }, 100, 15114000],
  ['openai/o3', { input: 100000, output: 0, cacheRead: 99999 }, 100, 50001500],
  ['openai/o4-mini', { input: 1000, output: 500 }, 100, 3300000],
  ['openai/o4-mini', { input: 1, output: 1 }, 100, 5500],
  ['openai/o4-mini', { input: 12345, output: 678, cacheRead: 10000 }, 100, 8312700],
  ['openai/o4-mini', { input: 100000, output: 0, cacheRead: 99999 }, 100, 27500825],
  ['openai/gpt-5', { input: 1000, output: 500 }, 100, 6250000],
  ['openai/gpt-5', { input: 1, output: 1 }, 100, 11250],
  ['openai/gpt-5', { input: 12345, output: 678, cacheRead: 10000 }, 100, 10961250],
  ['openai/gpt-5', { input: 100000, output: 0, cacheRead: 99999 }, 100, 12501125],
  ['openai/gpt-5-mini', { input: 1000, output: 500 }, 100, 1250000],
  ['openai/gpt-5-mini', { input: 1, output: 1 }, 100, 2250],
  ['openai/gpt-5-mini', { input: 12345, output: 678, cacheRead: 10000 }, 100, 2192250],
  ['openai/gpt-5-mini', { input: 100000, output: 0, cacheRead: 99999 }, 100, 2500225],
  ['openai/text-embedding-3-small', { input: 1000, output: 500 }, 100, 20000],
  ['openai/text-embedding-3-small', { input: 1, output: 1 }, 100, 20],
  ['openai/text-embedding-3-small', { input: 12345, output: 678, cacheRead: 10000 }, 100, 246900],
  ['openai/text-embedding-3-small', { input: 100000, output: 0, cacheRead: 99999 }, 100, 2000000],
  ['anthropic/claude-3-5-haiku', { input: 1000, output: 500 }, 100, 2800000],
  ['anthropic/claude-3-5-haiku', { input: 1, output: 1 }, 100, 4800],
  ['anthropic/claude-3-5-haiku', { input: 12345, output: 678, cacheRead: 10000 }, 100, 5388000],
  ['anthropic/claude-3-5-haiku', { input: 100000, output: 0, cacheRead: 99999 }, 100, 8000720],
  ['anthropic/claude-opus-4-0', { input: 1000, output: 500 }, 100, 52500000],
  ['anthropic/claude-opus-4-0', { input: 1, output: 1 }, 100, 90000],
  ['anthropic/claude-opus-4-0', { input: 12345, output: 678, cacheRead: 10000 }, 100, 101025000],
  ['anthropic/claude-opus-4-0', { input: 100000, output: 0, cacheRead: 99999 }, 100, 150013500],
  ['anthropic/claude-sonnet-4-5', { input: 1000, output: 500 }, 100, 10500000],
  ['anthropic/claude-sonnet-4-5', { input: 1, output: 1 }, 100, 18000],
  ['anthropic/claude-sonnet-4-5', { input: 12345, output: 678, cacheRead: 10000 }, 100, 20205000],
  ['anthropic/claude-sonnet-4-5', { input: 100000, output: 0, cacheRead: 99999 }, 100, 30002700],
  ['google/gemini-2.5-flash', { input: 1000, output: 500 }, 100, 1550000],
  ['google/gemini-2.5-flash', { input: 1, output: 1 }, 100, 2800],
  ['google/gemini-2.5-flash', { input: 12345, output: 678, cacheRead: 10000 }, 100, 2698500],
  ['google/gemini-2.5-flash', { input: 100000, output: 0, cacheRead: 99999 }, 100, 3000270],
  ['google/gemini-2.5-flash-lite', { input: 1000, output: 500 }, 100, 300000],
  ['google/gemini-2.5-flash-lite', { input: 1, output: 1 }, 100, 500],
  ['google/gemini-2.5-flash-lite', { input: 12345, output: 678, cacheRead: 10000 }, 100, 605700],
  ['google/gemini-2.5-flash-lite', { input: 100000, output: 0, cacheRead: 99999 }, 100, 1000090],
  [
    'anthropic/claude-opus-4-0',
    { input: 5000, output: 100, cacheRead: 1000, cacheWrite: 3000 },
    100,
    80250000,
  ],
  [
    'anthropic/claude-sonnet-4-5',
    { input: 5000, output: 100, cacheRead: 1000, cacheWrite: 3000 },
    100,
    16050000,
  ],
  [
    'anthropic/claude-3-5-haiku',
    { input: 5000, output: 100, cacheRead: 1000, cacheWrite: 3000 },
    100,
    4280000,
  ],
  ['openai/gpt-4o', { input: 1000, output: 500 }, 50, 3750000],
  ['openai/gpt-4o', { input: 1000, output: 500 }, 200, 15000000],
  ['openai/gpt-5', { input: 1000, output: 500 }, 50, 3125000],
  ['openai/gpt-5', { input: 1000, output: 500 }, 200, 12500000],
  ['openai/o3', { input: 1000, output: 500 }, 50, 3000000],
  ['openai/o3', { input: 1000, output: 500 }, 200, 12000000],
];

const models = bundledModels();
const noon = Date.UTC(2026, 8, 22, 12);

for (const [id, used, percent, expected] of worked)
  test(`${id} at ${percent} %: ${JSON.stringify(used)} costs ${expected} nano-dollars`, () => {
    const [owner = '', name = ''] = id.split('/');
    const model = models.get(id) ?? models.get(bundledId(owner, name) ?? '');
    const prices = model?.pricesAt(noon);
    assert.ok(prices, 'the price list knows the model');
    assert.equal(costNanos(prices, { ...noUsage, ...used }, percent), expected);
  });

/** Classes of usage that few models have, at prices of one to some pico-dollars. */
const odd: Prices = {
  tiers: [
    {
      above: 0,
      rates: {
        ...{ ...noRates, input: 2_000_000, output: 8_000_000, cachedInput: 200_000, cacheWrite: 2_500_000 },
        ...{ cacheWriteLong: 4_000_000, inputAudio: 40_000_000, outputAudio: 80_000_000 },
        ...{ inputImage: 10_000_000, outputImage: 40_000_000, perRequest: 5_000_000_000 },
        perImage: 40_000_000_000,
        perSecond: 100_000_000,
        perCharacter: 15_000_000,
        perSearch: 10_000_000_000,
      },
    },
    { above: 200_000, rates: { ...noRates, input: 4_000_000, output: 12_000_000 } },
  ],
  source: 'test',
  asOf: 0,
};
const request = 5_000_000;
const oddCases: [string, Partial<Usage>, number][] = [
  ['nothing but the request', {}, request],
  ['sound in', { input: 100, inputAudio: 60 }, request + 40 * 2000 + 60 * 40_000],
  ['sound out', { output: 100, outputAudio: 60 }, request + 40 * 8000 + 60 * 80_000],
  ['pictures in', { input: 100, inputImage: 60 }, request + 40 * 2000 + 60 * 10_000],
  ['pictures out', { output: 100, outputImage: 60 }, request + 40 * 8000 + 60 * 40_000],
  ['whole pictures', { images: 3 }, request + 3 * 40_000_000],
  ['seconds, in thousandths', { seconds: 2.5 }, request + 250_000],
  ['characters', { characters: 7 }, request + 105_000],
  ['searches', { webSearches: 2 }, request + 20_000_000],
  [
    'both caches',
    { input: 100, cacheRead: 10, cacheWrite: 20, cacheWriteLong: 30 },
    request + 40 * 2000 + 2000 + 50_000 + 120_000,
  ],
  ['reasoning, which is output already', { output: 100, reasoning: 90 }, request + 800_000],
  ['the edge of a tier', { input: 200_000, output: 1 }, request + 400_000_000 + 8000],
  ['beyond the edge', { input: 200_001, output: 1 }, 200_001 * 4000 + 12_000],
];
for (const [what, used, expected] of oddCases)
  test(`${what}: ${expected} nano-dollars`, () => {
    assert.equal(costNanos(odd, { ...noUsage, ...used }), expected);
  });

test('a cost is rounded up once, and stays exact where doubles are not', () => {
  const tiny: Prices = {
    tiers: [{ above: 0, rates: { ...noRates, input: 1, output: 1 } }],
    source: 'test',
    asOf: 0,
  };
  assert.equal(costNanos(tiny, { ...noUsage, input: 1, output: 1 }), 1);
  assert.equal(costNanos(tiny, { ...noUsage, input: 1000, output: 1 }), 2);
  const dear: Prices = {
    tiers: [{ above: 0, rates: { ...noRates, input: 99_999_999 } }],
    source: 'test',
    asOf: 0,
  };
  assert.equal(costNanos(dear, { ...noUsage, input: 90_000_001 }), 9_000_000_010_000);
});
