import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type DomainName, isDomain, readDomain } from '../domain-name.ts';
import { SquatDetector } from '../squat/detector.ts';
import { readNames } from '../squat/files.ts';
import { comboWords } from './combo-words.ts';
import { examine } from './examine.ts';

for (const half of ['training', 'test'] as const) {
  test(`squats of the ${half} half are caught, and names in their own right left alone`, async () => {
    const { overall, homoglyphs, caught, imitations, flagged, precision, wronglyFlagged } =
      await examine(half);
    assert.ok(overall >= 0.95, `overall ${overall}`);
    assert.ok(homoglyphs >= 0.9, `homoglyphs ${homoglyphs}`);
    assert.ok(caught.combosquatting >= 0.8, `combosquatting ${caught.combosquatting}`);
    assert.ok(imitations >= 0.9, `imitations ${imitations}`);
    assert.ok(flagged <= 0.002, `flagged: ${wronglyFlagged.join(' ')}`);
    assert.ok(precision >= 0.95, `precision ${precision}`);
  });
}

test('words of phishing in ten languages are told from words of others', async () => {
  const detector = new SquatDetector(await readNames(undefined));
  const labels = 'paypal netflix santander vinted klarna coinbase instagram expedia huawei ryanair'.split(
    ' ',
  );
  for (const [language, words] of Object.entries(comboWords)) {
    const squats = words.flatMap((word) =>
      labels.flatMap((label) => [`${label}-${word}.com`, `${word}${label}.com`]),
    );
    const missed = squats.filter((name) => !detector.examine(domain(name)));
    assert.ok(missed.length <= 0.2 * squats.length, `${language}: ${missed.join(' ')}`);
  }
});

test('three thousand names of every continent are protected', async () => {
  const { names } = await readNames(undefined);
  assert.ok(names.length >= 3000, String(names.length));
  const labels = new Set(names.map(({ label }) => label));
  for (const label of 'safaricom shoprite mercadona esselunga bankislam jollibee falabella bunnings'.split(
    ' ',
  ))
    assert.ok(labels.has(label), label);
});

function domain(text: string): DomainName {
  const read = readDomain(text);
  assert.ok(isDomain(read), text);
  return read;
}
