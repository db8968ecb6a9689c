import { ApiError, ConnectionError, type paths } from '@mainstay/sdk';

/** What belongs to people under /idp: accounts, sessions, what programs may do for them. See docs/people.md. */

type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';
type PathOf<M extends Method> = {
  [P in keyof paths]: paths[P][M] extends { responses: unknown } ? P : never;
}[keyof paths] &
  `/idp/${string}`;
type BodyOf<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  requestBody?: { content: { 'application/json': infer T } };
}
  ? T
  : undefined;
type AnswerOf<M extends Method, P extends PathOf<M>> = paths[P][M] extends {
  responses: { 200: { content: { 'application/json': infer T } } };
}
  ? T
  : undefined;

interface Input<M extends Method, P extends PathOf<M>> {
  path?: Record<string, string>;
  query?: Record<string, string> | string;
  body?: BodyOf<M, P> | Blob;
  signal?: AbortSignal;
}

/**
 * Calls an operation of /idp. Rejects with ApiError; its `code` is one of those in docs/people.md, such as
 * `INVALID_EMAIL_OR_PASSWORD`.
 */
export async function idp<M extends Method, P extends PathOf<M>>(
  method: M,
  path: P,
  { path: values = {}, query = '', body, signal }: Input<M, P> = {},
): Promise<AnswerOf<M, P>> {
  const filled = path.replace(/\{(\w+)\}/g, (_, name: string) => encodeURIComponent(values[name] ?? ''));
  const search = new URLSearchParams(query).toString();
  const headers: Record<string, string> = { 'x-mainstay-session': '1' };
  if (body !== undefined) headers['content-type'] = body instanceof Blob ? body.type : 'application/json';
  const response = await fetch(search === '' ? filled : `${filled}?${search}`, {
    method: method.toUpperCase(),
    headers,
    ...(body === undefined ? {} : { body: body instanceof Blob ? body : JSON.stringify(body) }),
    ...(signal ? { signal } : {}),
  }).catch((cause) => {
    if (signal?.aborted) throw cause;
    throw new ConnectionError('The server did not respond.', { cause });
  });
  if (!response.ok) throw await toError(response);
  const isJson = response.headers.get('content-type')?.includes('json');
  return (isJson ? await response.json() : undefined) as AnswerOf<M, P>;
}

/** `{code, message}` of the pages, `{error_description}` of OAuth, or `{error}` of what stands before both. */
async function toError(response: Response): Promise<ApiError> {
  const body: Record<string, string | undefined> = await response.json().catch(() => ({}));
  const sentence = body['message'] ?? body['error_description'] ?? body['error'];
  const retryAfter = Number(response.headers.get('retry-after') ?? Number.NaN);
  const code = body['code'];
  const requestId = response.headers.get('x-request-id');
  return new ApiError(sentence ?? `The server answered ${response.status}.`, {
    status: response.status,
    ...(code === undefined ? {} : { code }),
    ...(requestId === null ? {} : { requestId }),
    ...(Number.isNaN(retryAfter) ? {} : { retryAfter }),
  });
}
