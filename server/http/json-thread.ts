import { parentPort } from 'node:worker_threads';
import { Problem } from '#core/problem.ts';
import { parseJson } from '#http/json.ts';

/** Parses bodies of megabytes beside the event loop. */

export interface JsonRequest {
  body: Uint8Array;
}
export type JsonReply = { value: unknown } | { sentence: string };

if (parentPort) {
  const port = parentPort;
  port.on('message', ({ body }: JsonRequest) => {
    let reply: JsonReply;
    try {
      reply = { value: parseJson(Buffer.from(body.buffer, body.byteOffset, body.byteLength)) };
    } catch (error) {
      const isOurs = error instanceof Problem;
      reply = { sentence: isOurs ? error.message : 'The body is not valid JSON.' };
    }
    port.postMessage(reply);
  });
}
