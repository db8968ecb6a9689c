import { anthropicUsage, type Usage } from '../catalogue/usage.ts';
import type { SseEvent } from '../relay/sse.ts';
import { withMember } from './chat-native.ts';
import { type Answer, cutOff, failureOf, parseForeign, type Reading, type StreamReader } from './protocol.ts';

/** Anthropic's Messages protocol from a provider that speaks it: bytes pass as they are. */

export function messagesAnswer(bytes: Buffer, { costOf }: Reading): Answer {
  const answer = parseForeign(bytes.toString('utf8'));
  if (answer?.type === 'error' || answer?.error) throw failureOf(answer.error);
  const usage = anthropicUsage(answer?.usage);
  const cost = usage ? costOf(usage) : null;
  return {
    body: withMember(bytes, 'cost_micros', cost),
    usage,
    characters: JSON.stringify(answer?.content ?? '').length,
    finishReason: answer?.stop_reason ?? null,
    objectId: null,
  };
}

export class MessagesStream implements StreamReader {
  readonly #costOf: Reading['costOf'];
  // biome-ignore lint/suspicious/noExplicitAny: usage as the provider sends it, in two parts.
  #raw: any = {};
  #done = false;
  started = false;
  characters = 0;
  finishReason: string | null = null;
  readonly objectId = null;

  constructor({ costOf }: Reading) {
    this.#costOf = costOf;
  }

  get usage(): Usage | null {
    return Object.keys(this.#raw).length > 0 ? anthropicUsage(this.#raw) : null;
  }

  push({ data, raw }: SseEvent): string {
    if (data === undefined) return '';
    const event = parseForeign(data);
    switch (event?.type) {
      case 'error':
        throw failureOf(event.error);
      case 'message_start':
        this.#raw = { ...event.message?.usage };
        return raw;
      case 'content_block_start':
        if (event.content_block?.type !== 'text' && event.content_block?.type !== 'thinking')
          this.started = true;
        return raw;
      case 'content_block_delta': {
        const delta = event.delta ?? {};
        const text = delta.text ?? delta.thinking ?? delta.partial_json ?? '';
        this.characters += String(text).length;
        if (String(text) !== '') this.started = true;
        return raw;
      }
      case 'message_delta': {
        for (const [name, value] of Object.entries(event.usage ?? {}))
          if (value !== null) this.#raw[name] = value;
        this.finishReason = event.delta?.stop_reason ?? this.finishReason;
        const cost = this.usage ? this.#costOf(this.usage) : null;
        if (cost === null) return raw;
        return `event: message_delta\ndata: ${JSON.stringify({ ...event, cost_micros: cost })}\n\n`;
      }
      case 'message_stop':
        this.#done = true;
        return raw;
      default:
        return raw;
    }
  }

  end(): string {
    if (!this.#done) throw cutOff();
    return '';
  }
}
