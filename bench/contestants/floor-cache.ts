import fastify from 'fastify';

/** The least that a JSON cache can do on this stack: a route with a schema over a Map, no token, no disk. */
const [port] = process.argv.slice(2) as [string];
const items = new Map<string, { key: string; value: string; expiration: number; byteSize: number }>();

const text = { type: 'string' };
const integer = { type: 'integer' };
const item = {
  type: 'object',
  properties: { key: text, value: text, expiration: integer, byteSize: integer },
};

const app = fastify({ bodyLimit: 16 * 1024 * 1024 });
app.get('/healthz', async () => ({ status: 'ok' }));
app.get<{ Querystring: { key: string } }>(
  '/fastcache',
  {
    schema: {
      querystring: { type: 'object', properties: { key: text }, required: ['key'] },
      response: { 200: item },
    },
  },
  async (request, reply) => items.get(request.query.key) ?? reply.code(404).send(),
);
app.post<{ Body: { key: string; value: string; expiration?: number } }>(
  '/fastcache',
  {
    schema: {
      body: {
        type: 'object',
        properties: { key: text, value: text, expiration: integer },
        required: ['key', 'value'],
      },
      response: { 201: item },
    },
  },
  async ({ body: { key, value, expiration = 0 } }, reply) => {
    const made = { key, value, expiration, byteSize: Buffer.byteLength(value) };
    items.set(key, made);
    return reply.code(201).send(made);
  },
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
