// Starts the entry of a function on the instance's socket, whatever way the entry is written in. Everything that needs no
// entry is done first: a process may wait here for its function.
import { readFileSync } from 'node:fs';
import http from 'node:http';
import { createRequire } from 'node:module';
import net from 'node:net';
import { Readable } from 'node:stream';
import { pathToFileURL } from 'node:url';
import { forward } from './relay.js';

const [socketPath = '', ports = ''] = process.argv.slice(2);

let isListening = false;
const listen = net.Server.prototype.listen;

/**
 * The first server that the code opens is the one that is asked: it gets the socket, whatever port it wanted.
 * @this {net.Server}
 * @param {...unknown} args
 */
function listenOnSocket(...args) {
  // Named sockets and handles are the code's own affair.
  if (isListening) return Reflect.apply(listen, this, args);
  isListening = true;
  const callback = args.findLast((value) => typeof value === 'function');
  return Reflect.apply(listen, this, [{ path: socketPath }, ...(callback ? [callback] : [])]);
}

for (const pair of ports.split(',').filter(Boolean)) {
  const [port, path = ''] = pair.split('=');
  await forward(Number(port), path);
}
// Node loads these when they are first used.
void [globalThis.fetch, globalThis.Request, globalThis.Response, globalThis.Headers, globalThis.AbortSignal];

/** @type {{ entry: string, cwd: string, env: Record<string, string> }} */
const { entry, cwd, env } = JSON.parse(readFileSync(0, 'utf8'));
// biome-ignore lint/style/noProcessEnv: it is made here, for the code that follows.
Object.assign(process.env, env);
process.chdir(cwd);
process.argv = [process.argv[0] ?? '', entry];
net.Server.prototype.listen = /** @type {typeof listen} */ (listenOnSocket);

/** @param {string} sentence */
function refuse(sentence) {
  process.stderr.write(`${sentence}\n`);
  process.exit(1);
}

const loaded = await import(pathToFileURL(entry).href);
if (!isListening) serve(loaded);

/** @param {Record<string, any>} module */
function serve(module) {
  // What CommonJS exports stands under `default`, once more so for compiled modules.
  const exported = module['default']?.default ?? module['default'] ?? module;
  const handler = exported?.fetch ?? module['fetch'];
  if (typeof handler === 'function') {
    http.createServer((request, response) => answer(handler.bind(exported), request, response)).listen(0);
  } else if (typeof exported === 'function') {
    http.createServer((request, response) => exported(request, response)).listen(0);
  } else if (typeof module['handler'] === 'function' || typeof exported?.handler === 'function') {
    refuse(
      'The entry exports a Lambda-style "handler". Export a server instead: one that listens, a function (request, response), ' +
        'or an object with "fetch".',
    );
  } else {
    // The server may still be on its way: code that connects to a database first, say.
    setTimeout(() => {
      if (!isListening)
        refuse('The entry neither listened within 10 s nor exported a function or an object with "fetch".');
    }, 10_000).unref();
  }
}

/**
 * One request to a handler of the Fetch standard.
 * @param {(request: Request) => Response | Promise<Response>} handler
 * @param {http.IncomingMessage} incoming
 * @param {http.ServerResponse} outgoing
 */
async function answer(handler, incoming, outgoing) {
  const aborted = new AbortController();
  outgoing.on('close', () => aborted.abort());
  try {
    const scheme = incoming.headers['x-forwarded-proto'] ?? 'http';
    const headers = new Headers();
    for (let at = 0; at < incoming.rawHeaders.length; at += 2)
      headers.append(incoming.rawHeaders[at] ?? '', incoming.rawHeaders[at + 1] ?? '');
    const hasBody = incoming.method !== 'GET' && incoming.method !== 'HEAD';
    const request = new Request(new URL(incoming.url ?? '/', `${scheme}://${incoming.headers.host}`), {
      method: incoming.method ?? 'GET',
      headers,
      body: hasBody ? Readable.toWeb(incoming) : null,
      duplex: 'half',
      signal: aborted.signal,
    });
    const response = await handler(request);
    const sent = Object.fromEntries(response.headers);
    const cookies = response.headers.getSetCookie();
    outgoing.writeHead(response.status, {
      ...sent,
      ...(cookies.length > 0 ? { 'set-cookie': cookies } : {}),
    });
    if (response.body && incoming.method !== 'HEAD')
      for await (const chunk of response.body)
        if (!outgoing.write(chunk)) await new Promise((resolve) => outgoing.once('drain', resolve));
    outgoing.end();
  } catch (error) {
    process.stderr.write(`${error instanceof Error ? error.stack : error}\n`);
    if (!outgoing.headersSent) outgoing.writeHead(500);
    outgoing.end();
  }
}

// Some frameworks look for what started them.
globalThis.require ??= createRequire(pathToFileURL(entry));
