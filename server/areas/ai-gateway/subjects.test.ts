import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gateway, startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const body = { model: 'mock/mock-chat', messages, max_tokens: 5 };

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into.
type Json = any;

describe('whose request it is, and whose rules hold', () => {
  let gateway: Gateway;
  let of: string;
  before(async () => {
    gateway = await startGateway('sqlite');
    of = `/organizations/${gateway.organizationId}/ai-gateway`;
    await gateway.price('mock/mock-chat', { input: 1_000_000, output: 1_000_000 });
  });
  after(() => gateway[Symbol.asyncDispose]());

  const put = (what: string, sent: object, headers: Record<string, string> = {}) =>
    gateway.instance.call('PUT', `${of}/${what}`, { as: 'user', body: sent, headers });

  async function rowOf(response: Response): Promise<Json> {
    assert.equal(response.status, 200, await response.clone().text());
    const [event] = await gateway.events(`requestId=${response.headers.get('x-mainstay-request-id')}`);
    return event;
  }

  test('a key counts for its application, in either header, under the old names of headers, too', async () => {
    const applicationId = gateway.instance.bootstrapped.application.id;
    const row = await rowOf(await gateway.ask('/chat/completions', body));
    assert.deepEqual([row.billingSubjectType, row.applicationId], ['application', applicationId]);
    const response = await fetch(`${gateway.instance.url}/ai/v1/messages`, {
      method: 'POST',
      headers: {
        'x-api-key': gateway.secret,
        'content-type': 'application/json',
        'x-gigadrive-end-user-id': 'somebody',
      },
      body: JSON.stringify(body),
    });
    assert.equal(
      response.headers.get('x-gigadrive-request-id'),
      response.headers.get('x-mainstay-request-id'),
    );
    assert.match(response.headers.get('x-gigadrive-cost-micros') ?? '', /^\d+$/);
    assert.equal((await rowOf(response)).callerEndUserId, 'somebody');
  });

  test('a person names the application or the organization where there are several', async () => {
    const { instance } = gateway;
    const authorization = `Bearer ${await instance.token('user')}`;
    const applicationId = instance.bootstrapped.application.id;
    const ask = (headers: Record<string, string>) =>
      gateway.ask('/chat/completions', body, { authorization, ...headers });
    const only = await rowOf(await ask({}));
    assert.deepEqual([only.organizationId, only.applicationId], [gateway.organizationId, null]);
    assert.equal(only.billingSubjectType, 'organization');
    await instance.call('POST', '/organizations', { as: 'user', body: { name: 'Second' } });
    const unclear = await ask({});
    assert.equal(unclear.status, 400);
    assert.match(((await unclear.json()) as Json).error.message, /X-Mainstay-Application-Id/);
    const named = await rowOf(await ask({ 'x-mainstay-application-id': applicationId }));
    assert.equal(named.applicationId, applicationId);
    const nobody = '01900000-0000-7000-8000-000000000000';
    assert.equal((await ask({ 'x-mainstay-application-id': nobody })).status, 404);
    assert.equal((await ask({ 'x-mainstay-organization-id': nobody })).status, 404);
  });

  test('of several levels the strictest holds', async () => {
    const applicationId = gateway.instance.bootstrapped.application.id;
    const { body: keys } = await gateway.instance.call('GET', `/api-keys?applicationId=${applicationId}`, {
      as: 'user',
    });
    const apiKeyId = keys.items.find(({ name }: Json) => name === 'AI').id;
    const sent = async () => {
      assert.equal((await gateway.ask('/chat/completions', { ...body, max_tokens: 500 })).status, 200);
      return JSON.parse(gateway.mock.seen.at(-1)?.body ?? '').max_tokens;
    };
    assert.equal((await put('policies', { maxOutputTokens: 40 })).status, 200);
    assert.equal(await sent(), 40);
    assert.equal((await put('policies', { applicationId, maxOutputTokens: 30 })).status, 200);
    assert.equal(await sent(), 30);
    assert.equal((await put('policies', { apiKeyId, maxOutputTokens: 20 })).status, 200);
    assert.equal(await sent(), 20);
    assert.equal((await put('policies', { apiKeyId, maxOutputTokens: 50 })).status, 200);
    assert.equal(await sent(), 30);
    assert.equal((await put('policies', { apiKeyId, allowedModels: ['mock/*'] })).status, 200);
    assert.equal((await put('policies', { allowedModels: ['else/*'] })).status, 200);
    assert.equal((await gateway.ask('/chat/completions', body)).status, 403);
    for (const subject of [{}, { applicationId }, { apiKeyId }]) await put('policies', subject);
  });

  test('tokens a minute are taken from the input, with the headers that clients read', async () => {
    await put('policies', { tokensPerMinute: 1000 });
    const long = { ...body, messages: [{ role: 'user', content: 'word '.repeat(480) }] };
    const first = await gateway.ask('/chat/completions', long);
    assert.equal(first.status, 200);
    assert.equal(first.headers.get('x-ratelimit-limit-tokens'), '1000');
    const left = Number(first.headers.get('x-ratelimit-remaining-tokens'));
    assert.ok(left > 300 && left < 420, `${left}`);
    const second = await gateway.ask('/chat/completions', long);
    assert.equal(second.status, 429);
    assert.ok(Number(second.headers.get('retry-after')) >= 1);
    const { error } = (await second.json()) as Json;
    assert.equal(error.code, 'rate_limit_exceeded');
    assert.match(error.message, /1000 tokens a minute.*admin/);
    await put('policies', {});
  });

  test('budgets keep their id and what is used when the set is replaced, and a stale set replaces nothing', async () => {
    const first = await put('budgets', { budgets: [{ maxRequests: 100, period: 'day' }] });
    const [budget] = first.body.items;
    assert.equal((await gateway.ask('/chat/completions', body)).status, 200);
    // The list waits for what has to be settled.
    await gateway.events();
    const etag = first.headers.get('etag') ?? '';
    const changed = {
      budgets: [
        { maxRequests: 50, period: 'day' },
        { maxCostMicros: null, maxTokens: 10 ** 9 },
      ],
    };
    const second = await put('budgets', changed, { 'if-match': etag });
    assert.equal(second.status, 200);
    const same = second.body.items.find(({ period }: Json) => period === 'day');
    assert.deepEqual([same.id, same.maxRequests, same.used.requests], [budget.id, 50, 1]);
    assert.equal(second.body.items.find(({ id }: Json) => id !== same.id).period, 'month');
    assert.equal((await put('budgets', { budgets: [] }, { 'if-match': etag })).status, 412);
    assert.equal((await put('budgets', { budgets: [] })).status, 200);
  });

  test('budgets of an application, a key and a person each count what is theirs', async () => {
    const { instance } = gateway;
    const applicationId = instance.bootstrapped.application.id;
    const userId = instance.bootstrapped.user.id;
    const { body: keys } = await instance.call('GET', `/api-keys?applicationId=${applicationId}`, {
      as: 'user',
    });
    const apiKeyId = keys.items.find(({ name }: Json) => name === 'AI').id;
    const subjects = [{ applicationId }, { apiKeyId }, { userId }];
    await put('budgets', {
      budgets: subjects.map((subject) => ({ ...subject, maxRequests: 2, period: 'day' })),
    });
    const person = {
      authorization: `Bearer ${await instance.token('user')}`,
      'x-mainstay-organization-id': gateway.organizationId,
    };
    const ask = async (headers: Record<string, string> = {}) =>
      (await gateway.ask('/chat/completions', body, headers)).status;
    assert.deepEqual([await ask(), await ask(), await ask()], [200, 200, 402]);
    assert.deepEqual([await ask(person), await ask(person), await ask(person)], [200, 200, 402]);
    await put('budgets', { budgets: [] });
  });
});
