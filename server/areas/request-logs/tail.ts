import { setTimeout as sleep } from 'node:timers/promises';
import type { LogStore } from '#core/log-store.ts';
import { Problem } from '#core/problem.ts';
import { type Filters, readFilters } from './filters.ts';
import { toSummary } from './render.ts';
import { type Deps, shownOf } from './service.ts';

/** Answers that go on: a live tail as server-sent events, an export as NDJSON. */

const pollMilliseconds = 1000;
const heartbeatMilliseconds = 15_000;
/** More in one second are too many to be read anyway. */
const maxLinesAPoll = 200;
const maxTails = 200;
const maxTailsOfApplication = 20;

export class Tails {
  readonly #open = new Map<string, number>();
  #count = 0;

  /** Counts one more until the function that it returns is called. */
  take(applicationId: string): () => void {
    const own = this.#open.get(applicationId) ?? 0;
    if (own >= maxTailsOfApplication || this.#count >= maxTails) {
      const sentence = 'Too many live tails are open. Close one, or try again shortly.';
      throw new Problem('too_many_requests', sentence, { retryAfterSeconds: 10 });
    }
    this.#open.set(applicationId, own + 1);
    this.#count++;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#count--;
      const left = (this.#open.get(applicationId) ?? 1) - 1;
      if (left > 0) this.#open.set(applicationId, left);
      else this.#open.delete(applicationId);
    };
  }
}

type Position = { stored: number; id: string };

/** Ids of events say where a client that comes back goes on. */
function readEventId(text: string | undefined): Position | undefined {
  const [, stored, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text ?? '') ?? [];
  return stored && id ? { stored: Number(stored), id } : undefined;
}

/** Requests as they are stored, until `signal`. `checkAgain` throws when the caller may see no more of them. */
export async function* liveTail(
  deps: Deps,
  applicationId: string,
  query: Filters,
  options: { lastEventId: string | undefined; signal: AbortSignal; checkAgain: () => Promise<void> },
): AsyncGenerator<string> {
  const { logs } = deps;
  const { signal, checkAgain } = options;
  const { filters } = readFilters(query);
  let after = readEventId(options.lastEventId) ?? { stored: Date.now() - logs.settleMilliseconds, id: '' };
  let saidAt = Date.now();
  yield 'retry: 2000\n: open\n\n';
  try {
    for (;;) {
      await sleep(pollMilliseconds, undefined, { signal, ref: false });
      await checkAgain();
      const until = Date.now() - logs.settleMilliseconds;
      const lines = await logs.changes('requests', {
        ...{ scope: applicationId, filters, after, until, limit: maxLinesAPoll },
      });
      const shown = await shownOf(deps, applicationId, lines);
      let text = '';
      for (const line of lines) {
        after = { stored: line.stored, id: line.id };
        text += `event: request\nid: ${line.stored}.${line.id}\ndata: ${JSON.stringify(toSummary(line, shown))}\n\n`;
      }
      if (lines.length === maxLinesAPoll) {
        after = { stored: until, id: '~' };
        text += 'event: skipped\ndata: {}\n\n';
      } else if (text === '' && Date.now() - saidAt > heartbeatMilliseconds) text = ': still here\n\n';
      if (text === '') continue;
      saidAt = Date.now();
      yield text;
    }
  } catch (error) {
    // The server stops, or the caller may not read on: either way the stream is over, and says nothing more.
    if (!signal.aborted && !(error instanceof Problem)) throw error;
  }
}

const exportPage = 500;

/** All that fit, newest first, with their headers left out; what is being read is a page at a time. */
export async function* exportLines(
  deps: Deps,
  applicationId: string,
  { limit = 1_000_000, ...query }: Filters & { limit?: number },
): AsyncGenerator<string> {
  const narrowed = readFilters(query);
  let left = limit;
  let after: Parameters<LogStore['search']>[1]['after'];
  do {
    const page = await deps.logs.search('requests', {
      ...{ ...narrowed, scope: applicationId, order: 'newest', after, count: false },
      ...{ limit: Math.min(left, exportPage), budgetMilliseconds: 1000 },
    });
    const shown = await shownOf(deps, applicationId, page.lines);
    if (page.lines.length > 0)
      yield page.lines.map((line) => `${JSON.stringify(toSummary(line, shown))}\n`).join('');
    left -= page.lines.length;
    after = page.next;
  } while (after && left > 0);
}
