import { createServer } from 'node:http';

/** The least that serving a file can be on this stack: 4 KiB from memory, with the headers that ours has. */
const [port] = process.argv.slice(2) as [string];
const content = Buffer.from('x'.repeat(4096));
createServer((_request, response) => {
  response.writeHead(200, {
    'content-type': 'text/plain; charset=utf-8',
    'content-length': content.length,
    etag: '"floor"',
    'cache-control': 'public, max-age=0, must-revalidate',
  });
  response.end(content);
}).listen(Number(port), '127.0.0.1');
