/**
 * What a request used, in one normal form: `input` counts all input tokens, those read from and written to a prompt
 * cache included; `output` counts all output tokens, reasoning included. Classes are parts of those, never beside them.
 */
export interface Usage {
  input: number;
  cacheRead: number;
  /** For five minutes, the usual time. */
  cacheWrite: number;
  /** For an hour. */
  cacheWriteLong: number;
  output: number;
  reasoning: number;
  inputAudio: number;
  outputAudio: number;
  inputImage: number;
  outputImage: number;
  images: number;
  seconds: number;
  characters: number;
  webSearches: number;
  /** What the provider says that it costs, in nano-dollars. */
  reportedNanos: number | null;
}

export const noUsage: Usage = {
  input: 0,
  cacheRead: 0,
  cacheWrite: 0,
  cacheWriteLong: 0,
  output: 0,
  reasoning: 0,
  inputAudio: 0,
  outputAudio: 0,
  inputImage: 0,
  outputImage: 0,
  images: 0,
  seconds: 0,
  characters: 0,
  webSearches: 0,
  reportedNanos: null,
};

/** A count that a provider sent: a finite number that is not negative, or 0. */
function count(value: unknown): number {
  return typeof value === 'number' && Number.isFinite(value) && value > 0 ? value : 0;
}

// biome-ignore lint/suspicious/noExplicitAny: what a provider sent; each field is read as a count.
type Raw = any;

/** Of chat completions, responses, embeddings, images and transcriptions: one shape with two names for most things. */
export function openAiUsage(raw: Raw): Usage | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const input = raw.prompt_tokens_details ?? raw.input_tokens_details ?? {};
  const output = raw.completion_tokens_details ?? raw.output_tokens_details ?? {};
  const total = count(raw.prompt_tokens ?? raw.input_tokens);
  const cacheRead = count(input.cached_tokens ?? raw.prompt_cache_hit_tokens ?? raw.cached_tokens);
  const cacheWrite = count(input.cache_write_tokens ?? input.cache_creation_tokens);
  let completion = count(raw.completion_tokens ?? raw.output_tokens);
  const reasoning = count(output.reasoning_tokens ?? raw.reasoning_tokens);
  // Some count reasoning beside the completion; the sum tells.
  const sum = count(raw.total_tokens);
  if (reasoning > 0 && sum === total + completion + reasoning) completion += reasoning;
  const seconds = count(raw.seconds ?? raw.prompt_audio_seconds ?? raw.duration);
  return {
    ...noUsage,
    input: Math.max(total, cacheRead + cacheWrite),
    cacheRead,
    cacheWrite,
    output: completion,
    reasoning,
    inputAudio: count(input.audio_tokens),
    outputAudio: count(output.audio_tokens),
    inputImage: count(input.image_tokens),
    outputImage: count(output.image_tokens),
    seconds,
    webSearches: count(raw.num_search_queries),
    reportedNanos: reportedNanos(raw),
  };
}

/** OpenRouter's and Perplexity's `cost` in dollars, xAI's ticks of 1e-10 dollars. */
function reportedNanos(raw: Raw): number | null {
  const cost = typeof raw.cost === 'object' ? raw.cost?.total_cost : raw.cost;
  if (typeof cost === 'number' && Number.isFinite(cost) && cost >= 0) return Math.ceil(round(cost * 1e9));
  const ticks = raw.cost_in_usd_ticks;
  if (typeof ticks === 'number' && Number.isFinite(ticks) && ticks >= 0) return Math.ceil(ticks / 10);
  return null;
}

/** Binary noise (0.1 + 0.2) must not make a nano-dollar. */
function round(value: number): number {
  return Math.round(value * 1000) / 1000;
}
/** Anthropic counts uncached, read and written input apart from each other. */
export function anthropicUsage(raw: Raw): Usage | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const cacheRead = count(raw.cache_read_input_tokens);
  const written = count(raw.cache_creation_input_tokens);
  const rounds = roundsOf(raw.iterations);
  const cacheWriteLong = Math.min(written, count(raw.cache_creation?.ephemeral_1h_input_tokens));
  return {
    ...noUsage,
    input: (rounds?.input ?? count(raw.input_tokens)) + cacheRead + written,
    cacheRead,
    cacheWrite: written - cacheWriteLong,
    cacheWriteLong,
    output: rounds?.output ?? count(raw.output_tokens),
    reasoning: count(raw.output_tokens_details?.thinking_tokens),
    webSearches: count(raw.server_tool_use?.web_search_requests),
  };
}

/**
 * Where there were several rounds (compaction, server tools), the plain counts may be of the last one alone. Those of an
 * advisor are another model's; where a fallback answered, the plain counts are what is billed.
 */
function roundsOf(iterations: Raw): { input: number; output: number } | undefined {
  if (!Array.isArray(iterations) || iterations.some((round) => round?.type === 'fallback_message'))
    return undefined;
  const counted = iterations.filter((round) => round?.type === 'compaction' || round?.type === 'message');
  if (counted.length === 0) return undefined;
  return {
    input: counted.reduce((sum, round) => sum + count(round.input_tokens), 0),
    output: counted.reduce((sum, round) => sum + count(round.output_tokens), 0),
  };
}

export function geminiUsage(raw: Raw): Usage | null {
  if (typeof raw !== 'object' || raw === null) return null;
  const byModality = (list: Raw, modality: string) =>
    (Array.isArray(list) ? list : [])
      .filter((entry) => entry?.modality === modality)
      .reduce((sum, entry) => sum + count(entry.tokenCount), 0);
  const reasoning = count(raw.thoughtsTokenCount);
  return {
    ...noUsage,
    input: count(raw.promptTokenCount) + count(raw.toolUsePromptTokenCount),
    cacheRead: count(raw.cachedContentTokenCount),
    output: count(raw.candidatesTokenCount) + reasoning,
    reasoning,
    inputAudio: byModality(raw.promptTokensDetails, 'AUDIO'),
    inputImage: byModality(raw.promptTokensDetails, 'IMAGE'),
    outputAudio: byModality(raw.candidatesTokensDetails, 'AUDIO'),
    outputImage: byModality(raw.candidatesTokensDetails, 'IMAGE'),
  };
}
