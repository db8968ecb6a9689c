import {
  Agent,
  request as httpRequest,
  type IncomingHttpHeaders,
  type IncomingMessage,
  type ServerResponse,
} from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { Outgoing } from '#core/outgoing.ts';

/** RFC 9110, 7.6.1, and what only the gateway may say. */
const notForwarded = new Set([
  ...[
    'connection',
    'keep-alive',
    'proxy-authenticate',
    'proxy-authorization',
    'proxy-connection',
    'te',
    'trailer',
  ],
  ...[
    'transfer-encoding',
    'upgrade',
    'x-forwarded-for',
    'x-forwarded-host',
    'x-forwarded-proto',
    'x-real-ip',
    'forwarded',
  ],
]);

/** Idle connections to processes of functions are kept, for each as many as it usually has requests at a time. */
const agent = new Agent({ keepAlive: true, maxFreeSockets: 100, scheduling: 'lifo' });

export interface Onward {
  /** Of the client, as the gateway sees it. */
  address: string;
  scheme: 'http' | 'https';
  path: string;
  /** Added to the request. */
  headers?: Readonly<Record<string, string>>;
  /** Added to the answer. */
  answerHeaders: Readonly<Record<string, string>>;
  status?: number | undefined;
  /** When the answer has to have begun and ended. */
  deadline: AbortSignal;
  /** Looks at an answer before it is passed on. */
  observe?(status: number, headers: Record<string, string | string[]>): Observer;
}

/** What somebody who looks at an answer does with it. */
export interface Observer {
  /** Added to what is passed on. */
  headers: Readonly<Record<string, string>>;
  /** The visitor gets none of it: the observer answers by other means. */
  takes?: boolean;
  /** Sees the bytes; as long as it says true they are read as fast as they come, however slow the visitor is. */
  chunk?(bytes: Buffer): boolean;
  /** All of it has come. */
  end?(): void;
  /** It broke off. */
  abort?(): void;
}

/** A whole answer, for those who ask on nobody's behalf. */
export interface Collected {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
}

function forwardedHeaders(request: IncomingMessage, onward: Onward): Record<string, string | string[]> {
  const named = new Set(
    String(request.headers.connection ?? '')
      .toLowerCase()
      .split(/\s*,\s*/),
  );
  const headers: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(request.headers)) {
    if (value === undefined || notForwarded.has(name) || name.startsWith('x-mainstay-') || named.has(name))
      continue;
    headers[name] = value;
  }
  delete headers['content-length'];
  const cookies = withoutOwnCookies(request.headers.cookie);
  if (cookies === undefined) delete headers['cookie'];
  else headers['cookie'] = cookies;
  headers['x-forwarded-for'] = onward.address;
  headers['x-forwarded-host'] = request.headers.host ?? '';
  headers['x-forwarded-proto'] = onward.scheme;
  return Object.assign(headers, onward.headers);
}

/**
 * How the body is framed, whatever the method and whatever `Connection` names: bytes of a body that is sent on without a frame
 * would be taken for the next request of the connection.
 */
function framing({ headers }: IncomingMessage): Record<string, string> {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}

/** What lets a visitor in is not for the code behind the door. */
function withoutOwnCookies(cookie: string | undefined): string | undefined {
  if (!cookie?.includes('__mainstay_')) return cookie;
  const kept = cookie.split(/;\s*/).filter((pair) => !pair.startsWith('__mainstay_'));
  return kept.length === 0 ? undefined : kept.join('; ');
}

/** To a process of a function. Resolves with the bytes that were sent, rejects while nothing has been answered. */
export function forwardToSocket(
  request: IncomingMessage,
  response: ServerResponse,
  socketPath: string,
  onward: Onward,
): Promise<number> {
  const options = { socketPath, path: onward.path, method: request.method, agent };
  const headers = { ...forwardedHeaders(request, onward), ...framing(request) };
  return pass(request, response, httpRequest({ ...options, headers }), onward);
}

/** To a server elsewhere, whose address was checked and is the one that is dialled. */
export async function forwardToUrl(
  request: IncomingMessage,
  response: ServerResponse,
  url: URL,
  outgoing: Outgoing,
  onward: Onward,
): Promise<number> {
  const lookup = Outgoing.pinned(await outgoing.addressesOf(url.hostname));
  const headers = { ...forwardedHeaders(request, onward), ...framing(request), host: url.host };
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return pass(request, response, ask(url, { method: request.method, headers, lookup }), onward);
}

function pass(
  request: IncomingMessage,
  response: ServerResponse,
  onward: ReturnType<typeof httpRequest>,
  { answerHeaders, status, deadline, observe }: Onward,
): Promise<number> {
  return new Promise((resolve, reject) => {
    let sent = 0;
    let observer: Observer | undefined;
    let isFinished = false;
    const stop = () => onward.destroy(deadline.reason as Error);
    deadline.addEventListener('abort', stop, { once: true });
    const finish = (error?: Error) => {
      if (isFinished) return;
      isFinished = true;
      deadline.removeEventListener('abort', stop);
      if (error) observer?.abort?.();
      if (!error) resolve(sent);
      else if (response.headersSent) {
        response.destroy();
        reject(error);
      } else reject(error);
    };
    onward.on('response', (answer) => {
      const kept = { ...answerable(answer.headers), ...answerHeaders };
      observer = observe?.(answer.statusCode ?? 502, kept);
      if (observer?.takes) {
        answer
          .resume()
          .on('end', () => finish())
          .on('error', finish);
        return;
      }
      const shown = { ...kept, ...observer?.headers };
      // By which tags an answer is purged is between the code and us.
      delete shown['cache-tag'];
      response.writeHead(status ?? answer.statusCode ?? 502, shown);
      // A stream is seen when it is written, not when it has ended.
      response.flushHeaders();
      answer.on('data', (chunk: Buffer) => {
        sent += chunk.length;
        const isKept = observer?.chunk?.(chunk) ?? false;
        if (!response.write(chunk) && !isKept) {
          answer.pause();
          response.once('drain', () => answer.resume());
        }
      });
      answer.on('end', () => {
        observer?.end?.();
        response.end();
        finish();
      });
      answer.on('error', finish);
    });
    let hasAnswered = false;
    onward.once('response', () => {
      hasAnswered = true;
    });
    onward.on('error', finish);
    // Without any error this is an upgrade that nobody has asked for.
    onward.on('close', () => {
      if (!hasAnswered) finish(noAnswer());
    });
    response.on('close', () => {
      if (!response.writableFinished) onward.destroy(new Error('The client went away.'));
    });
    // Nothing of the request is used up before there is a connection: without one it can be sent elsewhere.
    onward.on('socket', (socket) => {
      if (socket.connecting) socket.once('connect', () => request.pipe(onward));
      else request.pipe(onward);
    });
  });
}

/** Asks the same as the visitor did, with nobody waiting for it; `changes` replace headers, undefined takes one away. */
export function collectFromSocket(
  request: IncomingMessage,
  socketPath: string,
  onward: Onward,
  changes: Readonly<Record<string, string | undefined>>,
  maxBytes: number,
): Promise<Collected> {
  const headers = changed(forwardedHeaders(request, onward), changes);
  return collect(
    httpRequest({ socketPath, path: onward.path, method: 'GET', agent, headers }),
    onward,
    maxBytes,
  );
}

/** The same from a server elsewhere. */
export async function collectFromUrl(
  request: IncomingMessage,
  url: URL,
  outgoing: Outgoing,
  onward: Onward,
  changes: Readonly<Record<string, string | undefined>>,
  maxBytes: number,
): Promise<Collected> {
  const lookup = Outgoing.pinned(await outgoing.addressesOf(url.hostname));
  const headers = changed({ ...forwardedHeaders(request, onward), host: url.host }, changes);
  const ask = url.protocol === 'https:' ? httpsRequest : httpRequest;
  return collect(ask(url, { method: 'GET', headers, lookup }), onward, maxBytes);
}

function changed(
  headers: Record<string, string | string[]>,
  changes: Readonly<Record<string, string | undefined>>,
): Record<string, string | string[]> {
  for (const [name, value] of Object.entries(changes)) {
    if (value === undefined) delete headers[name];
    else headers[name] = value;
  }
  return headers;
}

/** An answer that is larger than that, or does not end in time, is an error. */
function collect(
  onward: ReturnType<typeof httpRequest>,
  { deadline, answerHeaders }: Pick<Onward, 'deadline' | 'answerHeaders'>,
  maxBytes: number,
): Promise<Collected> {
  return new Promise((resolve, reject) => {
    const stop = () => onward.destroy(deadline.reason as Error);
    deadline.addEventListener('abort', stop, { once: true });
    const end = () => deadline.removeEventListener('abort', stop);
    onward.on('response', (answer) => {
      const chunks: Buffer[] = [];
      let size = 0;
      answer.on('data', (chunk: Buffer) => {
        size += chunk.length;
        if (size > maxBytes) onward.destroy(new Error(`The answer is larger than ${maxBytes} bytes.`));
        else chunks.push(chunk);
      });
      answer.on('end', () => {
        end();
        const headers = { ...answerable(answer.headers), ...answerHeaders };
        resolve({ status: answer.statusCode ?? 502, headers, body: Buffer.concat(chunks) });
      });
      answer.on('error', reject);
    });
    onward.on('error', (error) => {
      end();
      reject(error);
    });
    onward.on('close', () => {
      end();
      reject(noAnswer());
    });
    onward.end();
  });
}

function noAnswer(): Error {
  return new Error('The connection ended without a response.');
}

/** Whether the request has not reached the other side at all. */
export function isUnsent(error: unknown): boolean {
  return (error as { syscall?: string }).syscall === 'connect';
}

function answerable(headers: IncomingHttpHeaders): Record<string, string | string[]> {
  const kept: Record<string, string | string[]> = Object.create(null);
  for (const [name, value] of Object.entries(headers))
    if (value !== undefined && !notForwarded.has(name)) kept[name] = value;
  return kept;
}

/** How an upgraded connection went, or the ordinary answer that came instead. */
export interface UpgradeEnd {
  /** Null: it ended before an answer. */
  status: number | null;
  headers: Readonly<Record<string, string | string[] | undefined>>;
  /** Bytes behind the heads: from the client, and to it. */
  received: number;
  sent: number;
  /** Why we ended it, in a sentence. */
  error?: string;
}

/** A WebSocket, or whatever the two agree on: bytes both ways until one of them ends. Rejects while nothing was answered. */
export function forwardUpgrade(
  request: IncomingMessage,
  client: Duplex,
  head: Buffer,
  socketPath: string,
  onward: Onward & { idleSeconds: number },
): Promise<UpgradeEnd> {
  return new Promise((resolve, reject) => {
    const end: UpgradeEnd = { status: null, headers: {}, received: 0, sent: 0 };
    const headers = {
      ...forwardedHeaders(request, onward),
      connection: 'upgrade',
      upgrade: request.headers.upgrade ?? '',
    };
    const asked = httpRequest({
      socketPath,
      path: onward.path,
      method: request.method,
      headers,
      agent: false,
    });
    const over = () => {
      onward.deadline.removeEventListener('abort', expire);
      client.destroy();
      asked.destroy();
      resolve(end);
    };
    const expire = () => {
      end.error = 'The connection reached the max_duration of its function.';
      over();
    };
    onward.deadline.addEventListener('abort', expire, { once: true });
    const ownHeaders = Object.entries(onward.answerHeaders).flat();
    asked.on('upgrade', (answer, server, first) => {
      end.status = 101;
      end.headers = answer.headers;
      client.write(headOf(`101 ${answer.statusMessage}`, [...answer.rawHeaders, ...ownHeaders]));
      if (first.length > 0) client.write(first);
      if (head.length > 0) server.write(head);
      end.sent = first.length;
      end.received = head.length;
      // Neither end of a WebSocket is half closed: what one has ended is over for the other, once it has what was sent.
      const finish = () => {
        client.end(() => client.destroy());
        server.end(() => server.destroy());
      };
      server.on('error', over).on('close', over).on('end', finish);
      client.on('end', finish).on('close', () => server.destroy());
      server.on('data', (bytes: Buffer) => {
        end.sent += bytes.length;
      });
      client.on('data', (bytes: Buffer) => {
        end.received += bytes.length;
      });
      server.pipe(client, { end: false });
      client.pipe(server, { end: false });
      // Bytes of either direction move on the client's socket.
      if (client instanceof Socket)
        client.setTimeout(onward.idleSeconds * 1000, () => {
          end.error = `The connection was idle for ${onward.idleSeconds} s.`;
          // One that takes nothing any more would never be done.
          if (client.writableLength > 0) over();
          else finish();
        });
    });
    asked.on('response', (answer) => {
      end.status = answer.statusCode ?? 502;
      const answered = answerable(answer.headers);
      end.headers = answered;
      const kept = Object.entries(answered).flatMap(([name, value]) =>
        [value].flat().flatMap((one) => [name, one]),
      );
      const all = [...kept, ...ownHeaders, 'connection', 'close'];
      client.write(headOf(`${answer.statusCode} ${answer.statusMessage}`, all));
      answer.on('data', (bytes: Buffer) => {
        end.sent += bytes.length;
      });
      answer.on('error', over).pipe(client);
      client.once('finish', over);
    });
    // After an answer the promise is settled, or the client is told by its end.
    asked.on('error', (error) => (client.writableEnded || client.destroyed ? over() : reject(error)));
    client.on('error', over).on('close', over);
    asked.end();
  });
}

/** The head of a response; `rawHeaders` are names and values in turn. */
function headOf(status: string, rawHeaders: readonly string[]): string {
  const lines = [`HTTP/1.1 ${status}`];
  for (let at = 0; at < rawHeaders.length; at += 2) lines.push(`${rawHeaders[at]}: ${rawHeaders[at + 1]}`);
  return `${lines.join('\r\n')}\r\n\r\n`;
}
