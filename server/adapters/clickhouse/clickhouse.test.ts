import { EventEmitter } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { after, test } from 'node:test';
import { MessageChannel, type MessagePort } from 'node:worker_threads';
import { type ClickHouseClient, createClient } from '@clickhouse/client';
import { clickHouseLogs } from '#adapters/clickhouse/open.ts';
import { clickHouseWriting } from '#adapters/clickhouse/writing.ts';
import { serveThread } from '#core/logs/thread.ts';
import type { LogThread } from '#core/logs/writer.ts';
import { chdb } from '../../../scripts/clickhouse.ts';
import { logStoreContract } from '../../contracts/log-store.ts';

/** The engine of ClickHouse in this process, under the client that servers use too. */

const year = 365 * 86_400;
const retention = { requests: 20 * year, 'runtime-logs': 20 * year, 'ai-usage': 20 * year };
const prepare = { requests: { addresses: 'truncated', countriesFile: undefined } } as const;

if (!chdb)
  test('ClickHouse', { skip: 'its engine is not here: node scripts/clickhouse.ts fetches it' }, () => {});
else {
  const { createChdbConnection } = await import(chdb);
  const folder = mkdtempSync(path.join(tmpdir(), 'mainstay-clickhouse-'));
  const connection = createChdbConnection({ path: folder });
  // One engine a process: every client speaks through the same connection, and none closes it for the others.
  const shared = new Proxy(connection, {
    get: (target, name) => {
      if (name === 'close') return async () => {};
      const value = Reflect.get(target, name);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });
  const client = (): ClickHouseClient => createClient({ connection: shared });
  after(async () => {
    await connection.close();
    rmSync(folder, { recursive: true, force: true });
  });

  logStoreContract('clickhouse', async () =>
    clickHouseLogs(client(), {
      ...{ retention, bufferBytes: 64 * 1024 * 1024 },
      notice: (text) => process.stderr.write(`${text}\n`),
      start: () =>
        new ThreadHere((port) => serveThread(port, prepare, () => clickHouseWriting(client(), retention))),
    }),
  );
}

/** What would be a worker thread, in this one. */
class ThreadHere extends EventEmitter implements LogThread {
  readonly #port: MessagePort;

  constructor(work: (port: MessagePort) => Promise<void>) {
    super();
    const { port1, port2 } = new MessageChannel();
    this.#port = port1;
    port1.on('message', (message) => this.emit('message', message));
    port1.on('close', () => this.emit('exit', 0));
    work(port2).catch((error) => this.emit('error', error));
  }

  postMessage(message: unknown): void {
    this.#port.postMessage(message);
  }

  ref(): void {
    this.#port.ref();
  }

  unref(): void {
    this.#port.unref();
  }

  async terminate(): Promise<number> {
    this.#port.close();
    return 0;
  }
}
