import { request as httpRequest, type IncomingMessage } from 'node:http';
import { Socket } from 'node:net';
import type { Duplex } from 'node:stream';
import { answerable, forwardedHeaders } from './headers.ts';
import type { Onward } from './onward.ts';

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
