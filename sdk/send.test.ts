import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ApiError, ConnectionError, createClient, TimeoutError } from './index.ts';
import { type Reply, startServer, testTime } from './testing/server.ts';

const id = '0192f0c1-2345-7abc-8def-0123456789ab';
const busy: Reply = { status: 503, body: { error: 'The database is away.' } };
const fine: Reply = { body: { id } };

async function setUp(reply: (index: number) => Reply, options: { retries?: number } = {}) {
  const server = await startServer((_, index) => reply(index));
  const time = testTime();
  const client = createClient({ baseUrl: server.url, token: 'secret-token', ...options }, time.surroundings);
  return { server, client, time, [Symbol.asyncDispose]: () => server[Symbol.asyncDispose]() };
}

test('a read is sent again after 503, 429 and a broken connection, each wait twice the last', async () => {
  const replies: Reply[] = [busy, 'break the connection', { ...busy, status: 429 }, fine];
  await using all = await setUp((index) => replies[index] ?? fine, { retries: 3 });
  assert.equal((await all.client.organizations.get(id)).id, id);
  assert.equal(all.server.seen.length, 4);
  // Half of 250, 500 and 1000: the jitter of the test is always in the middle.
  assert.deepEqual(all.time.waits, [125, 250, 500]);
});

test('Retry-After is waited for, in seconds and as a date', async () => {
  const inTwoSeconds = new Date(Date.now() + 2_000).toUTCString();
  await using all = await setUp((index) => {
    if (index === 0) return { ...busy, headers: { 'retry-after': '7' } };
    return index === 1 ? { ...busy, headers: { 'retry-after': inTwoSeconds } } : fine;
  });
  await all.client.organizations.get(id);
  assert.equal(all.time.waits[0], 7_125);
  assert.ok(all.time.waits[1] !== undefined && all.time.waits[1] <= 2_125);
});

test('a Retry-After of more than half a minute is reported to the caller instead', async () => {
  await using all = await setUp(() => ({ ...busy, status: 429, headers: { 'retry-after': '31' } }));
  await assert.rejects(all.client.organizations.get(id), (error) => {
    assert.ok(error instanceof ApiError);
    assert.equal(error.retryAfter, 31);
    return true;
  });
  assert.equal(all.server.seen.length, 1);
});

test('after the last retry the failure is thrown; retries of a call win over those of the client', async () => {
  await using all = await setUp(() => busy);
  await assert.rejects(all.client.organizations.get(id), { status: 503 });
  assert.equal(all.server.seen.length, 3);
  await assert.rejects(all.client.organizations.get(id, { retries: 0 }), { status: 503 });
  assert.equal(all.server.seen.length, 4);
});

test('other failures are final at once', async () => {
  for (const status of [400, 403, 404, 409, 422, 500, 504]) {
    await using all = await setUp(() => ({ status, body: { error: 'No.' } }));
    await assert.rejects(all.client.organizations.get(id), { status, message: 'No.' });
    assert.equal(all.server.seen.length, 1, String(status));
  }
});

test('a creation is sent again with the same Idempotency-Key', async () => {
  await using all = await setUp((index) => (index === 0 ? 'break the connection' : fine));
  await all.client.organizations.create({ name: 'Acme' });
  const keys = all.server.seen.map(({ headers }) => headers['idempotency-key']);
  assert.equal(keys.length, 2);
  assert.match(String(keys[0]), /^[0-9a-f-]{36}$/);
  assert.equal(keys[0], keys[1]);
  await all.client.organizations.create({ name: 'Acme' }, { idempotencyKey: 'mine' });
  assert.equal(all.server.seen[2]?.headers['idempotency-key'], 'mine');
});

test('what could be done twice is not sent again', async () => {
  await using all = await setUp(() => busy);
  await assert.rejects(all.client.organizations.update(id, { name: 'Other' }), { status: 503 });
  await assert.rejects(all.client.invitations.accept({ token: 'x' } as never), { status: 503 });
  assert.equal(all.server.seen.length, 2);
});

test('a failure carries the sentence, the status, the request id and no credential', async () => {
  const headers = { 'x-request-id': 'request-7', 'retry-after': '60' };
  await using all = await setUp(() => ({ status: 429, headers, body: { error: 'Wait a minute.' } }));
  const error = await all.client.organizations.get(id).catch((thrown) => thrown);
  assert.ok(error instanceof ApiError && error instanceof Error);
  const { name, message, status, requestId, retryAfter, code } = error;
  assert.deepEqual(
    { name, message, status, requestId, retryAfter, code },
    {
      name: 'ApiError',
      message: 'Wait a minute.',
      status: 429,
      requestId: 'request-7',
      retryAfter: 60,
      code: undefined,
    },
  );
  assert.equal(JSON.stringify([error, error.stack]).includes('secret-token'), false);
});

test('an answer that is not of the API is reported by its status', async () => {
  await using all = await setUp(() => ({
    status: 502,
    headers: { 'content-type': 'text/html' },
    body: '<h1>',
  }));
  await assert.rejects(all.client.organizations.get(id), { status: 502, message: '502 Bad Gateway' });
  await using page = await setUp(() => ({ headers: { 'content-type': 'text/html' }, body: '<h1>' }), {
    retries: 0,
  });
  await assert.rejects(page.client.organizations.get(id), ConnectionError);
});

test('an instance that cannot be reached is a ConnectionError with its cause', async () => {
  const server = await startServer(() => fine);
  await server[Symbol.asyncDispose]();
  const client = createClient({ baseUrl: server.url, token: 't', retries: 1 }, testTime().surroundings);
  await assert.rejects(client.organizations.get(id), (error) => {
    assert.ok(error instanceof ConnectionError && !(error instanceof TimeoutError));
    assert.ok(error.cause instanceof Error);
    return true;
  });
});

test('no answer within the timeout is a TimeoutError, and the attempt is given up', async () => {
  await using all = await setUp(() => 'silence');
  const options = { timeoutMilliseconds: 30, retries: 1 };
  await assert.rejects(all.client.organizations.get(id, options), TimeoutError);
  assert.equal(all.server.seen.length, 2);
});

test('an AbortSignal ends a request, a wait and what has not begun, with its own reason', async () => {
  await using silent = await setUp(() => 'silence');
  const asked = new AbortController();
  const reason = new Error('No longer wanted.');
  const pending = silent.client.organizations.get(id, { signal: asked.signal });
  setTimeout(() => asked.abort(reason), 20);
  await assert.rejects(pending, reason);

  await using server = await startServer(() => busy);
  const waiting = new AbortController();
  const sleep = () => {
    waiting.abort(reason);
    return new Promise<void>(() => {});
  };
  const client = createClient({ baseUrl: server.url, token: 't' }, { sleep });
  await assert.rejects(client.organizations.get(id, { signal: waiting.signal }), reason);
  assert.equal(server.seen.length, 1);
  await assert.rejects(client.organizations.get(id, { signal: AbortSignal.abort(reason) }), reason);
  assert.equal(server.seen.length, 1);
});

test('what went wrong under /idp is reported by its sentence and its code', async () => {
  const body = { code: 'SESSION_NOT_FRESH', message: 'Sign in again first.' };
  await using all = await setUp(() => ({ status: 403, body }));
  await assert.rejects(all.client.organizations.get(id), {
    status: 403,
    code: 'SESSION_NOT_FRESH',
    message: 'Sign in again first.',
  });
});

test('what went wrong under /ai/v1 is told by the sentence and the code within its error', async () => {
  const body = {
    error: { message: 'Choose the account.', type: 'invalid_request_error', code: 'no_account' },
  };
  await using all = await setUp(() => ({ status: 400, body }));
  const sent = all.client.ai.models({ organizationId: id });
  await assert.rejects(sent, { status: 400, code: 'no_account', message: 'Choose the account.' });
  assert.equal(all.server.seen.at(-1)?.headers['x-mainstay-organization-id'], id);
});
