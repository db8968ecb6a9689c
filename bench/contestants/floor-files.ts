import { createReadStream, createWriteStream } from 'node:fs';
import { open, rename } from 'node:fs/promises';
import { createServer, type IncomingMessage } from 'node:http';
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
  const store = request.headers['x-durable'] ? storeForGood : storeOnly;
  const work =
    request.method === 'GET'
      ? pipeline(createReadStream(file), response)
      : store(request, file).then(() => response.writeHead(204).end());
  work.catch(() => response.destroy());
}).listen(Number(port), '127.0.0.1');

async function storeOnly(request: IncomingMessage, file: string): Promise<void> {
  await pipeline(request, createWriteStream(file));
}

let writes = 0;

/** Written aside, synced and renamed, as whatever tells a client that it has the bytes has to do. */
async function storeForGood(request: IncomingMessage, file: string): Promise<void> {
  const aside = `${file}-${++writes}`;
  await pipeline(request, createWriteStream(aside, { flush: true }));
  await rename(aside, file);
  await using parent = await open(folder);
  await parent.sync();
}
