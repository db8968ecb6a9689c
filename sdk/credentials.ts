import type { components } from './api.ts';
import { type Patience, realSurroundings, type Surroundings, send } from './send.ts';

/**
 * Gives the bearer token of the next request. `refused` is the token that the API has just answered 401 to: the source
 * gives another, or the same again where it has no other.
 */
export type TokenSource = (refused?: string) => string | Promise<string>;

/** A token is renewed this long before it ends, or after nine tenths of its life where that is later. */
const marginMilliseconds = 30_000;

/**
 * Tokens of an API key by the client credentials grant (RFC 6749, 4.4). One is kept until shortly before it ends, and
 * however many requests wait for a new one, one is asked for.
 */
export function clientCredentials(
  { baseUrl, clientId, clientSecret }: { baseUrl: string; clientId: string; clientSecret: string },
  patience: Patience,
  around: Surroundings,
): TokenSource {
  let kept: { token: string; renewAt: number } | undefined;
  let pending: Promise<string> | undefined;

  async function ask(): Promise<string> {
    const askedAt = around.now();
    const headers = new Headers({ authorization: basic(clientId, clientSecret) });
    const answer = await send(
      {
        method: 'POST',
        url: `${baseUrl}/oauth2/token`,
        headers,
        body: new URLSearchParams({ grant_type: 'client_credentials' }),
        isRepeatable: true,
      },
      (response) => response.json() as Promise<components['schemas']['Token']>,
      patience,
      around,
    );
    const life = answer.expires_in * 1000;
    kept = { token: answer.access_token, renewAt: askedAt + Math.max(life - marginMilliseconds, life * 0.9) };
    return kept.token;
  }

  return (refused) => {
    if (kept && kept.token !== refused && around.now() < kept.renewAt) return kept.token;
    pending ??= ask().finally(() => {
      pending = undefined;
    });
    return pending;
  };
}

/** The tokens of an API key, for a client that is made with `token`: to look at them, or to share them between clients. */
export function keyTokens(key: { baseUrl: string; clientId: string; clientSecret: string }): TokenSource {
  const baseUrl = key.baseUrl.replace(/\/+$/, '');
  return clientCredentials(
    { ...key, baseUrl },
    { retries: 2, timeoutMilliseconds: 30_000 },
    realSurroundings,
  );
}

/** RFC 6749, 2.3.1: both parts are form-encoded first. */
function basic(id: string, secret: string): string {
  return `Basic ${btoa(`${encodeURIComponent(id)}:${encodeURIComponent(secret)}`)}`;
}
