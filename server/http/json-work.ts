import { Transform } from 'node:stream';
import type { FastifyInstance } from 'fastify';
import { Problem } from '#core/problem.ts';

/** How many values, names and containers a body may hold where a route says nothing: each costs more than its bytes. */
const defaultJsonItems = 20_000;
/** Smaller bodies take less than two milliseconds, whatever they hold. */
const uncountedBytes = 64 * 1024;

const quote = 0x22;
const backslash = 0x5c;
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
  #escaped = false;

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
    for (let at = start, plain = 0; at < chunk.length; at++) {
      if (this.#escaped) this.#escaped = false;
      else if (chunk[at] === backslash) {
        this.#escaped = true;
        plain = 0;
      } else if (chunk[at] === quote) {
        this.#inString = false;
        return at + 1;
      } else if (++plain === plainBytes) {
        const window = chunk.subarray(at, at + jumpBytes);
        const marks = [window.indexOf(quote), window.indexOf(backslash)].filter((mark) => mark >= 0);
        // The step of the loop leads to it.
        at += Math.max(Math.min(window.length, ...marks) - 1, 0);
        plain = 0;
      }
    }
    return chunk.length;
  }
}

const jumpBytes = 16 * 1024;

/** Counts large JSON bodies while they are received, so that one with too much in it is refused before it is kept. */
export function registerJsonCounting(app: FastifyInstance): void {
  app.addHook('preParsing', (request, _reply, payload, done) => {
    const { headers, routeOptions } = request;
    const length = headers['content-length'];
    const isSmall = length !== undefined && Number(length) <= uncountedBytes;
    if (isSmall || !headers['content-type']?.startsWith('application/json')) return done(null, payload);
    const counted = new CountedBody(routeOptions.config.jsonItems ?? defaultJsonItems);
    payload.on('error', (error) => counted.destroy(error));
    done(null, payload.pipe(counted));
  });
}

class CountedBody extends Transform {
  /** Fastify compares it with Content-Length. */
  receivedEncodedLength = 0;
  readonly #counter: ItemCounter;
  readonly #limit: number;

  constructor(limit: number) {
    super();
    this.#limit = limit;
    this.#counter = new ItemCounter(limit);
  }

  override _transform(
    chunk: Buffer,
    _encoding: BufferEncoding,
    done: (error: Error | null, chunk?: Buffer) => void,
  ): void {
    this.receivedEncodedLength += chunk.length;
    if (this.#counter.exceeds(chunk)) {
      const sentence = `The body holds more than ${this.#limit} values, names and containers. Split the request.`;
      done(new Problem('too_large', sentence));
    } else done(null, chunk);
  }
}
