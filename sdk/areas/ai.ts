import { lines } from '../lines.ts';
import type { RawRequest, Requests } from '../requests.ts';
import type { RequestOptions } from '../send.ts';

const chat = '/ai/v1/chat/completions';

/** As OpenAI's chat completions take it; fields that are not named here pass through. */
export interface ChatRequest {
  model: string;
  messages: readonly { role: string; content: unknown }[];
  [field: string]: unknown;
}

export interface ChatCompletion {
  id: string;
  model: string;
  choices: {
    index: number;
    message: { role: string; content: string | null };
    finish_reason: string | null;
  }[];
  usage?: { prompt_tokens: number; completion_tokens: number; total_tokens: number };
  cost_micros?: number;
}

export interface ChatChunk {
  choices: { index: number; delta: { content?: string | null }; finish_reason: string | null }[];
  usage?: ChatCompletion['usage'] | null;
  error?: { message: string; code?: string };
}

/** Who pays: needed where the credentials are of a user of several organizations. */
export interface AiOptions extends RequestOptions {
  organizationId?: string | undefined;
  applicationId?: string | undefined;
}

/** An answer takes as long as a model thinks. */
const timeoutMilliseconds = 600_000;

/** The models. For more than a chat use the packages of OpenAI or Anthropic, or `ai`: base URL `<instance>/ai/v1`. */
export const ai = (api: Requests) => ({
  models: (options: AiOptions = {}) => {
    const { headers, ...others } = withAccount(options);
    return api.call('get', '/ai/v1/models', { headers }, others);
  },
  chat: async (body: ChatRequest, options: AiOptions = {}): Promise<ChatCompletion> => {
    const response = await api.raw('POST', chat, json({ ...body, stream: false }, options));
    return (await response.json()) as ChatCompletion;
  },
  /** Piece by piece, as the model writes it. */
  streamChat: async (body: ChatRequest, options: AiOptions = {}): Promise<AsyncIterable<ChatChunk>> => {
    const response = await api.raw('POST', chat, json({ ...body, stream: true }, options));
    return events(response);
  },
});

function json(body: unknown, options: AiOptions): RawRequest {
  const { headers, ...others } = withAccount(options);
  const all = { ...headers, 'content-type': 'application/json' };
  return { timeoutMilliseconds, ...others, headers: all, body: JSON.stringify(body) };
}

function withAccount({ organizationId, applicationId, ...options }: AiOptions) {
  const headers: Record<string, string> = {
    ...(organizationId === undefined ? {} : { 'x-mainstay-organization-id': organizationId }),
    ...(applicationId === undefined ? {} : { 'x-mainstay-application-id': applicationId }),
  };
  return { ...options, headers };
}

/** The JSON of each `data:` line, until `[DONE]`. */
async function* events(response: Response): AsyncGenerator<ChatChunk> {
  for await (const line of lines(response)) {
    const data = line.startsWith('data:') ? line.slice(5).trim() : '';
    if (data === '[DONE]') return;
    if (data !== '') yield JSON.parse(data);
  }
}
