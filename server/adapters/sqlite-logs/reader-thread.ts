import path from 'node:path';
import { parentPort, workerData } from 'node:worker_threads';
import { series, top } from '#adapters/sqlite-logs/aggregate.ts';
import type { RawLine } from '#adapters/sqlite-logs/block-lines.ts';
import { MissingPart } from '#adapters/sqlite-logs/day-blocks.ts';
import { ReaderFolder } from '#adapters/sqlite-logs/reader-folder.ts';
import { changes, type RawPage, type Steps, search } from '#adapters/sqlite-logs/search.ts';
import type { LogChanges, LogSearch, LogSeries, LogStep, LogTop, LogTopPage } from '#core/log-store.ts';
import { type StreamName, streams } from '#core/log-streams.ts';

/** The thread that reads: a question may look at millions of lines. Questions take turns, so that none waits long. */

export interface ReadAnswers {
  search: RawPage;
  find: RawLine | null;
  series: { steps: LogStep[]; total: LogStep };
  top: LogTopPage;
  changes: RawLine[];
}

export type ReadRequest = { stream: StreamName } & (
  | { op: 'search'; query: LogSearch<string> }
  | { op: 'find'; query: { scope: string; id: string } }
  | { op: 'series'; query: LogSeries<string> }
  | { op: 'top'; query: LogTop<string> }
  | { op: 'changes'; query: LogChanges<string> }
);

export type ReadReply =
  | { id: number; answer: ReadAnswers[ReadRequest['op']] }
  | { id: number; failure: string };

const turnMilliseconds = 8;

if (parentPort) {
  const port = parentPort;
  const { folder } = workerData as { folder: string };
  const folders = new Map<StreamName, ReaderFolder>();
  const of = (stream: StreamName) => {
    const known = folders.get(stream) ?? new ReaderFolder(path.join(folder, stream), streams[stream]);
    folders.set(stream, known);
    return known;
  };
  const begin = (request: ReadRequest): Steps<ReadAnswers[ReadRequest['op']]> => {
    const found = of(request.stream);
    if (request.op === 'search') return search(found, request.query);
    if (request.op === 'series') return series(found, request.query);
    if (request.op === 'top') return top(found, request.query);
    if (request.op === 'changes') return changes(found, request.query);
    return find(found, request.query);
  };

  const running: { id: number; steps: Steps<ReadAnswers[ReadRequest['op']]> }[] = [];
  const turn = () => {
    const next = running.shift();
    if (!next) return;
    try {
      for (const until = performance.now() + turnMilliseconds; ; ) {
        const step = next.steps.next();
        if (step.done) {
          port.postMessage({ id: next.id, answer: step.value } satisfies ReadReply);
          break;
        }
        if (performance.now() < until) continue;
        running.push(next);
        break;
      }
    } catch (error) {
      port.postMessage({ id: next.id, failure: (error as Error).message } satisfies ReadReply);
    }
    if (running.length > 0) setImmediate(turn);
  };

  port.on('message', (request: (ReadRequest & { id: number }) | 'close') => {
    if (request === 'close') {
      for (const found of folders.values()) found.close();
      port.close();
      return;
    }
    running.push({ id: request.id, steps: wholly(() => begin(request)) });
    if (running.length === 1) setImmediate(turn);
  });
}

/** Far more than the blocks that are merged while a question is answered. */
const maxStarts = 20;

/** From the start again, when a block that it was going to read has become part of another. */
function* wholly<T>(begin: () => Steps<T>): Steps<T> {
  for (let start = 1; ; start++) {
    try {
      return yield* begin();
    } catch (error) {
      if (!(error instanceof MissingPart) || start >= maxStarts) throw error;
    }
  }
}

/** Its id tells about when it was; the days around that are asked first, then all. */
// biome-ignore lint/correctness/useYield: it is over before another would want its turn.
function* find(folder: ReaderFolder, { scope, id }: { scope: string; id: string }): Steps<RawLine | null> {
  const moment = Number.parseInt(id.slice(0, 8) + id.slice(9, 13), 16);
  const near = 86_400_000;
  for (const [from, to] of [
    [moment - near, moment + near],
    [0, 8.64e15],
  ] as const)
    for (const { reader } of folder.days(from, to)) {
      const found = reader.find(scope, id);
      if (found) return found;
    }
  return null;
}
