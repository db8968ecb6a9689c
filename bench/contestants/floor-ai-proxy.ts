import { Agent, createServer, request as send } from 'node:http';

/** The least that a proxy on Node can do: pass bytes there and back, over connections that are kept open. */
const [port, target] = process.argv.slice(2) as [string, string];
const agent = new Agent({ keepAlive: true });

createServer((request, response) => {
  if (request.url === '/healthz') return response.end('{}');
  const onward = send(new URL(request.url ?? '/', target), {
    agent,
    method: request.method ?? 'GET',
    headers: { ...request.headers, host: new URL(target).host },
  });
  onward.setNoDelay(true);
  onward.on('response', (answer) => {
    response.writeHead(answer.statusCode ?? 502, answer.headers);
    answer.pipe(response);
  });
  onward.on('error', () => response.destroy());
  response.on('close', () => onward.destroy());
  request.pipe(onward);
  return undefined;
}).listen(Number(port), '127.0.0.1');
