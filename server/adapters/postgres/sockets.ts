import { Socket } from 'node:net';

const goodbyeMilliseconds = 1000;

/** The sockets of the connections that are open, so that closing them ends even where the server says nothing any more. */
export class Sockets {
  readonly #open = new Set<Socket>();

  /** As pg's option `stream`. */
  readonly make = (): Socket => {
    const socket = new Socket();
    this.#open.add(socket);
    socket.once('close', () => this.#open.delete(socket));
    return socket;
  };

  /** Waits for `goodbye`, though not for long, then closes whatever is still open. */
  async closeAfter(goodbye: Promise<unknown>): Promise<void> {
    const { promise: over, resolve } = Promise.withResolvers<void>();
    const timer = setTimeout(resolve, goodbyeMilliseconds);
    await Promise.race([goodbye.catch(() => undefined), over]);
    clearTimeout(timer);
    for (const socket of this.#open) socket.destroy();
  }
}
