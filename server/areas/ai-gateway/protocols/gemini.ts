import { geminiUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import {
  type ChatResult,
  type ChunkDecoder,
  chunkOf,
  completionOf,
  dataUrl,
  makeId,
  parsedArguments,
  partsOf,
  textOf,
} from './hub.ts';
import { cutOff, failureOf, parseForeign, StreamFailure } from './protocol.ts';

/** Chat completions to Gemini's generateContent and back. https://ai.google.dev/api/generate-content */

/** Google's own placeholder for calls that no model of theirs has signed. */
const unsigned = 'skip_thought_signature_validator';
const geminiFormat = 'google-gemini-v1';
const effortBudgets: Record<string, number> = {
  none: 0,
  minimal: 512,
  low: 1024,
  medium: 8192,
  high: 24_576,
};

export function toGemini(body: Json, options: { maxOutput: number | null; model: string }): Json {
  const system: Json[] = [];
  const contents: Json[] = [];
  const names = new Map<string, string>();
  const add = (role: 'user' | 'model', parts: Json[]) => {
    if (parts.length === 0) return;
    const last = contents.at(-1);
    if (last?.role === role) last.parts.push(...parts);
    else contents.push({ role, parts });
  };
  for (const message of body.messages ?? []) {
    if (message.role === 'system' || message.role === 'developer')
      system.push({ text: textOf(message.content) });
    else if (message.role === 'assistant') {
      for (const call of message.tool_calls ?? []) names.set(call.id, call.function?.name);
      add('model', modelParts(message));
    } else if (message.role === 'tool') {
      const name = names.get(message.tool_call_id) ?? message.name ?? 'tool';
      const others = partsOf(message.content).filter(({ type }) => type !== 'text');
      const response = responseOf(textOf(message.content));
      add('user', [{ functionResponse: { name, response } }, ...others.map(userPart)]);
    } else add('user', partsOf(message.content).map(userPart));
  }
  const declarations = (body.tools ?? [])
    .filter((tool: Json) => tool.type === 'function')
    .map((tool: Json) => declarationOf(tool.function ?? {}));
  const config = toolConfig(body.tool_choice);
  const generationConfig = configOf(body, options);
  return {
    contents,
    ...(system.length > 0 ? { systemInstruction: { parts: system } } : {}),
    ...(declarations.length > 0 ? { tools: [{ functionDeclarations: declarations }] } : {}),
    ...(config && declarations.length > 0 ? { toolConfig: config } : {}),
    ...(Object.keys(generationConfig).length > 0 ? { generationConfig } : {}),
  };
}

function userPart(part: Json): Json {
  const url = part.image_url?.url ?? part.image_url ?? part.file?.file_data;
  if (typeof url === 'string') {
    const data = dataUrl(url);
    return data
      ? { inlineData: { mimeType: data.mediaType, data: data.data } }
      : { fileData: { fileUri: url } };
  }
  if (part.type === 'input_audio')
    return {
      inlineData: { mimeType: `audio/${part.input_audio?.format ?? 'wav'}`, data: part.input_audio?.data },
    };
  return { text: part.text ?? '' };
}

function modelParts(message: Json): Json[] {
  const details: Json[] = message.reasoning_details ?? [];
  const signed = new Map<string, string>();
  const parts: Json[] = [];
  for (const detail of details) {
    if (detail.type === 'reasoning.encrypted' && detail.id && detail.data) signed.set(detail.id, detail.data);
    else if (detail.type === 'reasoning.text' && detail.format === geminiFormat)
      parts.push({
        text: detail.text ?? '',
        thought: true,
        ...(detail.signature ? { thoughtSignature: detail.signature } : {}),
      });
  }
  const text = textOf(message.content);
  const [textSignature, ...others] = details
    .filter((detail) => detail.type === 'reasoning.encrypted' && detail.format === geminiFormat && !detail.id)
    .map(({ data }) => data);
  if (text !== '' || textSignature)
    parts.push({ text, ...(textSignature ? { thoughtSignature: textSignature } : {}) });
  // Signatures must not be joined: those of further parts of the text have a part of their own.
  for (const thoughtSignature of others) parts.push({ text: '', thoughtSignature });
  for (const [at, call] of (message.tool_calls ?? []).entries()) {
    const signature = call.extra_content?.google?.thought_signature ?? signed.get(call.id);
    // Of calls made together only the first is signed.
    const thoughtSignature = signature ?? (at === 0 ? unsigned : undefined);
    const functionCall = { name: call.function?.name, args: parsedArguments(call.function?.arguments) };
    parts.push({ functionCall, ...(thoughtSignature ? { thoughtSignature } : {}) });
  }
  return parts;
}

function responseOf(text: string): Json {
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value) ? value : { result: value };
  } catch {
    return { result: text };
  }
}

function declarationOf({ name, description, parameters }: Json): Json {
  return {
    name,
    ...(description ? { description } : {}),
    ...(parameters ? { parametersJsonSchema: parameters } : {}),
  };
}

function toolConfig(choice: Json): Json {
  if (choice === 'none') return { functionCallingConfig: { mode: 'NONE' } };
  if (choice === 'required') return { functionCallingConfig: { mode: 'ANY' } };
  if (choice?.function?.name)
    return { functionCallingConfig: { mode: 'ANY', allowedFunctionNames: [choice.function.name] } };
  return undefined;
}

function configOf(body: Json, { maxOutput }: { maxOutput: number | null }): Json {
  const config: Json = {};
  const set = (name: string, value: unknown) => {
    if (value !== undefined && value !== null) config[name] = value;
  };
  set('temperature', body.temperature);
  set('topP', body.top_p);
  set('topK', body.top_k);
  set('seed', body.seed);
  set('presencePenalty', body.presence_penalty);
  set('frequencyPenalty', body.frequency_penalty);
  set('maxOutputTokens', maxOutput ?? body.max_completion_tokens ?? body.max_tokens);
  set('stopSequences', typeof body.stop === 'string' ? [body.stop] : body.stop);
  if (body.n > 1) set('candidateCount', body.n);
  const { response_format: format } = body;
  if (format?.type === 'json_object' || format?.type === 'json_schema')
    set('responseMimeType', 'application/json');
  set('responseJsonSchema', format?.json_schema?.schema);
  const effort = body.reasoning_effort ?? body.reasoning?.effort;
  const budget =
    body.reasoning?.max_tokens ??
    (Object.hasOwn(effortBudgets, String(effort)) ? effortBudgets[effort] : undefined);
  if (budget !== undefined) set('thinkingConfig', { thinkingBudget: budget, includeThoughts: budget > 0 });
  return config;
}

const filtered = new Set(['SAFETY', 'RECITATION', 'BLOCKLIST', 'PROHIBITED_CONTENT', 'SPII', 'IMAGE_SAFETY']);

/** What has no name in chat completions is `other`: an end of that kind is no `stop`. */
function finishOf(reason: unknown, hasCalls: boolean): string {
  if (reason === 'STOP') return hasCalls ? 'tool_calls' : 'stop';
  if (reason === 'MAX_TOKENS' || reason === 'CONTINUATION') return 'length';
  return filtered.has(String(reason)) ? 'content_filter' : 'other';
}

function callOf(part: Json, id: string, argumentText: string): Json {
  const signature = part.thoughtSignature;
  return {
    id,
    type: 'function',
    function: { name: part.functionCall.name, arguments: argumentText },
    ...(signature ? { extra_content: { google: { thought_signature: signature } } } : {}),
  };
}

function demandAnswer(answer: Json): void {
  const one = Array.isArray(answer) ? answer[0] : answer;
  if (one?.error) throw failureOf(one.error);
  if (typeof one !== 'object' || one === null)
    throw new StreamFailure('The provider sent no object.', { code: 'malformed_answer' });
}

export function fromGemini(bytes: Buffer, model: string): ChatResult {
  const answer = parseForeign(bytes.toString('utf8'));
  demandAnswer(answer);
  const candidate = answer.candidates?.[0];
  if (!candidate && !answer.promptFeedback?.blockReason)
    throw new StreamFailure('The provider sent no candidates.', { code: 'malformed_answer' });
  const details: Json[] = [];
  const calls: Json[] = [];
  let text = '';
  let reasoning = '';
  for (const part of candidate?.content?.parts ?? []) {
    const index = details.length;
    if (part.functionCall) {
      const id = part.functionCall.id ?? makeId('call_');
      calls.push(callOf(part, id, JSON.stringify(part.functionCall.args ?? {})));
      if (part.thoughtSignature)
        details.push({
          type: 'reasoning.encrypted',
          data: part.thoughtSignature,
          id,
          format: geminiFormat,
          index,
        });
    } else if (part.thought) {
      reasoning += part.text ?? '';
      const signature = part.thoughtSignature ? { signature: part.thoughtSignature } : {};
      details.push({
        type: 'reasoning.text',
        text: part.text ?? '',
        ...signature,
        format: geminiFormat,
        index,
      });
    } else if (typeof part.text === 'string') {
      text += part.text;
      if (part.thoughtSignature)
        details.push({
          type: 'reasoning.encrypted',
          data: part.thoughtSignature,
          format: geminiFormat,
          index,
        });
    }
  }
  const message = {
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = geminiUsage(answer.usageMetadata);
  const finish = candidate ? finishOf(candidate.finishReason, calls.length > 0) : 'content_filter';
  return {
    completion: completionOf(answer.responseId ?? makeId('gen-'), model, message, finish, usage),
    usage,
  };
}

export class GeminiDecoder implements ChunkDecoder {
  readonly #model: string;
  #id = '';
  #calls = 0;
  #details = 0;
  #finished = false;
  #raw: Json = null;
  /** A call whose arguments come in pieces. */
  #open: { part: Json; args: Json } | null = null;

  constructor(model: string) {
    this.#model = model;
  }

  get usage(): Usage | null {
    return this.#raw ? geminiUsage(this.#raw) : null;
  }

  push({ data }: SseEvent): Json[] {
    if (data === undefined || data === '[DONE]') return [];
    const answer = parseForeign(data);
    demandAnswer(answer);
    // Each tells of all so far.
    if (answer.usageMetadata) this.#raw = answer.usageMetadata;
    const chunks: Json[] = [];
    if (this.#id === '') {
      this.#id = answer.responseId ?? makeId('gen-');
      chunks.push(this.#chunk({ role: 'assistant', content: '' }));
    }
    const candidate = answer.candidates?.[0];
    for (const part of candidate?.content?.parts ?? []) chunks.push(...this.#part(part));
    const blocked = !candidate && answer.promptFeedback?.blockReason;
    if (candidate?.finishReason || blocked) {
      if (this.#open) chunks.push(this.#close());
      if (!this.#finished)
        chunks.push(
          this.#chunk({}, blocked ? 'content_filter' : finishOf(candidate.finishReason, this.#calls > 0)),
        );
      this.#finished = true;
    }
    return chunks;
  }

  #chunk(delta: Json, finish: string | null = null): Json {
    return chunkOf(this.#id, this.#model, delta, finish);
  }

  #part(part: Json): Json[] {
    if (part.functionCall) return this.#call(part);
    const index = this.#details;
    if (part.thought) {
      this.#details++;
      const signature = part.thoughtSignature ? { signature: part.thoughtSignature } : {};
      const detail = {
        type: 'reasoning.text',
        text: part.text ?? '',
        ...signature,
        format: geminiFormat,
        index,
      };
      return [this.#chunk({ reasoning_content: part.text ?? '', reasoning_details: [detail] })];
    }
    const out: Json[] = [];
    if (typeof part.text === 'string' && part.text !== '') out.push(this.#chunk({ content: part.text }));
    if (part.thoughtSignature) {
      this.#details++;
      const detail = {
        type: 'reasoning.encrypted',
        data: part.thoughtSignature,
        format: geminiFormat,
        index,
      };
      out.push(this.#chunk({ reasoning_details: [detail] }));
    }
    return out;
  }

  #call(part: Json): Json[] {
    const { name, args, partialArgs, willContinue } = part.functionCall;
    const isPiece = partialArgs !== undefined || willContinue || (name === undefined && this.#open !== null);
    if (!isPiece) {
      const before = this.#open ? [this.#close()] : [];
      return [...before, this.#emit(part, args ?? {})];
    }
    const out: Json[] = [];
    if (name !== undefined) {
      if (this.#open) out.push(this.#close());
      this.#open = { part, args: args ?? {} };
    }
    if (this.#open) for (const piece of partialArgs ?? []) assign(this.#open.args, piece);
    if (this.#open && !willContinue) out.push(this.#close());
    return out;
  }

  #close(): Json {
    const { part, args } = this.#open as { part: Json; args: Json };
    this.#open = null;
    return this.#emit(part, args);
  }

  #emit(part: Json, args: Json): Json {
    const id = part.functionCall.id ?? makeId('call_');
    const call = { index: this.#calls++, ...callOf(part, id, JSON.stringify(args)) };
    if (!part.thoughtSignature) return this.#chunk({ tool_calls: [call] });
    const detail = {
      type: 'reasoning.encrypted',
      data: part.thoughtSignature,
      id,
      format: geminiFormat,
      index: this.#details++,
    };
    return this.#chunk({ tool_calls: [call], reasoning_details: [detail] });
  }

  end(): void {
    if (!this.#finished) throw cutOff();
  }
}

/** Puts a piece of an argument where its path says: `$.cities[0].name`. */
function assign(root: Json, { jsonPath, stringValue, numberValue, boolValue, nullValue }: Json): void {
  const steps = [...String(jsonPath ?? '').matchAll(/\.([^.[\]]+)|\[(\d{1,4})\]|\['([^']+)'\]/g)].map(
    ([, name, index, quoted]) => (index === undefined ? (name ?? quoted ?? '') : Number(index)),
  );
  const last = steps.pop();
  if (last === undefined || steps.includes('__proto__') || last === '__proto__') return;
  let at = root;
  for (const [depth, step] of steps.entries()) {
    const next = depth + 1 < steps.length ? steps[depth + 1] : last;
    if (typeof at[step] !== 'object' || at[step] === null || !Object.hasOwn(at, step))
      at[step] = typeof next === 'number' ? [] : {};
    at = at[step];
  }
  if (stringValue !== undefined) at[last] = (typeof at[last] === 'string' ? at[last] : '') + stringValue;
  else at[last] = numberValue ?? boolValue ?? (nullValue === undefined ? (at[last] ?? '') : null);
}
