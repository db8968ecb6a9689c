import { randomBytes } from 'node:crypto';
import type { Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import type { Answer, Reading, StreamReader } from './protocol.ts';

/** Chat completions are what protocols are translated by: each knows the way there and back, none knows another. */

/** A whole answer as chat completions have it. */
export interface ChatResult {
  completion: Json;
  usage: Usage | null;
}

/** Turns the events of a provider into chunks. Throws `StreamFailure`. */
export interface ChunkDecoder {
  push(event: SseEvent): Json[];
  /** The provider has closed the stream: what is left of it. Throws when it was not at its end. */
  end(): Json[];
  readonly usage: Usage | null;
}

/** Turns chunks into what the client reads. */
export interface ChunkEncoder {
  push(chunk: Json): string;
  /** Behind the last chunk. */
  end(usage: Usage | null, costMicros: number | null): string;
  /** Made by us, where the protocol has ids. */
  readonly objectId: string | null;
}

export function makeId(prefix: string): string {
  return `${prefix}${randomBytes(12).toString('hex')}`;
}

export const nowSeconds = () => Math.floor(Date.now() / 1000);

/** As chat completions tell of it. */
function chatUsage(usage: Usage): Json {
  const written = usage.cacheWrite + usage.cacheWriteLong;
  return {
    prompt_tokens: usage.input,
    completion_tokens: usage.output,
    total_tokens: usage.input + usage.output,
    prompt_tokens_details: {
      cached_tokens: usage.cacheRead,
      audio_tokens: usage.inputAudio,
      ...(written > 0 ? { cache_write_tokens: written } : {}),
    },
    completion_tokens_details: { reasoning_tokens: usage.reasoning, audio_tokens: usage.outputAudio },
  };
}

export function chunkOf(id: string, model: string, delta: Json, finish: string | null = null): Json {
  const choices = [{ index: 0, delta, logprobs: null, finish_reason: finish }];
  return { id, object: 'chat.completion.chunk', created: nowSeconds(), model, choices };
}

export function completionOf(
  id: string,
  model: string,
  message: Json,
  finish: string,
  usage: Usage | null,
): Json {
  return {
    id,
    object: 'chat.completion',
    created: nowSeconds(),
    model,
    choices: [
      {
        index: 0,
        message: { role: 'assistant', refusal: null, ...message },
        logprobs: null,
        finish_reason: finish,
      },
    ],
    ...(usage ? { usage: chatUsage(usage) } : {}),
  };
}

/** Chunks as chat completions stream them. */
export class ChatEncoder implements ChunkEncoder {
  readonly #reading: Reading;
  #last: Json = null;
  readonly objectId = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(chunk: Json): string {
    this.#last = chunk;
    return `data: ${JSON.stringify(chunk)}\n\n`;
  }

  end(usage: Usage | null, costMicros: number | null): string {
    const done = 'data: [DONE]\n\n';
    if (!usage || !this.#reading.wantsUsage) return done;
    const { id, created, model } = this.#last ?? {};
    const cost = costMicros === null ? {} : { cost_micros: costMicros };
    const chunk = {
      id,
      object: 'chat.completion.chunk',
      created,
      model,
      choices: [],
      usage: chatUsage(usage),
      ...cost,
    };
    return `data: ${JSON.stringify(chunk)}\n\n${done}`;
  }
}

/** A provider's protocol on one side, the client's on the other. */
export class Bridge implements StreamReader {
  readonly #decoder: ChunkDecoder;
  readonly #encoder: ChunkEncoder;
  readonly #reading: Reading;
  started = false;
  characters = 0;
  finishReason: string | null = null;

  constructor(decoder: ChunkDecoder, encoder: ChunkEncoder, reading: Reading) {
    this.#decoder = decoder;
    this.#encoder = encoder;
    this.#reading = reading;
  }

  get usage(): Usage | null {
    return this.#decoder.usage;
  }

  get objectId(): string | null {
    return this.#encoder.objectId;
  }

  push(event: SseEvent): string {
    return this.#write(this.#decoder.push(event));
  }

  #write(chunks: readonly Json[]): string {
    let out = '';
    for (const chunk of chunks) {
      const choice = chunk.choices?.[0];
      const delta = choice?.delta ?? {};
      const length =
        (delta.content ?? '').length +
        (delta.reasoning_content ?? '').length +
        (delta.tool_calls ?? []).reduce(
          (sum: number, call: Json) => sum + 1 + (call.function?.arguments ?? '').length,
          0,
        );
      this.characters += length;
      if (length > 0 || delta.reasoning_details || delta.images) this.started = true;
      if (choice?.finish_reason) this.finishReason = choice.finish_reason;
      out += this.#encoder.push(chunk);
    }
    return out;
  }

  end(): string {
    const rest = this.#write(this.#decoder.end());
    this.started = true;
    const { usage } = this;
    return rest + this.#encoder.end(usage, usage ? this.#reading.costOf(usage) : null);
  }
}

/** A whole answer, as the client's protocol writes it. */
export function answerOf(body: Json, { completion, usage }: ChatResult, costMicros: number | null): Answer {
  const message = completion.choices[0]?.message ?? {};
  return {
    body: [Buffer.from(JSON.stringify(costMicros === null ? body : { ...body, cost_micros: costMicros }))],
    usage,
    characters: (message.content ?? '').length + JSON.stringify(message.tool_calls ?? '').length,
    finishReason: completion.choices[0]?.finish_reason ?? null,
    objectId: typeof body.id === 'string' ? body.id : null,
  };
}

/**
 * Results of tools may hold text alone in chat completions: pictures and files of theirs follow as a message of the
 * user, behind the last result of the turn.
 */
export function withPlainResults(messages: readonly Json[]): Json[] {
  const plain: Json[] = [];
  let others: Json[] = [];
  const flush = () => {
    if (others.length > 0) plain.push({ role: 'user', content: others });
    others = [];
  };
  for (const message of messages) {
    if (message.role !== 'tool') flush();
    const parts = message.role === 'tool' ? partsOf(message.content) : [];
    const extra = parts.filter(({ type }) => type !== 'text');
    others.push(...extra);
    plain.push(extra.length > 0 ? { ...message, content: textOf(parts) } : message);
  }
  flush();
  return plain;
}

/** Pieces of one detail of reasoning as one: streams cut text and signature apart. */
export function joinedDetails(details: readonly Json[]): Json[] {
  const whole: Json[] = [];
  for (const detail of details) {
    const last = whole.at(-1);
    const isMore =
      last?.type === 'reasoning.text' &&
      detail?.type === last.type &&
      detail.index === last.index &&
      !(last.signature && detail.text);
    if (isMore) {
      last.text = `${last.text ?? ''}${detail.text ?? ''}`;
      if (detail.signature) last.signature = detail.signature;
    } else whole.push({ ...detail });
  }
  return whole;
}

/** The parts of a message's content, whatever its spelling. */
export function partsOf(content: Json): Json[] {
  if (content === null || content === undefined) return [];
  if (typeof content === 'string') return content === '' ? [] : [{ type: 'text', text: content }];
  return Array.isArray(content) ? content : [];
}

export function textOf(content: Json): string {
  return partsOf(content)
    .map((part) => part?.text ?? part?.refusal ?? '')
    .join('');
}

/** A data URL's type and base64; undefined: another address. */
export function dataUrl(url: string): { mediaType: string; data: string } | undefined {
  const comma = url.indexOf(',');
  const head = /^data:([^;,]{1,100})(?:;[^;,]{1,100})*;base64$/i.exec(url.slice(0, Math.min(comma, 300)));
  return head?.[1] ? { mediaType: head[1], data: url.slice(comma + 1) } : undefined;
}

/** Arguments of a tool call as an object. Models sometimes send none at all. */
export function parsedArguments(text: unknown): Json {
  if (typeof text !== 'string' || text.trim() === '') return {};
  try {
    const value = JSON.parse(text);
    return typeof value === 'object' && value !== null ? value : { value };
  } catch {
    return { raw: text };
  }
}
