import assert from 'node:assert/strict';
import { ApiError, type Client, createClient } from '../sdk/index.ts';
import type { Target } from './instance.ts';

type Actor = keyof Target['keys'];

export function clientOf(target: Target, actor: Actor): Client {
  const { id, secret } = target.keys[actor];
  return createClient({ baseUrl: target.url, clientId: id, clientSecret: secret });
}

/** Requests that the client does not make: other content types, no token, fields that do not exist. */
export async function plainFetch(target: Target, actor: Actor | undefined): Promise<typeof fetch> {
  const { url, keys } = target;
  let authorization: string | undefined;
  if (actor) {
    const { id, secret } = keys[actor];
    const response = await fetch(`${url}/oauth2/token`, {
      method: 'POST',
      headers: { authorization: `Basic ${btoa(`${id}:${secret}`)}` },
      body: new URLSearchParams({ grant_type: 'client_credentials' }),
    });
    authorization = `Bearer ${((await response.json()) as { access_token: string }).access_token}`;
  }
  return (path, init = {}) => {
    const headers = new Headers(init.headers);
    if (authorization) headers.set('authorization', authorization);
    return fetch(`${url}${path}`, { ...init, headers });
  };
}

/** The call fails with this status and a sentence, which is answered. */
export async function refusal(status: number, call: Promise<unknown>): Promise<string> {
  const error: unknown = await call.then(
    () => undefined,
    (thrown) => thrown,
  );
  assert.ok(error instanceof ApiError, `expected ${status}, not ${error ?? 'a success'}`);
  assert.equal(error.status, status, error.message);
  assert.match(error.message, /^[A-Z“"].*\.$/s);
  assert.ok(error.requestId);
  return error.message;
}

/** The body of an error, once it is known to hold nothing but a sentence. */
export async function errorOf(response: Response): Promise<string> {
  const body = (await response.json()) as { error: string };
  assert.deepEqual(Object.keys(body), ['error']);
  return body.error;
}

/** Waits out the creation rate of the instance, which these tests do not ask to be lifted. */
export async function patiently<T>(create: () => Promise<T>): Promise<T> {
  for (;;) {
    try {
      return await create();
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 429) throw error;
      await new Promise((resolve) => setTimeout(resolve, (error.retryAfter ?? 60) * 1000));
    }
  }
}

export const uuid = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/;
export const time = /^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/;
/** An id that no instance has given out. */
export const nobody = '0192f0c1-2345-7abc-8def-0123456789ab';
