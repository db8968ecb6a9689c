import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { test } from 'node:test';
import { DayFile } from '#adapters/sqlite-logs/day-file.ts';
import { DayReader } from '#adapters/sqlite-logs/day-reader.ts';
import { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { select, testsOf } from '#adapters/sqlite-logs/select.ts';
import { textOf } from '#adapters/sqlite-logs/texts.ts';
import { newId } from '#core/ids.ts';
import type { LogFilter } from '#core/log-store.ts';
import { streams } from '#core/log-streams.ts';
import type { Entry } from '#core/logs/entry.ts';

const spec = streams.requests;
const names = Object.keys(spec.columns);
const range = { from: 0, to: 8.64e15 };

function entry(scope: string, at: number, values: Record<string, string | number | null>): Entry {
  return {
    ...{ id: newId(at), scope, at, weight: 1, body: '{}', detail: '' },
    values: names.map((name) => values[name] ?? null),
  };
}

/** A day's file in which all lines are in blocks. */
function dayOf(entries: readonly Entry[]) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
  const place = path.join(folder, 'day.db');
  const file = new DayFile(place, spec);
  const store = (more: readonly Entry[]) => {
    file.append(
      more.map((one) => ({ ...one, body: textOf(one.body), detail: textOf(one.detail) })),
      { now: Date.now() },
    );
    while (file.seal({ all: true }));
  };
  store(entries);
  const reader = new DayReader(place, { inode: 1, heads: new HeadCache() });
  return {
    ...{ file, store, reader },
    [Symbol.dispose]() {
      reader.close();
      file.close();
      rmSync(folder, { recursive: true });
    },
  };
}

const paths = [
  '/',
  '/a',
  '/a/',
  '/a/b',
  '/a/b/',
  '/a/b/c',
  '/a/bc/d',
  '/ab/c/d/e',
  '//',
  '//x',
  '///y',
  '/ü/é/ö',
];

test('what a block selects is what its lines say, for every filter and any three of them', () => {
  const object = (number: number) => `0195c11c-0000-7000-8000-${String(number).padStart(12, '0')}`;
  const entries = Array.from({ length: 3000 }, (_, at) =>
    entry('s', 1000 + at, {
      method: at % 7 === 0 ? 'POST' : 'GET',
      status: 200 + (at % 3) * 100,
      storageObjectId: at % 2 === 0 ? object(at) : null,
      path: `${paths[at % paths.length]}${at % 5 === 0 ? at : ''}`,
      durationMs: at / 7,
      agent: at < 2 ? null : 'curl',
      region: 'eu-1',
    }),
  );
  using day = dayOf(entries);
  const filters: LogFilter[] = [
    { column: 'method', in: ['POST'] },
    { column: 'method', in: ['DELETE'] },
    { column: 'status', in: [300, 400] },
    { column: 'region', in: ['eu-1'] },
    { column: 'region', in: ['us-1', null] },
    { column: 'storageObjectId', in: [object(10), object(11)] },
    { column: 'storageObjectId', in: [object(9_999_999)] },
    { column: 'storageObjectId', in: [null] },
    { column: 'agent', in: [null] },
    { column: 'durationMs', min: 400 },
    { column: 'durationMs', min: 4000 },
    { columns: ['path', 'agent'], contains: 'CURL' },
    { columns: ['path', 'error'], contains: 'b/c' },
    ...[...paths, '/a/b/c/d', '/x', '/a/x/', '/ab/', 'a', '/ü/é'].map((prefix) => ({
      column: 'path',
      prefix,
    })),
  ];
  const [block] = day.reader.open('s', range);
  assert.ok(block);
  const check = (chosen: readonly LogFilter[]) => {
    const tests = testsOf(spec, chosen);
    const fits = ({ values }: Entry) =>
      tests.every(({ columns, fits: fit }) => columns.some((column) => fit(values[column] ?? null)));
    const expected = entries.flatMap((one, line) => (fits(one) ? [line] : []));
    const mask = select(day.reader.blocks, block, tests);
    const found = mask === undefined ? [] : entries.flatMap((_, line) => (!mask || mask[line] ? [line] : []));
    assert.deepEqual(found, expected, JSON.stringify(chosen));
  };
  for (const one of filters) {
    check([one]);
    for (const two of filters)
      check([one, two, filters[(filters.indexOf(one) * 7) % filters.length] as LogFilter]);
  }
});

test('a block that the head of any filter rules out is passed over before a line of it is read', () => {
  const entries = Array.from({ length: 2000 }, (_, at) =>
    entry('s', 1000 + at, {
      ...{ method: at % 2 ? 'GET' : 'POST', path: `/shop/${at % 20}/${at}`, storageObjectId: newId(at) },
    }),
  );
  using day = dayOf(entries);
  const { blocks } = day.reader;
  let read = 0;
  const part = blocks.part.bind(blocks);
  blocks.part = (...asked) => {
    read++;
    return part(...asked);
  };
  const ask = (...filters: LogFilter[]) => {
    read = 0;
    const [block] = day.reader.open('s', range);
    assert.ok(block);
    return select(blocks, block, testsOf(spec, filters));
  };
  const method = { column: 'method', in: ['GET'] };
  const absent = { column: 'storageObjectId', in: [newId(1)] };
  ask(method, absent);
  // By now the Bloom filter is kept.
  assert.equal(ask(method, absent), undefined);
  assert.equal(read, 0);
  assert.equal(ask(method, { column: 'path', prefix: '/shop/77/' }), undefined);
  assert.equal(read, 0);
  assert.ok(ask(method, { column: 'path', prefix: '/shop/7/' }));
  assert.ok(read > 0);
});

test('a head that is kept is never taken for one of a block that came in the place of a purged one', () => {
  using day = dayOf([entry('a', 1000, { method: 'GET' })]);
  const methods = (scope: string) =>
    day.reader.open(scope, range).map(({ head }) => head.columns[names.indexOf('method')]);
  assert.deepEqual(methods('a'), [{ k: 'one', v: 'GET' }]);
  day.file.purge('a');
  day.store([entry('a', 1000, { method: 'POST' })]);
  assert.deepEqual(methods('a'), [{ k: 'one', v: 'POST' }]);
  day.file.purge('a');
  day.store([entry('b', 1000, { method: 'PUT' })]);
  assert.deepEqual([methods('a'), methods('b')], [[], [{ k: 'one', v: 'PUT' }]]);
});
