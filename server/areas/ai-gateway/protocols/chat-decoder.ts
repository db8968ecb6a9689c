import { openAiUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import { withPlainContent } from './chat-content.ts';
import { ChatStream } from './chat-native.ts';
import type { ChatResult, ChunkDecoder } from './hub.ts';
import { failureOf, parseForeign, StreamFailure } from './protocol.ts';

/** Chat completions of a provider, for clients that speak another protocol. */

export function chatResult(bytes: Buffer): ChatResult {
  const completion = parseForeign(bytes.toString('utf8'));
  if (completion?.error) throw failureOf(completion.error);
  if (!Array.isArray(completion?.choices))
    throw new StreamFailure('The provider sent no choices.', { code: 'malformed_answer' });
  for (const choice of completion.choices) withPlainContent(choice?.message);
  return { completion, usage: openAiUsage(completion.usage) };
}

export class ChatDecoder implements ChunkDecoder {
  /** Repairs, and knows when it ends. */
  readonly #stream = new ChatStream({ model: '', wantsUsage: true, costOf: () => null });

  get usage(): Usage | null {
    return this.#stream.usage;
  }

  push(event: SseEvent): Json[] {
    const text = this.#stream.push(event);
    if (!text.startsWith('data: {')) return [];
    const chunk = JSON.parse(text.slice(6));
    return chunk.choices.length > 0 ? [chunk] : [];
  }

  end(): void {
    this.#stream.end();
  }
}
