import type { Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import { type ChunkEncoder, joinedDetails, makeId, nowSeconds, textOf } from './hub.ts';

/** Chat completions as OpenAI's Responses. */

/** What other makers signed, in the field where OpenAI's clients keep what they do not understand. */
function sealed(details: Json[]): string {
  return `mst:${Buffer.from(JSON.stringify(details)).toString('base64url')}`;
}

function usageOf(usage: Usage | null): Json {
  if (!usage) return null;
  return {
    input_tokens: usage.input,
    input_tokens_details: {
      cached_tokens: usage.cacheRead,
      cache_write_tokens: usage.cacheWrite + usage.cacheWriteLong,
    },
    output_tokens: usage.output,
    output_tokens_details: { reasoning_tokens: usage.reasoning },
    total_tokens: usage.input + usage.output,
  };
}

function shellOf(request: Json, id: string, model: string): Json {
  return {
    id,
    object: 'response',
    created_at: nowSeconds(),
    error: null,
    incomplete_details: null,
    instructions: request.instructions ?? null,
    max_output_tokens: request.max_output_tokens ?? null,
    model,
    parallel_tool_calls: request.parallel_tool_calls ?? true,
    previous_response_id: null,
    reasoning: { effort: request.reasoning?.effort ?? null, summary: null },
    store: false,
    temperature: request.temperature ?? 1,
    text: request.text ?? { format: { type: 'text' } },
    tool_choice: request.tool_choice ?? 'auto',
    tools: request.tools ?? [],
    top_p: request.top_p ?? 1,
    truncation: 'disabled',
    metadata: request.metadata ?? {},
  };
}

const textPart = (text: string): Json => ({ type: 'output_text', text, annotations: [], logprobs: [] });

function reasoningItem(text: string, details: Json[]): Json {
  const summary = text === '' ? [] : [{ type: 'summary_text', text }];
  return {
    id: makeId('rs_'),
    type: 'reasoning',
    summary,
    ...(details.length > 0 ? { encrypted_content: sealed(details) } : {}),
  };
}

function ending(finish: string | null): Json {
  if (finish === 'length')
    return { status: 'incomplete', incomplete_details: { reason: 'max_output_tokens' } };
  if (finish === 'content_filter')
    return { status: 'incomplete', incomplete_details: { reason: 'content_filter' } };
  return { status: 'completed' };
}

export function responseFromChat(completion: Json, request: Json, model: string, usage: Usage | null): Json {
  const choice = completion.choices?.[0] ?? {};
  const message = choice.message ?? {};
  const output: Json[] = [];
  const details = message.reasoning_details ?? [];
  if (message.reasoning_content || details.length > 0)
    output.push(reasoningItem(message.reasoning_content ?? '', details));
  const text = textOf(message.content);
  if (text !== '' || !message.tool_calls?.length)
    output.push({
      id: makeId('msg_'),
      type: 'message',
      status: 'completed',
      role: 'assistant',
      content: [textPart(text)],
    });
  for (const call of message.tool_calls ?? [])
    output.push({
      id: makeId('fc_'),
      type: 'function_call',
      status: 'completed',
      call_id: call.id,
      name: call.function?.name,
      arguments: call.function?.arguments ?? '',
    });
  return {
    ...shellOf(request, makeId('resp_'), model),
    ...ending(choice.finish_reason),
    output,
    usage: usageOf(usage),
  };
}

/** Chunks as Responses stream them. */
export class ResponsesEncoder implements ChunkEncoder {
  readonly #request: Json;
  readonly #model: string;
  readonly objectId = makeId('resp_');
  #number = 0;
  #begun = false;
  readonly #output: Json[] = [];
  #open: { kind: string; item: Json; index: number } | null = null;
  #details: Json[] = [];
  #finish: string | null = null;

  constructor(request: Json, model: string) {
    this.#request = request;
    this.#model = model;
  }

  push(chunk: Json): string {
    let out = this.#begin();
    const choice = chunk.choices?.[0];
    const delta = choice?.delta ?? {};
    this.#details.push(...(delta.reasoning_details ?? []));
    if (delta.reasoning_content) {
      out += this.#ensure('reasoning', () => ({
        ...reasoningItem('', []),
        summary: [{ type: 'summary_text', text: '' }],
      }));
      const { item, index } = this.#open as { item: Json; index: number };
      item.summary[0].text += delta.reasoning_content;
      out += this.#frame('response.reasoning_summary_text.delta', {
        item_id: item.id,
        output_index: index,
        summary_index: 0,
        delta: delta.reasoning_content,
      });
    }
    if (delta.content) out += this.#text(delta.content);
    for (const call of delta.tool_calls ?? []) out += this.#call(call);
    if (choice?.finish_reason) this.#finish = choice.finish_reason;
    return out;
  }

  #frame(type: string, rest: Json): string {
    return `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: this.#number++, ...rest })}\n\n`;
  }

  #begin(): string {
    if (this.#begun) return '';
    this.#begun = true;
    const response = {
      ...shellOf(this.#request, this.objectId, this.#model),
      status: 'in_progress',
      output: [],
      usage: null,
    };
    return this.#frame('response.created', { response }) + this.#frame('response.in_progress', { response });
  }

  #ensure(kind: string, make: () => Json): string {
    if (this.#open?.kind === kind) return '';
    const closed = this.#close();
    const item = make();
    this.#open = { kind, item, index: this.#output.length };
    const shown = kind === 'text' ? { ...item, status: 'in_progress', content: [] } : item;
    return (
      closed + this.#frame('response.output_item.added', { output_index: this.#open.index, item: shown })
    );
  }

  #text(delta: string): string {
    let out = '';
    if (this.#open?.kind !== 'text') {
      out += this.#ensure('text', () => ({
        id: makeId('msg_'),
        type: 'message',
        status: 'completed',
        role: 'assistant',
        content: [textPart('')],
      }));
      const { item, index } = this.#open as unknown as { item: Json; index: number };
      out += this.#frame('response.content_part.added', {
        item_id: item.id,
        output_index: index,
        content_index: 0,
        part: textPart(''),
      });
    }
    const { item, index } = this.#open as unknown as { item: Json; index: number };
    item.content[0].text += delta;
    return (
      out +
      this.#frame('response.output_text.delta', {
        item_id: item.id,
        output_index: index,
        content_index: 0,
        delta,
        logprobs: [],
      })
    );
  }

  #call(call: Json): string {
    let out = this.#ensure(`call ${call.index}`, () => ({
      id: makeId('fc_'),
      type: 'function_call',
      status: 'in_progress',
      call_id: call.id ?? makeId('call_'),
      name: call.function?.name ?? '',
      arguments: '',
    }));
    const { item, index } = this.#open as { item: Json; index: number };
    const delta = call.function?.arguments;
    if (delta) {
      item.arguments += delta;
      out += this.#frame('response.function_call_arguments.delta', {
        item_id: item.id,
        output_index: index,
        delta,
      });
    }
    return out;
  }

  #close(): string {
    if (!this.#open) return '';
    const { kind, item, index } = this.#open;
    this.#open = null;
    this.#output.push(item);
    const at = { item_id: item.id, output_index: index };
    let out = '';
    if (kind === 'text') {
      const [part] = item.content;
      out += this.#frame('response.output_text.done', {
        ...at,
        content_index: 0,
        text: part.text,
        logprobs: [],
      });
      out += this.#frame('response.content_part.done', { ...at, content_index: 0, part });
    } else if (kind === 'reasoning') {
      const [part] = item.summary;
      out += this.#frame('response.reasoning_summary_text.done', {
        ...at,
        summary_index: 0,
        text: part.text,
      });
      if (this.#details.length > 0) item.encrypted_content = sealed(joinedDetails(this.#details));
      this.#details = [];
    } else {
      item.status = 'completed';
      out += this.#frame('response.function_call_arguments.done', {
        ...at,
        name: item.name,
        arguments: item.arguments,
      });
    }
    return out + this.#frame('response.output_item.done', { output_index: index, item });
  }

  end(usage: Usage | null, costMicros: number | null): string {
    let out = this.#begin() + this.#close();
    if (this.#details.length > 0) {
      // Signed by calls alone: kept in an item of its own.
      const item = reasoningItem('', joinedDetails(this.#details));
      this.#details = [];
      out += this.#ensure('signed', () => item);
      this.#open = null;
      this.#output.push(item);
      out += this.#frame('response.output_item.done', { output_index: this.#output.length - 1, item });
    }
    const cost = costMicros === null ? {} : { cost_micros: costMicros };
    const end = ending(this.#finish);
    const response = {
      ...shellOf(this.#request, this.objectId, this.#model),
      ...end,
      output: this.#output,
      usage: usageOf(usage),
      ...cost,
    };
    return out + this.#frame(`response.${end.status}`, { response });
  }
}
