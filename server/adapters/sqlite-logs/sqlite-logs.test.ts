import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { createInterface } from 'node:readline';
import { describe, test } from 'node:test';
import { DayFolder } from '#adapters/sqlite-logs/day-folder.ts';
import { brokenLogFiles, openSqliteLogs } from '#adapters/sqlite-logs/open.ts';
import { newId } from '#core/ids.ts';
import { streams } from '#core/log-streams.ts';
import { requestLine } from '#testing/request-lines.ts';

const day = 86_400_000;

describe('log files', () => {
  const open = (options: { days?: number; bufferBytes?: number; folder?: string } = {}) => {
    const folder = options.folder ?? mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
    const notices: string[] = [];
    const seconds = (options.days ?? 365) * 86_400;
    const logs = openSqliteLogs({
      folder,
      prepare: { requests: { addresses: 'truncated', countriesFile: undefined } },
      retention: { requests: seconds, 'runtime-logs': seconds, 'ai-usage': seconds },
      bufferBytes: options.bufferBytes ?? 32 * 1024 * 1024,
      notice: (text) => notices.push(text),
    });
    return {
      logs,
      folder,
      notices,
      files: () => readdirSync(path.join(folder, 'requests')).filter((name) => name.endsWith('.db')),
      total: async (scope: string) =>
        (await logs.search('requests', { scope, order: 'newest', limit: 1, count: true })).total?.count,
      async [Symbol.asyncDispose]() {
        await logs[Symbol.asyncDispose]();
        rmSync(folder, { recursive: true, force: true });
      },
    };
  };

  test('days beyond the retention are unlinked, and days that are over are sealed', async () => {
    await using home = open({ days: 3 });
    const applicationId = newId();
    const now = Date.now();
    const moments = [now - 9 * day, now - 5 * day, now - 2 * day, now];
    await home.logs.append(
      'requests',
      moments.map((startedAt) => requestLine({ applicationId, startedAt })),
    );
    assert.equal(home.files().length, 4);
    for (let round = 0; round < 5; round++) await home.logs.sweep();
    assert.equal(home.files().length, 2);
    assert.equal(await home.total(applicationId), 2);
    // The day that is over is a block now, and takes late lines all the same.
    await home.logs.append('requests', [requestLine({ applicationId, startedAt: now - 2 * day })]);
    await home.logs.sweep();
    assert.equal(await home.total(applicationId), 3);
  });

  test('no day is deleted by a clock that has jumped, nor any line lost to one', async () => {
    await using home = open({ days: 3 });
    const applicationId = newId();
    const now = Date.now();
    for (const startedAt of [now - 2 * day, now + 200 * day, now])
      await home.logs.append('requests', [requestLine({ applicationId, startedAt })]);
    assert.equal(await home.total(applicationId), 3);
    const began = (startedAt: number) =>
      new DayFolder({
        folder: path.join(home.folder, 'requests'),
        spec: streams.requests,
        retention: 3 * day,
        notice: () => undefined,
        now: startedAt,
      });
    const jumped = began(now);
    while (jumped.tend(now + 100 * day));
    jumped.close();
    assert.equal(home.files().length, 3);
    const right = began(now + 100 * day);
    right.tend(now + 100 * day);
    right.close();
    assert.equal(home.files().length, 1);
  });

  test('a broken file is set aside, named, and replaced', async () => {
    const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-logs-'));
    mkdirSync(path.join(folder, 'requests'));
    const name = `${new Date().toISOString().slice(0, 10)}.db`;
    writeFileSync(path.join(folder, 'requests', name), 'This is no database. '.repeat(1000));
    await using home = open({ folder });
    const applicationId = newId();
    assert.equal(await home.total(applicationId), 0);
    await home.logs.append('requests', [requestLine({ applicationId })]);
    assert.equal(await home.total(applicationId), 1);
    const [broken] = brokenLogFiles(folder);
    assert.match(broken ?? '', new RegExp(`^requests/${name}\\.broken-\\d+$`));
    assert.match(home.notices.join('\n'), /is broken .* set aside/);
  });

  test('lines beyond the buffer are dropped and counted, and what is no line harms nobody', async () => {
    await using home = open({ bufferBytes: 100_000 });
    const applicationId = newId();
    for (let at = 0; at < 1000; at++)
      home.logs.write('requests', requestLine({ applicationId, path: 'x'.repeat(1000) }));
    const circle: Record<string, unknown> = {};
    circle['self'] = circle;
    home.logs.write('requests', { ...requestLine({ applicationId }), ...circle } as never);
    await home.logs.flush();
    const { written, dropped } = home.logs.counts().requests;
    assert.ok(written > 50 && written < 100, String(written));
    assert.equal(written + dropped, 1001);
    home.logs.write('requests', requestLine({ applicationId, startedAt: Number.NaN }));
    home.logs.write('requests', requestLine({ applicationId: 'no id' }));
    home.logs.write('requests', requestLine({ applicationId }));
    await home.logs.flush();
    assert.equal(await home.total(applicationId), written + 1);
    const minute = Math.floor(Date.now() / 60_000) * 60_000;
    const range = { from: minute - 600_000, to: minute + 59_999, stepMilliseconds: 60_000 };
    const { total } = await home.logs.series('requests', { scope: applicationId, ...range });
    assert.equal(total.dropped, dropped);
  });

  test('a process that is killed loses nothing that it has stored, while another one writes beside it', async () => {
    await using home = open();
    const [applicationId, other] = [newId(), newId()];
    const child = spawn(
      process.execPath,
      [path.join(import.meta.dirname, 'crash-child.ts'), home.folder, applicationId],
      {
        stdio: ['ignore', 'pipe', 'inherit'],
      },
    );
    let stored = 0;
    for await (const line of createInterface({ input: child.stdout })) {
      stored = Number(line);
      for (let at = 0; at < 100; at++) home.logs.write('requests', requestLine({ applicationId: other }));
      if (stored >= 3000) break;
    }
    const exit = once(child, 'exit');
    child.kill('SIGKILL');
    await exit;
    await home.logs.flush();
    assert.ok(((await home.total(applicationId)) ?? 0) >= stored);
    assert.equal(await home.total(other), home.logs.counts().requests.written);
    assert.equal(home.logs.counts().requests.dropped, 0);
  });
});
