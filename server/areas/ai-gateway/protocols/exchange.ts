import type { Call } from '../relay/call.ts';
import type { Candidate } from '../relay/candidates.ts';
import { ChatStream, chatAnswer } from './chat-native.ts';
import { type Exchange, jsonHeaders } from './protocol.ts';

/** What the gateway decided about the output. */
export interface Bounds {
  /** Tokens a choice, to be written into the request; null: as the caller said. */
  maxOutput: number | null;
}

/** The request as this candidate takes it. Protocols that differ are translated by way of chat completions. */
export function exchangeFor(call: Call, candidate: Candidate, bounds: Bounds): Exchange {
  return {
    path: '/chat/completions',
    headers: jsonHeaders,
    body: call.body.spliced(chatEdits(call, candidate, bounds)),
    answer: chatAnswer,
    stream: (reading) => new ChatStream(reading),
  };
}

/** What changes in a body of chat completions; everything else goes on byte for byte. */
function chatEdits(
  call: Call,
  { provider, upstream }: Candidate,
  { maxOutput }: Bounds,
): Map<string, string | undefined> {
  const { body } = call;
  const { dialect, type } = provider;
  const edits = new Map<string, string | undefined>();
  if (body.get('model') !== upstream) edits.set('model', JSON.stringify(upstream));
  if (body.has('provider')) edits.set('provider', undefined);
  if (call.streaming && dialect.streamOptions && !call.wantsUsage) {
    const options = { ...body.get('stream_options'), include_usage: true };
    edits.set('stream_options', JSON.stringify(options));
  }
  if (maxOutput !== null) {
    const given = ['max_completion_tokens', 'max_tokens'].find((name) => typeof body.get(name) === 'number');
    const own = type === 'openai' || type === 'azure' ? 'max_completion_tokens' : 'max_tokens';
    edits.set(given ?? own, String(maxOutput));
  }
  for (const name of dialect.drop) if (body.has(name)) edits.set(name, undefined);
  for (const [from, to] of Object.entries(dialect.rename)) {
    const value = edits.get(from) ?? (body.has(from) ? JSON.stringify(body.get(from)) : undefined);
    if (value === undefined) continue;
    edits.delete(from);
    if (body.has(from)) edits.set(from, undefined);
    edits.set(to, value);
  }
  return edits;
}
