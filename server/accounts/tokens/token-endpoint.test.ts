import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { engines } from '#testing/engines.ts';
import { type Instance, startInstance, toAnswer } from '#testing/instance.ts';
import { rawRequest } from '#testing/raw.ts';

for (const engine of engines) {
  describe(`POST /oauth2/token on ${engine}`, () => {
    let instance: Instance;
    let id: string;
    let secret: string;

    before(async () => {
      instance = await startInstance(engine);
      ({ id, secret } = instance.bootstrapped.keys.application);
    });
    after(() => instance[Symbol.asyncDispose]());

    const send = async (
      body: string | FormData | URLSearchParams | undefined,
      headers: Record<string, string> = {},
    ) =>
      toAnswer(
        await fetch(`${instance.url}/oauth2/token`, {
          method: 'POST',
          headers,
          ...(body === undefined ? {} : { body }),
        }),
      );
    const json = (body: unknown, headers = {}) =>
      send(JSON.stringify(body), { 'content-type': 'application/json', ...headers });
    const basic = (user: string, password: string) => ({
      authorization: `Basic ${Buffer.from(`${user}:${password}`).toString('base64')}`,
    });
    const grant = { grant_type: 'client_credentials' };
    const good = () => ({ ...grant, client_id: id, client_secret: secret });

    test('all three content types and Basic give a token of five minutes', async () => {
      const form = new FormData();
      for (const [name, value] of Object.entries(good())) form.set(name, value);
      const answers = [
        await json(good()),
        await send(new URLSearchParams(good())),
        await send(form),
        await send(new URLSearchParams(grant), basic(id, secret)),
        await json(grant, basic(id, secret)),
        await json(grant, basic(id.toUpperCase(), secret)),
      ];
      for (const { status, headers, body } of answers) {
        assert.equal(status, 200);
        assert.equal(headers.get('cache-control'), 'no-store');
        assert.deepEqual(Object.keys(body).sort(), ['access_token', 'expires_in', 'scope', 'token_type']);
        assert.equal(body.token_type, 'Bearer');
        assert.equal(body.expires_in, 300);
        assert.ok(body.scope.split(' ').includes('fastcache:read'));
      }
    });

    test('the token is an at+jwt that names the actor and its organization', async () => {
      const { body } = await json(good());
      const [header, claims] = body.access_token
        .split('.')
        .slice(0, 2)
        .map((part: string) => JSON.parse(Buffer.from(part, 'base64url').toString()));
      assert.equal(header.typ, 'at+jwt');
      assert.equal(header.alg, 'ES256');
      assert.ok(header.kid);
      const { application, organization } = instance.bootstrapped;
      assert.equal(claims.iss, 'http://mainstay.test');
      assert.equal(claims.aud, 'http://mainstay.test');
      assert.equal(claims.client_id, id);
      assert.equal(claims.sub, application.id);
      assert.equal(claims.actor_type, 'application');
      assert.equal(claims.application_id, application.id);
      assert.equal(claims.organization_id, organization.id);
      assert.equal(claims.exp - claims.iat, 300);
      assert.equal(claims.scope, body.scope);
    });

    const other = (text: string) => (text === 'A' ? 'B' : 'A');
    const refusals: Record<string, [status: number, () => ReturnType<typeof send>]> = {
      'an empty body': [400, () => send('', { 'content-type': 'application/json' })],
      'no body at all': [400, () => send(undefined)],
      'an empty body with Basic': [400, () => send(undefined, basic(id, secret))],
      'a body that is not JSON': [400, () => send('{"grant_type":', { 'content-type': 'application/json' })],
      'a body that is a list': [400, () => json([])],
      'a wrong content type': [
        415,
        () => send('grant_type=client_credentials', { 'content-type': 'text/plain' }),
      ],
      'no grant_type': [400, () => json({ client_id: id, client_secret: secret })],
      'the grant authorization_code': [400, () => json({ ...good(), grant_type: 'authorization_code' })],
      'the grant password': [400, () => json({ ...good(), grant_type: 'password' })],
      'the grant refresh_token': [400, () => json({ ...good(), grant_type: 'refresh_token' })],
      'an empty grant': [400, () => json({ ...good(), grant_type: '' })],
      'a grant that is no text': [400, () => json({ ...good(), grant_type: 5 })],
      'an unknown field': [400, () => json({ ...good(), audience: 'x' })],
      'a scope field': [400, () => send(new URLSearchParams({ ...good(), scope: 'openid' }))],
      'a field repeated in a form': [
        400,
        () => send(new URLSearchParams([...Object.entries(good()), ['client_id', id]])),
      ],
      'a field repeated in JSON': [
        400,
        () =>
          send(
            `{"grant_type":"client_credentials","client_id":"${id}","client_id":"${id}","client_secret":"${secret}"}`,
            {
              'content-type': 'application/json',
            },
          ),
      ],
      'a field repeated in multipart': [
        400,
        () => {
          const form = new FormData();
          for (const [name, value] of [...Object.entries(good()), ['client_id', id] as const])
            form.append(name, value);
          return send(form);
        },
      ],
      'a file in multipart': [
        400,
        () => {
          const form = new FormData();
          form.set('grant_type', new Blob(['client_credentials']), 'grant.txt');
          return send(form);
        },
      ],
      'Basic without a colon': [400, () => json(grant, { authorization: `Basic ${btoa(id)}` })],
      'Basic that is not base64': [400, () => json(grant, { authorization: 'Basic !!!' })],
      'Basic with nothing behind it': [400, () => json(grant, { authorization: 'Basic ' })],
      'a Bearer header': [400, () => json(grant, { authorization: 'Bearer abc' })],
      'Basic and body together': [400, () => json(good(), basic(id, secret))],
      'Basic and a client_id in the body': [400, () => json({ ...grant, client_id: id }, basic(id, secret))],
      'a client_id that is no UUID': [400, () => json({ ...good(), client_id: 'not-a-uuid' })],
      'a client_id that is no UUID in Basic': [400, () => json(grant, basic('root', secret))],
      'a secret of 10 000 characters': [400, () => json({ ...good(), client_secret: 'x'.repeat(10_000) })],
      'a body of 100 KB': [413, () => json({ ...good(), client_secret: 'x'.repeat(100_000) })],
      'no credentials': [401, () => json(grant)],
      'a client_id alone': [401, () => json({ ...grant, client_id: id })],
      'an unknown client': [
        401,
        () => json({ ...good(), client_id: '01900000-0000-7000-8000-000000000000' }),
      ],
      'a secret wrong by one character': [
        401,
        () => json({ ...good(), client_secret: secret.slice(0, -1) + other(secret.slice(-1)) }),
      ],
      'an empty secret': [401, () => json({ ...good(), client_secret: '' })],
      'the secret of another key': [
        401,
        () => json({ ...good(), client_secret: instance.bootstrapped.keys.organization.secret }),
      ],
      'a wrong secret in Basic': [401, () => json(grant, basic(id, 'wrong'))],
    };

    for (const [what, [status, request]] of Object.entries(refusals)) {
      test(`${what} is answered ${status} in the shape of OAuth`, async () => {
        const answer = await request();
        assert.equal(answer.status, status, JSON.stringify(answer.body));
        assert.deepEqual(Object.keys(answer.body).sort(), ['error', 'error_description']);
        assert.equal(answer.body.error, status === 401 ? 'invalid_client' : 'invalid_request');
        assert.ok(answer.body.error_description.length > 10);
        assert.equal(answer.headers.get('cache-control'), 'no-store');
      });
    }

    test('a refusal of Basic credentials challenges with Basic, one of the body does not', async () => {
      const withHeader = await json(grant, basic(id, 'wrong'));
      assert.match(withHeader.headers.get('www-authenticate') ?? '', /^Basic /);
      const withBody = await json({ ...good(), client_secret: 'wrong' });
      assert.equal(withBody.headers.get('www-authenticate'), null);
    });

    test('two Authorization headers are refused', async () => {
      const { authorization } = basic(id, secret);
      const raw = await rawRequest(instance.url, {
        method: 'POST',
        path: '/oauth2/token',
        headers: [
          ['authorization', authorization],
          ['authorization', authorization],
          ['content-type', 'application/json'],
        ],
        body: JSON.stringify(grant),
      });
      assert.equal(raw.status, 400);
    });
  });

  describe(`failed attempts at the token endpoint on ${engine}`, () => {
    test('are slowed and then refused with 429, while the right secret goes through', async () => {
      await using instance = await startInstance(engine, {
        settings: { MAINSTAY_TOKEN_FAILURES_PER_MINUTE: '10' },
      });
      const { id, secret } = instance.bootstrapped.keys.organization;
      const attempt = (given: string) =>
        instance.call('POST', '/oauth2/token', {
          body: { grant_type: 'client_credentials', client_id: id, client_secret: given },
        });
      const statuses: number[] = [];
      for (let count = 0; count < 12; count++) statuses.push((await attempt(`wrong-${count}`)).status);
      assert.equal(statuses[0], 401);
      assert.equal(statuses.at(-1), 429);
      const refused = await attempt('wrong again');
      assert.equal(refused.status, 429);
      assert.ok(Number(refused.headers.get('retry-after')) >= 1);
      assert.deepEqual(Object.keys(refused.body).sort(), ['error', 'error_description']);
      assert.equal((await attempt(secret)).status, 200);
    });
  });
}
