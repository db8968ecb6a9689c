import { Server } from 'node:net';
import { pathToFileURL } from 'node:url';

/**
 * Portkey's gateway as its package starts it, but on the loopback address alone: it has no setting for that. It changes
 * the headers of what `fetch` answers, which newer versions of Node forbid: they get a copy that may be changed.
 */
const [port = '', file = ''] = process.argv.slice(2);
const { listen } = Server.prototype;
Server.prototype.listen = function (this: Server, ...args: unknown[]) {
  const [first] = args;
  const options = typeof first === 'object' && first !== null ? { ...first } : { port: first };
  const done = args.find((one) => typeof one === 'function');
  return listen.call(this, { ...options, host: '127.0.0.1' } as never, done as never);
} as typeof listen;
const ask = globalThis.fetch;
globalThis.fetch = async (...args) => {
  const answer = await ask(...args);
  return new Response(answer.body, answer);
};
process.argv = [process.argv[0] ?? '', file, `--port=${port}`, '--headless'];
await import(pathToFileURL(file).href);
