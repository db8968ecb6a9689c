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
  parse(body: Buffer): Maybe<unknown> {
    return body.length <= threadBytes ? parseJson(body) : this.#gate.run(() => this.#ask(body));
  }

  async close(): Promise<void> {
    clearTimeout(this.#idle);
    const thread = this.#thread;
    this.#thread = undefined;
    await thread?.terminate();
  }

  async #ask(body: Buffer): Promise<unknown> {
    clearTimeout(this.#idle);
    this.#thread ??= new Worker(new URL('./json-thread.ts', import.meta.url));
    const thread = this.#thread;
    const { promise, resolve, reject } = Promise.withResolvers<JsonReply>();
    const stopped = () => reject(new Error('The thread that parses bodies stopped.'));
    thread.ref();
    thread.once('message', resolve).once('error', reject).once('exit', stopped);
    const request: JsonRequest = { body };
    // Nobody reads the body after this: its memory moves over, where it is all its own.
    const isWhole = body.byteLength === body.buffer.byteLength;
    thread.postMessage(request, isWhole ? [body.buffer as ArrayBuffer] : []);
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
