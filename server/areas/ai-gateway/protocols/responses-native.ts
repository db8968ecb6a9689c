import { openAiUsage, type Usage } from '../catalogue/usage.ts';
import type { SseEvent } from '../relay/sse.ts';
import { withMember } from './chat-native.ts';
import { type Answer, cutOff, failureOf, parseForeign, type Reading, type StreamReader } from './protocol.ts';

/** OpenAI's Responses protocol from a provider that speaks it: bytes pass as they are. */

export function responsesAnswer(bytes: Buffer, { costOf }: Reading): Answer {
  const answer = parseForeign(bytes.toString('utf8'));
  if (answer?.error && answer?.object !== 'response') throw failureOf(answer.error);
  const usage = openAiUsage(answer?.usage);
  return {
    body: withMember(bytes, 'cost_micros', usage ? costOf(usage) : null),
    usage,
    characters: JSON.stringify(answer?.output ?? '').length,
    finishReason: answer?.status ?? null,
    objectId: typeof answer?.id === 'string' ? answer.id : null,
  };
}

const outputs = /^response\.(?:.*\.delta|output_item\.done)$/;

export class ResponsesStream implements StreamReader {
  readonly #costOf: Reading['costOf'];
  #done = false;
  #failed = false;
  started = false;
  usage: Usage | null = null;
  characters = 0;
  finishReason: string | null = null;
  objectId: string | null = null;

  constructor({ costOf }: Reading) {
    this.#costOf = costOf;
  }

  push({ data, raw }: SseEvent): string {
    if (data === undefined || data === '[DONE]') return '';
    const event = parseForeign(data);
    const type = String(event?.type ?? '');
    if (type === 'error' && !this.#failed) throw failureOf(event.error ?? event);
    if (event?.error && type === '') throw failureOf(event.error);
    if (typeof event?.response?.id === 'string') this.objectId = event.response.id;
    if (outputs.test(type)) {
      this.started = true;
      this.characters += typeof event.delta === 'string' ? event.delta.length : 0;
    }
    if (type === 'response.failed') {
      if (!this.started) throw failureOf(event.response?.error);
      // The frame that says why may still follow.
      this.#failed = true;
      this.#done = true;
      return raw;
    }
    if (type !== 'response.completed' && type !== 'response.incomplete') return raw;
    this.#done = true;
    this.started = true;
    this.finishReason = event.response?.status ?? null;
    this.usage = openAiUsage(event.response?.usage);
    const cost = this.usage ? this.#costOf(this.usage) : null;
    if (cost === null) return raw;
    const body = { ...event, response: { ...event.response, cost_micros: cost } };
    return `event: ${type}\ndata: ${JSON.stringify(body)}\n\n`;
  }

  end(): string {
    if (!this.#done) throw cutOff();
    return '';
  }
}
