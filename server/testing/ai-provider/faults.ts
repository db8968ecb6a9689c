import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Exchange, json } from './exchange.ts';

/** What the models `fault:<name>` do. */
type Fault = (exchange: Exchange) => unknown;

const error = (message: string, code: string | null = null) => ({
  error: { message, type: 'server_error', code, param: null },
});
const head = { 'content-type': 'text/event-stream' };

function chunk(delta: object, finish_reason: string | null = null): string {
  const body = {
    id: 'chatcmpl-fault',
    object: 'chat.completion.chunk',
    created: 1_700_000_000,
    model: 'fault',
    choices: [{ index: 0, delta, finish_reason }],
  };
  return `data: ${JSON.stringify(body)}\n\n`;
}

/** A role and two words, written before the trouble. */
const beginning = [
  chunk({ role: 'assistant', content: '' }),
  chunk({ content: 'Half' }),
  chunk({ content: ' an' }),
];

async function begin({ response }: Exchange, frames = beginning): Promise<undefined> {
  response.writeHead(200, head);
  for (const frame of frames) response.write(frame);
  await sleep(5);
}

const status =
  (code: number, headers: Record<string, string> = {}, body: object = error(`Fault ${code}.`)): Fault =>
  ({ response }) =>
    json(response, code, body, headers);

const never = () => new Promise<void>(() => {});
/** Fails so many times for a name, then answers. */
const counts = new Map<string, number>();

export const faults = new Map<string, Fault>([
  [
    '400',
    status(
      400,
      {},
      {
        error: {
          message: 'Bad temperature.',
          type: 'invalid_request_error',
          code: 'bad_value',
          param: 'temperature',
        },
      },
    ),
  ],
  ['401', status(401, {}, error('Incorrect API key provided: sk-secret.'))],
  ['402', status(402)],
  ['403', status(403)],
  ['404', status(404)],
  ['429', status(429, { 'retry-after': '1' })],
  ['429-long', status(429, { 'retry-after': '600' })],
  ['500', status(500)],
  ['502', status(502)],
  ['503', status(503)],
  ['529', status(529)],
  [
    'html',
    ({ response }) =>
      void response.writeHead(502, { 'content-type': 'text/html' }).end('<h1>Bad gateway</h1>'),
  ],
  [
    'context',
    status(
      400,
      {},
      {
        error: {
          message: 'Too long.',
          type: 'invalid_request_error',
          code: 'context_length_exceeded',
          param: 'messages',
        },
      },
    ),
  ],
  [
    'filter',
    ({ response, body }) =>
      json(response, 200, {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: body.model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: '', refusal: null },
            logprobs: null,
            finish_reason: 'content_filter',
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 0, total_tokens: 5 },
      }),
  ],
  ['reset', ({ response }) => void response.socket?.resetAndDestroy()],
  ['silent', never],
  ['error-in-200', ({ response }) => json(response, 200, error('Overloaded inside a 200.', 'overloaded'))],
  ['empty', ({ response }) => void response.writeHead(200, { 'content-type': 'application/json' }).end()],
  [
    'not-json',
    ({ response }) =>
      void response.writeHead(200, { 'content-type': 'application/json' }).end('{"choices": ['),
  ],
  [
    'cut-json',
    ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json', 'content-length': '500' });
      response.write('{"choices": [');
      setTimeout(() => response.destroy(), 5);
    },
  ],
  [
    'cut',
    async (exchange) => {
      await begin(exchange);
      exchange.response.destroy();
    },
  ],
  [
    'cut-mid-event',
    async (exchange) => {
      await begin(exchange, [...beginning, 'data: {"id":"chatcmpl-fault","choi']);
      exchange.response.destroy();
    },
  ],
  [
    'cut-before-output',
    async (exchange) => {
      await begin(exchange, [chunk({ role: 'assistant', content: '' })]);
      exchange.response.destroy();
    },
  ],
  [
    'no-done',
    async (exchange) => {
      await begin(exchange, [...beginning, chunk({}, 'stop')]);
      exchange.response.end();
    },
  ],
  [
    'no-finish',
    async (exchange) => {
      await begin(exchange);
      exchange.response.end();
    },
  ],
  [
    'idle',
    async (exchange) => {
      await begin(exchange);
      await never();
    },
  ],
  [
    'idle-before-output',
    async (exchange) => {
      await begin(exchange, [chunk({ role: 'assistant', content: '' })]);
      await never();
    },
  ],
  [
    'malformed',
    async (exchange) => {
      await begin(exchange);
      exchange.response.end('data: {"id": oops}\n\ndata: [DONE]\n\n');
    },
  ],
  [
    'error-in-stream',
    async (exchange) => {
      await begin(exchange);
      exchange.response.end(
        `data: ${JSON.stringify(error('Overloaded in the middle.', 'overloaded'))}\n\ndata: [DONE]\n\n`,
      );
    },
  ],
  [
    'error-first',
    async (exchange) => {
      await begin(exchange, [`data: ${JSON.stringify(error('Overloaded at once.', 'overloaded'))}\n\n`]);
      exchange.response.end();
    },
  ],
  [
    'no-finish-field',
    async (exchange) => {
      const bare = (delta: object, rest = {}) =>
        `data: ${JSON.stringify({ id: 'x', object: 'chat.completion.chunk', created: 1, model: 'fault', choices: [{ index: 0, delta, ...rest }] })}\n\n`;
      await begin(exchange, [
        bare({ role: 'assistant' }),
        bare({ content: 'Hi' }),
        bare({}, { finish_reason: 'stop' }),
        'data: [DONE]\n\n',
      ]);
      exchange.response.end();
    },
  ],
  [
    'tools-without-index',
    async (exchange) => {
      const call = (id: string, name: string, text: string) =>
        chunk({ tool_calls: [{ id, type: 'function', function: { name, arguments: text } }] });
      const more = (text: string) => chunk({ tool_calls: [{ function: { arguments: text } }] });
      await begin(exchange, [
        call('call_a', 'first', '{"a"'),
        more(':1}'),
        call('call_b', 'second', '{"b"'),
        more(':2}'),
        chunk({}, 'stop'),
        'data: [DONE]\n\n',
      ]);
      exchange.response.end();
    },
  ],
  [
    'keepalive-comments',
    async (exchange) => {
      await begin(exchange, [
        ': OPENROUTER PROCESSING\n\n',
        ...beginning,
        ': again\n\n',
        chunk({}, 'stop'),
        'data: [DONE]\n\n',
      ]);
      exchange.response.end();
    },
  ],
  [
    'endless',
    async ({ response }) => {
      response.writeHead(200, head);
      while (!response.destroyed) {
        if (!response.write(chunk({ content: 'word '.repeat(20) })))
          await Promise.race([new Promise((go) => response.once('drain', go)), sleep(50)]);
        await sleep(2);
      }
    },
  ],
  [
    'half-json',
    async ({ response }) => {
      response.writeHead(200, { 'content-type': 'application/json' });
      response.write('{"choices": [');
      await never();
    },
  ],
  [
    'endless-bytes',
    async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      while (!response.destroyed) {
        if (!response.write(Buffer.alloc(1024, 1)))
          await Promise.race([new Promise((go) => response.once('drain', go)), sleep(50)]);
        await sleep(2);
      }
    },
  ],
  [
    'idle-bytes',
    async ({ response }) => {
      response.writeHead(200, { 'content-type': 'audio/mpeg' });
      response.write(Buffer.alloc(1024, 1));
      await never();
    },
  ],
  [
    'many-words',
    async ({ response }) => {
      response.writeHead(200, head);
      const sentence = chunk({ content: 'word '.repeat(20_000) });
      for (let at = 0; at < 240; at++)
        if (!response.write(sentence))
          await Promise.race([new Promise((go) => response.once('drain', go)), once(response, 'close')]);
      response.end(`${chunk({}, 'stop')}data: [DONE]\n\n`);
    },
  ],
  [
    'many-bytes',
    ({ response }) =>
      void response.writeHead(200, { 'content-type': 'audio/mpeg' }).end(Buffer.alloc(24 * 1024 * 1024, 1)),
  ],
  [
    'flaky',
    (exchange) => {
      const seen = (counts.get('flaky') ?? 0) + 1;
      counts.set('flaky', seen);
      if (seen % 2 === 1) return json(exchange.response, 503, error('Once in a while.'));
      const { body, response } = exchange;
      return json(response, 200, {
        id: 'x',
        object: 'chat.completion',
        created: 1,
        model: body.model,
        choices: [
          {
            index: 0,
            message: { role: 'assistant', content: 'Recovered', refusal: null },
            logprobs: null,
            finish_reason: 'stop',
          },
        ],
        usage: { prompt_tokens: 5, completion_tokens: 1, total_tokens: 6 },
      });
    },
  ],
]);
