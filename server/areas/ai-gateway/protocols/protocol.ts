import type { Usage } from '../catalogue/usage.ts';
import type { SseEvent } from '../relay/sse.ts';

/** The protocols of text that clients speak, and what else there is. */
export type Surface = 'chat' | 'responses' | 'messages';

/** A stream that cannot be shown as a success: cut off, an error inside, or nonsense. */
export class StreamFailure extends Error {
  override name = 'StreamFailure';
  readonly code: string | null;
  /** Whether another provider may be asked, as long as nothing was sent. */
  readonly retryable: boolean;

  constructor(message: string, options: { code?: string | null; retryable?: boolean } = {}) {
    super(message);
    this.code = options.code ?? null;
    this.retryable = options.retryable ?? true;
  }
}

export function cutOff(): StreamFailure {
  return new StreamFailure('The provider’s stream ended early.', { code: 'stream_cut' });
}

/** What a reader needs to know of the request. */
export interface Reading {
  /** As the client asked for it; answers name it so. */
  model: string;
  /** Whether the client wants the usage in a chunk of its own (chat). */
  wantsUsage: boolean;
  /** In micro-dollars; null while that cannot be said. */
  costOf(usage: Usage): number | null;
}

/** Reads the stream of a provider and writes that of the client. */
export interface StreamReader {
  /** What to send on for the event; empty: nothing. Throws `StreamFailure`. */
  push(event: SseEvent): string;
  /** The provider has closed the stream: what is left to send. Throws `StreamFailure` when it was not at its end. */
  end(): string;
  /** Whether the first text, reasoning, tool call or audio was seen. */
  readonly started: boolean;
  readonly usage: Usage | null;
  /** Of text and arguments: what an estimate is made from when the stream stops early. */
  readonly characters: number;
  readonly finishReason: string | null;
  /** Made by the provider, for later requests; null where there is none. */
  readonly objectId: string | null;
}

/** A whole answer, translated. */
export interface Answer {
  body: readonly Buffer[];
  usage: Usage | null;
  characters: number;
  finishReason: string | null;
  objectId: string | null;
}

/** A request as a provider takes it, and how its answers are read. */
export interface Exchange {
  path: string;
  headers: Record<string, string>;
  body: readonly Buffer[];
  /** The answer is bytes (speech), passed on as they come; what was used is counted here. */
  bytes?: { usage: Usage };
  /** Throws `StreamFailure` for what is no answer: an error inside a 200, or nonsense. */
  answer(bytes: Buffer, reading: Reading): Answer;
  stream(reading: Reading): StreamReader;
}

export const jsonHeaders = { 'content-type': 'application/json' } as const;

/** Throws `StreamFailure` for what is no JSON. */
// biome-ignore lint/suspicious/noExplicitAny: foreign JSON; readers take what they know.
export function parseForeign(text: string): any {
  try {
    return JSON.parse(text);
  } catch {
    throw new StreamFailure('The provider sent something that is not JSON.', { code: 'malformed_answer' });
  }
}

/** An error that a provider put where an answer belongs. */
export function failureOf(error: unknown): StreamFailure {
  const { message, code, type } = (typeof error === 'object' && error !== null ? error : {}) as Record<
    string,
    unknown
  >;
  const text =
    typeof message === 'string'
      ? message
      : typeof error === 'string'
        ? error
        : 'The provider reported an error.';
  const name = typeof code === 'string' ? code : typeof type === 'string' ? type : null;
  return new StreamFailure(text.slice(0, 2000), { code: name });
}
