import { request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Outgoing } from '#core/outgoing.ts';
import { answerable, forwardedHeaders } from './headers.ts';
import { agent, noAnswer, type Observer, type Onward } from './onward.ts';

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
    let hasAnswered = false;
    onward.on('response', (answer) => {
      hasAnswered = true;
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

/**
 * How the body is framed, whatever the method and whatever `Connection` names: bytes of a body that is sent on without a frame
 * would be taken for the next request of the connection.
 */
function framing({ headers }: IncomingMessage): Record<string, string> {
  if (headers['transfer-encoding'] !== undefined) return { 'transfer-encoding': 'chunked' };
  const length = headers['content-length'];
  return length === undefined ? {} : { 'content-length': length };
}
