import type { Json } from '../json/body.ts';
import { geminiFormat, pictureId } from './gemini-answer.ts';
import { dataUrl, parsedArguments, partsOf, textOf } from './hub.ts';

/** Chat completions as Gemini's generateContent. https://ai.google.dev/api/generate-content */

/** Google's own placeholder for calls that no model of theirs has signed. */
const unsigned = 'skip_thought_signature_validator';
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
  for (const [at, image] of (message.images ?? []).entries()) {
    const data = dataUrl(String(image?.image_url?.url ?? ''));
    if (!data) continue;
    const thoughtSignature = signed.get(pictureId(at));
    const inlineData = { mimeType: data.mediaType, data: data.data };
    parts.push({ inlineData, ...(thoughtSignature ? { thoughtSignature } : {}) });
  }
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
