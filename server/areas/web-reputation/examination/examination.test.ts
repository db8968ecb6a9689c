import assert from 'node:assert/strict';
import { test } from 'node:test';
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
