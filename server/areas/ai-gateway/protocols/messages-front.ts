import type { Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import { badRequest } from '../json/scan.ts';
import { anthropicFormat } from './anthropic-answer.ts';
import { type ChunkEncoder, makeId, parsedArguments, partsOf, textOf } from './hub.ts';

/** Anthropic's Messages, as clients speak them, to chat completions and back. */

export function chatFromMessages(body: Json): Json {
  const messages: Json[] = [];
  const system = textOf(body.system);
  if (system !== '') messages.push({ role: 'system', content: system });
  for (const message of body.messages ?? []) {
    const blocks = partsOf(message.content);
    if (message.role === 'assistant') messages.push(assistantOf(blocks));
    else messages.push(...userOf(blocks));
  }
  const tools = (body.tools ?? [])
    .filter((tool: Json) => tool.input_schema)
    .map((tool: Json) => ({
      type: 'function',
      function: {
        name: tool.name,
        ...(tool.description ? { description: tool.description } : {}),
        parameters: tool.input_schema,
      },
    }));
  const budget = body.thinking?.type === 'enabled' ? Number(body.thinking.budget_tokens) : 0;
  const effort = budget > 16_000 ? 'high' : budget > 4000 ? 'medium' : 'low';
  const format = body.output_config?.format;
  return {
    model: body.model,
    messages,
    max_tokens: body.max_tokens,
    ...(typeof body.temperature === 'number' ? { temperature: body.temperature } : {}),
    ...(typeof body.top_p === 'number' ? { top_p: body.top_p } : {}),
    ...(body.stop_sequences?.length > 0 ? { stop: body.stop_sequences } : {}),
    ...(tools.length > 0 ? { tools } : {}),
    ...(tools.length > 0 && body.tool_choice ? { tool_choice: choiceOf(body.tool_choice) } : {}),
    ...(body.tool_choice?.disable_parallel_tool_use ? { parallel_tool_calls: false } : {}),
    ...(budget > 0 ? { reasoning_effort: effort } : {}),
    ...(format?.type === 'json_schema'
      ? { response_format: { type: 'json_schema', json_schema: { name: 'answer', schema: format.schema } } }
      : {}),
    ...(body.metadata?.user_id ? { user: String(body.metadata.user_id) } : {}),
    ...(body.stream ? { stream: true, stream_options: { include_usage: true } } : {}),
  };
}

function choiceOf(choice: Json): Json {
  if (choice.type === 'any') return 'required';
  if (choice.type === 'tool') return { type: 'function', function: { name: choice.name } };
  return choice.type === 'none' ? 'none' : 'auto';
}

function imageOf(source: Json): Json {
  const url = source?.type === 'base64' ? `data:${source.media_type};base64,${source.data}` : source?.url;
  return { type: 'image_url', image_url: { url } };
}

function userPart(block: Json): Json {
  if (block.type === 'image') return imageOf(block.source);
  const { source } = block;
  if (block.type !== 'document' || source?.type === 'text')
    return { type: 'text', text: block.text ?? source?.data ?? '' };
  const file_data =
    source?.type === 'base64' ? `data:${source.media_type};base64,${source.data}` : source?.url;
  return {
    type: 'file',
    file: file_data
      ? { file_data, ...(block.title ? { filename: block.title } : {}) }
      : { file_id: source?.file_id },
  };
}

/** Text as text; parts where there is more than text. */
function resultOf(content: Json): Json {
  const parts = partsOf(content);
  return parts.every(({ type }) => type === 'text') ? textOf(parts) : parts.map(userPart);
}

function userOf(blocks: Json[]): Json[] {
  const results = blocks.filter((block) => block.type === 'tool_result');
  const others = blocks.filter((block) => block.type !== 'tool_result');
  const content = others.map(userPart);
  const plain = content.every((part) => part.type === 'text');
  return [
    ...results.map((block) => ({
      role: 'tool',
      tool_call_id: block.tool_use_id,
      content: resultOf(block.content),
    })),
    ...(content.length > 0
      ? [{ role: 'user', content: plain ? content.map(({ text }) => text).join('') : content }]
      : []),
  ];
}

function assistantOf(blocks: Json[]): Json {
  const calls = blocks
    .filter((block) => block.type === 'tool_use')
    .map((block) => ({
      id: block.id,
      type: 'function',
      function: { name: block.name, arguments: JSON.stringify(block.input ?? {}) },
    }));
  const details = blocks.flatMap((block, index) => {
    if (block.type === 'thinking') return [fromSigned(block, index)];
    return block.type === 'redacted_thinking'
      ? [{ type: 'reasoning.encrypted', data: block.data, format: anthropicFormat, index }]
      : [];
  });
  const text = blocks
    .filter((block) => block.type === 'text')
    .map((block) => block.text)
    .join('');
  return {
    role: 'assistant',
    content: text === '' && calls.length > 0 ? null : text,
    ...(details.length > 0 ? { reasoning_details: details } : {}),
    ...(calls.length > 0 ? { tool_calls: calls } : {}),
  };
}

/** A signature of another maker goes as what it is inside of ours: `<format>:<id>:<data>`. */
const foreign = 'foreign:';

function fromSigned(block: Json, index: number): Json {
  const signature = String(block.signature ?? '');
  if (!signature.startsWith(foreign))
    return { type: 'reasoning.text', text: block.thinking, signature, format: anthropicFormat, index };
  try {
    return {
      ...JSON.parse(Buffer.from(signature.slice(foreign.length), 'base64url').toString('utf8')),
      index,
    };
  } catch {
    throw badRequest('The signature of a block of thinking was changed.', 'messages');
  }
}

/** The signature of a thinking block for what a detail carries. */
function signatureOf(detail: Json): string {
  if (detail.format === anthropicFormat) return detail.signature ?? '';
  return `${foreign}${Buffer.from(JSON.stringify(detail)).toString('base64url')}`;
}

const reasons: Record<string, string> = {
  stop: 'end_turn',
  length: 'max_tokens',
  tool_calls: 'tool_use',
  content_filter: 'refusal',
};

function messagesUsage(usage: Usage | null): Json {
  const read = usage?.cacheRead ?? 0;
  const written = (usage?.cacheWrite ?? 0) + (usage?.cacheWriteLong ?? 0);
  return {
    input_tokens: Math.max(0, (usage?.input ?? 0) - read - written),
    cache_creation_input_tokens: written,
    cache_read_input_tokens: read,
    output_tokens: usage?.output ?? 0,
  };
}

export function messageFromChat(completion: Json, model: string, usage: Usage | null): Json {
  const choice = completion.choices?.[0] ?? {};
  const message = choice.message ?? {};
  const content: Json[] = [];
  for (const detail of message.reasoning_details ?? []) {
    if (detail.type === 'reasoning.encrypted' && detail.format === anthropicFormat)
      content.push({ type: 'redacted_thinking', data: detail.data });
    else content.push({ type: 'thinking', thinking: detail.text ?? '', signature: signatureOf(detail) });
  }
  if (!message.reasoning_details && message.reasoning_content)
    content.push({ type: 'thinking', thinking: message.reasoning_content, signature: '' });
  if (message.content) content.push({ type: 'text', text: textOf(message.content) });
  for (const call of message.tool_calls ?? [])
    content.push({
      type: 'tool_use',
      id: call.id,
      name: call.function?.name,
      input: parsedArguments(call.function?.arguments),
    });
  return {
    id: makeId('msg_'),
    type: 'message',
    role: 'assistant',
    model,
    content,
    stop_reason: reasons[choice.finish_reason] ?? 'end_turn',
    stop_sequence: null,
    usage: messagesUsage(usage),
  };
}

/** Chunks as Messages stream them: one block at a time, opened and closed. */
export class MessagesEncoder implements ChunkEncoder {
  readonly #model: string;
  readonly objectId = makeId('msg_');
  #begun = false;
  #open: { kind: string; index: number } | null = null;
  #blocks = 0;
  #reason = 'end_turn';

  constructor(model: string) {
    this.#model = model;
  }

  push(chunk: Json): string {
    let out = this.#begin();
    const choice = chunk.choices?.[0];
    const delta = choice?.delta ?? {};
    const details: Json[] = delta.reasoning_details ?? [];
    for (const detail of details) out += this.#detail(detail);
    if (details.length === 0 && delta.reasoning_content)
      out += this.#text('thinking', { type: 'thinking_delta', thinking: delta.reasoning_content });
    if (delta.content) out += this.#text('text', { type: 'text_delta', text: delta.content });
    for (const call of delta.tool_calls ?? []) out += this.#call(call);
    if (choice?.finish_reason) this.#reason = reasons[choice.finish_reason] ?? 'end_turn';
    return out;
  }

  #begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    const message = {
      id: this.objectId,
      type: 'message',
      role: 'assistant',
      model: this.#model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: messagesUsage(null),
    };
    return frame('message_start', { message });
  }

  #detail(detail: Json): string {
    if (detail.type === 'reasoning.encrypted' && detail.format === anthropicFormat) {
      const closed = this.#close();
      return `${closed}${this.#start('redacted', { type: 'redacted_thinking', data: detail.data })}${this.#close()}`;
    }
    let out = detail.text ? this.#text('thinking', { type: 'thinking_delta', thinking: detail.text }) : '';
    const isSigned = detail.signature || detail.type === 'reasoning.encrypted';
    if (isSigned) {
      out += this.#text('thinking', { type: 'signature_delta', signature: signatureOf(detail) });
      out += this.#close();
    }
    return out;
  }

  #text(kind: 'text' | 'thinking', delta: Json): string {
    const block =
      kind === 'text' ? { type: 'text', text: '' } : { type: 'thinking', thinking: '', signature: '' };
    const opened = this.#open?.kind === kind ? '' : `${this.#close()}${this.#start(kind, block)}`;
    return opened + frame('content_block_delta', { index: this.#open?.index, delta });
  }

  #call(call: Json): string {
    const kind = `call ${call.index}`;
    let out = '';
    if (this.#open?.kind !== kind)
      out += `${this.#close()}${this.#start(kind, { type: 'tool_use', id: call.id ?? makeId('toolu_'), name: call.function?.name ?? '', input: {} })}`;
    const partial_json = call.function?.arguments;
    if (partial_json)
      out += frame('content_block_delta', {
        index: this.#open?.index,
        delta: { type: 'input_json_delta', partial_json },
      });
    return out;
  }

  #start(kind: string, content_block: Json): string {
    this.#open = { kind, index: this.#blocks++ };
    return frame('content_block_start', { index: this.#open.index, content_block });
  }

  #close(): string {
    if (!this.#open) return '';
    const { index } = this.#open;
    this.#open = null;
    return frame('content_block_stop', { index });
  }

  end(usage: Usage | null, costMicros: number | null): string {
    const cost = costMicros === null ? {} : { cost_micros: costMicros };
    const delta = { stop_reason: this.#reason, stop_sequence: null };
    const out = `${this.#begin()}${this.#close()}`;
    return `${out}${frame('message_delta', { delta, usage: messagesUsage(usage), ...cost })}${frame('message_stop', {})}`;
  }
}

function frame(type: string, rest: Json): string {
  return `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
}
