import { anthropicUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import { type ChatResult, type ChunkDecoder, chunkOf, completionOf } from './hub.ts';
import { cutOff, failureOf, parseForeign, StreamFailure } from './protocol.ts';

/** Anthropic's Messages as chat completions. https://docs.claude.com/en/api/messages */

const finishes: Record<string, string> = {
  end_turn: 'stop',
  stop_sequence: 'stop',
  pause_turn: 'stop',
  max_tokens: 'length',
  model_context_window_exceeded: 'length',
  tool_use: 'tool_calls',
  refusal: 'content_filter',
};

/** What has no name in chat completions is `other`: an end of that kind is no `stop`. */
function finishOf(reason: unknown): string {
  return (typeof reason === 'string' && Object.hasOwn(finishes, reason) && finishes[reason]) || 'other';
}

export const anthropicFormat = 'anthropic-claude-v1';

export function fromAnthropic(bytes: Buffer, model: string): ChatResult {
  const answer = parseForeign(bytes.toString('utf8'));
  if (answer?.type === 'error' || answer?.error) throw failureOf(answer.error);
  const details: Json[] = [];
  const calls: Json[] = [];
  let text = '';
  let reasoning = '';
  for (const block of answer?.content ?? []) {
    const index = details.length;
    if (block.type === 'text') text += block.text;
    else if (block.type === 'compaction') text += block.content ?? '';
    else if (block.type === 'thinking') {
      reasoning += block.thinking;
      details.push({
        type: 'reasoning.text',
        text: block.thinking,
        signature: block.signature,
        format: anthropicFormat,
        index,
      });
    } else if (block.type === 'redacted_thinking')
      details.push({ type: 'reasoning.encrypted', data: block.data, format: anthropicFormat, index });
    else if (block.type === 'tool_use')
      calls.push({
        id: block.id,
        type: 'function',
        function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) },
      });
  }
  const message = {
    content: text === '' && calls.length > 0 ? null : text,
    ...(reasoning === '' ? {} : { reasoning_content: reasoning }),
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
  const usage = anthropicUsage(answer?.usage);
  return {
    completion: completionOf(answer?.id ?? '', model, message, finishOf(answer?.stop_reason), usage),
    usage,
  };
}

export class AnthropicDecoder implements ChunkDecoder {
  readonly #model: string;
  #id = '';
  #raw: Json = {};
  /** Tool calls by the index of their block. */
  readonly #calls = new Map<number, { index: number; started: boolean; input: string }>();
  #callCount = 0;
  readonly #details = new Map<number, number>();
  #reason: unknown = null;
  #done = false;

  constructor(model: string) {
    this.#model = model;
  }

  get usage(): Usage | null {
    return Object.keys(this.#raw).length > 0 ? anthropicUsage(this.#raw) : null;
  }

  push({ data }: SseEvent): Json[] {
    if (data === undefined) return [];
    const event = parseForeign(data);
    switch (event?.type) {
      case 'error':
        throw failureOf(event.error);
      case 'message_start': {
        this.#raw = { ...this.#raw, ...event.message?.usage };
        return this.#open(event.message ?? {});
      }
      case 'content_block_start':
        return this.#begin(event.index, event.content_block ?? {});
      case 'content_block_delta':
        return this.#delta(event.index, event.delta ?? {});
      case 'content_block_stop':
        return this.#stop(event.index);
      case 'message_delta': {
        for (const [name, value] of Object.entries(event.usage ?? {}))
          if (value !== null) this.#raw[name] = value;
        this.#reason = event.delta?.stop_reason ?? this.#reason;
        return [];
      }
      case 'message_stop':
        if (this.#done) return [];
        this.#done = true;
        return [this.#chunk({}, finishOf(this.#reason))];
      default:
        return [];
    }
  }

  /** Some repeat the beginning. What was called by code that still runs stands in it already. */
  #open({ id = 'msg', content, stop_reason }: Json): Json[] {
    if (this.#id === id || this.#done) return [];
    if (this.#id !== '')
      throw new StreamFailure('The provider began a second message in the middle of one.', {
        code: 'malformed_answer',
      });
    this.#id = id;
    this.#reason = stop_reason ?? null;
    const chunks = [this.#chunk({ role: 'assistant', content: '' })];
    for (const block of content ?? []) {
      if (block?.type !== 'tool_use') continue;
      const fn = { name: block.name, arguments: JSON.stringify(block.input ?? {}) };
      const call = { index: this.#callCount++, id: block.id, type: 'function', function: fn };
      chunks.push(this.#chunk({ tool_calls: [call] }));
    }
    return chunks;
  }

  #chunk(delta: Json, finish: string | null = null): Json {
    return chunkOf(this.#id, this.#model, delta, finish);
  }

  #detailIndex(block: number): number {
    const known = this.#details.get(block);
    if (known !== undefined) return known;
    this.#details.set(block, this.#details.size);
    return this.#details.size - 1;
  }

  #begin(at: number, block: Json): Json[] {
    if (block.type === 'tool_use') {
      const call = { index: this.#callCount++, started: false, input: JSON.stringify(block.input ?? {}) };
      this.#calls.set(at, call);
      const fn = { name: block.name, arguments: '' };
      return [
        this.#chunk({ tool_calls: [{ index: call.index, id: block.id, type: 'function', function: fn }] }),
      ];
    }
    if (block.type === 'redacted_thinking') {
      const detail = {
        type: 'reasoning.encrypted',
        data: block.data,
        format: anthropicFormat,
        index: this.#detailIndex(at),
      };
      return [this.#chunk({ reasoning_details: [detail] })];
    }
    // Compaction on demand comes whole, and only then it is signed.
    if (block.type === 'compaction' && block.signature && block.content)
      return [this.#chunk({ content: block.content })];
    if (block.type === 'text' && block.text) return [this.#chunk({ content: block.text })];
    return [];
  }

  #delta(at: number, delta: Json): Json[] {
    if (delta.type === 'text_delta') return [this.#chunk({ content: delta.text })];
    if (delta.type === 'compaction_delta')
      return delta.content ? [this.#chunk({ content: delta.content })] : [];
    if (delta.type === 'thinking_delta') {
      const detail = {
        type: 'reasoning.text',
        text: delta.thinking,
        format: anthropicFormat,
        index: this.#detailIndex(at),
      };
      return [this.#chunk({ reasoning_content: delta.thinking, reasoning_details: [detail] })];
    }
    if (delta.type === 'signature_delta') {
      const detail = {
        type: 'reasoning.text',
        text: '',
        signature: delta.signature,
        format: anthropicFormat,
        index: this.#detailIndex(at),
      };
      return [this.#chunk({ reasoning_details: [detail] })];
    }
    const call = this.#calls.get(at);
    if (delta.type !== 'input_json_delta' || !call || !delta.partial_json) return [];
    call.started = true;
    return [
      this.#chunk({ tool_calls: [{ index: call.index, function: { arguments: delta.partial_json } }] }),
    ];
  }

  /** A call whose input came whole, or that has none. */
  #stop(at: number): Json[] {
    const call = this.#calls.get(at);
    if (!call || call.started) return [];
    call.started = true;
    return [this.#chunk({ tool_calls: [{ index: call.index, function: { arguments: call.input } }] })];
  }

  end(): Json[] {
    if (!this.#done) throw cutOff();
    return [];
  }
}
