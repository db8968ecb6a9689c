import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { test } from 'node:test';
import { DayFile, type Line } from '#adapters/sqlite-logs/day-file.ts';
import { DayReader } from '#adapters/sqlite-logs/day-reader.ts';
import { HeadCache } from '#adapters/sqlite-logs/head-cache.ts';
import { openSqliteLogs } from '#adapters/sqlite-logs/open.ts';
import { textOf } from '#adapters/sqlite-logs/texts.ts';
import { newId } from '#core/ids.ts';
import { type StreamSpec, streams } from '#core/log-streams.ts';
import { requestLine } from '#testing/request-lines.ts';

const scope = newId();

function line(at: number, id = newId(at), spec: StreamSpec = streams.requests): Line {
  return {
    ...{ id, scope, at, weight: 1, values: Object.keys(spec.columns).map(() => null) },
    ...{ body: textOf(`{"at":${at}}`), detail: textOf(at % 2 ? '{}' : '') },
  };
}

function folderOf(spec: StreamSpec = streams.requests) {
  const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
  const place = path.join(folder, 'day.db');
  const open = () => new DayFile(place, spec);
  const blocks = () => {
    const reader = new DayReader(place, { inode: 1, heads: new HeadCache() });
    const found = reader.open(scope, { from: 0, to: 8.64e15 });
    const lines = found.flatMap((block) => {
      const shown = reader.lines(block);
      return Array.from({ length: block.lines }, (_, at) => at)
        .filter((at) => !block.gone.includes(at))
        .map((at) => shown.line(at, { detail: true }));
    });
    reader.close();
    return { count: found.length, lines: lines.sort((a, b) => a.at - b.at || (a.id < b.id ? -1 : 1)) };
  };
  return { place, open, blocks, [Symbol.dispose]: () => rmSync(folder, { recursive: true }) };
}

test('a file of the first version is read, and its waiting lines are taken over when it is next written', () => {
  using folder = folderOf();
  const file = folder.open();
  const [sealed, waiting, added] = [line(1000), line(2001), line(3000)];
  file.append([sealed], { now: 5 });
  while (file.seal({ all: true }));
  file.close();
  const columns = Object.keys(streams.requests.columns).map((_, at) => `c${at}`);
  const old = new DatabaseSync(folder.place);
  old.exec(`drop table batch; drop table waiting;
    create table tail (scope text, at integer, id text, stored integer, weight real, ${columns.join(', ')},
      body text, detail text, primary key (scope, at, id));
    create table scopes (scope text primary key, units integer not null) without rowid;
    insert into scopes values ('${scope}', 1);
    insert into tail (scope, at, id, stored, weight, c5, body, detail)
      values ('${scope}', 2001, '${waiting.id}', 6, 10, 'GET', '{"at":2001}', '{}');
    pragma user_version = 1;`);
  old.close();
  assert.deepEqual(
    folder.blocks().lines.map(({ id }) => id),
    [sealed.id],
  );

  const again = folder.open();
  again.append([added], { now: 7 });
  const { lines } = folder.blocks();
  assert.deepEqual(lines, [
    { id: sealed.id, at: 1000, stored: 5, weight: 1, body: '{"at":1000}', detail: '' },
    { id: waiting.id, at: 2001, stored: 6, weight: 10, body: '{"at":2001}', detail: '{}' },
    { id: added.id, at: 3000, stored: 7, weight: 1, body: '{"at":3000}', detail: '' },
  ]);
  while (again.seal({ all: true }));
  again.close();
  assert.deepEqual(folder.blocks(), { count: 2, lines });
});

test('a message that comes again, since nobody knows whether it was stored, is stored once', () => {
  using folder = folderOf();
  using file = closing(folder.open());
  const key = { writer: newId(), number: 3 };
  file.append([line(1)], { now: 1, key });
  file.append([line(1)], { now: 2, key });
  assert.equal(folder.blocks().lines.length, 1);
  file.append([line(2)], { now: 3, key: { ...key, number: 4 } });
  file.append([line(3)], { now: 4, key: { writer: newId(), number: 1 } });
  assert.deepEqual(
    folder.blocks().lines.map(({ at }) => at),
    [1, 2, 3],
  );
});

test('many small batches become few, in order, and lines that were replaced are left out', () => {
  using folder = folderOf(streams['ai-usage']);
  using file = closing(folder.open());
  const ids = new Map<number, string>();
  for (let round = 0; round < 1000; round++) {
    // Moments come out of order, and every third line replaces one of before.
    const at = round % 3 === 2 ? ((round * 7) % (round - 1)) + 1 : ((round * 389) % 1000) + 1000;
    const id = ids.get(at) ?? newId(at);
    ids.set(at, id);
    file.append([line(at, id, streams['ai-usage'])], { now: round });
    while (file.seal({ all: false }));
  }
  const expected = [...ids].sort(([a], [b]) => a - b);
  const { count, lines } = folder.blocks();
  assert.ok(count < 140, `${count} batches`);
  assert.deepEqual(
    lines.map(({ at, id }) => [at, id]),
    expected,
  );
  while (file.seal({ all: true }));
  const sealed = folder.blocks();
  assert.equal(sealed.count, 1);
  assert.deepEqual(sealed.lines, lines);
});

test('a question that is asked while batches are merged misses nothing', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
  const year = 365 * 86_400;
  {
    await using logs = openSqliteLogs({
      folder,
      prepare: { requests: { addresses: 'none', countriesFile: undefined } },
      retention: { requests: year, 'runtime-logs': year, 'ai-usage': year },
      bufferBytes: 32 * 1024 * 1024,
      notice: () => {},
    });
    const asked: Promise<void>[] = [];
    for (let stored = 1; stored <= 600; stored++) {
      await logs.append('requests', [requestLine({ applicationId: scope, path: `/${stored}` })]);
      const page = logs.search('requests', { scope, order: 'newest', limit: 20, count: true });
      const least = stored;
      asked.push(
        page.then(({ total, lines }) => {
          assert.ok((total?.count ?? 0) >= least, `${total?.count} of at least ${least}`);
          assert.equal(lines.length, Math.min(20, total?.count ?? 0));
        }),
      );
    }
    await Promise.all(asked);
  }
  rmSync(folder, { recursive: true });
});

function closing(file: DayFile): DayFile & Disposable {
  return Object.assign(file, { [Symbol.dispose]: () => file.close() });
}
