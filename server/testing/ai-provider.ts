import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { parseArgs } from 'node:util';
import { speakAnthropic } from './ai-provider/anthropic.ts';
import { type Exchange, json } from './ai-provider/exchange.ts';
import { faults } from './ai-provider/faults.ts';
import { speakGemini } from './ai-provider/gemini.ts';
import { speakOpenAi } from './ai-provider/openai.ts';

/**
 * A provider of models for tests: speaks the protocols of OpenAI, Anthropic and Gemini, answers without a model, and
 * misbehaves for the models `fault:<name>`. `node server/testing/ai-provider.ts --port 0` prints {"url"}.
 * GET /_mock/requests lists what arrived: bytes as base64 and how each connection ended. POST /_mock/reset forgets it.
 * The model `replay:<file>` answers with a recorded answer of MOCK_RECORDINGS, one event a line.
 */

interface Seen {
  method: string;
  path: string;
  headers: Record<string, unknown>;
  /** The body as text. */
  body: string;
  /** `open`, `answered`, or `aborted`: the client went away before the end. */
  ended: 'open' | 'answered' | 'aborted';
  /** Whether the head of the answer was written. */
  readonly begun: boolean;
  /** Milliseconds since 1970. */
  startedAt: number;
  endedAt: number | null;
}

export interface MockProvider extends AsyncDisposable {
  url: string;
  seen: Seen[];
  reset(): void;
  /** Resolves when the connection of a request has closed, or the request was answered. */
  closed(request: Seen): Promise<void>;
  /** Bodies that arrive from now on stay unread until the function that is returned is called. */
  holdBodies(): () => void;
}

const keptRequests = 2000;

export async function startAiProvider(
  options: { port?: number; recordings?: string } = {},
): Promise<MockProvider> {
  const seen: Seen[] = [];
  const closings = new WeakMap<Seen, Promise<void>>();
  let readable = Promise.resolve();
  const server = createServer((request, response) => {
    const keep: Keep = { seen, closings, readable };
    void answer(request, response, keep, options.recordings).catch((error) => {
      if (!response.headersSent) response.writeHead(500, { 'content-type': 'application/json' });
      response.end(
        JSON.stringify({ error: { message: String(error), type: 'server_error', code: null, param: null } }),
      );
    });
  });
  server.keepAliveTimeout = 60_000;
  await new Promise<void>((resolve) => server.listen(options.port ?? 0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    url: `http://127.0.0.1:${port}`,
    seen,
    reset: () => void seen.splice(0),
    closed: (request) => closings.get(request) ?? Promise.reject(new Error('No such request.')),
    holdBodies() {
      const { promise, resolve } = Promise.withResolvers<void>();
      readable = promise;
      return resolve;
    },
    [Symbol.asyncDispose]: () => close(server),
  };
}

function close(server: Server): Promise<void> {
  server.closeAllConnections();
  return new Promise((resolve) => server.close(() => resolve()));
}

/** What is kept of requests, and when their bodies may be read. */
interface Keep {
  seen: Seen[];
  closings: WeakMap<Seen, Promise<void>>;
  readable: Promise<void>;
}

async function answer(
  request: IncomingMessage,
  response: ServerResponse,
  { seen, closings, readable }: Keep,
  recordings: string | undefined,
): Promise<unknown> {
  const path = request.url ?? '/';
  if (path.startsWith('/_mock/')) return control(path, response, seen);
  const entry: Seen = {
    method: request.method ?? '',
    path,
    headers: request.headers,
    body: '',
    ended: 'open',
    get begun() {
      return response.headersSent;
    },
    startedAt: Date.now(),
    endedAt: null,
  };
  seen.push(entry);
  if (seen.length > keptRequests) seen.shift();
  const { promise, resolve } = Promise.withResolvers<void>();
  closings.set(entry, promise);
  response.once('close', () => {
    entry.ended = response.writableFinished ? 'answered' : 'aborted';
    entry.endedAt = Date.now();
    resolve();
  });
  await readable;
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  const bytes = Buffer.concat(pieces);
  const isText = !/multipart/.test(request.headers['content-type'] ?? '');
  entry.body = bytes.toString(isText ? 'utf8' : 'latin1');
  const body = isText && bytes.length > 0 ? JSON.parse(entry.body) : {};
  const exchange: Exchange = { request, response, path, bytes, body, recordings };
  const fault = /fault:([\w-]+)/.exec(String(body.model ?? decodeURIComponent(path)))?.[1];
  if (fault !== undefined) {
    const known = faults.get(fault);
    if (known) return known(exchange);
    return json(response, 404, {
      error: { message: `No fault "${fault}".`, type: 'invalid_request_error', code: null, param: null },
    });
  }
  if (path.includes('/messages')) return speakAnthropic(exchange);
  if (/:(stream)?[gG]enerateContent|:embedContent|:batchEmbedContents|:countTokens/.test(path))
    return speakGemini(exchange);
  return speakOpenAi(exchange);
}

function control(path: string, response: ServerResponse, seen: Seen[]): void {
  if (path === '/_mock/reset') seen.splice(0);
  json(response, 200, { items: seen });
}

if (import.meta.main) {
  const { values } = parseArgs({
    options: { port: { type: 'string', default: '0' }, recordings: { type: 'string' } },
  });
  const provider = await startAiProvider({
    port: Number(values.port),
    ...(values.recordings ? { recordings: values.recordings } : {}),
  });
  process.stdout.write(`${JSON.stringify({ url: provider.url })}\n`);
}
