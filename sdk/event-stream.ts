import { ApiError, ConnectionError } from './errors.ts';
import { lines } from './lines.ts';
import { abortable } from './send.ts';

/** Streams that are gone on with where their connection breaks. */

export interface FollowOptions {
  signal?: AbortSignal | undefined;
  /** How long the instance may be away before it is given up. Two minutes unless given. */
  patienceMilliseconds?: number | undefined;
  /** Told of each connection that broke, or could not be made. */
  onBreak?: ((error: unknown) => void) | undefined;
  /** Told once a connection is open, again after each break. */
  onOpen?: (() => void) | undefined;
  /** Told where more came in a moment than the server sends. */
  onSkip?: (() => void) | undefined;
}

const defaultPatienceMilliseconds = 120_000;
/** The server says something every 15 seconds: a connection that is silent for so long is dead. */
const silenceMilliseconds = 45_000;
const firstDelayMilliseconds = 250;
const longestDelayMilliseconds = 10_000;

/**
 * The data of each event of that name, once, until `end` says that there are no more. `open` is given the id of the last
 * event; what a broken connection took of an event is asked for again with it.
 */
export async function* followEvents<T>(
  name: string,
  open: (lastEventId: string | undefined) => Promise<Response>,
  options: FollowOptions = {},
): AsyncGenerator<T> {
  const { signal, patienceMilliseconds = defaultPatienceMilliseconds, onBreak, onOpen, onSkip } = options;
  let lastEventId: string | undefined;
  let heardAt = Date.now();
  for (let failures = 0; ; ) {
    try {
      const response = await open(lastEventId);
      onOpen?.();
      for await (const event of eventsOf(response, signal)) {
        heardAt = Date.now();
        failures = 0;
        if (event.name === 'end') return;
        if (event.name === 'skipped') onSkip?.();
        if (event.name === name) yield JSON.parse(event.data);
        lastEventId = event.id ?? lastEventId;
      }
      throw new ConnectionError('The stream broke off before its end.');
    } catch (error) {
      signal?.throwIfAborted();
      const isAway = !(error instanceof ApiError) || error.status >= 500 || error.status === 429;
      // Too many read at this moment: it answers, though.
      if (error instanceof ApiError && error.status === 429) heardAt = Date.now();
      if (!isAway || Date.now() - heardAt > patienceMilliseconds) throw error;
      onBreak?.(error);
    }
    const delay = Math.min(firstDelayMilliseconds * 2 ** failures++, longestDelayMilliseconds);
    await abortable(new Promise((resolve) => setTimeout(resolve, delay)), signal);
  }
}

interface StreamEvent {
  name: string;
  id: string | undefined;
  data: string;
}

/** Whole events alone: one that was cut off lacks the empty line at its end. A comment is an event without a name. */
async function* eventsOf(response: Response, signal: AbortSignal | undefined): AsyncGenerator<StreamEvent> {
  const source = lines(response);
  let event: StreamEvent = { name: '', id: undefined, data: '' };
  try {
    for (;;) {
      const { value: line, done } = await within(source.next(), signal);
      if (done) return;
      if (line === '') {
        yield event;
        event = { name: '', id: undefined, data: '' };
      } else if (line.startsWith('event: ')) event.name = line.slice('event: '.length);
      else if (line.startsWith('id: ')) event.id = line.slice('id: '.length);
      else if (line.startsWith('data: ')) event.data += line.slice('data: '.length);
    }
  } finally {
    // Not awaited: it waits for what is still being read.
    void source.return(undefined).catch(() => {});
    void response.body?.cancel().catch(() => {});
  }
}

async function within<T>(promise: Promise<T>, signal: AbortSignal | undefined): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const silent = new Promise<never>((_, reject) => {
    const late = new ConnectionError('The stream was silent for too long.');
    timer = setTimeout(() => reject(late), silenceMilliseconds);
  });
  try {
    return await abortable(Promise.race([promise, silent]), signal);
  } catch (error) {
    if (signal?.aborted || error instanceof ConnectionError) throw error;
    throw new ConnectionError('The stream broke off.', { cause: error });
  } finally {
    clearTimeout(timer);
  }
}
