import { Agent, request as send } from 'node:http';
import { json } from 'node:stream/consumers';

/** Sends one request over and over on so many connections until it is killed; prints each status that it saw once. */

export interface HostileJob {
  url: string;
  method: 'GET' | 'POST' | 'PUT';
  path: string;
  headers: Record<string, string>;
  /** Its parts, each repeated so often: bodies of megabytes are made here. `base64`: bytes instead. */
  body?: { parts: [text: string, times: number][] } | { base64: string };
  connections: number;
}

const job = (await json(process.stdin)) as HostileJob;
const body = bodyOf(job.body);
const agent = new Agent({ keepAlive: true, maxSockets: job.connections });
const seen = new Set<number | string>();

function bodyOf(given: HostileJob['body']): Buffer {
  if (given === undefined) return Buffer.alloc(0);
  if ('base64' in given) return Buffer.from(given.base64, 'base64');
  return Buffer.from(given.parts.map(([text, times]) => text.repeat(times)).join(''));
}

function note(outcome: number | string): void {
  if (seen.has(outcome)) return;
  seen.add(outcome);
  process.stdout.write(`${outcome}\n`);
}

function once(): Promise<void> {
  return new Promise((resolve) => {
    const headers = { ...job.headers, ...(body.length > 0 ? { 'content-length': body.length } : {}) };
    const request = send(new URL(job.path, job.url), { method: job.method, headers, agent }, (response) => {
      note(response.statusCode ?? 0);
      response.resume().on('close', resolve);
    });
    request.on('error', (error) => {
      note((error as NodeJS.ErrnoException).code ?? error.message);
      resolve();
    });
    request.end(body);
  });
}

await Promise.all(
  Array.from({ length: job.connections }, async () => {
    for (;;) await once();
  }),
);
