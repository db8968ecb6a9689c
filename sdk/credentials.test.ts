import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createClient } from './index.ts';
import { type Reply, type Seen, startServer, testTime } from './testing/server.ts';

const id = '0192f0c1-2345-7abc-8def-0123456789ab';

/** Gives out token-1, token-2, ... of five minutes, and answers 401 to those that `isRefused` names. */
async function setUp(isRefused: (token: string) => boolean = () => false) {
  let issued = 0;
  const isTokenRequest = ({ url }: Seen) => url === '/oauth2/token';
  const server = await startServer((request): Reply => {
    if (isTokenRequest(request)) {
      issued += 1;
      const body = {
        token_type: 'Bearer',
        access_token: `token-${issued}`,
        expires_in: 300,
        scope: 'openid',
      };
      return { body };
    }
    const token = request.headers.authorization?.replace('Bearer ', '') ?? '';
    return isRefused(token) ? { status: 401, body: { error: 'Not accepted.' } } : { body: { id } };
  });
  const time = testTime();
  const key = { clientId: id, clientSecret: 's+cr/t=' };
  const client = createClient({ baseUrl: `${server.url}/`, ...key }, time.surroundings);
  return {
    client,
    time,
    tokenRequests: () => server.seen.filter(isTokenRequest),
    calls: () => server.seen.filter((request) => !isTokenRequest(request)),
    [Symbol.asyncDispose]: () => server[Symbol.asyncDispose](),
  };
}

test('a key is exchanged for one token, however many requests wait for it', async () => {
  await using all = await setUp();
  await Promise.all(Array.from({ length: 20 }, () => all.client.organizations.get(id)));
  await all.client.organizations.get(id);
  const [request, ...others] = all.tokenRequests();
  assert.equal(others.length, 0);
  assert.equal(request?.body, 'grant_type=client_credentials');
  assert.equal(request?.headers['content-type'], 'application/x-www-form-urlencoded;charset=UTF-8');
  // RFC 6749, 2.3.1: form-encoded, then joined.
  assert.equal(request?.headers.authorization, `Basic ${btoa(`${id}:s%2Bcr%2Ft%3D`)}`);
  assert.ok(all.calls().every(({ headers }) => headers.authorization === 'Bearer token-1'));
});

test('a token is renewed half a minute before it ends, and not earlier', async () => {
  await using all = await setUp();
  await all.client.organizations.get(id);
  all.time.pass(269_000);
  await all.client.organizations.get(id);
  assert.equal(all.tokenRequests().length, 1);
  all.time.pass(1_000);
  await all.client.organizations.get(id);
  assert.equal(all.calls().at(-1)?.headers.authorization, 'Bearer token-2');
});

test('a token that is refused is renewed once, for all who were refused with it', async () => {
  await using all = await setUp((token) => token === 'token-1');
  await Promise.all(Array.from({ length: 5 }, () => all.client.organizations.get(id)));
  assert.equal(all.tokenRequests().length, 2);
  await all.client.envVars.create(id, { key: 'A', value: 'b' });
  assert.equal(all.tokenRequests().length, 2);
});

test('a creation that was refused for its token is sent again with the same Idempotency-Key', async () => {
  await using all = await setUp((token) => token === 'token-1');
  await all.client.envVars.create(id, { key: 'A', value: 'b' });
  const keys = all.calls().map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 2);
  assert.equal(keys[0], keys[1]);
});

test('a second refusal is final', async () => {
  await using all = await setUp(() => true);
  await assert.rejects(all.client.organizations.get(id), { status: 401, message: 'Not accepted.' });
  assert.equal(all.calls().length, 2);
  assert.equal(all.tokenRequests().length, 2);
});

test('a wrong secret is reported as RFC 6749 has it, and is asked about again by the next request', async () => {
  const body = { error: 'invalid_client', error_description: 'The secret is wrong.' };
  await using server = await startServer(() => ({ status: 401, body }));
  const client = createClient({ baseUrl: server.url, clientId: id, clientSecret: 'wrong' });
  const expected = { status: 401, code: 'invalid_client', message: 'The secret is wrong.' };
  await assert.rejects(client.organizations.get(id), expected);
  assert.equal(server.seen.length, 1);
  await assert.rejects(client.organizations.get(id), expected);
  assert.equal(server.seen.length, 2);
});

test('the token endpoint is asked again after a failure for now', async () => {
  await using server = await startServer((_, index) =>
    index === 0
      ? { status: 503, body: { error: 'unavailable', error_description: 'The database is away.' } }
      : { body: { access_token: 't', token_type: 'Bearer', expires_in: 300, scope: '', id } },
  );
  const key = { clientId: id, clientSecret: 's' };
  const client = createClient({ baseUrl: server.url, ...key }, testTime().surroundings);
  assert.equal((await client.organizations.get(id)).id, id);
  assert.equal(server.seen.length, 3);
});

test('a caller that gives up does not take the token of the others along', async () => {
  await using all = await setUp();
  const one = all.client.organizations.get(id, { signal: AbortSignal.abort(new Error('Mine only.')) });
  const other = all.client.organizations.get(id);
  await assert.rejects(one, { message: 'Mine only.' });
  assert.equal((await other).id, id);
});

test('a token is sent as it is; a function is asked each time, and told what was refused', async () => {
  await using server = await startServer(({ headers }) =>
    headers.authorization === 'Bearer good'
      ? { body: { id } }
      : { status: 401, body: { error: 'Not accepted.' } },
  );
  const fixed = createClient({ baseUrl: server.url, token: 'stale' });
  await assert.rejects(fixed.organizations.get(id), { status: 401 });
  assert.equal(server.seen.length, 1);
  const asked: (string | undefined)[] = [];
  const token = async (refused?: string) => {
    asked.push(refused);
    return refused === undefined ? 'stale' : 'good';
  };
  assert.equal((await createClient({ baseUrl: server.url, token }).organizations.get(id)).id, id);
  assert.deepEqual(asked, [undefined, 'stale']);
});

test('a session sends the header that other sites cannot, and no token', async () => {
  await using server = await startServer(() => ({ body: { id } }));
  const seen: (RequestInit | undefined)[] = [];
  const spied: typeof fetch = (input, init) => {
    seen.push(init);
    return fetch(input, init);
  };
  const client = createClient({ baseUrl: server.url, session: true, fetch: spied });
  await client.organizations.create({ name: 'Acme' });
  assert.equal(seen[0]?.credentials, 'same-origin');
  assert.equal(server.seen[0]?.headers['x-mainstay-session'], '1');
  assert.equal(server.seen[0]?.headers.authorization, undefined);
});
