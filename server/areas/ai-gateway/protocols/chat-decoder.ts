import { openAiUsage, type Usage } from '../catalogue/usage.ts';
import type { Json } from '../json/body.ts';
import type { SseEvent } from '../relay/sse.ts';
import { ChatStream } from './chat-native.ts';
import { repairedChoices } from './chat-repairs.ts';
import type { ChatResult, ChunkDecoder } from './hub.ts';
import { failureOf, parseForeign, StreamFailure } from './protocol.ts';

/** Chat completions of a provider, for clients that speak another protocol. */

export function chatResult(bytes: Buffer): ChatResult {
  const completion = parseForeign(bytes.toString('utf8'));
  if (completion?.error) throw failureOf(completion.error);
  if (!Array.isArray(completion?.choices))
    throw new StreamFailure('The provider sent no choices.', { code: 'malformed_answer' });
  for (const { message } of repairedChoices(completion.choices).choices) nameAlike(message);
  return { completion, usage: openAiUsage(completion.usage) };
}

/** Some call thoughts `reasoning`, and a refusal has a field of its own, which other protocols say as text. */
function nameAlike(message: Json): void {
  if (typeof message?.reasoning === 'string' && message.reasoning_content == null)
    message.reasoning_content = message.reasoning;
  if (typeof message?.refusal === 'string' && message.refusal !== '')
    message.content = `${message.content ?? ''}${message.refusal}`;
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
    for (const { delta } of chunk.choices) nameAlike(delta);
    return chunk.choices.length > 0 ? [chunk] : [];
  }

  end(): Json[] {
    this.#stream.end();
    return [];
  }
}
