import { constants, setPriority } from 'node:os';
import { parentPort } from 'node:worker_threads';
import { Problem } from '#core/problem.ts';
import { parseJson } from '#http/json.ts';

/** Parses bodies of megabytes beside the event loop. */

export interface JsonRequest {
  /** Of one body, in order. */
  pieces: Uint8Array<ArrayBuffer>[];
}
export type JsonReply = { value: unknown } | { sentence: string };

if (parentPort) {
  const port = parentPort;
  // On Linux this is of the thread alone: where cores are few, the event loop goes first.
  if (process.platform === 'linux') setPriority(constants.priority.PRIORITY_BELOW_NORMAL);
  port.on('message', ({ pieces }: JsonRequest) => {
    let reply: JsonReply;
    try {
      reply = { value: parseJson(Buffer.concat(pieces)) };
    } catch (error) {
      const isOurs = error instanceof Problem;
      reply = { sentence: isOurs ? error.message : 'The body is not valid JSON.' };
    }
    port.postMessage(reply);
  });
}
