import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { type Gateway, startGateway } from './testing/gateway.ts';

const messages = [{ role: 'user', content: 'Say hello.' }];
const chat = (model: string, rest: object = {}) => ({ model, messages, ...rest });

// biome-ignore lint/suspicious/noExplicitAny: bodies are looked into.
type Json = any;

describe('what is refused says why, in the shape of the protocol, and leaves a row', () => {
  let gateway: Gateway;
  before(async () => {
    gateway = await startGateway('sqlite', { settings: { MAINSTAY_AI_BODY_LIMIT_MIB: '1' } });
    await gateway.addProvider({ slug: 'other', models: ['large-chat'] });
    await gateway.price('mock/mock-chat', { input: 1_000_000, output: 2_000_000 });
  });
  after(() => gateway[Symbol.asyncDispose]());

  const put = (what: string, body: object) =>
    gateway.instance.call('PUT', `/organizations/${gateway.organizationId}/ai-gateway/${what}`, {
      as: 'user',
      body,
    });

  async function refusalOf(response: Response, status: number, code: string | null): Promise<string> {
    const { error } = (await response.json()) as Json;
    assert.equal(response.status, status, JSON.stringify(error));
    assert.deepEqual(Object.keys(error).sort(), ['code', 'message', 'param', 'type']);
    assert.equal(error.code, code);
    return error.message;
  }

  async function rowOf(response: Response): Promise<Json> {
    const [event] = await gateway.events(`requestId=${response.headers.get('x-mainstay-request-id')}`);
    return event;
  }

  test('an unknown model, with the names that are near', async () => {
    const response = await gateway.ask('/chat/completions', chat('other/larg-chat'));
    assert.match(
      await refusalOf(response.clone() as Response, 404, 'model_not_found'),
      /Did you mean "other\/large-chat"\?/,
    );
    const { status, errorCode, billableCostMicros, modelRequested } = await rowOf(response);
    assert.deepEqual(
      [status, errorCode, billableCostMicros, modelRequested],
      ['error', 'model_not_found', 0, 'other/larg-chat'],
    );
  });

  test('a body that is too large, one of another type, and one that is no JSON', async () => {
    const large = JSON.stringify(chat('mock/mock-chat', { user: 'x'.repeat(1024 * 1024) }));
    assert.equal((await gateway.ask('/chat/completions', large)).status, 413);
    const typed = (type: string) =>
      gateway.ask('/chat/completions', JSON.stringify(chat('mock/mock-chat')), { 'content-type': type });
    assert.equal((await typed('text/plain')).status, 415);
    assert.equal((await typed('multipart/form-data; boundary=x')).status, 415);
    assert.equal((await gateway.ask('/messages', '{"model":')).status, 400);
  });

  test('a transcription without sound, and one that is no form', async () => {
    const send = (body: FormData | string, headers: Record<string, string> = {}) =>
      fetch(`${gateway.instance.url}/ai/v1/audio/transcriptions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${gateway.secret}`, ...headers },
        body,
      });
    const form = new FormData();
    form.set('model', 'mock/mock-chat');
    assert.equal((await send(form)).status, 400);
    const json = { 'content-type': 'application/json' };
    assert.equal((await send('{"model":"mock/mock-chat"}', json)).status, 415);
  });

  for (const limit of ['maxCostMicros', 'maxRequests', 'maxTokens', 'maxRequestCostMicros'])
    test(`everything, by a budget of zero (${limit})`, async () => {
      await gateway.budgets([{ [limit]: 0 }]);
      gateway.mock.reset();
      const response = await gateway.ask('/chat/completions', chat('mock/mock-chat', { max_tokens: 5 }));
      assert.match(
        await refusalOf(response.clone() as Response, 402, 'budget_exceeded'),
        /admin of the organization/i,
      );
      assert.equal((await rowOf(response)).errorCode, 'budget_exceeded');
      assert.equal(gateway.mock.seen.length, 0);
      await gateway.budgets([]);
    });

  for (const [rule, policy] of [
    ['allowedModels', { allowedModels: [] }],
    ['allowedProviders', { allowedProviders: [] }],
  ] as const)
    test(`everything, by a policy that forbids it (${rule}), on every path`, async () => {
      await put('policies', policy);
      gateway.mock.reset();
      const bodies: [string, object][] = [
        ['/chat/completions', chat('mock/mock-chat')],
        ['/responses', { model: 'mock/mock-chat', input: 'Hi' }],
        ['/embeddings', { model: 'mock/mock-embedding', input: 'Hi' }],
        ['/images/generations', { model: 'mock/mock-chat', prompt: 'A cat' }],
        ['/audio/speech', { model: 'mock/mock-chat', input: 'Hi', voice: 'alloy' }],
        ['/videos', { model: 'mock/mock-chat', prompt: 'A cat' }],
      ];
      for (const [path, body] of bodies) {
        const response = await gateway.ask(path, body);
        const said = await refusalOf(response.clone() as Response, 403, 'policy_denied');
        assert.match(said, new RegExp(`${rule}.*admin`, 's'), path);
        assert.equal((await rowOf(response)).errorCode, 'policy_denied', path);
      }
      const message = await gateway.ask('/messages', { ...chat('mock/mock-chat'), max_tokens: 5 });
      assert.equal(message.status, 403);
      assert.equal(((await message.json()) as Json).type, 'error');
      assert.equal(gateway.mock.seen.length, 0);
      const listed = await fetch(`${gateway.instance.url}/ai/v1/models`, {
        headers: { authorization: `Bearer ${gateway.secret}` },
      });
      assert.deepEqual(((await listed.json()) as Json).items, []);
      await put('policies', {});
    });

  test('a video of another organization, as one that is not there', async () => {
    const made = await gateway.ask('/videos', { model: 'mock/mock-chat', prompt: 'A cat', seconds: '4' });
    assert.equal(made.status, 200);
    const { id } = (await made.json()) as Json;
    const { instance } = gateway;
    const { body: organization } = await instance.call('POST', '/organizations', {
      as: 'user',
      body: { name: 'Rival' },
    });
    const look = (path: string, headers: Record<string, string>) =>
      fetch(`${instance.url}/ai/v1/videos/${path}`, { headers });
    const mine = { authorization: `Bearer ${gateway.secret}` };
    assert.equal((await look(id, mine)).status, 200);
    const theirs = {
      authorization: `Bearer ${await instance.token('user')}`,
      'x-mainstay-organization-id': organization.id,
    };
    for (const path of [id, `${id}/content`, 'video_nobody'])
      assert.equal((await look(path, theirs)).status, 404, path);
  });

  test('a provider at a private address, unless an operator allows it, however the address is written', async () => {
    const { instance, organizationId } = gateway;
    const own = `/organizations/${organizationId}/ai-gateway/providers`;
    const add = (path: string, baseUrl: string, rest: object = {}) =>
      instance.call('POST', path, {
        as: 'user',
        body: { slug: 'inside', type: 'openai-compatible', baseUrl, ...rest },
      });
    const hosts = [
      '127.0.0.1',
      '10.0.0.1',
      '192.168.1.1',
      '169.254.169.254',
      '0x7f.1',
      '2130706433',
      '[::1]',
    ];
    for (const host of [...hosts, '[::ffff:10.0.0.1]', '[fd00::1]', 'localhost'])
      for (const path of ['/admin/ai-gateway/providers', own]) {
        const { status, body } = await add(path, `http://${host}/v1`);
        assert.equal(status, 400, host);
        assert.match(body.error, /private address/, host);
      }
    assert.equal((await add(own, 'http://127.0.0.1/v1', { allowPrivate: true })).status, 400);
  });

  test('keys of providers are sealed, and never shown again', async () => {
    const { instance } = gateway;
    const apiKey = 'sk-very-secret-key-0123456789';
    await gateway.addProvider({ slug: 'sealed', credentials: [{ name: 'Main', apiKey }] });
    const { body } = await instance.call('GET', '/admin/ai-gateway/providers', { as: 'user' });
    const { credentials } = body.items.find(({ slug }: Json) => slug === 'sealed');
    assert.equal(credentials[0].name, 'Main');
    assert.equal(credentials[0].apiKey, undefined);
    assert.doesNotMatch(JSON.stringify(body), /very-secret/);
    const rows = await instance.platform.db.selectFrom('ai_providers').selectAll().execute();
    assert.doesNotMatch(rows.map((row) => Object.values(row).map(String).join(' ')).join(' '), /very-secret/);
    const response = await gateway.ask('/chat/completions', chat('sealed/mock-chat'));
    assert.equal(response.status, 200);
    assert.equal(gateway.mock.seen.at(-1)?.headers['authorization'], `Bearer ${apiKey}`);
  });

  test('an output bound holds for what is asked, whatever the protocol', async () => {
    await put('policies', { maxOutputTokens: 3 });
    const bounds = async (path: string, body: object) => {
      assert.equal((await gateway.ask(path, body)).status, 200);
      const sent = JSON.parse(gateway.mock.seen.at(-1)?.body ?? '');
      return sent.max_tokens ?? sent.max_completion_tokens;
    };
    assert.equal(await bounds('/chat/completions', chat('mock/mock-chat')), 3);
    assert.equal(await bounds('/chat/completions', chat('mock/mock-chat', { max_tokens: 500 })), 3);
    assert.equal(await bounds('/chat/completions', chat('mock/mock-chat', { max_tokens: 2 })), 2);
    assert.equal(await bounds('/responses', { model: 'mock/mock-chat', input: 'Hi' }), 3);
    assert.equal(await bounds('/messages', { ...chat('mock/mock-chat'), max_tokens: 500 }), 3);
    await put('policies', {});
  });
});
