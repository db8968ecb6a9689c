import { Worker } from 'node:worker_threads';
import type { Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { Semaphore } from '#core/semaphore.ts';
import { parseJson } from '#http/json.ts';
import type { JsonReply, JsonRequest } from './json-thread.ts';

/** Larger ones could hold the event loop for tens of milliseconds: escapes cost ten times what plain text does. */
const threadBytes = 1024 * 1024;
/** The thread is given back when nobody has sent much for so long. */
const idleMilliseconds = 60_000;

/** Bodies as objects: large ones are parsed in a thread, which starts with the first of them. */
export class JsonParser {
  readonly #gate = new Semaphore({ width: 1, maxWaiting: 100 });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Throws, or rejects with, `Problem('invalid_request')`. */
  parse(pieces: Buffer[], length: number): Maybe<unknown> {
    if (length > threadBytes) return this.#gate.run(() => this.#ask(pieces));
    const [first] = pieces;
    return parseJson(pieces.length === 1 && first ? first : Buffer.concat(pieces, length));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #ask(pieces: Buffer[]): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#thread ??= new Worker(new URL('./json-thread.ts', import.meta.url));
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<JsonReply>();
    const stopped = () => reject(new Error('The thread that parses bodies stopped.'));
    thread.ref();
    thread.once('message', resolve).once('error', reject).once('exit', stopped);
    // Their memory moves over: putting them together here would hold the event loop, megabytes at a time.
    const request: JsonRequest = { pieces: pieces.map(withOwnMemory) };
    thread.postMessage(
      request,
      request.pieces.map(({ buffer }) => buffer),
    );
    try {
      const reply = await promise;
      if ('value' in reply) return reply.value;
      throw new Problem('invalid_request', reply.sentence);
    } catch (error) {
      if (!(error instanceof Problem)) this.#thread = undefined;
      throw error;
    } finally {
      thread.off('message', resolve).off('error', reject).off('exit', stopped).unref();
      this.#idle = setTimeout(() => void this.close(), idleMilliseconds);
      this.#idle.unref();
    }
  }
}

function withOwnMemory(piece: Buffer): Uint8Array<ArrayBuffer> {
  const { buffer, byteLength } = piece;
  const isWhole = buffer instanceof ArrayBuffer && buffer.byteLength === byteLength;
  return isWhole ? new Uint8Array(buffer) : new Uint8Array(piece);
}
