import { createServer } from 'node:http';

/** A provider of models that does nothing but answer: JSON, or a stream of twenty words in one piece each. */
const [port] = process.argv.slice(2) as [string];

const usage = { prompt_tokens: 20, completion_tokens: 20, total_tokens: 40 };
const common = { id: 'chatcmpl-bench', created: 1_700_000_000, model: 'bench' };
const whole = Buffer.from(
  JSON.stringify({
    ...common,
    object: 'chat.completion',
    choices: [
      {
        index: 0,
        message: { role: 'assistant', content: 'word '.repeat(20), refusal: null },
        logprobs: null,
        finish_reason: 'stop',
      },
    ],
    usage,
  }),
);
const chunk = (rest: object) =>
  Buffer.from(`data: ${JSON.stringify({ ...common, object: 'chat.completion.chunk', ...rest })}\n\n`);
const delta = (one: object, finish_reason: string | null = null) =>
  chunk({ choices: [{ index: 0, delta: one, logprobs: null, finish_reason }] });
const words = Array.from({ length: 20 }, () => delta({ content: 'word ' }));
const end = Buffer.concat([
  delta({}, 'stop'),
  chunk({ choices: [], usage }),
  Buffer.from('data: [DONE]\n\n'),
]);

createServer(async (request, response) => {
  if (request.method === 'GET') return response.end('{}');
  const pieces: Buffer[] = [];
  for await (const piece of request) pieces.push(piece as Buffer);
  if (!Buffer.concat(pieces).includes('"stream":true')) {
    response.writeHead(200, { 'content-type': 'application/json', 'content-length': whole.length });
    return response.end(whole);
  }
  response.writeHead(200, { 'content-type': 'text/event-stream' });
  for (const word of words) {
    response.write(word);
    await new Promise((resolve) => setImmediate(resolve));
  }
  return response.end(end);
}).listen(Number(port), '127.0.0.1');
