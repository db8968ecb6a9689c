import http, { type IncomingMessage } from 'node:http';
import https from 'node:https';
import { isIP, type LookupFunction } from 'node:net';
import { ForbiddenAddress, Outgoing, type Resolve } from '#core/outgoing.ts';
import type { Provider } from '../providers/provider.ts';
import type { Stop } from './stop.ts';

/** Milliseconds; what each of them ends is said by `Timeout`. */
export interface Timeouts {
  connect: number;
  firstByte: number;
  firstToken: number;
  idle: number;
  total: number;
}

/** Why an attempt failed before or while the provider answered. */
export class AttemptFailure extends Error {
  override name = 'AttemptFailure';
  readonly kind:
    | 'timeout'
    | 'connection'
    | 'refused'
    | 'status'
    | 'malformed'
    | 'forbidden'
    | 'aborted'
    /** A policy refuses the answer: `cause` is what the client is told. */
    | 'denied';
  /** As `providerAttempts` name it: `connect_timeout`, `connection_reset`, `http_500`. */
  readonly tag: string;
  /** The provider's answer, where there was one. */
  readonly status: number | undefined;
  readonly retryAfterSeconds: number | undefined;
  /** The provider's own words, when the caller may read them: of 4xx that are about the request. */
  readonly detail:
    | { message: string; code: string | null; type: string | null; param: string | null }
    | undefined;

  constructor(
    kind: AttemptFailure['kind'],
    tag: string,
    message: string,
    options: {
      status?: number;
      retryAfterSeconds?: number | undefined;
      detail?: AttemptFailure['detail'];
      cause?: unknown;
    } = {},
  ) {
    super(message, options.cause === undefined ? undefined : { cause: options.cause });
    this.kind = kind;
    this.tag = tag;
    this.status = options.status;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.detail = options.detail;
  }
}

export interface UpstreamRequest {
  method: 'GET' | 'POST' | 'DELETE';
  path: string;
  headers: Record<string, string>;
  /** Sent one after the other; nothing is joined. */
  body: readonly Buffer[];
}

/** Connections to providers, kept open. Private addresses are refused unless the provider's row allows them. */
export class Dialer {
  readonly #agents = new Map<string, http.Agent>();
  readonly #public: Outgoing;
  readonly #any: Outgoing;

  /** `resolve` stands in for the system's resolver in tests. */
  constructor(resolve?: Resolve) {
    const using = resolve ? { resolve } : {};
    this.#public = new Outgoing(using);
    this.#any = new Outgoing({ ...using, allowed: ['0.0.0.0/0', '::/0'] });
  }

  /**
   * Sends the request and resolves with the answer once its head has arrived. `stop` ends it at any point, the body
   * included. Rejects with `AttemptFailure`.
   */
  async send(
    provider: Provider,
    request: UpstreamRequest,
    options: { timeouts: Timeouts; stop: Stop },
  ): Promise<IncomingMessage> {
    const address = provider.address as URL;
    const outgoing = provider.allowPrivate ? this.#any : this.#public;
    const host = address.hostname.replace(/^\[|\]$/g, '');
    // An address that is written out is connected to without a look-up.
    if (isIP(host) && !outgoing.permits(host)) throw forbidden(host);
    const { timeouts, stop } = options;
    if (stop.aborted) throw aborted();
    const secure = address.protocol === 'https:';
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>();
    const length = request.body.reduce((sum, piece) => sum + piece.length, 0);
    const sent = (secure ? https : http).request({
      agent: this.#agent(secure, provider.allowPrivate, outgoing),
      method: request.method,
      host,
      port: address.port || (secure ? 443 : 80),
      path: `${address.pathname === '/' ? '' : address.pathname}${request.path}`,
      headers: {
        ...request.headers,
        host: address.host,
        'accept-encoding': 'identity',
        ...(request.method === 'POST' ? { 'content-length': String(length) } : {}),
      },
      ...(secure && !isIP(host) ? { servername: host } : {}),
    });
    sent.setNoDelay(true);
    const late = (kind: 'connect' | 'first_byte', milliseconds: number) =>
      setTimeout(() => {
        reject(
          new AttemptFailure(
            'timeout',
            `${kind}_timeout`,
            `No ${kind === 'connect' ? 'connection' : 'answer'} within ${milliseconds} ms.`,
          ),
        );
        sent.destroy();
      }, milliseconds);
    let timer = late('connect', timeouts.connect);
    const connected = () => {
      clearTimeout(timer);
      timer = late('first_byte', timeouts.firstByte);
    };
    sent.once('socket', (socket) => {
      if (!socket.connecting) connected();
      else socket.once(secure ? 'secureConnect' : 'connect', connected);
    });
    const abort = () => {
      reject(aborted());
      sent.destroy();
    };
    stop.addEventListener('abort', abort, { once: true });
    sent.once('response', (response) => {
      clearTimeout(timer);
      // Whoever reads the body listens for its errors; one that comes between is not to end the process.
      response.on('error', () => {});
      response.once('close', () => stop.removeEventListener('abort', abort));
      resolve(response);
    });
    sent.on('error', (error: NodeJS.ErrnoException) => {
      clearTimeout(timer);
      stop.removeEventListener('abort', abort);
      if (error instanceof ForbiddenAddress) reject(forbidden(host));
      else
        reject(
          new AttemptFailure('connection', tagOf(error), 'The connection to the provider failed.', {
            cause: error,
          }),
        );
    });
    for (const piece of request.body) sent.write(piece);
    sent.end();
    return promise;
  }

  #agent(secure: boolean, allowPrivate: boolean, outgoing: Outgoing): http.Agent {
    const name = `${secure} ${allowPrivate}`;
    let agent = this.#agents.get(name);
    if (!agent) {
      const lookup: LookupFunction = (host, options, done) => {
        outgoing.addressesOf(host).then(
          (addresses) => Outgoing.pinned(addresses)(host, options, done),
          (error: NodeJS.ErrnoException) => done(error, '', 4),
        );
      };
      const options = {
        keepAlive: true,
        maxSockets: Number.POSITIVE_INFINITY,
        maxFreeSockets: 256,
        scheduling: 'lifo' as const,
        lookup,
      };
      agent = secure ? new https.Agent(options) : new http.Agent(options);
      this.#agents.set(name, agent);
    }
    return agent;
  }

  close(): void {
    for (const agent of this.#agents.values()) agent.destroy();
  }
}

function forbidden(host: string): AttemptFailure {
  return new AttemptFailure(
    'forbidden',
    'private_address',
    `${host} is a private address. An operator can allow it with "allowPrivate" on the provider.`,
  );
}

/** The provider stopped in the middle of its answer. */
export function idleTooLong({ idle }: Timeouts): AttemptFailure {
  return new AttemptFailure('timeout', 'idle_timeout', `The provider sent no data for ${idle} ms.`);
}

export function aborted(): AttemptFailure {
  return new AttemptFailure('aborted', 'client_disconnected', 'The client closed the connection.');
}

const tags: Record<string, string> = {
  ECONNRESET: 'connection_reset',
  ECONNREFUSED: 'connection_refused',
  ENOTFOUND: 'name_not_found',
  EAI_AGAIN: 'name_not_found',
  EPIPE: 'connection_reset',
};

function tagOf(error: NodeJS.ErrnoException): string {
  return tags[error.code ?? ''] ?? 'connection_failed';
}
