import type { MessagePort } from 'node:worker_threads';
import type { StreamName } from '#core/log-streams.ts';
import { type Entry, type PrepareOptions, preparers } from '#core/logs/entry.ts';

/** The thread of an engine that turns lines into entries and stores them, so that no request waits for either. */

/** `lines`: JSON, a line each. */
export interface LogBatch {
  stream: StreamName;
  lines: string;
  drops: { scope: string; at: number; count: number }[];
}

export type ThreadRequest =
  | { id: number; op: 'store'; batches: LogBatch[] }
  | { id: number; op: 'purge'; stream: StreamName; scope: string }
  | { id: number; op: 'tend' | 'close' };

export type ThreadReply =
  | { id: number; stored: Partial<Record<StreamName, number>>; unusable: Partial<Record<StreamName, number>> }
  | { id: number; failure: string }
  | { notice: string };

/** What an engine does in that thread. */
export interface ThreadEngine {
  /** Stores all of them or throws; then they may be given again. */
  store(stream: StreamName, entries: readonly Entry[], drops: LogBatch['drops']): void | Promise<void>;
  purge(stream: StreamName, scope: string): void | Promise<void>;
  /** Housekeeping. */
  tend(): void | Promise<void>;
  close(): void | Promise<void>;
}

export async function serveThread(
  port: MessagePort,
  options: PrepareOptions,
  open: (notice: (text: string) => void) => ThreadEngine | Promise<ThreadEngine>,
): Promise<void> {
  const post = (reply: ThreadReply) => port.postMessage(reply);
  const prepare = await preparers(options);
  const engine = await open((notice) => post({ notice }));

  const store = async (batches: readonly LogBatch[]) => {
    const stored: Partial<Record<StreamName, number>> = {};
    const unusable: Partial<Record<StreamName, number>> = {};
    for (const { stream, lines, drops } of batches) {
      const entries: Entry[] = [];
      const toEntry = prepare[stream] as (line: never) => Entry;
      for (const line of lines === '' ? [] : lines.split('\n')) {
        try {
          const entry = toEntry(JSON.parse(line) as never);
          // What cannot be stored would fail the whole batch again and again.
          if (!isUsable(entry)) throw new Error('Not a line of this stream.');
          entries.push(entry);
        } catch {
          unusable[stream] = (unusable[stream] ?? 0) + 1;
        }
      }
      await engine.store(stream, entries, drops);
      stored[stream] = (stored[stream] ?? 0) + entries.length;
    }
    return { stored, unusable };
  };

  const answer = async (request: ThreadRequest): Promise<ThreadReply> => {
    const { id } = request;
    if (request.op === 'store') return { id, ...(await store(request.batches)) };
    if (request.op === 'purge') await engine.purge(request.stream, request.scope);
    else if (request.op === 'tend') await engine.tend();
    else await engine.close();
    return { id, stored: {}, unusable: {} };
  };

  // One after the other: batches keep their order.
  let last: Promise<void> = Promise.resolve();
  port.on('message', (request: ThreadRequest) => {
    last = last.then(async () => {
      try {
        post(await answer(request));
      } catch (error) {
        post({ id: request.id, failure: (error as Error).message });
      }
      if (request.op === 'close') port.close();
    });
  });
}

const uuid = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;
/** The year 9999, where four digits of it end. */
const lastMoment = 253_402_300_799_999;

function isUsable({ id, scope, at, weight, values }: Entry): boolean {
  const plain = values.every(
    (value) => value === null || typeof value === 'string' || Number.isFinite(value),
  );
  const isMoment = Number.isInteger(at) && at >= 0 && at <= lastMoment;
  return plain && uuid.test(id) && uuid.test(scope) && isMoment && weight > 0;
}
