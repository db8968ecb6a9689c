import type { TokenSource } from './credentials.ts';

/** Whose request it is, where the credential does not say. */
export interface AiOptions {
  applicationId?: string;
  organizationId?: string;
  /** Free text of yours, kept with the request. */
  endUserId?: string;
}

/** For `new OpenAI(…)` of the package `openai`. */
export interface OpenAiOptions {
  baseURL: string;
  /** Asked before each request, so that tokens are renewed. */
  apiKey: () => Promise<string>;
  defaultHeaders: Record<string, string>;
}

/** For `createOpenAICompatible(…)` of `@ai-sdk/openai-compatible`, whose models the package `ai` takes. */
export interface AiSdkOptions {
  name: string;
  baseURL: string;
  includeUsage: true;
  headers: Record<string, string>;
  fetch: typeof fetch;
}

/** For `new Anthropic(…)` of the package `@anthropic-ai/sdk`. */
export interface AnthropicOptions {
  baseURL: string;
  authToken: string;
  defaultHeaders: Record<string, string>;
}

/** What other packages need to speak to the models behind this instance, with this client's credential. */
export function aiPackages(connection: {
  baseUrl: string;
  tokenSource: TokenSource | undefined;
  fetch: typeof fetch;
}) {
  const { baseUrl, tokenSource } = connection;
  const token = async (refused?: string): Promise<string> => {
    if (!tokenSource) throw new Error('The session of a browser has no token: use an API key or a token.');
    return tokenSource(refused);
  };
  /** Sends the token in place of whatever key the package sends; once more with another when it is refused. */
  const authorized: typeof fetch = async (input, init) => {
    const send = (bearer: string) => {
      const headers = new Headers(init?.headers ?? (input instanceof Request ? input.headers : undefined));
      headers.set('authorization', `Bearer ${bearer}`);
      return connection.fetch(input, { ...init, headers });
    };
    const first = await token();
    const response = await send(first);
    if (response.status !== 401) return response;
    const next = await token(first);
    if (next === first) return response;
    await response.body?.cancel();
    return send(next);
  };
  const headersOf = ({ applicationId, organizationId, endUserId }: AiOptions): Record<string, string> => ({
    ...(applicationId ? { 'x-mainstay-application-id': applicationId } : {}),
    ...(organizationId ? { 'x-mainstay-organization-id': organizationId } : {}),
    ...(endUserId ? { 'x-mainstay-end-user-id': endUserId } : {}),
  });
  const baseURL = `${baseUrl}/ai/v1`;
  return {
    openai: (options: AiOptions = {}): OpenAiOptions => ({
      baseURL,
      apiKey: () => token(),
      defaultHeaders: headersOf(options),
    }),
    aiSdk: (options: AiOptions = {}): AiSdkOptions => ({
      name: 'mainstay',
      baseURL,
      includeUsage: true,
      headers: headersOf(options),
      fetch: authorized,
    }),
    /** The token lasts for minutes: ask for it again before it ends. */
    anthropic: async (options: AiOptions = {}): Promise<AnthropicOptions> => ({
      baseURL: `${baseUrl}/ai`,
      authToken: await token(),
      defaultHeaders: headersOf(options),
    }),
  };
}
