import { Worker } from 'node:worker_threads';
import type { ClickHouseClient } from '@clickhouse/client';
import { connectClickHouse } from '#adapters/clickhouse/client.ts';
import { changes, find, search, series, top } from '#adapters/clickhouse/questions.ts';
import { bringUpToDate } from '#adapters/clickhouse/tables.ts';
import type { ClickHouseLogOptions } from '#adapters/clickhouse/writer-thread.ts';
import type { LogStore } from '#core/log-store.ts';
import { streams } from '#core/log-streams.ts';
import { type LogThread, LogWriter } from '#core/logs/writer.ts';
import { Problem } from '#core/problem.ts';

/** ClickHouse makes a part of every insert: lines gather a little longer than for files. */
const tickMilliseconds = 500;

interface Options extends ClickHouseLogOptions {
  bufferBytes: number;
  notice: (text: string) => void;
}

export function openClickHouseLogs(options: Options): LogStore {
  const { bufferBytes, notice, ...workerData } = options;
  return clickHouseLogs(connectClickHouse(options.url), {
    ...options,
    start: () => new Worker(new URL('./writer-thread.ts', import.meta.url), { workerData }),
  });
}

/** With the thread that writes given: the engine that the tests have lives in one thread. */
export function clickHouseLogs(
  client: ClickHouseClient,
  {
    bufferBytes,
    notice,
    retention,
    start,
  }: Pick<Options, 'bufferBytes' | 'notice' | 'retention'> & { start: () => LogThread },
): LogStore {
  const writer = new LogWriter({ start, maxBytes: bufferBytes, notice, tickMilliseconds });
  let ready: Promise<void> | undefined;
  /** The tables are there before the first question; a server that is away is asked again by the next one. */
  const ask = async <T>(question: () => Promise<T>): Promise<T> => {
    try {
      ready ??= bringUpToDate(client, retention);
      await ready;
    } catch (cause) {
      ready = undefined;
      throw unavailable(cause);
    }
    try {
      return await question();
    } catch (cause) {
      throw isConnectionError(cause) ? unavailable(cause) : cause;
    }
  };
  return {
    engine: 'clickhouse',
    write: (stream, line) => writer.write(stream, line),
    append: (stream, lines) => writer.append(stream, lines),
    appendJson: (stream, lists) => writer.appendJson(stream, lists),
    flush: () => writer.flush(),
    search: (stream, query) => ask(() => search(client, streams[stream], query)),
    find: (stream, scope, id) => ask(() => find(client, streams[stream], scope, id.toLowerCase())),
    series: (stream, query) => ask(() => series(client, streams[stream], query)),
    top: (stream, query) => ask(() => top(client, streams[stream], query)),
    changes: (stream, query) => ask(() => changes(client, streams[stream], query)),
    // An insert under way on another node, and how far the clocks of nodes may be apart.
    settleMilliseconds: 5000,
    purge: (stream, scope) => writer.purge(stream, scope),
    // ClickHouse drops old parts by itself.
    sweep: async () => {},
    counts: () => writer.counts(),
    async ping() {
      const { success } = await client.ping();
      if (!success) throw new Error('ClickHouse does not answer.');
    },
    async [Symbol.asyncDispose]() {
      await writer.close();
      await client.close();
    },
  };
}

function isConnectionError(error: unknown): boolean {
  const code = (error as { code?: string }).code ?? '';
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|ENOTFOUND|EAI_AGAIN|EHOST|ENET)/.test(code) || /timeout/i.test(String(error))
  );
}

function unavailable(cause: unknown): Problem {
  const sentence = 'The log cannot be reached just now; try again shortly.';
  return new Problem('unavailable', sentence, { cause, retryAfterSeconds: 2 });
}
