import { geminiUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import { type ChatResult, type ChunkDecoder, chunkOf, completionOf, makeId } from './hub.ts';
import { cutOff, failureOf, parseForeign, StreamFailure } from './protocol.ts';

/** What Gemini generates as chat completions. https://ai.google.dev/api/generate-content */

export const geminiFormat = 'google-gemini-v1';
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

/** A prompt that was refused; reasons that are none do not count. */
function isBlocked({ promptFeedback }: Json): boolean {
  const reason = promptFeedback?.blockReason;
  return typeof reason === 'string' && reason !== '' && !/^BLOCK(ED)?_REASON_UNSPECIFIED$/.test(reason);
}

/** A picture that was made, as OpenRouter tells of it: data URLs beside the text. */
function pictureOf({ inlineData, thought }: Json): Json {
  if (typeof inlineData?.data !== 'string' || thought) return undefined;
  const url = `data:${inlineData.mimeType ?? 'image/png'};base64,${inlineData.data}`;
  return { type: 'image_url', image_url: { url } };
}

/** What ties a signature to a picture of the turn. */
export const pictureId = (at: number) => `image_${at}`;

/** The signature of a part that is neither a thought nor a call. */
const signatureDetail = (data: string, index: number, picture: number | null): Json => ({
  type: 'reasoning.encrypted',
  data,
  ...(picture === null ? {} : { id: pictureId(picture) }),
  format: geminiFormat,
  index,
});

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
  if (!candidate && !isBlocked(answer))
    throw new StreamFailure('The provider sent no candidates.', { code: 'malformed_answer' });
  const details: Json[] = [];
  const calls: Json[] = [];
  const images: Json[] = [];
  let text = '';
  let reasoning = '';
  for (const part of candidate?.content?.parts ?? []) {
    const index = details.length;
    if (part.functionCall) {
      if (typeof part.functionCall.name !== 'string') continue;
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
    } else {
      if (typeof part.text === 'string') text += part.text;
      const picture = pictureOf(part);
      if (picture) images.push(picture);
      if (part.thoughtSignature)
        details.push(signatureDetail(part.thoughtSignature, index, picture ? images.length - 1 : null));
    }
  }
  const message = {
    content: text === '' && calls.length + images.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(images.length > 0 ? { images } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = geminiUsage(answer.usageMetadata);
  const reason = candidate?.finishReason ?? null;
  const finish = reason === null && isBlocked(answer) ? 'content_filter' : finishOf(reason, calls.length > 0);
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
  #images = 0;
  /** The last that it said of its end; undefined: nothing so far. */
  #reason: unknown;
  #blocked = false;
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
    this.#blocked ||= isBlocked(answer);
    const candidate = answer.candidates?.[0];
    // Nothing of a refused prompt is an answer.
    if (this.#blocked || !candidate) return chunks;
    for (const part of candidate.content?.parts ?? []) chunks.push(...this.#part(part));
    // More may follow: a call, or another reason.
    if (candidate.finishReason) this.#reason = candidate.finishReason;
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
    const picture = pictureOf(part);
    if (picture) out.push(this.#chunk({ images: [{ ...picture, index: this.#images++ }] }));
    if (part.thoughtSignature) {
      this.#details++;
      const of = picture ? this.#images - 1 : null;
      out.push(this.#chunk({ reasoning_details: [signatureDetail(part.thoughtSignature, index, of)] }));
    }
    return out;
  }

  #call(part: Json): Json[] {
    const { name, args, partialArgs, willContinue } = part.functionCall;
    const isNamed = typeof name === 'string';
    if (!isNamed && !this.#open) return [];
    const isPiece = Array.isArray(partialArgs) || willContinue || !isNamed;
    if (!isPiece) {
      const before = this.#open ? [this.#close()] : [];
      return [...before, this.#emit(part, args ?? {})];
    }
    const out: Json[] = [];
    if (isNamed) {
      if (this.#open) out.push(this.#close());
      this.#open = { part, args: args ?? {} };
    }
    if (this.#open) for (const piece of partialArgs ?? []) assign(this.#open.args, piece);
    const continues = willContinue || partialArgs?.some((piece: Json) => piece?.willContinue);
    if (this.#open && !continues) out.push(this.#close());
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

  end(): Json[] {
    if (this.#blocked) return [this.#chunk({}, 'content_filter')];
    if (this.#reason === undefined) throw cutOff();
    const open = this.#open ? [this.#close()] : [];
    return [...open, this.#chunk({}, finishOf(this.#reason, this.#calls > 0))];
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
