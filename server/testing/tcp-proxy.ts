import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';

/** Stands between a client and a server, and fails as networks do. */
export interface TcpProxy extends AsyncDisposable {
  port: number;
  /** From now on nothing passes, in either direction; connections are accepted and hear nothing. */
  stall(): void;
  /** What was held back continues its way. */
  resume(): void;
  /** Closes every connection and refuses new ones, until `accept`. */
  refuse(): void;
  accept(): Promise<void>;
  /** Cuts the connection on which the client sends this, when the server has answered: the answer is lost. Once. */
  loseAnswerTo(text: string): Promise<void>;
  /** Cuts the connection on which the client sends this, before the server hears of it. Once. */
  loseRequest(text: string): void;
}

export async function startTcpProxy(target: { host: string; port: number }): Promise<TcpProxy> {
  const pairs = new Set<readonly [Socket, Socket]>();
  let stalled = false;
  let losing: { text: string; done?: () => void } | undefined;

  const server = createServer((client) => {
    const upstream = connect(target);
    const pair = [client, upstream] as const;
    pairs.add(pair);
    for (const socket of pair) {
      socket.on('error', () => undefined);
      socket.on('close', () => {
        pairs.delete(pair);
        for (const each of pair) each.destroy();
      });
      if (stalled) socket.pause();
    }
    let lost: (() => void) | undefined;
    client.on('data', (chunk) => {
      if (losing && chunk.includes(losing.text)) {
        lost = losing.done;
        losing = undefined;
        if (!lost) return void client.destroy();
      }
      upstream.write(chunk);
    });
    upstream.on('data', (chunk) => {
      if (!lost) return void client.write(chunk);
      for (const socket of pair) socket.destroy();
      lost();
    });
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as { port: number };
  const all = (work: (socket: Socket) => unknown) => {
    for (const pair of pairs) for (const socket of pair) work(socket);
  };
  return {
    port,
    stall() {
      stalled = true;
      all((socket) => socket.pause());
    },
    resume() {
      stalled = false;
      all((socket) => socket.resume());
    },
    refuse() {
      server.close();
      all((socket) => socket.destroy());
    },
    async accept() {
      server.listen(port, '127.0.0.1');
      await once(server, 'listening');
    },
    loseAnswerTo(text) {
      const { promise, resolve } = Promise.withResolvers<void>();
      losing = { text, done: resolve };
      return promise;
    },
    loseRequest(text) {
      losing = { text };
    },
    async [Symbol.asyncDispose]() {
      const closed = once(server, 'close');
      server.close();
      all((socket) => socket.destroy());
      await closed;
    },
  };
}
