import type { Duplex } from 'node:stream';
import { senderOf } from '#core/addresses.ts';

/** Upgraded connections, which the server itself no longer knows and yet waits for when it closes. */
export class Upgraded {
  readonly #mostPerAddress: number;
  readonly #sockets = new Map<Duplex, string>();
  readonly #counts = new Map<string, number>();

  constructor({ mostPerAddress }: { mostPerAddress: number }) {
    this.#mostPerAddress = mostPerAddress;
  }

  /** Counts the connection until it closes; false where the client has too many already, and then nothing is counted. */
  add(socket: Duplex, address: string): boolean {
    const sender = senderOf(address);
    const count = this.#counts.get(sender) ?? 0;
    if (count >= this.#mostPerAddress) return false;
    this.#counts.set(sender, count + 1);
    this.#sockets.set(socket, sender);
    socket.once('close', () => this.#remove(socket));
    return true;
  }

  #remove(socket: Duplex): void {
    const sender = this.#sockets.get(socket);
    if (sender === undefined) return;
    this.#sockets.delete(socket);
    const count = (this.#counts.get(sender) ?? 1) - 1;
    if (count === 0) this.#counts.delete(sender);
    else this.#counts.set(sender, count);
  }

  destroyAll(): void {
    for (const socket of this.#sockets.keys()) socket.destroy();
  }
}
