import fastify from 'fastify';

/**
 * The least that a reputation endpoint can do on this stack: five parameters read, five records of the same bytes written
 * by the same kind of schema. No token, no list, no name server.
 */
const [port] = process.argv.slice(2);

const record = {
  type: 'object',
  properties: {
    domain: { type: 'string' },
    status: { type: 'string' },
    withholdingRecommended: { type: 'boolean' },
    isMxRecordAvailable: { type: 'boolean' },
  },
};
const query = {
  type: 'object',
  required: ['domain'],
  properties: { domain: { type: 'array', items: { type: 'string' }, minItems: 1, maxItems: 5 } },
};

const app = fastify();
app.get('/healthz', async () => ({ status: 'ok' }));
app.get(
  '/web-reputation/domain',
  { schema: { querystring: query, response: { 200: { type: 'array', items: record } } } },
  async (request) =>
    (request.query as { domain: string[] }).domain.map((domain) => ({
      domain,
      status: 'neutral',
      withholdingRecommended: false,
      isMxRecordAvailable: true,
    })),
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
