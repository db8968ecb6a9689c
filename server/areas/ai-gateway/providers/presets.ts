import type { ProviderType } from './schema.ts';

/** How a provider differs from OpenAI's own API. One row each; whatever is not here is OpenAI's way. */
export interface Dialect {
  /** Where its API is, unless the provider's row says otherwise. */
  baseUrl?: string;
  /** Header that carries the key; `authorization` with `Bearer`. */
  keyHeader: 'authorization' | 'api-key' | 'x-api-key' | 'x-goog-api-key';
  /** Outermost fields that it refuses. */
  drop: readonly string[];
  /** Outermost fields that it knows by another name. */
  rename: Readonly<Record<string, string>>;
  /** Serves `/responses` itself. */
  responses: boolean;
  /** Whether `stream_options.include_usage` is to be asked for: some always send usage, and refuse the field. */
  streamOptions: boolean;
  /** Takes the thoughts of earlier turns as parts of the content, and refuses fields of their own. */
  thoughtParts: boolean;
  /** Models of other owners under their `owner/name`. */
  resells: boolean;
}

const plain: Dialect = {
  keyHeader: 'authorization',
  drop: [],
  rename: {},
  responses: false,
  streamOptions: true,
  thoughtParts: false,
  resells: false,
};
const oldBound = { max_completion_tokens: 'max_tokens' };

const bySlug: Record<string, Partial<Dialect>> = {
  openrouter: { baseUrl: 'https://openrouter.ai/api/v1', resells: true },
  mistral: {
    baseUrl: 'https://api.mistral.ai/v1',
    rename: oldBound,
    drop: ['stream_options', 'store', 'user', 'service_tier', 'prompt_cache_key', 'logit_bias'],
    streamOptions: false,
    thoughtParts: true,
  },
  groq: { baseUrl: 'https://api.groq.com/openai/v1', drop: ['store', 'logit_bias'] },
  together: { baseUrl: 'https://api.together.xyz/v1', rename: oldBound },
  fireworks: { baseUrl: 'https://api.fireworks.ai/inference/v1', rename: oldBound },
  deepseek: { baseUrl: 'https://api.deepseek.com/v1', rename: oldBound },
  xai: { baseUrl: 'https://api.x.ai/v1', responses: true },
  cerebras: { baseUrl: 'https://api.cerebras.ai/v1' },
  perplexity: {
    baseUrl: 'https://api.perplexity.ai',
    rename: oldBound,
    drop: ['stream_options'],
    streamOptions: false,
  },
  ollama: { baseUrl: 'http://127.0.0.1:11434/v1', rename: oldBound },
  vllm: { baseUrl: 'http://127.0.0.1:8000/v1' },
};

const byType: Record<ProviderType, Partial<Dialect>> = {
  openai: { baseUrl: 'https://api.openai.com/v1', responses: true },
  azure: { keyHeader: 'api-key', responses: true },
  anthropic: { baseUrl: 'https://api.anthropic.com/v1', keyHeader: 'x-api-key' },
  gemini: { baseUrl: 'https://generativelanguage.googleapis.com/v1beta', keyHeader: 'x-goog-api-key' },
  'openai-compatible': {},
};

export function dialectOf(type: ProviderType, slug: string): Dialect {
  const own = type === 'openai-compatible' && Object.hasOwn(bySlug, slug) ? bySlug[slug] : {};
  return { ...plain, ...byType[type], ...own };
}

/** The owner whose models a type serves under their own names. */
export const ownerOf: Partial<Record<ProviderType, string>> = {
  openai: 'openai',
  azure: 'openai',
  anthropic: 'anthropic',
  gemini: 'google',
};

export const needsCredential = (type: ProviderType): boolean => type !== 'openai-compatible';
