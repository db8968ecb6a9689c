import type { FastifyReply, FastifyRequest } from 'fastify';
import type { MadeKeys } from '#accounts/api-keys/service.ts';
import { PeopleProblem } from '../errors.ts';
import type { Sessions } from '../sessions/sessions.ts';
import type { Auth, AuthDeps } from './auth.ts';
import { bindLink } from './mail-links.ts';
import { addressHeader } from './names.ts';
import { requestOf } from './request-context.ts';

/** A request to better-auth: what of ours it gets to see. */
interface Passage {
  method: 'GET' | 'POST';
  /** Below `/idp`, with its query. */
  path: string;
  body?: unknown;
  /** Of an authenticator app: it counts as used when it has let somebody in. */
  totpCode?: string;
  /** With a new password, end the API keys that the person has made. */
  endKeys?: MadeKeys | null;
}

export interface Passed {
  status: number;
  // biome-ignore lint/suspicious/noExplicitAny: better-auth answers in many shapes; none of them is relied on unread.
  body: any;
  headers: Headers;
}

const providerRetryMilliseconds = 10_000;

/** Hands requests on to better-auth, which is loaded with the first of them. */
export class Accounts {
  readonly #deps: AuthDeps & { sessions: Sessions };
  #auth: Promise<Auth> | undefined;
  #openedAt = 0;

  constructor(deps: AuthDeps & { sessions: Sessions }) {
    this.#deps = deps;
  }

  open(): Promise<Auth> {
    this.#auth ??= this.#load();
    return this.#auth;
  }

  /** The same with the outside provider in place: one that did not answer when it was first asked is asked again. */
  async openWithProvider(): Promise<void> {
    const { socialProviders } = await (await this.open()).$context;
    if (socialProviders.length > 0) return;
    if (Date.now() - this.#openedAt > providerRetryMilliseconds) {
      this.#auth = undefined;
      const context = await (await this.open()).$context;
      if (context.socialProviders.length > 0) return;
    }
    const sentence = 'The sign-in provider cannot be reached just now. Try again shortly.';
    throw new PeopleProblem('unavailable', 'PROVIDER_UNAVAILABLE', sentence, { retryAfterSeconds: 10 });
  }

  async #load(): Promise<Auth> {
    this.#openedAt = Date.now();
    try {
      const { createAuth } = await import('./auth.ts');
      return createAuth(this.#deps);
    } catch (error) {
      this.#auth = undefined;
      throw error;
    }
  }

  /** Sends the link that confirms an address. */
  async sendVerification({ email, epoch }: { email: string; epoch: number }): Promise<void> {
    const auth = await this.open();
    const { verificationToken } = await import('./auth.ts');
    const { emails, times, vault } = this.#deps;
    const token = await verificationToken(auth, email, times.mailLink);
    emails.verification(email, bindLink(vault, epoch, token));
  }

  async pass(
    request: FastifyRequest,
    { method, path, body, totpCode, endKeys = null }: Passage,
  ): Promise<Passed> {
    const auth = await this.open();
    const url = `${this.#deps.baseUrl}/idp${path}`;
    const init: RequestInit = { method, headers: await this.#headers(request) };
    if (body !== undefined) init.body = JSON.stringify(body);
    try {
      const session = await this.#deps.sessions.ofRequest(request);
      const context = {
        requestId: request.id,
        ...(totpCode === undefined ? {} : { totpCode }),
        endKeys,
        actingUserId: session?.userId,
        epochs: new Map(session ? [[session.userId, session.epoch]] : []),
      };
      const response = await requestOf.run(context, () => auth.handler(new Request(url, init)));
      const text = await response.text();
      const isJson = response.headers.get('content-type')?.includes('json') && text !== '';
      return { status: response.status, body: isJson ? JSON.parse(text) : null, headers: response.headers };
    } catch (error) {
      throw toProblem(error);
    }
  }

  /** What better-auth reads: where the request comes from, which our own check has found to be right, and its cookies. */
  async #headers(request: FastifyRequest): Promise<Headers> {
    const { baseUrl, sessions } = this.#deps;
    const headers = new Headers({
      'content-type': 'application/json',
      origin: new URL(baseUrl).origin,
      [addressHeader]: request.ip,
    });
    const agent = request.headers['user-agent'];
    if (agent) headers.set('user-agent', agent.slice(0, 500));
    const { cookie } = request.headers;
    if (cookie === undefined) return headers;
    // better-auth knows nothing of idle sessions and suspended people: a session that does not stand is left out.
    const stands = (await sessions.ofRequest(request)) !== null;
    const kept = cookie
      .split(';')
      .filter((part) => stands || part.split('=', 1)[0]?.trim() !== sessions.cookieName);
    if (kept.length > 0) headers.set('cookie', kept.join(';'));
    return headers;
  }
}

/** Sends what better-auth answered. Session tokens stay in the cookie, where no script can read them. */
export function sendPassed(reply: FastifyReply, { status, body, headers }: Passed): FastifyReply {
  const cookies = headers.getSetCookie();
  if (cookies.length > 0) reply.header('set-cookie', cookies);
  if (status >= 400) {
    const wait = headers.get('x-retry-after');
    if (wait) reply.header('retry-after', wait);
    const { code = 'FAILED', message = 'The request failed.' } = body ?? {};
    return reply.code(status).send({ code, message });
  }
  return reply.code(status).send(withoutTokens(body));
}

function withoutTokens(body: unknown): unknown {
  if (body === null || typeof body !== 'object' || Array.isArray(body)) return body;
  const { token: _token, session, ...rest } = body as Record<string, unknown>;
  if (session === null || typeof session !== 'object') return rest;
  const { token: _sessionToken, ...shown } = session as Record<string, unknown>;
  return { ...rest, session: shown };
}

/** What better-auth throws has a status and a body; what our own adapter throws is a Problem already. */
function toProblem(error: unknown): unknown {
  const { statusCode, body } = error as { statusCode?: number; body?: { code?: string; message?: string } };
  if (statusCode === undefined || statusCode >= 500 || !body) return error;
  const kinds = {
    401: 'unauthenticated',
    403: 'forbidden',
    404: 'not_found',
    429: 'too_many_requests',
  } as const;
  const kind = kinds[statusCode as keyof typeof kinds] ?? 'invalid_request';
  return new PeopleProblem(kind, body.code ?? 'FAILED', body.message ?? 'The request failed.');
}
