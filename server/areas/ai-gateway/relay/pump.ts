import type { IncomingMessage } from 'node:http';
import type { Maybe } from '#core/maybe.ts';
import { GatewayProblem } from '../problem.ts';
import { keepAlive } from '../protocols/frames.ts';
import { cutOff, StreamFailure, type StreamReader, type Surface } from '../protocols/protocol.ts';
import { AttemptFailure, aborted, idleTooLong, type Timeouts } from './dial.ts';
import type { Sink } from './sink.ts';
import { OversizedEvent, SseSplitter } from './sse.ts';
import type { Stop } from './stop.ts';

const heldEvents = 64;
const heldBytes = 256 * 1024;
const heldForApproval = 16 * 1024 * 1024;
const silenceMilliseconds = 15_000;

/** Rewrites a stream. `refusal`: why what follows what was returned must not go out. */
export interface StreamFilter {
  push(text: string): string;
  end(): string;
  readonly refusal: Error | undefined;
}

export interface Pumping {
  surface: Surface;
  /** That serves. */
  model: string;
  reader: StreamReader;
  sink: Sink;
  timeouts: Timeouts;
  /** Sends the head, when the first output is there. */
  begin(): void;
  /** Rewrites what goes out (guardrails). */
  filter?: StreamFilter | undefined;
  /** Nothing goes out until this has seen all of it. */
  approve?: ((stream: string) => Promise<void>) | undefined;
  /** What has gone out, without what only says that the stream lives. */
  sent?: ((text: string) => void) | undefined;
  keepAliveMilliseconds?: number | undefined;
}

/**
 * Passes a stream on. Until the first output everything is held, so that another provider can still be asked; from then
 * on pieces go out as they come, and the provider is not read faster than the client reads. Rejects with
 * `AttemptFailure`; what was sent until then tells `sink.begun`.
 */
export async function pump(upstream: IncomingMessage, options: Pumping): Promise<void> {
  const { surface, model, reader, sink, timeouts, begin, filter, approve } = options;
  const splitter = new SseSplitter();
  const held: string[] = [];
  let heldLength = 0;
  let heldCount = 0;
  let flowing = false;
  let hasBegun = false;
  let lastSent = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();

  const flush = (): Maybe<undefined> => {
    flowing = true;
    sink.hasOutput = true;
    if (!sink.begun) begin();
    const text = held.join('');
    held.length = 0;
    return send(text);
  };
  const send = (text: string): Maybe<undefined> => {
    if (text === '') return undefined;
    const waiting = pass(filter ? filter.push(text) : text);
    if (filter?.refusal) throw filter.refusal;
    return waiting;
  };
  const pass = (text: string): Maybe<undefined> => {
    if (text === '') return undefined;
    lastSent = performance.now();
    options.sent?.(text);
    hasBegun = true;
    return sink.write(text);
  };

  let timer = setTimeout(late, timeouts.firstToken, 'first_token', timeouts.firstToken);
  let idles = false;
  const listen = () => {
    if (idles) return void timer.refresh();
    clearTimeout(timer);
    timer = setTimeout(late, timeouts.idle, 'idle', timeouts.idle);
    idles = true;
  };
  function late(kind: 'first_token' | 'idle', milliseconds: number): void {
    const what = kind === 'idle' ? 'Nothing came from the provider' : 'No output came from the provider';
    fail(new AttemptFailure('timeout', `${kind}_timeout`, `${what} for ${milliseconds} ms.`));
  }
  const every = options.keepAliveMilliseconds ?? silenceMilliseconds;
  const alive = setInterval(
    () => {
      // A client that has not taken what it was sent needs no proof of life.
      if (upstream.isPaused() || performance.now() - lastSent < every) return;
      if (!sink.begun) begin();
      lastSent = performance.now();
      void sink.write(keepAlive(surface, { hasBegun, responseId: reader.objectId ?? '', model }));
    },
    Math.min(every, 1000),
  );
  const stop = () => {
    clearTimeout(timer);
    clearInterval(alive);
    sink.gone.removeEventListener('abort', leave);
  };
  let outgoing = '';
  const take = () => {
    const text = outgoing;
    outgoing = '';
    return text;
  };
  let failed = false;
  const fail = (error: Error) => {
    if (failed) return;
    failed = true;
    // What came before the failure goes out before it is told of. A filter that refuses has said so already.
    if (outgoing !== '' && !filter?.refusal) void pass(filter ? filter.push(take()) : take());
    stop();
    upstream.destroy();
    reject(toFailure(error));
  };
  const leave = () => fail(aborted());
  sink.gone.addEventListener('abort', leave);

  /** While the client takes its time nothing is asked of the provider, so its silence does not count. */
  const holdBack = (waiting: Maybe<undefined>) => {
    if (!(waiting instanceof Promise) || failed) return;
    clearTimeout(timer);
    idles = false;
    upstream.pause();
    void waiting.then(() => {
      if (failed) return;
      listen();
      upstream.resume();
    });
  };
  const release = () => {
    if (failed || outgoing === '') return;
    try {
      holdBack(send(take()));
    } catch (error) {
      fail(error as Error);
    }
  };

  upstream.on('data', (chunk: Buffer) => {
    if (failed) return;
    try {
      let out = '';
      for (const event of splitter.push(chunk)) {
        out += reader.push(event);
        if (!flowing) heldCount++;
      }
      if (flowing || reader.started) listen();
      if (flowing) {
        // Events that came in one piece of the network go out in one: the write costs more than all else here.
        if (outgoing === '') process.nextTick(release);
        outgoing += out;
      } else {
        if (out !== '') held.push(out);
        heldLength += out.length;
        if (approve && heldLength > heldForApproval)
          throw new AttemptFailure('malformed', 'too_large', 'The response of the provider is too large.');
        const isFull = reader.started || heldCount >= heldEvents || heldLength >= heldBytes;
        if (isFull && !approve) holdBack(flush());
      }
    } catch (error) {
      fail(error as Error);
    }
  });
  const finish = async () => {
    release();
    if (failed) return;
    const rest = reader.end();
    clearTimeout(timer);
    if (approve) {
      const whole = [...held, rest].join('');
      held.splice(0, held.length, filter ? filter.push(whole) + filter.end() : whole);
      if (filter?.refusal) throw filter.refusal;
      await approve(held.join(''));
      if (sink.gone.aborted) throw aborted();
      flowing = true;
      sink.hasOutput = true;
      if (!sink.begun) begin();
      void pass(held.join(''));
    } else {
      if (!flowing) void flush();
      void send(rest);
      if (filter) void pass(filter.end());
      if (filter?.refusal) throw filter.refusal;
    }
    stop();
    resolve();
  };
  upstream.once('end', () => {
    if (!failed) finish().catch(fail);
  });
  upstream.once('error', (error) =>
    fail(new AttemptFailure('connection', 'connection_reset', cutOff().message, { cause: error })),
  );
  upstream.once('close', () => {
    if (!upstream.readableEnded) fail(new AttemptFailure('connection', 'stream_cut', cutOff().message));
  });
  await promise;
}

export function toFailure(error: Error): AttemptFailure {
  if (error instanceof AttemptFailure) return error;
  if (error instanceof GatewayProblem)
    return new AttemptFailure('denied', 'guardrail', error.message, { cause: error });
  if (error instanceof StreamFailure)
    return new AttemptFailure('malformed', error.code ?? 'stream_error', error.message, {
      detail: { message: error.message, code: error.code, type: null, param: null },
    });
  if (error instanceof OversizedEvent)
    return new AttemptFailure('malformed', 'oversized_event', error.message);
  return new AttemptFailure('malformed', 'internal', 'The response of the provider could not be read.', {
    cause: error,
  });
}

/** The whole body, at most so large. */
export async function collect(
  upstream: IncomingMessage,
  options: { maxBytes: number; timeouts: Timeouts; stop: Stop },
): Promise<Buffer> {
  const { maxBytes, timeouts, stop } = options;
  const pieces: Buffer[] = [];
  let length = 0;
  const { promise, resolve, reject } = Promise.withResolvers<Buffer>();
  const late = () => fail(idleTooLong(timeouts));
  const timer = setTimeout(late, timeouts.idle);
  const fail = (error: AttemptFailure) => {
    clearTimeout(timer);
    upstream.destroy();
    reject(error);
  };
  const leave = () => fail(aborted());
  stop.addEventListener('abort', leave, { once: true });
  upstream.on('data', (piece: Buffer) => {
    timer.refresh();
    length += piece.length;
    if (length > maxBytes)
      return fail(new AttemptFailure('malformed', 'too_large', 'The response of the provider is too large.'));
    pieces.push(piece);
  });
  upstream.once('end', () => resolve(pieces.length === 1 ? (pieces[0] as Buffer) : Buffer.concat(pieces)));
  upstream.once('error', (error) =>
    fail(
      new AttemptFailure('connection', 'connection_reset', 'The connection to the provider was lost.', {
        cause: error,
      }),
    ),
  );
  upstream.once('close', () => {
    if (!upstream.readableEnded)
      fail(new AttemptFailure('connection', 'answer_cut', 'The provider’s response ended early.'));
  });
  try {
    return await promise;
  } finally {
    clearTimeout(timer);
    stop.removeEventListener('abort', leave);
  }
}
