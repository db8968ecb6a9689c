import { parentPort, workerData } from 'node:worker_threads';
import { connectClickHouse } from '#adapters/clickhouse/client.ts';
import { clickHouseWriting } from '#adapters/clickhouse/writing.ts';
import type { StreamName } from '#core/log-streams.ts';
import type { PrepareOptions } from '#core/logs/entry.ts';
import { serveThread } from '#core/logs/thread.ts';

export interface ClickHouseLogOptions {
  url: string;
  prepare: PrepareOptions;
  /** In seconds. */
  retention: Record<StreamName, number>;
}

if (parentPort) {
  const { url, prepare, retention } = workerData as ClickHouseLogOptions;
  await serveThread(parentPort, prepare, () => clickHouseWriting(connectClickHouse(url), retention));
}
