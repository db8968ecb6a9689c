import { existsSync, readFileSync } from 'node:fs';
import type { IncomingMessage, ServerResponse } from 'node:http';

export interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  path: string;
  bytes: Buffer;
  // biome-ignore lint/suspicious/noExplicitAny: a test double reads what it is sent.
  body: any;
  recordings: string | undefined;
}

export function json(
  response: ServerResponse,
  status: number,
  body: unknown,
  headers: Record<string, string> = {},
): undefined {
  response.writeHead(status, { 'content-type': 'application/json', ...headers });
  response.end(JSON.stringify(body));
}

/** The recorded answer that `replay:<file>` names; undefined: another model. */
export function recordingOf({
  body,
  path,
  recordings,
}: Exchange): { events: string[] } | { whole: string } | undefined {
  const name = /replay:([\w./-]+)/
    .exec(String(body.model ?? decodeURIComponent(path)))?.[1]
    ?.replace(/:.*$/, '');
  if (name === undefined || recordings === undefined) return undefined;
  const file = `${recordings}/${name}`;
  if (name.includes('..') || !existsSync(file)) return undefined;
  const text = readFileSync(file, 'utf8');
  if (name.endsWith('.sse'))
    return { events: [...text.matchAll(/^data: (?!\[DONE\])(.*)$/gm)].map(([, data]) => data as string) };
  return name.endsWith('.chunks.txt')
    ? { events: text.split('\n').filter((line) => line !== '') }
    : { whole: text };
}
