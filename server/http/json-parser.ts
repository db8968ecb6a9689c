import { Worker } from 'node:worker_threads';
import type { Maybe } from '#core/maybe.ts';
import { Problem } from '#core/problem.ts';
import { Semaphore } from '#core/semaphore.ts';
import { parseJson } from '#http/json.ts';
import type { JsonReply, JsonRequest } from './json-thread.ts';
import { hasMoreItems } from './json-work.ts';

/** Smaller ones take less than a millisecond, whatever they hold. */
const countedBytes = 4 * 1024;
/** Larger ones could hold the event loop for tens of milliseconds: escapes cost ten times what plain text does. */
const threadBytes = 1024 * 1024;
/** The thread is given back when nobody has sent much for so long. */
const idleMilliseconds = 60_000;

/** Bodies as objects: counted before they are parsed, large ones parsed in a thread, which starts with the first. */
export class JsonParser {
  readonly #gate = new Semaphore({ width: 1, maxWaiting: 100 });
  #thread: Worker | undefined;
  #idle: NodeJS.Timeout | undefined;

  /** Throws `Problem('invalid_request')`, and `too_large` for more items than that. */
  parse(body: Buffer, maxItems: number): Maybe<unknown> {
    if (body.length > countedBytes && hasMoreItems(body, maxItems)) {
      const sentence = `The body holds more than ${maxItems} values, names and containers. Send less at a time.`;
      throw new Problem('too_large', sentence);
    }
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
    thread.postMessage(request);
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
