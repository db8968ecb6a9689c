import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, json, recordingOf } from './exchange.ts';

/** A token a word: what the mock says of its input, and how it cuts its output. */
export function tokensOf(value: unknown): number {
  return Math.max(1, Math.ceil(JSON.stringify(value ?? '').length / 4));
}

export const words = ['Hello', ' from', ' the', ' mock', ' provider', '.'];

/** What it says, in the pieces in which it streams: models called `echo` say what they were told last. */
// biome-ignore lint/suspicious/noExplicitAny: a test double reads what it is sent.
function wordsFor(body: any): readonly string[] {
  const said = body.messages?.at(-1)?.content;
  if (!/echo/.test(String(body.model)) || typeof said !== 'string') return words;
  return said.match(/.{1,5}/gs) ?? [''];
}

const created = 1_700_000_000;

export async function speakOpenAi(exchange: Exchange): Promise<undefined> {
  const { request, response, path, body } = exchange;
  const { pathname } = new URL(path, 'http://mock');
  if (request.method === 'GET' && pathname.endsWith('/models')) {
    const ids = ['gpt-4o-mini', 'mock-chat', 'mock-embedding'];
    return json(response, 200, {
      object: 'list',
      data: ids.map((id) => ({ id, object: 'model', created, owned_by: 'mock' })),
    });
  }
  if (pathname.endsWith('/chat/completions')) return chat(exchange);
  if (pathname.endsWith('/responses')) return responses(exchange);
  if (pathname.endsWith('/embeddings')) return embeddings(exchange);
  if (pathname.endsWith('/audio/speech')) {
    response.writeHead(200, { 'content-type': 'audio/mpeg' });
    for (let at = 0; at < 4; at++) {
      response.write(Buffer.alloc(1024, at));
      await sleep(1);
    }
    response.end();
    return;
  }
  if (pathname.endsWith('/audio/transcriptions'))
    return json(response, 200, {
      text: 'Hello from the mock provider.',
      language: 'english',
      duration: 2.5,
      usage: { type: 'duration', seconds: 3 },
    });
  if (pathname.endsWith('/images/generations')) {
    const n = body.n ?? 1;
    const data = Array.from({ length: n }, () => ({ b64_json: Buffer.alloc(3000, 7).toString('base64') }));
    const usage = {
      input_tokens: 10,
      output_tokens: 100 * n,
      total_tokens: 10 + 100 * n,
      input_tokens_details: { text_tokens: 10, image_tokens: 0 },
    };
    return json(response, 200, { created, data, usage });
  }
  if (/\/videos(\/|$)/.test(pathname)) return video(exchange, pathname);
  json(response, 404, {
    error: { message: `Nothing is at ${pathname}.`, type: 'invalid_request_error', code: null, param: null },
  });
}

async function chat(exchange: Exchange): Promise<undefined> {
  const { response, body } = exchange;
  const recording = recordingOf(exchange);
  if (recording && 'whole' in recording) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(recording.whole);
    return;
  }
  const id = 'chatcmpl-mock';
  const model = body.model;
  const said = wordsFor(body);
  const length = Math.min(said.length, body.max_completion_tokens ?? body.max_tokens ?? said.length);
  const usage = {
    prompt_tokens: tokensOf(body.messages),
    completion_tokens: length,
    total_tokens: tokensOf(body.messages) + length,
    prompt_tokens_details: { cached_tokens: 0, audio_tokens: 0 },
    completion_tokens_details: {
      reasoning_tokens: 0,
      audio_tokens: 0,
      accepted_prediction_tokens: 0,
      rejected_prediction_tokens: 0,
    },
  };
  const wantsTool =
    Array.isArray(body.tools) &&
    body.tools.length > 0 &&
    body.messages.at(-1)?.role === 'user' &&
    body.tool_choice !== 'none';
  const call = {
    id: 'call_mock',
    type: 'function',
    function: { name: body.tools?.[0]?.function?.name ?? 'none', arguments: '{"city":"Paris"}' },
  };
  const isJson = body.response_format?.type === 'json_schema' || body.response_format?.type === 'json_object';
  const text = isJson ? '{"answer":"mock"}' : said.slice(0, length).join('');
  if (!body.stream) {
    const message = wantsTool
      ? { role: 'assistant', content: null, refusal: null, tool_calls: [call] }
      : { role: 'assistant', content: text, refusal: null };
    const finish_reason = wantsTool ? 'tool_calls' : length < said.length ? 'length' : 'stop';
    const choices = Array.from({ length: body.n ?? 1 }, (_, index) => ({
      index,
      message,
      logprobs: null,
      finish_reason,
    }));
    return json(response, 200, { id, object: 'chat.completion', created, model, choices, usage });
  }
  const chunk = (delta: object, finish_reason: string | null = null) => ({
    id,
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason }],
  });
  const events: unknown[] = [chunk({ role: 'assistant', content: '', refusal: null })];
  if (wantsTool) {
    events.push(
      chunk({ tool_calls: [{ index: 0, ...call, function: { ...call.function, arguments: '' } }] }),
    );
    for (const piece of ['{"city"', ':"Paris"}'])
      events.push(chunk({ tool_calls: [{ index: 0, function: { arguments: piece } }] }));
  } else if (isJson) events.push(chunk({ content: text }));
  else for (const word of said.slice(0, length)) events.push(chunk({ content: word }));
  events.push(chunk({}, wantsTool ? 'tool_calls' : length < said.length ? 'length' : 'stop'));
  if (body.stream_options?.include_usage)
    events.push({ id, object: 'chat.completion.chunk', created, model, choices: [], usage });
  const lines = recording ? recording.events : events.map((event) => JSON.stringify(event));
  await stream(
    exchange,
    [...lines, '[DONE]'].map((line) => `data: ${line}\n\n`),
  );
}

/** The model name may carry a pace: `slow:<milliseconds>`. */
export async function stream(
  { response, body, path }: Exchange,
  frames: readonly string[],
): Promise<undefined> {
  response.writeHead(200, {
    'content-type': 'text/event-stream; charset=utf-8',
    'cache-control': 'no-cache',
  });
  const pace = Number(/slow:(\d+)/.exec(`${body.model ?? ''} ${path}`)?.[1] ?? 0);
  for (const frame of frames) {
    if (response.destroyed) return;
    response.write(frame);
    if (pace > 0) await sleep(pace);
  }
  response.end();
}

async function responses(exchange: Exchange): Promise<undefined> {
  const { response, body } = exchange;
  const recording = recordingOf(exchange);
  if (recording && 'whole' in recording) {
    response.writeHead(200, { 'content-type': 'application/json' }).end(recording.whole);
    return;
  }
  if (recording) {
    const frames = recording.events.map((line) => `event: ${JSON.parse(line).type}\ndata: ${line}\n\n`);
    return stream(exchange, frames);
  }
  const text = words.join('');
  const usage = {
    input_tokens: tokensOf(body.input),
    input_tokens_details: { cached_tokens: 0, cache_write_tokens: 0 },
    output_tokens: words.length,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: tokensOf(body.input) + words.length,
  };
  const item = {
    id: 'msg_mock',
    type: 'message',
    status: 'completed',
    role: 'assistant',
    content: [{ type: 'output_text', text, annotations: [], logprobs: [] }],
  };
  const base = {
    id: 'resp_mock',
    object: 'response',
    created_at: created,
    error: null,
    incomplete_details: null,
    instructions: null,
    max_output_tokens: null,
    model: body.model,
    parallel_tool_calls: true,
    previous_response_id: body.previous_response_id ?? null,
    reasoning: { effort: null, summary: null },
    store: true,
    temperature: 1,
    text: { format: { type: 'text' } },
    tool_choice: 'auto',
    tools: [],
    top_p: 1,
    truncation: 'disabled',
    metadata: {},
  };
  const done = { ...base, status: 'completed', output: [item], usage };
  if (!body.stream) return json(response, 200, done);
  let number = 0;
  const frame = (type: string, rest: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, sequence_number: number++, ...rest })}\n\n`;
  const at = { item_id: 'msg_mock', output_index: 0, content_index: 0 };
  const part = { type: 'output_text', text: '', annotations: [], logprobs: [] };
  const begun = { ...base, status: 'in_progress', output: [], usage: null };
  await stream(exchange, [
    frame('response.created', { response: begun }),
    frame('response.in_progress', { response: begun }),
    frame('response.output_item.added', {
      output_index: 0,
      item: { ...item, status: 'in_progress', content: [] },
    }),
    frame('response.content_part.added', { ...at, part }),
    ...words.map((word) => frame('response.output_text.delta', { ...at, delta: word, logprobs: [] })),
    frame('response.output_text.done', { ...at, text, logprobs: [] }),
    frame('response.content_part.done', { ...at, part: { ...part, text } }),
    frame('response.output_item.done', { output_index: 0, item }),
    frame('response.completed', { response: done }),
  ]);
}

function embeddings({ response, body }: Exchange): undefined {
  const inputs = Array.isArray(body.input) && typeof body.input[0] !== 'number' ? body.input : [body.input];
  const vector = Array.from({ length: body.dimensions ?? 8 }, (_, at) => at / 8);
  const embedding =
    body.encoding_format === 'base64'
      ? Buffer.from(new Float32Array(vector).buffer).toString('base64')
      : vector;
  const data = inputs.map((_: unknown, index: number) => ({ object: 'embedding', index, embedding }));
  const tokens = tokensOf(body.input);
  json(response, 200, {
    object: 'list',
    data,
    model: body.model,
    usage: { prompt_tokens: tokens, total_tokens: tokens },
  });
}

const polls = new Map<string, number>();

function video({ request, response, body }: Exchange, pathname: string): undefined {
  const [, id, content] = /\/videos(?:\/([^/]+))?(\/content)?$/.exec(pathname) ?? [];
  if (request.method === 'POST') {
    const made = `video_${Math.random().toString(36).slice(2)}`;
    polls.set(made, 0);
    return json(response, 200, {
      id: made,
      object: 'video',
      model: body.model,
      status: 'queued',
      progress: 0,
      created_at: created,
      seconds: String(body.seconds ?? '4'),
      size: '720x1280',
    });
  }
  const seen = id === undefined ? undefined : polls.get(id);
  if (id === undefined || seen === undefined)
    return json(response, 404, {
      error: { message: 'No such video.', type: 'invalid_request_error', code: null, param: null },
    });
  if (content) {
    response.writeHead(200, { 'content-type': 'video/mp4' }).end(Buffer.alloc(5000, 9));
    return;
  }
  polls.set(id, seen + 1);
  const isDone = seen >= 1;
  json(response, 200, {
    id,
    object: 'video',
    status: isDone ? 'completed' : 'in_progress',
    progress: isDone ? 100 : 50,
    created_at: created,
    completed_at: isDone ? created + 9 : null,
    expires_at: created + 3600,
    seconds: '4',
    size: '720x1280',
  });
}
