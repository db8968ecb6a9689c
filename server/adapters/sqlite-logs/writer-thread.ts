import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { DayFolder } from '#adapters/sqlite-logs/day-folder.ts';
import { type StreamName, streams } from '#core/log-streams.ts';
import type { PrepareOptions } from '#core/logs/entry.ts';
import { serveThread } from '#core/logs/thread.ts';

/** Lines that arrive meanwhile wait. */
const tendMilliseconds = 200;

export interface SqliteLogOptions {
  folder: string;
  prepare: PrepareOptions;
  /** In seconds. */
  retention: Record<StreamName, number>;
}

if (parentPort) {
  const { folder, prepare, retention } = workerData as SqliteLogOptions;
  await serveThread(parentPort, prepare, (notice) => {
    const folders = new Map<StreamName, DayFolder>();
    const of = (stream: StreamName) => {
      const known = folders.get(stream);
      if (known) return known;
      const made = new DayFolder({
        folder: path.join(folder, stream),
        spec: streams[stream],
        retention: retention[stream] * 1000,
        notice,
        now: Date.now(),
      });
      folders.set(stream, made);
      return made;
    };
    return {
      store: (stream, entries, { drops, key }) => of(stream).append(entries, { drops, key, now: Date.now() }),
      purge: (stream, scope) => of(stream).purge(scope),
      tend() {
        const until = performance.now() + tendMilliseconds;
        for (const name of Object.keys(streams) as StreamName[])
          while (of(name).tend(Date.now()) && performance.now() < until);
      },
      close() {
        for (const found of folders.values()) found.close();
      },
    };
  });
}
