import { parentPort, workerData } from 'node:worker_threads';
import { Connection, type Rows } from '#adapters/sqlite/connection.ts';
import { type SqliteFailure, toFailure } from '#adapters/sqlite/errors.ts';

/** The thread that owns the writing connection: a commit waits for the disk, and the event loop must not. */

export type WriterRequest =
  | { id: number; op: 'query'; sql: string; parameters: readonly unknown[] }
  /** A statement that is a transaction by itself. */
  | { id: number; op: 'write'; sql: string; parameters: readonly unknown[]; relaxed: boolean }
  | { id: number; op: 'begin'; relaxed: boolean }
  /** `more`: another transaction is about to begin, and one commit may end both. */
  | { id: number; op: 'commit'; more: boolean }
  | { id: number; op: 'rollback' | 'close' };

export type WriterReply =
  | { id: number; rows: unknown[]; changes: number }
  | { id: number; failure: SqliteFailure };

/** Shared with the main thread, which reads there what became of a commit when this thread died of something. */
export const commitFirst = 0;
export const commitBegun = 1;
export const commitDone = 2;

export interface WriterData {
  file: string;
  busyMilliseconds: number;
  /** The first and the last id of those that the last commit was for, and the last id of the last that was done. */
  commits: BigInt64Array<SharedArrayBuffer>;
}

/** Of transactions that wait for the commit of others. */
const maxHeld = 64;
const maxHeldMilliseconds = 20;
/** For a transaction that was said to follow, and then did not. */
const patienceMilliseconds = 1;

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

  let replies: WriterReply[] = [];
  const reply = (id: number, { rows, changes }: Rows = { rows: [], changes: 0 }) => {
    replies.push({ id, rows, changes });
  };
  const refuse = (id: number, error: unknown) => {
    replies.push({ id, failure: toFailure(error) });
  };
  const post = () => {
    if (replies.length > 0) port.postMessage(replies);
    replies = [];
  };

  /**
   * Group commit: it is the commit that waits for the disk, so transactions that end while others wait are held, and
   * answered after the one commit of all of them. Those that follow are savepoints: one that fails takes back itself alone.
   */
  const held: number[] = [];
  let heldSince = 0;
  /** A transaction has begun and has not ended. */
  let isOpen = false;
  /** Why the transaction could not begin, or was rolled back by SQLite itself: what was sent along must not be done without it. */
  let broken: unknown;
  let timer: NodeJS.Timeout | undefined;

  /** Ends the transactions that are held, and the one that asks with this id. */
  const commit = (...asking: number[]) => {
    clearTimeout(timer);
    timer = undefined;
    const ids = [...held.splice(0), ...asking];
    if (ids.length === 0) return;
    const last = BigInt(ids.at(-1) as number);
    Atomics.store(commits, commitFirst, BigInt(ids[0] as number));
    Atomics.store(commits, commitBegun, last);
    try {
      connection.exec('commit');
      Atomics.store(commits, commitDone, last);
      for (const id of ids) reply(id);
    } catch (error) {
      if (connection.inTransaction) connection.exec('rollback');
      for (const id of ids) refuse(id, error);
    }
    // What follows may wait for the disk once more.
    post();
  };
  const commitSoon = () => {
    timer ??= setTimeout(() => {
      timer = undefined;
      if (!isOpen) commit();
    }, patienceMilliseconds);
  };

  const end = ({ id, more }: { id: number; more: boolean }) => {
    isOpen = false;
    const isFull =
      held.length >= maxHeld || (held.length > 0 && performance.now() - heldSince > maxHeldMilliseconds);
    if (!more || isFull) {
      commit(id);
      return;
    }
    if (held.length === 0) heldSince = performance.now();
    else connection.exec('release follower');
    held.push(id);
    commitSoon();
  };

  /** A full disk may have rolled back everything by itself, with what was held. */
  const failHeld = (error: unknown) => {
    if (connection.inTransaction) return;
    for (const id of held.splice(0)) refuse(id, error);
  };

  const begin = (wanted: boolean) => {
    if (wanted !== isRelaxed) commit();
    isOpen = true;
    if (held.length > 0) connection.exec('savepoint follower');
    else {
      relax(wanted);
      // IMMEDIATE: take the write lock now, so that no transaction fails half-way for having read first.
      connection.exec('begin immediate');
    }
  };

  const take = (request: WriterRequest): void => {
    const { id } = request;
    if (broken !== undefined && (request.op === 'query' || request.op === 'commit')) throw broken;
    broken = undefined;
    switch (request.op) {
      case 'query':
        reply(id, connection.run(request.sql, request.parameters));
        return;
      case 'write': {
        commit();
        relax(request.relaxed);
        Atomics.store(commits, commitFirst, BigInt(id));
        Atomics.store(commits, commitBegun, BigInt(id));
        const result = connection.run(request.sql, request.parameters);
        Atomics.store(commits, commitDone, BigInt(id));
        reply(id, result);
        return;
      }
      case 'begin':
        begin(request.relaxed);
        reply(id);
        return;
      case 'commit':
        end(request);
        return;
      case 'rollback':
        isOpen = false;
        if (connection.inTransaction)
          connection.exec(held.length > 0 ? 'rollback to follower; release follower' : 'rollback');
        if (held.length > 0) commitSoon();
        reply(id);
        return;
      case 'close':
        commit();
        connection.close();
        reply(id);
    }
  };

  port.on('message', (requests: WriterRequest[]) => {
    for (const request of requests) {
      try {
        take(request);
      } catch (error) {
        if (isOpen && !connection.inTransaction) broken = error;
        failHeld(error);
        refuse(request.id, error);
      }
      if (request.op === 'write') post();
    }
    post();
    if (requests.some(({ op }) => op === 'close')) port.close();
  });
}
