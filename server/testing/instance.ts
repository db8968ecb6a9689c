import type { FastifyInstance } from 'fastify';
import { type Logger, pino } from 'pino';
import { type Clock, systemClock } from '#core/clock.ts';
import { buildApp } from '../app.ts';
import { type BootstrapKey, type Bootstrapped, prepare } from '../commands/prepare.ts';
import { readConfig } from '../platform/config.ts';
import { openPlatform, type Platform } from '../platform/platform.ts';
import { watchStatuses } from './described.ts';
import { type EngineName, type TestHome, testHome } from './engines.ts';

/** A server in this process on a free port of loopback, bootstrapped, with its own empty database. */
export interface Instance extends AsyncDisposable {
  url: string;
  platform: Platform;
  app: FastifyInstance;
  /** The addresses of the ports besides the API's own, by name. */
  listeners: ReadonlyMap<string, string>;
  bootstrapped: Bootstrapped;
  /** A token of the bootstrap key of that actor. */
  token(actor: keyof Bootstrapped['keys']): Promise<string>;
  /** A request with JSON in and out. `as` is an actor of the bootstrap, or a token. */
  call(method: string, path: string, options?: CallOptions): Promise<Answer>;
}

interface CallOptions {
  as?: keyof Bootstrapped['keys'] | { token: string };
  body?: unknown;
  headers?: Record<string, string>;
}

export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: tests look into answers of every shape.
  body: any;
}

export interface InstanceOptions {
  settings?: Record<string, string>;
  clock?: Clock;
  log?: Logger;
  /** Shares the home of another instance: a second node. */
  home?: TestHome;
}

export async function startInstance(engine: EngineName, options: InstanceOptions = {}): Promise<Instance> {
  await using stack = new AsyncDisposableStack();
  const home = options.home ?? stack.use(await testHome(engine));
  const baseUrl = 'http://mainstay.test';
  const config = readConfig({ MAINSTAY_BASE_URL: baseUrl, ...home.settings, ...options.settings });
  const log = options.log ?? pino({ level: 'silent' });
  const platform = stack.use(await openPlatform(config, log, options.clock ?? systemClock));
  const bootstrapped = await prepare(platform, {
    email: 'owner@example.com',
    password: 'correct horse battery',
    organization: 'Acme',
    application: 'Web',
  });
  const { app, listeners } = await buildApp(platform);
  const undescribed = watchStatuses(app);
  stack.defer(() => app.close());
  const url = await app.listen({ host: '127.0.0.1', port: 0 });
  const addresses = new Map<string, string>();
  for (const listener of listeners) {
    addresses.set(listener.name, await listener.listen({ port: 0 }));
    stack.defer(() => listener.close());
  }

  const tokens = new Map<string, { token: Promise<string>; fetchedAt: number }>();
  const token = (actor: keyof Bootstrapped['keys']) => {
    const now = platform.clock.now();
    const known = tokens.get(actor);
    if (known && now - known.fetchedAt < 200_000) return known.token;
    const fetched = fetchToken(url, bootstrapped.keys[actor]);
    tokens.set(actor, { token: fetched, fetchedAt: now });
    return fetched;
  };
  const call = async (method: string, path: string, { as, body, headers = {} }: CallOptions = {}) => {
    const bearer = typeof as === 'string' ? await token(as) : as?.token;
    const response = await fetch(`${url}${path}`, {
      method,
      headers: {
        ...(bearer ? { authorization: `Bearer ${bearer}` } : {}),
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
        ...headers,
      },
      ...(body === undefined ? {} : { body: typeof body === 'string' ? body : JSON.stringify(body) }),
      redirect: 'manual',
    });
    return toAnswer(response);
  };
  const resources = stack.move();
  return {
    url,
    platform,
    app,
    listeners: addresses,
    bootstrapped,
    token,
    call,
    async [Symbol.asyncDispose]() {
      await resources.disposeAsync();
      if (undescribed.size > 0)
        throw new Error(
          `openapi.json does not have what was seen: ${[...undescribed].join(', ')}. ` +
            'Name the statuses in `config: { errors: [...] }` of the route, and run `npm run openapi`.',
        );
    },
  };
}

export async function toAnswer(response: Response): Promise<Answer> {
  const text = await response.text();
  const isJson = /[/+]json\b/.test(response.headers.get('content-type') ?? '') && text !== '';
  return { status: response.status, headers: response.headers, body: isJson ? JSON.parse(text) : text };
}

export async function fetchToken(url: string, { id, secret }: BootstrapKey): Promise<string> {
  const response = await fetch(`${url}/oauth2/token`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${id}:${secret}`).toString('base64')}` },
    body: new URLSearchParams({ grant_type: 'client_credentials' }),
  });
  const { access_token } = (await response.json()) as { access_token?: string };
  if (!access_token) throw new Error(`No token: ${response.status}`);
  return access_token;
}
