import { fork } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import type { Latencies } from './probe-process.ts';

/** An API in this process, and another process that asks it all the time. */
export async function startProbe(): Promise<{ latencies(): Promise<Latencies> } & AsyncDisposable> {
  const server = createServer((_, response) => response.end('{}')).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const probe = fork(path.join(import.meta.dirname, 'probe-process.ts'), [String(port)]);
  return {
    async latencies() {
      const told = once(probe, 'message');
      probe.send('report');
      return (await told)[0] as Latencies;
    },
    async [Symbol.asyncDispose]() {
      const gone = once(probe, 'exit');
      probe.disconnect();
      await gone;
      server.close();
    },
  };
}
