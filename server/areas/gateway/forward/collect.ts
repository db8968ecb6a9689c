import { request as httpRequest, type IncomingMessage } from 'node:http';
import { request as httpsRequest } from 'node:https';
import { Outgoing } from '#core/outgoing.ts';
import { answerable, forwardedHeaders } from './headers.ts';
import { agent, noAnswer, type Onward } from './onward.ts';

/** A whole answer, for those who ask on nobody's behalf. */
export interface Collected {
  status: number;
  headers: Record<string, string | string[]>;
  body: Buffer;
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
