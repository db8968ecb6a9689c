import { parentPort, workerData } from 'node:worker_threads';
import { Connection } from '#adapters/sqlite/connection.ts';
import { type SqliteFailure, toFailure } from '#adapters/sqlite/errors.ts';

/** The thread that owns the writing connection: a commit waits for the disk, and the event loop must not. */

export type WriterRequest =
  | { id: number; op: 'query'; sql: string; parameters: readonly unknown[] }
  /** A statement that is a transaction by itself. */
  | { id: number; op: 'write'; sql: string; parameters: readonly unknown[]; relaxed: boolean }
  | { id: number; op: 'begin'; relaxed: boolean }
  | { id: number; op: 'commit' | 'rollback' | 'close' };

export type WriterReply =
  | { id: number; rows: unknown[]; changes: number }
  | { id: number; failure: SqliteFailure };

/** Shared with the main thread, which reads there what became of a commit when this thread died of something. */
export const commitBegun = 0;
export const commitDone = 1;

export interface WriterData {
  file: string;
  busyMilliseconds: number;
  /** The ids of the last commit that was begun, and of the last that was done. */
  commits: Int32Array<SharedArrayBuffer>;
}

if (parentPort) {
  const port = parentPort;
  const { file, busyMilliseconds, commits } = workerData as WriterData;
  const connection = new Connection(file, { busyMilliseconds, readOnly: false });

  let isRelaxed = false;
  const relax = (wanted: boolean) => {
    if (wanted === isRelaxed) return;
    // NORMAL: in WAL mode a commit is written and not synced. The next one with FULL syncs it too.
    connection.exec(`pragma synchronous = ${wanted ? 'normal' : 'full'}`);
    isRelaxed = wanted;
  };

  const answer = (request: WriterRequest): { rows: unknown[]; changes: number } => {
    switch (request.op) {
      case 'query':
        return connection.run(request.sql, request.parameters);
      case 'write': {
        relax(request.relaxed);
        Atomics.store(commits, commitBegun, request.id);
        const result = connection.run(request.sql, request.parameters);
        Atomics.store(commits, commitDone, request.id);
        return result;
      }
      case 'begin':
        relax(request.relaxed);
        // IMMEDIATE: take the write lock now, so that no transaction fails half-way for having read first.
        connection.exec('begin immediate');
        break;
      case 'commit':
        Atomics.store(commits, commitBegun, request.id);
        connection.exec('commit');
        Atomics.store(commits, commitDone, request.id);
        break;
      case 'rollback':
        // A full disk or a failed commit may have rolled back by itself.
        if (connection.inTransaction) connection.exec('rollback');
        break;
      case 'close':
        connection.close();
        break;
    }
    return { rows: [], changes: 0 };
  };

  port.on('message', (request: WriterRequest) => {
    try {
      port.postMessage({ id: request.id, ...answer(request) } satisfies WriterReply);
    } catch (error) {
      port.postMessage({ id: request.id, failure: toFailure(error) } satisfies WriterReply);
    }
    if (request.op === 'close') port.close();
  });
}
