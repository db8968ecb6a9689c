import type { ServerResponse } from 'node:http';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Maybe } from '#core/maybe.ts';
import { Stopper } from './stop.ts';

/** The client's end of a request: what is written to it, and that it has gone away. */
export class Sink {
  readonly #raw: ServerResponse;
  readonly #reply: FastifyReply;
  /** Stops when the client has closed the connection. */
  readonly gone = new Stopper();
  /** Headers of every answer of this request. */
  readonly headers = new Map<string, string>();
  /** Whether the head was sent: from then on a failure is said inside the stream. */
  begun = false;
  /** Whether output of a provider was sent: from then on no other one is asked. */
  hasOutput = false;

  constructor(request: FastifyRequest, reply: FastifyReply) {
    this.#raw = reply.raw;
    this.#reply = reply;
    // The socket, not the response: a client that leaves while its body is still awaited closes only that.
    const left = () => {
      if (!this.#raw.writableFinished) this.gone.stop();
    };
    request.raw.socket.once('close', left);
    this.#raw.once('close', () => {
      request.raw.socket.off('close', left);
      left();
    });
  }

  setAll(headers: Readonly<Record<string, string>>): void {
    for (const [name, value] of Object.entries(headers)) this.headers.set(name, value);
  }

  head(status: number, headers: Readonly<Record<string, string>>): void {
    this.begun = true;
    this.#reply.hijack();
    const common = this.#reply.getHeaders() as Record<string, string>;
    this.#raw.writeHead(status, { ...common, ...Object.fromEntries(this.headers), ...headers });
  }

  /** Resolves when more may be written: at once, or when the client has taken what is waiting. */
  write(piece: string | Buffer): Maybe<undefined> {
    if (this.gone.aborted || piece.length === 0) return undefined;
    if (this.#raw.write(piece)) return undefined;
    return new Promise((resolve) => {
      const done = () => {
        this.#raw.off('drain', done);
        this.gone.removeEventListener('abort', done);
        resolve(undefined);
      };
      this.#raw.once('drain', done);
      this.gone.addEventListener('abort', done);
    });
  }

  end(): void {
    this.#raw.end();
  }

  /** Breaks the connection off in the middle of an answer. */
  destroy(): void {
    this.#raw.destroy();
  }

  /** Whether nothing can be said any more. */
  get isBroken(): boolean {
    return this.#raw.destroyed;
  }

  /** A whole answer, in pieces that are not joined. */
  async send(
    status: number,
    headers: Readonly<Record<string, string>>,
    pieces: readonly Buffer[],
  ): Promise<void> {
    const length = pieces.reduce((sum, piece) => sum + piece.length, 0);
    this.head(status, { ...headers, 'content-length': String(length) });
    if (length < 64 * 1024) {
      this.#raw.end(pieces.length === 1 ? pieces[0] : Buffer.concat(pieces));
      return;
    }
    for (const piece of pieces) await this.write(piece);
    this.end();
  }
}
