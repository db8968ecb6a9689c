import fastify from 'fastify';

/** The least that can answer a whois record on this stack: a query parameter, a header, and the record as JSON. */
const [port, record] = process.argv.slice(2) as [string, string];
const kept = new Map([['example.bench', JSON.parse(record) as object]]);

const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
app.get(
  '/whois/domain',
  {
    schema: {
      querystring: { type: 'object', properties: { domain: { type: 'string' } }, required: ['domain'] },
    },
  },
  async (request, reply) => {
    const { domain } = request.query as { domain: string };
    return reply.header('age', 0).send(kept.get(domain));
  },
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
