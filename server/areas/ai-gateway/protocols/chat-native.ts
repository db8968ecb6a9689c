import { openAiUsage, type Usage } from '../catalogue/usage.ts';
import { type Json, JsonBody } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import { withPlainContent } from './chat-content.ts';
import { CallRepairs, repairedChoices } from './chat-repairs.ts';
import {
  type Answer,
  cutOff,
  failureOf,
  parseForeign,
  type Reading,
  StreamFailure,
  type StreamReader,
} from './protocol.ts';

/** Chat completions from a provider that speaks them: bytes pass as they are, repaired where clients would break. */

export function chatAnswer(bytes: Buffer, { costOf }: Reading): Answer {
  const answer = parseForeign(bytes.toString('utf8'));
  if (answer?.error) throw failureOf(answer.error);
  if (!Array.isArray(answer?.choices))
    throw new StreamFailure('The provider sent no choices.', { code: 'malformed_answer' });
  const usage = openAiUsage(answer.usage);
  const { repaired } = repairedChoices(answer.choices);
  let characters = 0;
  for (const choice of answer.choices) {
    const calls = choice?.message?.tool_calls;
    characters += lengthOf(choice?.message?.content) + lengthOf(choice?.message?.reasoning_content);
    for (const call of Array.isArray(calls) ? calls : []) characters += lengthOf(call?.function?.arguments);
  }
  const cost = usage ? costOf(usage) : null;
  const body = repaired ? Buffer.from(JSON.stringify(answer)) : bytes;
  return {
    body: withMember(body, 'cost_micros', cost),
    usage,
    characters,
    finishReason: answer.choices[0]?.finish_reason ?? null,
    objectId: null,
  };
}

function lengthOf(value: unknown): number {
  return typeof value === 'string' ? value.length : 0;
}

/** The object with a member behind its others, without writing it anew. Null: as it is. */
export function withMember(bytes: Buffer, name: string, value: number | null): Buffer[] {
  if (value === null) return [bytes];
  const end = bytes.lastIndexOf(0x7d);
  return [bytes.subarray(0, end), Buffer.from(`,"${name}":${value}}`)];
}

/** Embeddings, images and the like: passed on, with the usage read. Large ones are not parsed as a whole. */
export function openAiJsonAnswer(bytes: Buffer, { costOf }: Reading): Answer {
  const body = scanned(bytes);
  if (body.has('error') && body.get('error') !== null) throw failureOf(body.get('error'));
  const usage = openAiUsage(body.get('usage'));
  return {
    body: withMember(bytes, 'cost_micros', usage ? costOf(usage) : null),
    usage,
    characters: 0,
    finishReason: null,
    objectId: null,
  };
}

function scanned(bytes: Buffer): JsonBody {
  try {
    return new JsonBody(bytes);
  } catch {
    throw new StreamFailure('The provider sent something that is not a JSON object.', {
      code: 'malformed_answer',
    });
  }
}

export class ChatStream implements StreamReader {
  readonly #reading: Reading;
  /** The choices that something came of. */
  readonly #begun = new Set<number>();
  /** The tool calls of each choice. */
  readonly #calls = new Map<number, CallRepairs>();
  #finished = false;
  #done = false;
  started = false;
  usage: Usage | null = null;
  characters = 0;
  finishReason: string | null = null;
  readonly objectId = null;

  constructor(reading: Reading) {
    this.#reading = reading;
  }

  push(event: SseEvent): string {
    const { data, raw } = event;
    if (data === undefined) return '';
    if (data === '[DONE]') {
      if (!this.#finished && !this.started) throw cutOff();
      this.#done = true;
      return 'data: [DONE]\n\n';
    }
    if (this.#done) return '';
    const chunk = parseForeign(data);
    if (chunk?.error) throw failureOf(chunk.error);
    if (event.name === 'error') throw failureOf(chunk);
    if (typeof chunk !== 'object' || chunk === null)
      throw new StreamFailure('The provider sent a chunk that is no object.', { code: 'malformed_answer' });
    let repaired = this.#repair(chunk);
    if (chunk.usage) {
      this.usage = openAiUsage(chunk.usage) ?? this.usage;
      const isUsageAlone = Array.isArray(chunk.choices) && chunk.choices.length === 0;
      if (isUsageAlone && !this.#reading.wantsUsage) return '';
      const cost = this.usage ? this.#reading.costOf(this.usage) : null;
      if (cost !== null) {
        chunk.cost_micros = cost;
        repaired = true;
      }
    }
    return repaired || event.name !== '' ? `data: ${JSON.stringify(chunk)}\n\n` : raw;
  }

  /** Adds what clients need and some providers leave out; whether anything was. */
  #repair(chunk: Json): boolean {
    let repaired = false;
    if (!Array.isArray(chunk.choices)) {
      chunk.choices = [];
      return true;
    }
    for (const choice of chunk.choices) {
      const at = typeof choice.index === 'number' ? choice.index : 0;
      if (!this.#begun.has(at)) {
        this.#begun.add(at);
        // OpenAI's own client demands a role, and not every provider sends one.
        if (!choice.delta?.role) {
          choice.delta = { ...choice.delta, role: 'assistant' };
          repaired = true;
        }
      }
      const delta = choice.delta ?? {};
      if (withPlainContent(delta)) repaired = true;
      if (Array.isArray(delta.tool_calls) && delta.tool_calls.length > 0) {
        const calls = this.#calls.get(at) ?? new CallRepairs();
        this.#calls.set(at, calls);
        repaired = calls.mend(delta.tool_calls) || repaired;
      }
      if (choice.finish_reason === undefined || choice.finish_reason === '') {
        choice.finish_reason = null;
        repaired = true;
      }
      if (choice.finish_reason === 'stop' && this.#calls.has(at)) {
        choice.finish_reason = 'tool_calls';
        repaired = true;
      }
      if (choice.finish_reason) {
        this.#finished = true;
        this.finishReason = choice.finish_reason;
      }
      this.#measure(delta);
    }
    return repaired;
  }

  #measure(delta: Json): void {
    const text = lengthOf(delta.content) + lengthOf(delta.reasoning_content) + lengthOf(delta.reasoning);
    const refused = lengthOf(delta.refusal);
    let called = 0;
    for (const call of delta.tool_calls ?? []) called += lengthOf(call?.function?.arguments) + 1;
    this.characters += text + refused + called;
    if (text + refused + called > 0 || delta.audio || delta.reasoning_details?.length > 0)
      this.started = true;
  }

  end(): string {
    if (!this.#done) throw cutOff();
    return '';
  }
}
