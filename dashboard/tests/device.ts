/** A command line that signs in by the device grant (RFC 8628). */
export interface Device {
  /** Where its person allows it. */
  page: string;
  /** Asks for the tokens that were allowed. */
  redeem(): Promise<Response>;
  refresh(refreshToken: string): Promise<Response>;
}

export async function startDevice(url: string): Promise<Device> {
  const send = (path: string, form: Record<string, string>) =>
    fetch(`${url}${path}`, {
      method: 'POST',
      body: new URLSearchParams({ client_id: 'mainstay-cli', ...form }),
    });
  const discovery = await fetch(`${url}/idp/.well-known/openid-configuration`);
  const { device_authorization_endpoint, token_endpoint } = (await discovery.json()) as {
    device_authorization_endpoint: string;
    token_endpoint: string;
  };
  // The instance may call itself by a name that only the browser knows.
  const tokenPath = new URL(token_endpoint).pathname;
  const started = await send(new URL(device_authorization_endpoint).pathname, {
    scope: 'openid offline_access',
  });
  const device = (await started.json()) as { verification_uri_complete: string; device_code: string };
  return {
    page: device.verification_uri_complete,
    redeem: () =>
      send(tokenPath, {
        grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
        device_code: device.device_code,
      }),
    refresh: (refreshToken) => send(tokenPath, { grant_type: 'refresh_token', refresh_token: refreshToken }),
  };
}
