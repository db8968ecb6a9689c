import { createReadStream, createWriteStream } from 'node:fs';
import { createServer } from 'node:http';
import path from 'node:path';
import { pipeline } from 'node:stream/promises';

/** The floor of storage: Node that streams files from and to a folder, and does nothing else. */
const [port = '0', folder = '.'] = process.argv.slice(2);

createServer((request, response) => {
  const name = path.basename(request.url ?? '/');
  if (name === 'healthz') {
    response.end('ok');
    return;
  }
  const file = path.join(folder, name);
  const work =
    request.method === 'GET'
      ? pipeline(createReadStream(file), response)
      : pipeline(request, createWriteStream(file)).then(() => response.writeHead(204).end());
  work.catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1');
