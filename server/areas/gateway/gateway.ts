import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Duplex } from 'node:stream';
import type { Logger } from 'pino';
import type { PackagedFunction } from '#areas/deployments/service.ts';
import { type Instances, Overloaded } from '#areas/functions/service.ts';
import type { Clock } from '#core/clock.ts';
import { newId } from '#core/ids.ts';
import { ForbiddenAddress, type Outgoing } from '#core/outgoing.ts';
import type { RequestLog } from '#core/request-log.ts';
import { RunFailed } from '#core/runner.ts';
import type { Listener } from '#http/area.ts';
import type { Files } from './files.ts';
import { forwardToSocket, forwardToUrl, forwardUpgrade, isUnsent, type Onward } from './forward.ts';
import { type Page, pages, sendPage } from './pages.ts';
import { hostName } from './routes/compile.ts';
import { decide } from './routes/decide.ts';
import { normalizePath } from './routes/pathname.ts';
import type { Decision } from './routes/route.ts';
import type { Host, Site, Sites } from './sites.ts';

export interface GatewayDeps {
  sites: Sites;
  files: Files;
  instances: Instances | null;
  outgoing: Outgoing;
  requestLog: RequestLog | null;
  clock: Clock;
  log: Logger;
  /** The domain below which applications have their labels. */
  domain: string;
  host: string;
  port: number;
  variablesOf(host: Host & { kind: 'live' }): Readonly<Record<string, string>>;
}

type Live = Host & { kind: 'live' };

interface Answering {
  live: Live;
  site: Site;
  decision: Decision;
  path: string;
}

const proxySeconds = 120;
/** A process that has just ended may still have been handed out. */
const maxAttempts = 3;

/** The listener that answers for applications, by hostname. */
export function gatewayListener(deps: GatewayDeps): Listener {
  const server = gatewayServer(deps);
  return {
    name: 'applications',
    listen: ({ port = deps.port } = {}) =>
      new Promise((resolve, reject) => {
        server.once('error', reject);
        server.listen(port, deps.host, () => {
          const { address, port: bound } = server.address() as AddressInfo;
          resolve(`http://${address.includes(':') ? `[${address}]` : address}:${bound}`);
        });
      }),
    close: () =>
      new Promise((resolve) => {
        server.close(() => resolve());
        server.closeIdleConnections();
        setTimeout(() => server.closeAllConnections(), 1000).unref();
      }),
  };
}

function gatewayServer(deps: GatewayDeps): Server {
  const server = createServer({ requireHostHeader: true, insecureHTTPParser: false });
  server.on('request', (request, response) => {
    void new Exchange(deps, request, response).answer();
  });
  server.on('upgrade', (request, socket, head) => {
    void upgrade(deps, request, socket, head).catch(() => socket.destroy());
  });
  return server;
}

/** The name of the hostname's row: the label below our domain, or the whole name of a domain of its owner's. */
function nameOf(host: string | undefined, domain: string): string {
  const name = hostName(host ?? '').replace(/\.$/, '');
  return name.endsWith(`.${domain}`) ? name.slice(0, -domain.length - 1) : name.includes('.') ? name : '';
}

/** One request and its answer. */
class Exchange {
  readonly #deps: GatewayDeps;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #id: string;
  readonly #startedAt: number;
  #live: Live | null = null;
  #path = '';
  #functionName: string | undefined;
  #assetPath: string | undefined;
  #error: string | undefined;
  #bytes = 0;

  constructor(deps: GatewayDeps, request: IncomingMessage, response: ServerResponse) {
    this.#deps = deps;
    this.#request = request;
    this.#response = response;
    this.#startedAt = deps.clock.now();
    this.#id = newId(this.#startedAt);
    response.setHeader('x-request-id', this.#id);
    response.once('close', () => this.#record());
  }

  async answer(): Promise<void> {
    try {
      const found = await this.#find();
      if ('page' in found) this.#page(found.page);
      else await this.#serve(found);
    } catch (error) {
      this.#fail(error);
    }
  }

  async #find(): Promise<Answering | { page: Page }> {
    const request = this.#request;
    // Two ways to say where the body ends are how requests are smuggled (RFC 9112, 6.3); Node has refused most of them.
    if (request.headers['transfer-encoding'] !== undefined && request.headers['content-length'] !== undefined)
      return { page: pages.badRequest };
    const name = nameOf(request.headers.host, this.#deps.domain);
    const host = name === '' ? ({ kind: 'unknown' } as const) : await this.#deps.sites.host(name);
    if (host.kind !== 'live') return { page: host.kind === 'known' ? pages.notLive : pages.unknownHost };
    this.#live = host;
    const [target = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
    const path = normalizePath(target);
    if (path === null) return { page: pages.badRequest };
    this.#path = path;
    const site = await this.#deps.sites.site(host.artefact);
    const decision = decide(site.routes, site.published, {
      method: request.method ?? 'GET',
      ...{ path, query, host: request.headers.host ?? '' },
      header: (header) => {
        const value = request.headers[header];
        return Array.isArray(value) ? value.join(', ') : value;
      },
    });
    return { live: host, site, decision, path };
  }

  async #serve({ live, site, decision }: Answering): Promise<void> {
    const { kind, headers } = decision;
    if (kind === 'redirect') {
      this.#response.writeHead(decision.status, {
        ...headers,
        location: decision.location,
        'content-length': 0,
      });
      this.#response.end();
    } else if (kind === 'file') await this.#file(site, decision.path, decision.status, headers);
    else if (kind === 'missing') {
      if (decision.page === null) this.#page(pages.notFound);
      else await this.#file(site, decision.page, 404, headers);
    } else if (kind === 'proxy') await this.#proxy(decision);
    else await this.#function(live, site, decision);
  }

  async #file(
    site: Site,
    path: string,
    status: number | undefined,
    headers: Readonly<Record<string, string>>,
  ): Promise<void> {
    const { method } = this.#request;
    if (method !== 'GET' && method !== 'HEAD') {
      this.#response.setHeader('allow', 'GET, HEAD');
      return this.#page(pages.methodNotAllowed);
    }
    const file = site.manifest.files[path];
    if (!file) return this.#page(pages.notFound);
    this.#assetPath = path;
    this.#response.setHeader('x-content-type-options', 'nosniff');
    this.#bytes = await this.#deps.files.send(this.#request, this.#response, file, { status, headers });
  }

  #onward(path: string, seconds: number, decision: Decision): Onward {
    return {
      address: this.#request.socket.remoteAddress ?? '',
      scheme: 'http',
      path,
      answerHeaders: decision.headers,
      status: decision.kind === 'missing' ? undefined : decision.status,
      deadline: AbortSignal.timeout(seconds * 1000),
    };
  }

  async #proxy(decision: Decision & { kind: 'proxy' }): Promise<void> {
    const onward = this.#onward('', proxySeconds, decision);
    const url = new URL(decision.url);
    this.#bytes = await forwardToUrl(this.#request, this.#response, url, this.#deps.outgoing, onward);
  }

  async #function(live: Live, site: Site, decision: Decision & { kind: 'function' }): Promise<void> {
    const { instances } = this.#deps;
    if (!instances) return this.#page(pages.noRunner);
    const wanted = site.manifest.functions.find(({ name }) => name === decision.name) as PackagedFunction;
    this.#functionName = wanted.name;
    const env = () => this.#deps.variablesOf(live);
    const [path = '/'] = (this.#request.url ?? '/').split('?', 1);
    const target = decision.query === '' ? path : `${path}?${decision.query}`;
    const onward = {
      ...this.#onward(target, wanted.maxDurationSeconds, decision),
      headers: { 'x-mainstay-matched-path': encodeURI(decision.matchedPath), 'x-request-id': this.#id },
    };
    for (let attempt = 1; ; attempt++) {
      const place = await instances.acquire({ ...live, wanted, env });
      try {
        this.#bytes = await forwardToSocket(this.#request, this.#response, place.socketPath, onward);
        return;
      } catch (error) {
        if (!isUnsent(error)) place.doubt();
        if (!isUnsent(error) || attempt === maxAttempts) throw error;
        place.abandon();
      } finally {
        place.release();
      }
    }
  }

  #page(page: Page): void {
    sendPage(this.#response, page, this.#id);
  }

  #fail(error: unknown): void {
    this.#error = (error as Error).message;
    if ((error as Error).name === 'TimeoutError') this.#page(pages.timedOut);
    else if (error instanceof Overloaded) this.#page(pages.overloaded);
    else if (error instanceof RunFailed) this.#page(pages.crashed);
    else if (error instanceof ForbiddenAddress) this.#page(pages.unreachable);
    else if (this.#functionName !== undefined) this.#page(pages.crashed);
    else {
      const known = (error as NodeJS.ErrnoException).code !== undefined;
      if (!known) this.#deps.log.warn({ err: error, requestId: this.#id }, 'The gateway could not answer.');
      this.#page(known ? pages.unreachable : pages.unavailable);
    }
  }

  #record(): void {
    const { requestLog, clock } = this.#deps;
    const live = this.#live;
    if (!requestLog || !live) return;
    const request = this.#request;
    const at = request.url?.indexOf('?') ?? -1;
    const completedAt = clock.now();
    requestLog.write({
      id: this.#id,
      organizationId: live.organizationId,
      applicationId: live.applicationId,
      deploymentId: live.deploymentId,
      ...(this.#functionName === undefined ? {} : { deploymentFunctionId: this.#functionName }),
      ...(this.#assetPath === undefined ? {} : { deploymentAssetId: this.#assetPath }),
      method: request.method ?? 'GET',
      hostname: hostName(request.headers.host ?? ''),
      path: this.#path,
      ...(at === -1 ? {} : { query: (request.url as string).slice(at + 1) }),
      protocol: `HTTP/${request.httpVersion}`,
      ...(request.socket.remoteAddress ? { address: request.socket.remoteAddress } : {}),
      requestHeaders: request.headers,
      responseHeaders: this.#response.getHeaders(),
      status: this.#response.headersSent ? this.#response.statusCode : null,
      responseBodyBytes: this.#bytes,
      durationMs: completedAt - this.#startedAt,
      ...(this.#error === undefined ? {} : { error: this.#error }),
      startedAt: this.#startedAt,
      completedAt,
    });
  }
}

async function upgrade(
  deps: GatewayDeps,
  request: IncomingMessage,
  socket: Duplex,
  head: Buffer,
): Promise<void> {
  const refuse = (status: string) => {
    socket.end(`HTTP/1.1 ${status}\r\nconnection: close\r\ncontent-length: 0\r\n\r\n`);
  };
  const host = await deps.sites.host(nameOf(request.headers.host, deps.domain));
  const [target = '', query = ''] = (request.url ?? '/').split(/\?(.*)/s);
  const path = normalizePath(target);
  if (host.kind !== 'live' || path === null || !deps.instances) return refuse('404 Not Found');
  const site = await deps.sites.site(host.artefact);
  const decision = decide(site.routes, site.published, {
    method: 'GET',
    ...{ path, query, host: request.headers.host ?? '' },
    header: (header) => String(request.headers[header] ?? '') || undefined,
  });
  if (decision.kind !== 'function') return refuse('404 Not Found');
  const wanted = site.manifest.functions.find(({ name }) => name === decision.name) as PackagedFunction;
  const env = () => deps.variablesOf(host);
  const place = await deps.instances.acquire({ ...host, wanted, env });
  try {
    const [raw = '/'] = (request.url ?? '/').split('?', 1);
    const { remoteAddress = '' } = request.socket;
    await forwardUpgrade(request, socket, head, place.socketPath, {
      ...{ address: remoteAddress, scheme: 'http', answerHeaders: {} },
      path: decision.query === '' ? raw : `${raw}?${decision.query}`,
      deadline: AbortSignal.timeout(wanted.maxDurationSeconds * 1000),
    });
  } finally {
    place.release();
  }
}
