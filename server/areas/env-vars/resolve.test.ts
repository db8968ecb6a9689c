import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuMilliseconds } from '#testing/cpu.ts';
import { resolveReferences } from './resolve.ts';

const resolved = (value: string) =>
  resolveReferences(
    new Map([
      ['A', { value, sensitive: false }],
      ['B', { value: 'b', sensitive: false }],
      ['${B', { value: 'odd', sensitive: false }],
      ['x'.repeat(255), { value: 'long', sensitive: false }],
    ]),
  ).get('A')?.value;

const texts: [string, string][] = [
  ['${B}', 'b'],
  ['a${B}c${B}', 'abcb'],
  ['\\${B}', '${B}'],
  ['\\\\${B}', '\\${B}'],
  ['${B}\\${B}', 'b${B}'],
  ['${}${', '${}${'],
  ['${NONE}${B}', '${NONE}b'],
  ['${${B}', 'odd'],
  ['${A=B}${B}', '${A=B}b'],
  ['${A\nB}${B}', '${A\nB}b'],
  [`\${${'x'.repeat(255)}}`, 'long'],
  [`\${${'x'.repeat(256)}}`, `\${${'x'.repeat(256)}}`],
  ['${${B', '${${B'],
];
for (const [text, expected] of texts)
  test(`${JSON.stringify(text.slice(0, 30))} resolves to ${JSON.stringify(expected.slice(0, 30))}`, () =>
    assert.equal(resolved(text), expected));

test('starts of references that never end take linear time', () => {
  for (const unit of ['${', '${x', '\\${', '${a=}', '${x\n}']) {
    const time = (length: number) => {
      const text = unit.repeat(length / unit.length);
      return cpuMilliseconds(() => resolved(text));
    };
    time(1 << 16);
    const [small, large] = [Math.min(time(1 << 17), time(1 << 17)), Math.min(time(1 << 21), time(1 << 21))];
    // The pattern of before took 255 steps for each start: 1.5 seconds for two megabytes.
    assert.ok(large < 250, `${unit}: ${large} ms`);
    assert.ok(large < 40 * Math.max(small, 5), `${unit}: ${small} ms, then ${large} ms`);
  }
});
