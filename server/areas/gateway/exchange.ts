import type { IncomingMessage, ServerResponse } from 'node:http';
import { Overloaded, type Place } from '#areas/functions/service.ts';
import { newId } from '#core/ids.ts';
import { ForbiddenAddress } from '#core/outgoing.ts';
import type { CacheStatus } from '#core/request-log.ts';
import { RunFailed } from '#core/runner.ts';
import { type Client, clientOf } from '#http/client.ts';
import { countSent } from '#http/sent-bytes.ts';
import { sendDoor } from './access/door.ts';
import { accessPath } from './access/guard.ts';
import type { Origin } from './cache/answer.ts';
import { collectFromSocket, collectFromUrl } from './forward/collect.ts';
import { forwardToSocket, forwardToUrl } from './forward/forward.ts';
import { isUnsent, noAnswer, type Onward } from './forward/onward.ts';
import type { GatewayDeps } from './gateway.ts';
import { imageTarget, sendImage } from './images/serve.ts';
import { type Page, pages, sendPage } from './pages.ts';
import { record } from './record.ts';
import { hostName } from './routes/compile.ts';
import { normalizePath } from './routes/pathname.ts';
import type { Decision } from './routes/route.ts';
import type { Site } from './sites.ts';
import {
  type Chosen,
  choose,
  functionHeaders,
  functionOf,
  functionTarget,
  type Live,
  nameOf,
  onwardOf,
  stickyKey,
} from './target.ts';

const proxySeconds = 120;
/** A process that has just ended may still have been handed out. */
const maxAttempts = 3;
const maxRefreshBytes = 16 * 1024 * 1024;

/** One request and its answer. */
export class Exchange {
  readonly #deps: GatewayDeps;
  readonly #request: IncomingMessage;
  readonly #response: ServerResponse;
  readonly #client: Client;
  readonly #id: string;
  readonly #startedAt: number;
  #live: Live | null = null;
  #hostname = '';
  #path = '';
  #functionName: string | undefined;
  #assetPath: string | undefined;
  #cache: CacheStatus | undefined;
  #error: string | undefined;
  #bytes = 0;
  #isSettled = false;
  /** What the visitor had when the connection or the response ended; undefined before. */
  #ended: { status: number | null; sent: number | undefined; at: number } | undefined;
  /** Of a file; undefined: the response knows them. */
  #headers: Readonly<Record<string, string>> | undefined;

  constructor(deps: GatewayDeps, request: IncomingMessage, response: ServerResponse) {
    this.#deps = deps;
    this.#request = request;
    this.#response = response;
    this.#client = clientOf(request, deps.trusted);
    this.#startedAt = deps.clock.now();
    this.#id = newId(this.#startedAt);
    const sent = countSent(request, response);
    response.on('close', () => {
      const status = response.headersSent ? response.statusCode : null;
      this.#ended = { status, sent: sent(), at: deps.clock.now() };
      this.#record();
    });
  }

  async answer(): Promise<void> {
    try {
      await this.#answer();
    } catch (error) {
      this.#fail(error);
    }
    this.#isSettled = true;
    this.#record();
  }

  async #answer(): Promise<void> {
    const { headers, method = 'GET', url = '/' } = this.#request;
    // Two ways to say where the body ends are how requests are smuggled (RFC 9112, 6.3); Node has refused most of them.
    const coding = headers['transfer-encoding'];
    if (
      coding !== undefined &&
      (headers['content-length'] !== undefined || coding.toLowerCase() !== 'chunked')
    )
      return this.#page(pages.badRequest);
    this.#hostname = hostName(headers.host ?? '');
    const name = nameOf(this.#hostname, this.#deps.domain);
    const host = name === '' ? ({ kind: 'unknown' } as const) : await this.#deps.sites.host(name);
    if (host.kind !== 'live') return this.#page(host.kind === 'known' ? pages.notLive : pages.unknownHost);
    this.#live = host;
    const at = url.indexOf('?');
    const target = at === -1 ? url : url.slice(0, at);
    const query = at === -1 ? '' : url.slice(at + 1);
    const path = normalizePath(target);
    if (path === null) return this.#page(pages.badRequest);
    this.#path = path;
    if (host.protection && !(await this.#isLetIn(host))) return;
    if (path === accessPath) return this.#redirect('/');
    const chosen = await choose(this.#deps.sites, host, this.#request, { method, path, query });
    this.#live = chosen.live;
    const image = imageTarget(target, query, headers, chosen.site.manifest);
    if (image) await this.#image(image, chosen);
    else if (path.startsWith('/_mainstay/')) this.#page(pages.notFound);
    else await this.#serve(chosen);
  }

  /** Shows the door to visitors who may not see a protected environment. */
  async #isLetIn(host: Live): Promise<boolean> {
    const { guard, baseUrl } = this.#deps;
    if (!host.protection) return true;
    const visitor = {
      host: { ...host, protection: host.protection },
      request: this.#request,
      ...this.#client,
    };
    const verdict = await guard.check(visitor);
    if (verdict.kind === 'open') return true;
    this.#identify();
    this.#response.setHeader('set-cookie', [...verdict.cookies]);
    if (verdict.kind === 'redirect') this.#redirect(verdict.location);
    else {
      const to = this.#path === accessPath ? '/' : (this.#request.url ?? '/');
      const signInUrl = `${baseUrl}/preview-access?${new URLSearchParams({
        ...{ hostname: this.#request.headers.host ?? '', to, state: verdict.state },
      })}`;
      sendDoor(this.#response, { ...verdict, signInUrl, to }, this.#id);
    }
    return false;
  }

  /** Files have it among the headers that they are sent with. */
  #identify(): void {
    this.#response.setHeader('x-request-id', this.#id);
  }

  #redirect(location: string): void {
    this.#identify();
    this.#response.writeHead(303, { location, 'cache-control': 'no-store', 'content-length': 0 }).end();
  }

  async #image(image: NonNullable<ReturnType<typeof imageTarget>>, { site, live }: Chosen): Promise<void> {
    this.#identify();
    const { files, outgoing, answers } = this.#deps;
    const deps = { files, outgoing, answers, client: this.#client, requestId: this.#id };
    const place = { environmentId: live.environmentId, deploymentId: live.deploymentId };
    const sent = await sendImage(deps, this.#request, this.#response, image, { site, place });
    this.#bytes = sent.bytes;
    this.#cache = sent.cache;
  }

  async #serve({ live, site, decision }: Chosen): Promise<void> {
    const { kind, headers } = decision;
    if (kind === 'file') return this.#file(site, decision.path, decision.status, headers);
    if (kind === 'missing') {
      if (decision.page === null) return this.#page(pages.notFound);
      return this.#file(site, decision.page, 404, headers);
    }
    this.#identify();
    if (kind === 'redirect') {
      const { status, location } = decision;
      this.#response.writeHead(status, { ...headers, location, 'content-length': 0 }).end();
    } else if (kind === 'proxy') await this.#proxy(live, decision);
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
    const sent = await this.#deps.files.send(this.#request, this.#response, file, {
      status,
      headers: { ...headers, 'x-request-id': this.#id },
    });
    this.#headers = sent.headers;
    this.#bytes = sent.bytes;
    this.#cache = sent.cache;
  }

  async #through(origin: Origin): Promise<void> {
    const { bytes, cache } = await this.#deps.answers.answer(this.#request, this.#response, origin);
    this.#bytes = bytes;
    this.#cache = cache;
  }

  #origin(live: Live, target: string, decision: Decision & { kind: 'proxy' | 'function' }) {
    const { environmentId, deploymentId } = live;
    return {
      place: { environmentId, deploymentId, host: this.#hostname, path: this.#path, target },
      answerHeaders: decision.headers,
      status: decision.status,
    };
  }

  async #proxy(live: Live, decision: Decision & { kind: 'proxy' }): Promise<void> {
    const { outgoing } = this.#deps;
    const url = new URL(decision.url);
    const onward = () => onwardOf(this.#client, '', proxySeconds, decision);
    await this.#through({
      ...this.#origin(live, decision.url, decision),
      pass: (observe, changes) =>
        forwardToUrl(this.#request, this.#response, url, outgoing, {
          ...withChanges(onward(), changes),
          observe,
        }),
      collect: (changes) => collectFromUrl(this.#request, url, outgoing, onward(), changes, maxRefreshBytes),
    });
  }

  async #function(live: Live, site: Site, decision: Decision & { kind: 'function' }): Promise<void> {
    const { instances, tickets } = this.#deps;
    if (!instances) return this.#page(pages.noRunner);
    const wanted = functionOf(site, decision.name);
    this.#functionName = wanted.name;
    const workload = () => this.#deps.workloadOf(live);
    const { method = 'GET' } = this.#request;
    const key = stickyKey(tickets, live, this.#request, { method, path: this.#path });
    const acquire = () => instances.acquire({ ...live, wanted, workload }, key);
    const target = functionTarget(this.#request, decision);
    const onward = () => ({
      ...onwardOf(this.#client, target, wanted.maxDurationSeconds, decision),
      headers: functionHeaders(decision, this.#id),
    });
    await this.#through({
      ...this.#origin(live, `${wanted.name} ${target} ${decision.matchedPath}`, decision),
      pass: (observe, changes) =>
        untilReached(acquire, ({ socketPath }) =>
          forwardToSocket(this.#request, this.#response, socketPath, {
            ...withChanges(onward(), changes),
            observe,
          }),
        ),
      collect: (changes) =>
        untilReached(acquire, ({ socketPath }) =>
          collectFromSocket(this.#request, socketPath, onward(), changes, maxRefreshBytes),
        ),
    });
  }

  #page(page: Page): void {
    if (!this.#response.headersSent) this.#identify();
    sendPage(this.#response, page, this.#id);
  }

  #fail(error: unknown): void {
    // What was said about an answer that did not come.
    if (!this.#response.headersSent)
      for (const name of this.#response.getHeaderNames()) this.#response.removeHeader(name);
    // Node's own words are "socket hang up", which the owner of a function that crashed cannot place.
    const wasCut = (error as NodeJS.ErrnoException).code === 'ECONNRESET';
    this.#error = (wasCut ? noAnswer() : (error as Error)).message;
    if (this.#ended) return;
    if ((error as Error).name === 'TimeoutError') this.#page(pages.timedOut);
    else if (error instanceof Overloaded) this.#page(pages.overloaded);
    else if (error instanceof RunFailed) this.#page(pages.crashed);
    else if (error instanceof ForbiddenAddress) this.#page(pages.unreachable);
    else if (this.#functionName !== undefined) this.#page(pages.crashed);
    else {
      const known = (error as NodeJS.ErrnoException).code !== undefined;
      if (!known) this.#deps.log.warn({ err: error, requestId: this.#id }, 'The gateway could not respond.');
      this.#page(known ? pages.unreachable : pages.unavailable);
    }
  }

  /** Once the response has ended and what became of it is known, whichever comes last. */
  #record(): void {
    const { requestLog } = this.#deps;
    if (!requestLog || !this.#live || !this.#ended || !this.#isSettled) return;
    record(requestLog, {
      id: this.#id,
      request: this.#request,
      client: this.#client,
      live: this.#live,
      hostname: this.#hostname,
      path: this.#path,
      functionName: this.#functionName,
      assetPath: this.#assetPath,
      cache: this.#cache,
      status: this.#ended.status,
      // Copied, since an object without a prototype is written as JSON four times as slowly.
      responseHeaders: this.#headers ?? { ...this.#response.getHeaders() },
      responseBodyBytes: this.#bytes,
      bytesSent: this.#ended.sent,
      error: this.#error,
      startedAt: this.#startedAt,
      completedAt: this.#ended.at,
    });
  }
}

/** Headers that replace the visitor's. */
function withChanges(onward: Onward, changes: Readonly<Record<string, string | undefined>>): Onward {
  const set = Object.entries(changes).filter((entry): entry is [string, string] => entry[1] !== undefined);
  return { ...onward, headers: { ...onward.headers, ...Object.fromEntries(set) } };
}

/** Sends to another process only what has not reached the first. */
async function untilReached<T>(
  acquire: () => Promise<Place>,
  send: (place: Place) => Promise<T>,
): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    const place = await acquire();
    try {
      return await send(place);
    } catch (error) {
      if (!isUnsent(error)) place.doubt();
      if (!isUnsent(error) || attempt === maxAttempts) throw error;
      place.abandon();
    } finally {
      place.release();
    }
  }
}
