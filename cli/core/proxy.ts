type Env = Readonly<Record<string, string | undefined>>;

/**
 * Sends requests through the proxy that the environment names. Bun does so by itself; Node's own fetch needs to be told,
 * each version in another way, so it is replaced. Loaded only where a proxy is set.
 */
export async function useProxy(env: Env): Promise<void> {
  const names = ['HTTPS_PROXY', 'https_proxy', 'HTTP_PROXY', 'http_proxy'];
  if ('Bun' in globalThis || !names.some((name) => env[name])) return;
  const { EnvHttpProxyAgent, fetch } = await import('undici');
  const dispatcher = new EnvHttpProxyAgent();
  const proxied = (input: unknown, init?: object) => fetch(input as string, { ...init, dispatcher });
  globalThis.fetch = proxied as unknown as typeof globalThis.fetch;
}
