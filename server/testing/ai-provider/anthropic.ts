import { type Exchange, json, recordingOf } from './exchange.ts';
import { stream, tokensOf, words } from './openai.ts';

export async function speakAnthropic(exchange: Exchange): Promise<undefined> {
  const { response, body, path } = exchange;
  if (path.includes('/count_tokens')) return json(response, 200, { input_tokens: tokensOf(body.messages) });
  const recording = recordingOf(exchange);
  if (recording && 'whole' in recording) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(recording.whole);
    return;
  }
  if (recording)
    return stream(
      exchange,
      recording.events.map((line) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`),
    );
  if (!Number.isInteger(body.max_tokens))
    return json(response, 400, {
      type: 'error',
      error: { type: 'invalid_request_error', message: 'max_tokens: Field required' },
    });
  const text = words.join('');
  const input_tokens = tokensOf(body.messages);
  const usage = {
    input_tokens,
    cache_creation_input_tokens: 0,
    cache_read_input_tokens: 0,
    output_tokens: words.length,
  };
  const wantsTool =
    Array.isArray(body.tools) &&
    body.tools.length > 0 &&
    !JSON.stringify(body.messages.at(-1)).includes('tool_result');
  const tool = { type: 'tool_use', id: 'toolu_mock', name: body.tools?.[0]?.name, input: { city: 'Paris' } };
  const content = wantsTool ? [tool] : [{ type: 'text', text }];
  const base = { id: 'msg_mock', type: 'message', role: 'assistant', model: body.model };
  const stop_reason = wantsTool ? 'tool_use' : 'end_turn';
  if (!body.stream) return json(response, 200, { ...base, content, stop_reason, stop_sequence: null, usage });
  const frame = (type: string, rest: object = {}) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...rest })}\n\n`;
  const deltas = wantsTool
    ? ['{"city"', ': "Paris"}'].map((partial_json) => ({ type: 'input_json_delta', partial_json }))
    : words.map((word) => ({ type: 'text_delta', text: word }));
  await stream(exchange, [
    frame('message_start', {
      message: {
        ...base,
        content: [],
        stop_reason: null,
        stop_sequence: null,
        usage: { ...usage, output_tokens: 1 },
      },
    }),
    frame('content_block_start', {
      index: 0,
      content_block: wantsTool ? { ...tool, input: {} } : { type: 'text', text: '' },
    }),
    frame('ping'),
    ...deltas.map((delta) => frame('content_block_delta', { index: 0, delta })),
    frame('content_block_stop', { index: 0 }),
    frame('message_delta', {
      delta: { stop_reason, stop_sequence: null },
      usage: { output_tokens: words.length },
    }),
    frame('message_stop'),
  ]);
}
