import type { components } from './api.ts';
import { ApiError } from './errors.ts';
import { type Patience, type RequestOptions, realSurroundings, type Surroundings, send } from './send.ts';

type Schemas = components['schemas'];
export type DeviceAuthorization = Schemas['DeviceAuthorization'];
export type PersonToken = Schemas['PersonToken'];

/** A public OAuth app of an instance. */
export interface OAuthApp {
  /** The address of the instance. */
  baseUrl: string;
  clientId: string;
}

const patience: Patience = { retries: 2, timeoutMilliseconds: 30_000 };
const deviceCodeGrant = 'urn:ietf:params:oauth:grant-type:device_code';
/** RFC 8628, 3.5: what `slow_down` adds to the interval. */
const slowDownSeconds = 5;

/** Begins a sign-in that a member approves in a browser, here or on another device (RFC 8628). */
export function startDeviceAuthorization(
  app: OAuthApp,
  scopes: readonly string[],
  options: RequestOptions = {},
): Promise<DeviceAuthorization> {
  return post(app, '/idp/oauth2/device_authorization', { scope: scopes.join(' ') }, options);
}

/**
 * Waits until the sign-in is approved. Rejects with `ApiError` of code `access_denied` when it was refused, and
 * `expired_token` when nobody decided in time.
 */
export async function waitForDevice(
  app: OAuthApp,
  started: DeviceAuthorization,
  options: RequestOptions = {},
  around: Surroundings = realSurroundings,
): Promise<PersonToken> {
  const fields = { grant_type: deviceCodeGrant, device_code: started.device_code };
  for (let seconds = started.interval; ; ) {
    await pause(seconds * 1000, options.signal, around);
    try {
      return await post(app, '/idp/oauth2/token', fields, options, around);
    } catch (error) {
      const code = error instanceof ApiError ? error.code : undefined;
      if (code === 'slow_down') seconds += slowDownSeconds;
      else if (code !== 'authorization_pending') throw error;
    }
  }
}

/** New tokens for a refresh token, which they replace. `ApiError` of code `invalid_grant`: it has ended. */
export function refreshGrant(
  app: OAuthApp,
  refreshToken: string,
  options: RequestOptions = {},
): Promise<PersonToken> {
  return post(
    app,
    '/idp/oauth2/token',
    { grant_type: 'refresh_token', refresh_token: refreshToken },
    // The first answer may be lost: the same token once more is then taken for a leak.
    { ...options, retries: 0 },
  );
}

/** Ends what a member has granted, with every token of it (RFC 7009). */
export function revokeGrant(
  app: OAuthApp,
  refreshToken: string,
  options: RequestOptions = {},
): Promise<void> {
  return post(app, '/idp/oauth2/revoke', { token: refreshToken }, options);
}

function post<T>(
  { baseUrl, clientId }: OAuthApp,
  path: string,
  fields: Record<string, string>,
  options: RequestOptions,
  around: Surroundings = realSurroundings,
): Promise<T> {
  const read = async (response: Response) => {
    const text = await response.text();
    return (text === '' ? undefined : JSON.parse(text)) as T;
  };
  const request = {
    ...options,
    method: 'POST',
    url: `${baseUrl.replace(/\/+$/, '')}${path}`,
    headers: new Headers(),
    body: new URLSearchParams({ ...fields, client_id: clientId }),
    isRepeatable: true,
  };
  return send(request, read, patience, around);
}

function pause(milliseconds: number, signal: AbortSignal | undefined, around: Surroundings): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => reject(signal?.reason);
    if (signal?.aborted) return stop();
    signal?.addEventListener('abort', stop, { once: true });
    around.sleep(milliseconds).then(() => {
      signal?.removeEventListener('abort', stop);
      resolve();
    }, reject);
  });
}
