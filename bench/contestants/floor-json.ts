import { readFile } from 'node:fs/promises';
import fastify from 'fastify';

/** The least that an authenticated JSON route can do on this stack: nothing but send the same payload. */
const [port, file] = process.argv.slice(2) as [string, string];
const payload = JSON.parse(await readFile(file, 'utf8')) as object;

const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
app.get('/payload', async () => payload);
await app.listen({ host: '127.0.0.1', port: Number(port) });
