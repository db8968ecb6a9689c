import { anthropicUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import {
  type ChatResult,
  type ChunkDecoder,
  chunkOf,
  completionOf,
  dataUrl,
  joinedDetails,
  parsedArguments,
  partsOf,
  textOf,
} from './hub.ts';
import { cutOff, failureOf, parseForeign } from './protocol.ts';

/** Chat completions to Anthropic's Messages and back. https://docs.claude.com/en/api/messages */

const effortBudgets: Record<string, number> = {
  minimal: 1024,
  low: 2048,
  medium: 8192,
  high: 24_576,
  xhigh: 32_768,
};
const defaultMaxTokens = 4096;

export function toAnthropic(
  body: Json,
  options: { model: string; maxOutput: number | null; modelLimit: number | null },
): Json {
  const system: Json[] = [];
  const messages: Json[] = [];
  const add = (role: 'user' | 'assistant', content: Json[]) => {
    if (content.length === 0) return;
    const last = messages.at(-1);
    if (last?.role === role) last.content.push(...content);
    else messages.push({ role, content });
  };
  for (const message of body.messages ?? []) {
    if (message.role === 'system' || message.role === 'developer')
      system.push(
        ...partsOf(message.content).map((part) => ({
          type: 'text',
          text: part.text ?? '',
          ...cacheOf(part),
        })),
      );
    else if (message.role === 'assistant') add('assistant', assistantBlocks(message));
    else if (message.role === 'tool' || message.role === 'function') add('user', [toolResult(message)]);
    else add('user', partsOf(message.content).map(userBlock));
  }
  const thinking = lacksThinking(messages) ? undefined : (body.thinking ?? thinkingOf(body));
  const asked =
    options.maxOutput ??
    body.max_completion_tokens ??
    body.max_tokens ??
    options.modelLimit ??
    defaultMaxTokens;
  const max_tokens =
    thinking?.budget_tokens && asked <= thinking.budget_tokens && options.maxOutput === null
      ? thinking.budget_tokens + asked
      : asked;
  const schema = body.response_format?.json_schema?.schema;
  const stop = typeof body.stop === 'string' ? [body.stop] : body.stop;
  const choice = toolChoice(body);
  return {
    model: options.model,
    max_tokens,
    ...(system.length > 0 ? { system } : {}),
    messages,
    ...(typeof body.temperature === 'number' && !thinking
      ? { temperature: Math.min(1, body.temperature) }
      : {}),
    ...(typeof body.top_p === 'number' && !thinking ? { top_p: body.top_p } : {}),
    ...(typeof body.top_k === 'number' && !thinking ? { top_k: body.top_k } : {}),
    ...(Array.isArray(stop) && stop.length > 0 ? { stop_sequences: stop } : {}),
    ...(body.tools?.length > 0 && body.tool_choice !== 'none' ? { tools: body.tools.map(toolOf) } : {}),
    ...(choice && body.tools?.length > 0 ? { tool_choice: choice } : {}),
    ...(thinking ? { thinking } : {}),
    ...(schema ? { output_config: { format: { type: 'json_schema', schema } } } : {}),
    ...(typeof body.user === 'string' ? { metadata: { user_id: body.user } } : {}),
    ...(body.stream ? { stream: true } : {}),
  };
}

/**
 * Results of tools follow a turn whose signed thoughts the client has not kept, as clients of chat completions do. With
 * thinking on that is refused, so the turn is finished without it.
 */
function lacksThinking(messages: readonly Json[]): boolean {
  const [turn, results] = messages.slice(-2);
  if (turn?.role !== 'assistant' || !results?.content.some(({ type }: Json) => type === 'tool_result'))
    return false;
  const first = turn.content[0]?.type;
  return first !== 'thinking' && first !== 'redacted_thinking';
}

function cacheOf(part: Json): object {
  return part?.cache_control ? { cache_control: part.cache_control } : {};
}

function userBlock(part: Json): Json {
  switch (part.type) {
    case 'image_url': {
      const url = String(part.image_url?.url ?? part.image_url ?? '');
      const data = dataUrl(url);
      const source = data
        ? { type: 'base64', media_type: data.mediaType, data: data.data }
        : { type: 'url', url };
      return { type: 'image', source, ...cacheOf(part) };
    }
    case 'file': {
      const data = dataUrl(String(part.file?.file_data ?? ''));
      const source = data
        ? { type: 'base64', media_type: data.mediaType, data: data.data }
        : { type: 'file', file_id: part.file?.file_id };
      return {
        type: 'document',
        source,
        ...(part.file?.filename ? { title: part.file.filename } : {}),
        ...cacheOf(part),
      };
    }
    default:
      return { type: 'text', text: part.text ?? '', ...cacheOf(part) };
  }
}

function assistantBlocks(message: Json): Json[] {
  const blocks: Json[] = [];
  for (const detail of joinedDetails(message.reasoning_details ?? [])) {
    if (detail.type === 'reasoning.text' && detail.signature)
      blocks.push({ type: 'thinking', thinking: detail.text ?? '', signature: detail.signature });
    // Others signed what is not Anthropic's.
    else if (
      detail.type === 'reasoning.encrypted' &&
      String(detail.format ?? 'anthropic').startsWith('anthropic')
    )
      blocks.push({ type: 'redacted_thinking', data: detail.data });
  }
  for (const part of partsOf(message.content)) {
    const text = part.text ?? part.refusal ?? '';
    if (text !== '') blocks.push({ type: 'text', text, ...cacheOf(part) });
  }
  for (const call of message.tool_calls ?? [])
    blocks.push({
      type: 'tool_use',
      id: call.id,
      name: call.function?.name,
      input: parsedArguments(call.function?.arguments),
    });
  return blocks;
}

function toolResult(message: Json): Json {
  const parts = partsOf(message.content);
  const plain = parts.every((part) => part.type === 'text' && !part.cache_control);
  const content = plain ? textOf(message.content) : parts.map(userBlock);
  return {
    type: 'tool_result',
    tool_use_id: message.tool_call_id ?? message.name,
    content,
    ...cacheOf(message),
  };
}

function toolOf(tool: Json): Json {
  if (tool.type !== 'function') return tool;
  const { name, description, parameters } = tool.function ?? {};
  const input_schema = parameters ?? { type: 'object', properties: {} };
  return { name, ...(description ? { description } : {}), input_schema, ...cacheOf(tool) };
}

function toolChoice({ tool_choice: choice, parallel_tool_calls: parallel }: Json): Json {
  const alone = parallel === false ? { disable_parallel_tool_use: true } : {};
  if (choice === 'required') return { type: 'any', ...alone };
  if (choice === 'none') return undefined;
  if (choice?.function?.name) return { type: 'tool', name: choice.function.name, ...alone };
  return choice === 'auto' || parallel === false ? { type: 'auto', ...alone } : undefined;
}

function thinkingOf(body: Json): Json {
  const effort = body.reasoning_effort ?? body.reasoning?.effort;
  const budget =
    body.reasoning?.max_tokens ??
    (Object.hasOwn(effortBudgets, String(effort)) ? effortBudgets[effort] : undefined);
  return typeof budget === 'number' ? { type: 'enabled', budget_tokens: Math.max(1024, budget) } : undefined;
}

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
  readonly #details = new Map<number, number>();
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
        if (this.#id !== '') return [];
        this.#id = event.message?.id ?? 'msg';
        return [this.#chunk({ role: 'assistant', content: '' })];
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
        const reason = event.delta?.stop_reason;
        return reason ? [this.#chunk({}, finishOf(reason))] : [];
      }
      case 'message_stop':
        this.#done = true;
        return [];
      default:
        return [];
    }
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
      const call = { index: this.#calls.size, started: false, input: JSON.stringify(block.input ?? {}) };
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

  end(): void {
    if (!this.#done) throw cutOff();
  }
}
