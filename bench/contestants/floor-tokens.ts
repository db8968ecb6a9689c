import { createHash, generateKeyPairSync, sign, timingSafeEqual } from 'node:crypto';
import fastify from 'fastify';

/**
 * The least a token endpoint can do on this stack: urlencoded body, Basic, SHA-256 compare, ES256, JSON. It grants the
 * same scopes, so that the bytes to sign and to send are as many.
 */
const [port, clientId, secret, scope] = process.argv.slice(2) as [string, string, string, string];
const stored = createHash('sha256').update(secret).digest();
const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
const header = Buffer.from(JSON.stringify({ alg: 'ES256', typ: 'at+jwt', kid: 'floor' })).toString(
  'base64url',
);

const app = fastify();
app.addContentTypeParser(
  'application/x-www-form-urlencoded',
  { parseAs: 'string' },
  (_request, body, done) => {
    done(null, Object.fromEntries(new URLSearchParams(body as string)));
  },
);
app.get('/healthz', async () => ({ status: 'ok' }));
app.post(
  '/oauth2/token',
  {
    schema: {
      body: { type: 'object', properties: { grant_type: { type: 'string' } }, required: ['grant_type'] },
      response: {
        200: {
          type: 'object',
          properties: {
            token_type: { type: 'string' },
            access_token: { type: 'string' },
            expires_in: { type: 'integer' },
            scope: { type: 'string' },
          },
        },
      },
    },
  },
  async (request) => {
    const [id, given = ''] = Buffer.from((request.headers.authorization ?? '').slice(6), 'base64')
      .toString('utf8')
      .split(':');
    const digest = createHash('sha256').update(given).digest();
    if (id !== clientId || !timingSafeEqual(digest, stored)) throw new Error('invalid_client');
    const iat = Math.floor(Date.now() / 1000);
    const claims = { iss: 'floor', aud: 'floor', sub: id, client_id: id, scope, iat, exp: iat + 300 };
    const input = `${header}.${Buffer.from(JSON.stringify(claims)).toString('base64url')}`;
    const signature = sign('sha256', Buffer.from(input), { key: privateKey, dsaEncoding: 'ieee-p1363' });
    const access_token = `${input}.${signature.toString('base64url')}`;
    return { token_type: 'Bearer', access_token, expires_in: 300, scope };
  },
);
await app.listen({ host: '127.0.0.1', port: Number(port) });
