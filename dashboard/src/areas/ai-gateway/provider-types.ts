import type { AiProvider } from '@mainstay/sdk';

/** What people choose from: a provider whose address the server knows, or any that speaks OpenAI's protocol. */
export const providerKinds: { value: string; label: string; type: AiProvider['type'] }[] = [
  { value: 'openai', label: 'OpenAI', type: 'openai' },
  { value: 'anthropic', label: 'Anthropic', type: 'anthropic' },
  { value: 'google', label: 'Google Gemini', type: 'gemini' },
  { value: 'azure', label: 'Azure OpenAI', type: 'azure' },
  { value: 'openrouter', label: 'OpenRouter', type: 'openai-compatible' },
  { value: 'mistral', label: 'Mistral', type: 'openai-compatible' },
  { value: 'groq', label: 'Groq', type: 'openai-compatible' },
  { value: 'together', label: 'Together', type: 'openai-compatible' },
  { value: 'fireworks', label: 'Fireworks', type: 'openai-compatible' },
  { value: 'deepseek', label: 'DeepSeek', type: 'openai-compatible' },
  { value: 'xai', label: 'xAI', type: 'openai-compatible' },
  { value: 'cerebras', label: 'Cerebras', type: 'openai-compatible' },
  { value: 'perplexity', label: 'Perplexity', type: 'openai-compatible' },
  { value: 'ollama', label: 'Ollama', type: 'openai-compatible' },
  { value: 'vllm', label: 'vLLM', type: 'openai-compatible' },
  { value: 'other', label: 'Other (OpenAI-compatible)', type: 'openai-compatible' },
];

/** Without an address of its own that the server would know. */
export const needsAddress = (kind: string) => kind === 'azure' || kind === 'other';
