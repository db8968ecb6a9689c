import { once } from 'node:events';
import { Readable } from 'node:stream';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { LogFilter, LogPosition, LogStore, StoredLine } from '#core/log-store.ts';
import type { ColumnOf, StreamName } from '#core/log-streams.ts';
import { Problem } from '#core/problem.ts';
import type { TimeRange } from '#core/time-range.ts';

/** Answers that continue: a live tail as server-sent events, an export as NDJSON. */

const pollMilliseconds = 1000;
const heartbeatMilliseconds = 15_000;
/** More in one second are too many to be read anyway. */
const maxLinesAPoll = 200;
/** Of all live tails; whoever has more applications has no more of them. */
const partOfOrganization = 1 / 4;

export interface Resumed {
  /** The id of the last event that the client has; undefined: it begins. */
  lastEventId: string | undefined;
  /** The server stops. */
  signal: AbortSignal;
}

/** The live tails of a process, whose number is bounded: each asks its log once a second. */
export class Tails {
  readonly #open = new Map<string, number>();
  readonly #closing = new AbortController();
  readonly #most: number;
  #count = 0;

  constructor(most: number) {
    this.#most = most;
  }

  /** Ends all of them: a server that waits for its open answers would wait for ever. */
  close(): void {
    this.#closing.abort();
  }

  /** Answers with the lines of the application as they are stored. `checkAgain` throws when the caller may see no more. */
  send<S extends StreamName>(
    request: FastifyRequest,
    reply: FastifyReply,
    logs: LogStore,
    options: { organizationId: string; source: Source<S>; event: string; checkAgain: () => Promise<unknown> },
  ): FastifyReply {
    const { organizationId, source, event, checkAgain } = options;
    return this.answer(request, reply, organizationId, (resumed) =>
      tailOf(logs, source, { event, checkAgain, ...resumed }),
    );
  }

  /** Answers with events as they are made, until there are no more of them. */
  answer(
    request: FastifyRequest,
    reply: FastifyReply,
    organizationId: string,
    make: (resumed: Resumed) => AsyncGenerator<string>,
  ): FastifyReply {
    const free = this.#take(organizationId);
    const lastEventId = request.headers['last-event-id'];
    const events = make({
      lastEventId: typeof lastEventId === 'string' ? lastEventId : undefined,
      signal: this.#closing.signal,
    });
    const stream = Readable.from(events, { objectMode: false });
    once(stream, 'close').then(free, free);
    return reply
      .type('text/event-stream; charset=utf-8')
      .header('x-accel-buffering', 'no')
      .send(stream as never);
  }

  /** Counts one more until the function that it returns is called. */
  #take(organizationId: string): () => void {
    const own = this.#open.get(organizationId) ?? 0;
    const isTooMany = own >= Math.ceil(this.#most * partOfOrganization);
    if (isTooMany || this.#count >= this.#most) {
      const sentence = isTooMany
        ? 'The organization has too many live streams open. Close one of them.'
        : 'Too many live streams are open. Try again shortly.';
      throw new Problem('too_many_requests', sentence, { retryAfterSeconds: 10 });
    }
    this.#open.set(organizationId, own + 1);
    this.#count++;
    let isFree = false;
    return () => {
      if (isFree) return;
      isFree = true;
      this.#count--;
      const left = (this.#open.get(organizationId) ?? 1) - 1;
      if (left > 0) this.#open.set(organizationId, left);
      else this.#open.delete(organizationId);
    };
  }
}

/** Which lines of a stream, and how they are shown. */
interface Source<S extends StreamName> {
  stream: S;
  scope: string;
  filters: readonly LogFilter<ColumnOf<S>>[];
  /** In the order of the lines. */
  show(lines: readonly StoredLine[]): unknown[] | Promise<unknown[]>;
}

type Position = { stored: number; id: string };

/** Before every id. */
const noId = '00000000-0000-0000-0000-000000000000';

/** Ids of events say where a client that comes back continues. */
function readEventId(text: string | undefined): Position | undefined {
  const [, stored, id] = /^(\d{1,15})\.([0-9a-f-]{36})$/.exec(text ?? '') ?? [];
  return stored && id ? { stored: Number(stored), id } : undefined;
}

/** Lines as they are stored, until `signal`. `checkAgain` throws when the caller may see no more of them. */
async function* tailOf<S extends StreamName>(
  logs: LogStore,
  { stream, scope, filters, show }: Source<S>,
  options: Resumed & {
    /** Name of the events. */
    event: string;
    checkAgain: () => Promise<unknown>;
  },
): AsyncGenerator<string> {
  const { event, signal, checkAgain } = options;
  let after = readEventId(options.lastEventId) ?? { stored: Date.now() - logs.settleMilliseconds, id: '' };
  let saidAt = Date.now();
  // Whose connection breaks before the first line comes back to here, too.
  yield `retry: 2000\nid: ${after.stored}.${after.id || noId}\n: open\n\n`;
  try {
    for (;;) {
      await sleep(pollMilliseconds, undefined, { signal, ref: false });
      await checkAgain();
      const until = Date.now() - logs.settleMilliseconds;
      const lines = await logs.changes(stream, { scope, filters, after, until, limit: maxLinesAPoll });
      const shown = await show(lines);
      let text = '';
      for (const [at, { stored, id }] of lines.entries()) {
        after = { stored, id };
        text += `event: ${event}\nid: ${stored}.${id}\ndata: ${JSON.stringify(shown[at])}\n\n`;
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

/** All that fit, newest first; what is being read is a page at a time. */
async function* exportOf<S extends StreamName>(
  logs: LogStore,
  { stream, show, ...narrowed }: Source<S> & TimeRange,
  limit = 1_000_000,
): AsyncGenerator<string> {
  let left = limit;
  let after: LogPosition | undefined;
  do {
    const page = await logs.search(stream, {
      ...{ ...narrowed, order: 'newest', after, count: false },
      ...{ limit: Math.min(left, exportPage), budgetMilliseconds: 1000 },
    });
    const shown = await show(page.lines);
    if (shown.length > 0) yield shown.map((line) => `${JSON.stringify(line)}\n`).join('');
    left -= page.lines.length;
    after = page.next;
  } while (after && left > 0);
}

/** Answers with all that fit as a file of that name. */
export function sendExport<S extends StreamName>(
  reply: FastifyReply,
  file: string,
  ...of: Parameters<typeof exportOf<S>>
): FastifyReply {
  return reply
    .type('application/x-ndjson; charset=utf-8')
    .header('content-disposition', `attachment; filename="${file}"`)
    .send(Readable.from(exportOf(...of), { objectMode: false }) as never);
}
