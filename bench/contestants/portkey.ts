import { Server } from 'node:net';
import { pathToFileURL } from 'node:url';

/** Portkey's gateway as its package starts it, but on the loopback address alone: it has no setting for that. */
const [port = '', file = ''] = process.argv.slice(2);
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first] = args;
  const options = typeof first === 'object' && first !== null ? { ...first } : { port: first };
  const done = args.find((one) => typeof one === 'function');
  return listen.call(this, { ...options, host: '127.0.0.1' } as never, done as never);
} as typeof listen;
process.argv = [process.argv[0] ?? '', file, `--port=${port}`, '--headless'];
await import(pathToFileURL(file).href);
