import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Logger } from 'pino';
import type { AddressBlocks } from '#core/addresses.ts';
import { newId } from '#core/ids.ts';
import type { Maybe } from '#core/maybe.ts';
import type { RequestLog } from '#core/request-log.ts';
import { clientOf } from '#http/client.ts';
import { drainable } from '#http/drain.ts';
import { countSent } from '#http/sent-bytes.ts';
import type { Addresses } from '../addresses.ts';
import type { Buckets } from '../buckets.ts';
import { keyProblem } from '../names.ts';
import { findReadable, type ObjectRow } from '../object-store.ts';
import { type Pictures, readWish } from '../pictures.ts';
import { requestLineOf } from '../request-line.ts';
import type { StorageDeps } from '../rules.ts';
import type { BucketRow } from '../store.ts';
import type { Traffics } from '../traffic.ts';
import { Refusal, refusalOf, sendError } from './answers.ts';
import { corsHeaders, preflightHeaders } from './cors.ts';
import { serveObject } from './serve.ts';
import { Tus, tusHeaders, tusOptions } from './tus.ts';

/**
 * The storage host: public and signed addresses, and uploads. A port of its own, so that a stored page is never of the
 * dashboard's origin. Bare `node:http`: what is served here is counted in tenths of a millisecond.
 */

export interface FilesDeps extends StorageDeps {
  log: Logger;
  buckets: Buckets;
  addresses: Addresses;
  traffics: Traffics;
  /** Null: pictures are served as they are. */
  pictures: Pictures | null;
  requestLog: RequestLog;
  /** Null: the application is deleted or its organization suspended. */
  organizationOf(applicationId: string): Maybe<string | null>;
  hasAccess(organizationId: string, product: string): Maybe<boolean>;
  trusted: AddressBlocks;
  /** Host and port of the public address, which buckets have sub-domains of. */
  host: () => string;
  /** The origin of the dashboard, whose pages show objects of every bucket. */
  dashboard: string;
}

const idleMilliseconds = 120_000;
const maxConnections = 20_000;

interface Exchange {
  request: IncomingMessage;
  response: ServerResponse;
  id: string;
  startedAt: number;
  path: string;
  query: string | undefined;
  bucket?: BucketRow;
  /** Whether who asks may know of the bucket: it is public, or the address is one that we signed. */
  isKnown?: boolean;
  object?: ObjectRow;
  bytesIn: number;
  /** What was sent of the response so far, head and body. */
  sent: () => number | undefined;
  error?: string;
}

export class FilesServer {
  readonly #deps: FilesDeps;
  readonly #tus: Tus;
  readonly #server: Server;
  readonly drain: () => void;

  constructor(deps: FilesDeps) {
    this.#deps = deps;
    this.#tus = new Tus(deps, {
      addresses: deps.addresses,
      bucketOf: async (row) => this.#allowed(await deps.buckets.byId(row.bucket_id)),
    });
    this.#server = createServer({ requestTimeout: 0, headersTimeout: 15_000, keepAliveTimeout: 65_000 });
    // A client that neither sends nor takes a byte for two minutes is gone.
    this.#server.setTimeout(idleMilliseconds);
    this.#server.maxConnections = maxConnections;
    this.drain = drainable(this.#server);
    this.#server.on('request', (request, response) => void this.#handle(request, response));
  }

  async listen(host: string, port: number): Promise<string> {
    this.#server.listen(port, host);
    await once(this.#server, 'listening');
    const { address, family, port: taken } = this.#server.address() as AddressInfo;
    return `http://${family === 'IPv6' ? `[${address}]` : address}:${taken}`;
  }

  /** Requests in flight are finished; uploads keep what has come. */
  async close(): Promise<void> {
    const closed = once(this.#server, 'close');
    this.#server.close();
    await this.#tus.close();
    this.#server.closeIdleConnections();
    const idle = setInterval(() => this.#server.closeIdleConnections(), 50);
    const late = setTimeout(() => this.#server.closeAllConnections(), 10_000);
    await closed;
    clearInterval(idle);
    clearTimeout(late);
  }

  async #handle(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const url = request.url ?? '/';
    const at = url.indexOf('?');
    const startedAt = this.#deps.clock.now();
    const exchange: Exchange = {
      ...{ request, response, startedAt, id: newId(startedAt), bytesIn: 0 },
      sent: countSent(request, response),
      path: at < 0 ? url : url.slice(0, at),
      query: at < 0 ? undefined : url.slice(at + 1),
    };
    response.setHeader('x-request-id', exchange.id);
    response.on('close', () => this.#finished(exchange));
    try {
      await this.#answer(exchange);
    } catch (thrown) {
      const refusal = refusalOf(thrown);
      const { message = 'Internal error.', status = 500 } = refusal ?? {};
      exchange.error = message;
      if (status >= 500 && !response.destroyed) {
        const err = thrown instanceof Error ? (thrown.cause ?? thrown) : thrown;
        this.#deps.log.error({ err, requestId: exchange.id }, message);
      }
      const isUpload = exchange.path.startsWith('/uploads/');
      const headers = { ...refusal?.headers, ...(isUpload ? tusHeaders : this.#cors(exchange)) };
      sendError(request, response, { status, message, headers });
    }
  }

  /** Nothing where the bucket is not known: these would tell it from one that does not exist. */
  #cors({ bucket, isKnown, request }: Exchange): Record<string, string> {
    return bucket && isKnown ? corsHeaders(bucket, request, this.#deps.dashboard) : {};
  }

  async #answer(exchange: Exchange): Promise<void> {
    const { request, response, path } = exchange;
    if (path.startsWith('/uploads/')) {
      if (request.method === 'OPTIONS') {
        response.writeHead(204, tusOptions(request)).end();
        return;
      }
      const rest = path.slice('/uploads/'.length);
      exchange.bytesIn = await this.#tus.handle(request, response, rest, (bucket) => {
        exchange.bucket = bucket;
      });
      return;
    }
    if (path === '/healthz') {
      response.writeHead(200, { 'content-type': 'application/json' }).end('{"status":"ok"}');
      return;
    }
    const place = this.#place(exchange);
    const found = await (place.kind === 'signed'
      ? this.#deps.buckets.byId(place.bucket)
      : this.#deps.buckets.bySlug(place.bucket));
    const bucket = await this.#allowed(found);
    if (bucket) exchange.bucket = bucket;
    const isSigned = place.kind === 'signed' && this.#isSigned(exchange);
    exchange.isKnown = isSigned || (place.kind !== 'signed' && bucket?.visibility === 'public');
    if (request.method === 'OPTIONS') {
      const headers = bucket && exchange.isKnown && preflightHeaders(bucket, request, this.#deps.dashboard);
      if (!headers) throw new Refusal(403, 'No CORS rule of the bucket allows this.');
      response.writeHead(204, headers).end();
      return;
    }
    if (request.method !== 'GET' && request.method !== 'HEAD') {
      throw new Refusal(405, 'Stored objects take GET, HEAD and OPTIONS here.', {
        allow: 'GET, HEAD, OPTIONS',
      });
    }
    if (place.kind === 'signed' && !(isSigned && this.#isInTime(exchange)))
      throw new Refusal(403, 'This URL is not valid or has expired.');
    // A private bucket looks like none to those who have no address of it.
    if (!bucket || !exchange.isKnown) throw nothing();
    const object = keyProblem(place.key)
      ? undefined
      : await findReadable(this.#deps.db, bucket.id, place.key);
    if (!object) throw nothing();
    exchange.object = object;
    const wish = this.#deps.pictures ? readWish((name) => parameter(exchange.query, name)) : undefined;
    const served = wish ? await this.#deps.pictures?.rendition(bucket, object, wish) : undefined;
    await serveObject(this.#deps.contents, request, response, {
      bucket,
      object: served ?? object,
      isPublic: place.kind !== 'signed',
      ownHost: place.kind === 'host',
      download: parameter(exchange.query, 'download') !== undefined,
      cors: this.#cors(exchange),
    });
  }

  /** Which bucket and key an address names. */
  #place({ request, path, query }: Exchange): {
    kind: 'public' | 'signed' | 'host';
    bucket: string;
    key: string;
  } {
    const host = (request.headers.host ?? '').toLowerCase();
    const own = `.${this.#deps.host()}`;
    if (host.endsWith(own)) {
      const bucket = host.slice(0, -own.length);
      return { kind: 'host', bucket, key: parameter(query, 'key') ?? decode(path.slice(1)) };
    }
    const [, kind, bucket, key] = /^\/(public|signed)\/([^/]+)(?:\/(.*))?$/s.exec(path) ?? [];
    if (kind === undefined || bucket === undefined) throw nothing();
    return { kind: kind as 'public' | 'signed', bucket, key: parameter(query, 'key') ?? decode(key ?? '') };
  }

  /** Whether it is an address of ours, as we made it; it may have expired. */
  #isSigned({ path, query = '' }: Exchange): boolean {
    const at = query.lastIndexOf('&signature=');
    if (at <= 0) return false;
    const signature = query.slice(at + '&signature='.length);
    return this.#deps.addresses.isSigned('GET', `${path}?${query.slice(0, at)}`, signature);
  }

  #isInTime({ query }: Exchange): boolean {
    return Number(parameter(query, 'expires')) * 1000 > this.#deps.clock.now();
  }

  /** The bucket, unless what it belongs to is deleted, suspended, or has no access to storage. */
  async #allowed(bucket: BucketRow | null): Promise<BucketRow | null> {
    if (!bucket) return null;
    const { organizationOf, hasAccess } = this.#deps;
    const organization = organizationOf(bucket.application_id);
    const organizationId = organization instanceof Promise ? await organization : organization;
    if (organizationId === null) return null;
    return (await hasAccess(organizationId, 'storage')) ? bucket : null;
  }

  #finished({ request, response, bucket, object, ...exchange }: Exchange): void {
    if (!bucket) return;
    const { traffics, requestLog, clock, trusted } = this.#deps;
    const length = Number(response.getHeader('content-length') ?? 0);
    const bytesSent = exchange.sent();
    const isBodiless = request.method === 'HEAD' || response.statusCode === 304;
    // Of an answer that broke off, what the connection took.
    const taken = response.writableFinished ? length : Math.min(length, bytesSent ?? 0);
    const bytesOut = isBodiless ? 0 : taken;
    const { id, query, bytesIn, startedAt, error } = exchange;
    traffics.add(bucket.id, { requests: 1, bytesIn, bytesOut });
    requestLog.write(
      requestLineOf({
        ...{ request, response, bucket, object, id, query, bytesIn, bytesOut, bytesSent, error, startedAt },
        // The rest of an upload's address is its secret.
        path: exchange.path.replace(/^(\/uploads\/[^/]*)\/.*$/s, '$1'),
        address: clientOf(request, trusted).address || undefined,
        completedAt: clock.now(),
      }),
    );
  }
}

function nothing(): Refusal {
  return new Refusal(404, 'Not found.');
}

/** The value of a query parameter; an empty text for one without. */
function parameter(query: string | undefined, name: string): string | undefined {
  for (const part of query?.split('&') ?? []) {
    if (part === name) return '';
    if (part.startsWith(`${name}=`)) return decode(part.slice(name.length + 1));
  }
  return undefined;
}

function decode(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    throw new Refusal(400, 'The address holds a malformed percent-encoding.');
  }
}
