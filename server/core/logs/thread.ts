import type { MessagePort } from 'node:worker_threads';
import type { StreamName } from '#core/log-streams.ts';
import { type LinesChunk, linesOf } from '#core/logs/chunks.ts';
import { type Entry, type PrepareOptions, preparers } from '#core/logs/entry.ts';

/** The thread of an engine that turns lines into entries and stores them, so that no request waits for either. */

export interface LogBatch {
  stream: StreamName;
  chunks: LinesChunk[];
  drops: { scope: string; at: number; count: number }[];
}

/** A message that is sent again has the same; of a writer's messages, later ones have higher numbers. */
export interface StoreKey {
  writer: string;
  number: number;
}

export type ThreadRequest =
  | { id: number; op: 'store'; key: StoreKey; batches: LogBatch[] }
  | { id: number; op: 'purge'; stream: StreamName; scope: string }
  | { id: number; op: 'tend' | 'close' };

export type ThreadReply =
  | { id: number; stored: Partial<Record<StreamName, number>>; unusable: Partial<Record<StreamName, number>> }
  | { id: number; failure: string }
  | { notice: string };

/** What an engine does in that thread. */
export interface ThreadEngine {
  /** Stores all of them or throws; then they may be given again. They are made while they are taken. */
  store(
    stream: StreamName,
    entries: Iterable<Entry>,
    options: { drops: LogBatch['drops']; key: StoreKey },
  ): void | Promise<void>;
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

  const store = async (batches: readonly LogBatch[], key: StoreKey) => {
    const stored: Partial<Record<StreamName, number>> = {};
    const unusable: Partial<Record<StreamName, number>> = {};
    for (const { stream, chunks, drops } of batches) {
      const count = { usable: 0, unusable: 0 };
      await engine.store(stream, entriesOf(chunks, prepare[stream], count), { drops, key });
      stored[stream] = (stored[stream] ?? 0) + count.usable;
      unusable[stream] = (unusable[stream] ?? 0) + count.unusable;
    }
    return { stored, unusable };
  };

  const answer = async (request: ThreadRequest): Promise<ThreadReply> => {
    const { id } = request;
    if (request.op === 'store') return { id, ...(await store(request.batches, request.key)) };
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

/** What cannot be stored would fail the whole batch again and again: it is left out. */
function* entriesOf(
  chunks: readonly LinesChunk[],
  prepare: (line: never) => Entry,
  count: { usable: number; unusable: number },
): Generator<Entry> {
  for (const chunk of chunks)
    for (const line of linesOf(chunk)) {
      const entry = entryOf(line, prepare);
      if (entry) {
        count.usable++;
        yield entry;
      } else count.unusable++;
    }
}

function entryOf(line: unknown, prepare: (line: never) => Entry): Entry | undefined {
  try {
    const entry = prepare(line as never);
    return isUsable(entry) ? entry : undefined;
  } catch {
    return undefined;
  }
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
