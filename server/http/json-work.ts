import type { Readable } from 'node:stream';
import type { FastifyRequest } from 'fastify';
import { Problem } from '#core/problem.ts';
import { tooLarge } from '#http/errors.ts';

/** How many values, names and containers a body may hold where a route says nothing: each costs more than its bytes. */
const defaultJsonItems = 20_000;
/** Smaller bodies take less than two milliseconds, whatever they hold. */
const uncountedBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;
const letterU = 0x75;
/** Below it a jump costs more than the steps. */
const plainBytes = 64;

/**
 * Counts the items of JSON text as it arrives: containers, names, and values after the first of their container. The
 * bytes have not been parsed and may be anything; each is looked at once.
 */
export class ItemCounter {
  items = 0;
  readonly #limit: number;
  #inString = false;
  /** How many of the next bytes belong to an escape. */
  #skip = 0;

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether the text has more items than the limit; then counting has stopped. */
  exceeds(chunk: Uint8Array): boolean {
    let at = 0;
    while (at < chunk.length) {
      if (this.#inString) {
        at = this.#skipString(chunk, at);
        continue;
      }
      switch (chunk[at++]) {
        case quote:
          this.#inString = true;
          break;
        case 0x7b: // {
        case 0x5b: // [
        case 0x3a: // :
        case 0x2c: // ,
          if (++this.items > this.#limit) return true;
      }
    }
    return false;
  }

  /** Where the string has ended, or the chunk has. Long stretches without escapes are jumped over. */
  #skipString(chunk: Uint8Array, start: number): number {
    const { length } = chunk;
    let at = start + this.#skip;
    for (let plain = 0; at < length; at++) {
      const byte = chunk[at];
      if (byte === backslash) {
        // Where the four are no digits the text is not JSON, and what follows is never parsed.
        at += chunk[at + 1] === letterU ? 5 : 1;
        plain = 0;
      } else if (byte === quote) {
        this.#inString = false;
        this.#skip = 0;
        return at + 1;
      } else if (++plain === plainBytes) {
        const window = chunk.subarray(at, at + jumpBytes);
        const marks = [window.indexOf(quote), window.indexOf(backslash)].filter((mark) => mark >= 0);
        // The step of the loop leads to it.
        at += Math.max(Math.min(window.length, ...marks) - 1, 0);
        plain = 0;
      }
    }
    this.#skip = at - length;
    return length;
  }
}

const jumpBytes = 16 * 1024;

/**
 * Receives a JSON body in the pieces that it comes in, within the bounds of its route. A large one is counted as it
 * arrives, a piece each turn of the event loop, so that one with too much in it is refused before it is kept.
 */
export function receiveJson(
  request: FastifyRequest,
  payload: Readable,
  done: (error: Error | null, pieces: Buffer[], length: number) => void,
): void {
  const { bodyLimit, config } = request.routeOptions;
  // NaN where it is not said: neither small nor too large.
  const declared = Number(request.headers['content-length']);
  const limit = config.jsonItems ?? defaultJsonItems;
  const counter = declared <= uncountedBytes ? undefined : new ItemCounter(limit);
  const pieces: Buffer[] = [];
  let length = 0;
  const onData = (piece: Buffer) => {
    length += piece.length;
    if (length > bodyLimit) return end(tooLarge());
    if (counter?.exceeds(piece)) {
      const sentence = `The body holds more than ${limit} values, names and containers. Split the request.`;
      return end(new Problem('too_large', sentence));
    }
    pieces.push(piece);
    if (!counter) return;
    payload.pause();
    setImmediate(() => payload.resume());
  };
  const onEnd = () => end(null);
  const onError = (cause: Error) =>
    end(new Problem('invalid_request', 'The body ended before it was complete.', { cause }));
  const end = (error: Error | null) => {
    payload.off('data', onData).off('end', onEnd).off('error', onError);
    done(error, pieces, length);
  };
  payload.on('data', onData).on('end', onEnd).on('error', onError);
  if (declared > bodyLimit) end(tooLarge());
}
