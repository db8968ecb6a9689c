import type { TokenSource } from './credentials.ts';
import { ApiError } from './errors.ts';
import type { Answer, Body, Item, ListPath, Method, PathOf, PathValues, Query } from './operations.ts';
import { abortable, type Patience, type RequestOptions, type Surroundings, send } from './send.ts';

export interface CreateOptions extends RequestOptions {
  /** The API does the work once for each key (1 to 255 visible ASCII characters). A new UUID unless given. */
  idempotencyKey?: string | undefined;
}

/** A request that no type describes. */
export interface RawRequest extends RequestOptions {
  /** Sent as it is. */
  body?: RequestInit['body'] | undefined;
  headers?: Record<string, string> | undefined;
}

/** What an operation is given: the values of its path, its query, its body. */
export interface Input<M extends Method, P extends PathOf<M>> {
  path?: PathValues<M, P>;
  query?: Query<M, P> | undefined;
  /** Instead of `query`, where it is taken over from elsewhere. */
  search?: string;
  body?: Body<M, P> | undefined;
  headers?: Record<string, string | undefined>;
}

/** The promise of one page; `for await` runs through the items of this page and of all after it. */
export type List<P extends ListPath> = Promise<Answer<'get', P>> & AsyncIterable<Item<P>>;

export interface Connection {
  /** Without a slash at its end. */
  baseUrl: string;
  /** Undefined where no bearer token is sent. */
  tokenSource: TokenSource | undefined;
  /** Signed in by the cookie of a browser. */
  isSession: boolean;
  patience: Patience;
  around: Surroundings;
}

type Read<T> = (response: Response) => Promise<T>;

/** Sends the operations of the API, each typed by its method and path. */
export class Requests {
  readonly #connection: Connection;

  constructor(connection: Connection) {
    this.#connection = connection;
  }

  call<M extends Method, P extends PathOf<M>>(
    method: M,
    path: P,
    input: Input<M, P> = {},
    options: RequestOptions = {},
  ): Promise<Answer<M, P>> {
    return this.#send(method, path, input, options, readJson<Answer<M, P>>);
  }

  /** A POST with an Idempotency-Key, which makes it safe to send again. */
  create<P extends PathOf<'post'>>(
    path: P,
    input: Input<'post', P>,
    { idempotencyKey = crypto.randomUUID(), ...options }: CreateOptions = {},
  ): Promise<Answer<'post', P>> {
    const headers = { ...input.headers, 'idempotency-key': idempotencyKey };
    return this.call('post', path, { ...input, headers }, options);
  }

  /** A POST that may be sent again: the same once more changes nothing. */
  repeat<P extends PathOf<'post'>>(
    path: P,
    input: Input<'post', P>,
    options: RequestOptions = {},
  ): Promise<Answer<'post', P>> {
    return this.#send('post', path, input, { ...options, isRepeatable: true }, readJson<Answer<'post', P>>);
  }

  /** A GET whose answer is more, or something else, than its JSON. */
  read<P extends PathOf<'get'>, T>(
    path: P,
    input: Input<'get', P>,
    options: RequestOptions | undefined,
    read: Read<T>,
  ): Promise<T> {
    return this.#send('get', path, input, options ?? {}, read);
  }

  /** `path` may have a query. Resolves with every answer that says yes; its body is still to be read, within the timeout. */
  raw(method: string, path: string, { body, headers = {}, ...options }: RawRequest = {}): Promise<Response> {
    const url = `${this.#connection.baseUrl}${path.startsWith('/') ? '' : '/'}${path}`;
    return this.#authorized(
      (token) =>
        this.#transmit(
          method.toUpperCase(),
          url,
          { headers, body, token },
          options,
          async (answer) => answer,
        ),
      options,
    );
  }

  /** `cursorName` is the query parameter that takes the `nextCursor` of the page before. */
  list<P extends ListPath>(
    path: P,
    input: Input<'get', P> = {},
    options: RequestOptions = {},
    cursorName = 'cursor',
  ): List<P> {
    type Page = { items: Item<P>[]; nextCursor?: string };
    const first = this.call('get', path, input, options);
    const next = (cursor: string) => {
      const query = { ...(input.query as object | undefined), [cursorName]: cursor } as Query<'get', P>;
      return this.call('get', path, { ...input, query }, options);
    };
    async function* items() {
      for (let page = (await first) as Page; ; page = (await next(page.nextCursor)) as Page) {
        yield* page.items;
        if (page.nextCursor === undefined) return;
      }
    }
    return Object.assign(first, { [Symbol.asyncIterator]: items });
  }

  async #send<M extends Method, P extends PathOf<M>, T>(
    method: M,
    path: P,
    input: Input<M, P>,
    options: RequestOptions & { isRepeatable?: boolean },
    read: Read<T>,
  ): Promise<T> {
    const { baseUrl } = this.#connection;
    const url = `${baseUrl}${fillPath(path, input.path)}${input.search ?? queryText(input.query)}`;
    const { body, type } = encode(input.body);
    const headers = { ...(type === undefined ? {} : { 'content-type': type }), ...input.headers };
    return this.#authorized(
      (token) => this.#transmit(method.toUpperCase(), url, { headers, body, token }, options, read),
      options,
    );
  }

  #transmit<T>(
    method: string,
    url: string,
    given: {
      headers: Record<string, string | undefined>;
      body: RequestInit['body'] | undefined;
      token: string | undefined;
    },
    options: RequestOptions & { isRepeatable?: boolean },
    read: Read<T>,
  ): Promise<T> {
    const { isSession, patience, around } = this.#connection;
    const headers = new Headers();
    for (const [name, value] of Object.entries(given.headers)) {
      if (value !== undefined) headers.set(name, value);
    }
    if (given.token !== undefined) headers.set('authorization', `Bearer ${given.token}`);
    // A header that no form and no page of another site can send beside the cookie.
    if (isSession) headers.set('x-mainstay-session', '1');
    const credentials = isSession ? ('same-origin' as const) : undefined;
    const body = given.body === undefined ? {} : { body: given.body };
    return send({ ...options, method, url, headers, ...body, credentials }, read, patience, around);
  }

  async #authorized<T>(
    attempt: (token: string | undefined) => Promise<T>,
    options: RequestOptions,
  ): Promise<T> {
    const { tokenSource } = this.#connection;
    if (tokenSource === undefined) return attempt(undefined);
    const token = await abortable(tokenSource(), options.signal);
    try {
      return await attempt(token);
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 401) throw error;
      // Revoked, or the clocks differ. The request was refused before any work was done, whatever its method.
      const another = await abortable(tokenSource(token), options.signal);
      if (another === token) throw error;
      return attempt(another);
    }
  }
}

async function readJson<T>(response: Response): Promise<T> {
  const text = await response.text();
  return text === '' ? (undefined as T) : JSON.parse(text);
}

function fillPath(path: string, values: object | undefined): string {
  const texts = Object(values) as Record<string, unknown>;
  return path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(String(texts[name])));
}

/** An array is sent as the same parameter several times. */
function queryText(query: object | undefined): string {
  const search = new URLSearchParams();
  for (const [name, value] of Object.entries(query ?? {})) {
    for (const one of Array.isArray(value) ? value : [value]) {
      if (one !== undefined) search.append(name, String(one));
    }
  }
  const text = search.toString();
  return text === '' ? '' : `?${text}`;
}

function encode(body: unknown): { body?: RequestInit['body']; type?: string } {
  if (body === undefined) return {};
  if (body instanceof Blob) return { body, type: body.type || 'application/octet-stream' };
  return { body: JSON.stringify(body), type: 'application/json' };
}
