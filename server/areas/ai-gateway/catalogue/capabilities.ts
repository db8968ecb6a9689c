/** What a model can do, where it is known. Null: not known, and then nothing is ruled out. */
export interface Capabilities {
  chat: boolean | null;
  streaming: boolean | null;
  tools: boolean | null;
  vision: boolean | null;
  json_mode: boolean | null;
}

export interface Facts {
  capabilities: Capabilities;
  modalities: { input: string[]; output: string[] };
  maxOutputTokens: number | null;
  contextWindow: number | null;
}

const text = { input: ['text'], output: ['text'] };
const seeing = { input: ['text', 'image'], output: ['text'] };
const all: Capabilities = { chat: true, streaming: true, tools: true, vision: true, json_mode: true };
const blind: Capabilities = { ...all, vision: false };
const noChat: Capabilities = { chat: false, streaming: false, tools: false, vision: false, json_mode: false };
const unknown: Capabilities = { chat: null, streaming: null, tools: null, vision: null, json_mode: null };

interface Rule {
  match: RegExp;
  capabilities: Capabilities;
  modalities: Facts['modalities'];
  maxOutputTokens?: number;
  contextWindow?: number;
}

/** By the model's own name, whoever serves it; the first that matches counts. From the makers' pages, September 2026. */
const rules: readonly Rule[] = [
  { match: /embed/, capabilities: noChat, modalities: { input: ['text'], output: ['embedding'] } },
  { match: /moderation/, capabilities: noChat, modalities: text },
  { match: /tts|speech/, capabilities: noChat, modalities: { input: ['text'], output: ['audio'] } },
  { match: /whisper|transcribe/, capabilities: noChat, modalities: { input: ['audio'], output: ['text'] } },
  {
    match: /gpt-image|dall-e|imagen|flux/,
    capabilities: noChat,
    modalities: { input: ['text', 'image'], output: ['image'] },
  },
  { match: /sora|veo/, capabilities: noChat, modalities: { input: ['text', 'image'], output: ['video'] } },
  { match: /gpt-3\.5/, capabilities: blind, modalities: text, maxOutputTokens: 4096 },
  { match: /gpt-4-turbo/, capabilities: all, modalities: seeing, maxOutputTokens: 4096 },
  {
    match: /gpt-4o.*audio|gpt-audio/,
    capabilities: blind,
    modalities: { input: ['text', 'audio'], output: ['text', 'audio'] },
    maxOutputTokens: 16_384,
  },
  { match: /gpt-4o/, capabilities: all, modalities: seeing, maxOutputTokens: 16_384 },
  {
    match: /gpt-4\.1/,
    capabilities: all,
    modalities: seeing,
    maxOutputTokens: 32_768,
    contextWindow: 1_047_576,
  },
  { match: /^gpt-4(-|$)/, capabilities: blind, modalities: text, maxOutputTokens: 8192 },
  { match: /^gpt-[56]/, capabilities: all, modalities: seeing, maxOutputTokens: 128_000 },
  { match: /^o[134](-|$)/, capabilities: all, modalities: seeing, maxOutputTokens: 100_000 },
  { match: /claude-3-(haiku|opus|sonnet)/, capabilities: all, modalities: seeing, maxOutputTokens: 4096 },
  { match: /claude-3-5/, capabilities: all, modalities: seeing, maxOutputTokens: 8192 },
  { match: /claude-opus-4(-1|-0|-2025|$)/, capabilities: all, modalities: seeing, maxOutputTokens: 32_000 },
  { match: /claude/, capabilities: all, modalities: seeing, maxOutputTokens: 64_000 },
  { match: /gemini-(1|2\.0)/, capabilities: all, modalities: seeing, maxOutputTokens: 8192 },
  {
    match: /gemini/,
    capabilities: all,
    modalities: { input: ['text', 'image', 'audio', 'video'], output: ['text'] },
    maxOutputTokens: 65_536,
    contextWindow: 1_048_576,
  },
  { match: /pixtral|llava|vision|-vl/, capabilities: all, modalities: seeing },
  { match: /mistral-(small|medium|large)/, capabilities: all, modalities: seeing },
  { match: /grok-[4-9]/, capabilities: all, modalities: seeing },
  { match: /deepseek/, capabilities: blind, modalities: text, maxOutputTokens: 64_000 },
];

export function factsOf(name: string): Facts {
  const own = name.slice(name.lastIndexOf('/') + 1).toLowerCase();
  const rule = rules.find(({ match }) => match.test(own));
  return {
    capabilities: rule?.capabilities ?? unknown,
    modalities: rule?.modalities ?? text,
    maxOutputTokens: rule?.maxOutputTokens ?? null,
    contextWindow: rule?.contextWindow ?? null,
  };
}
