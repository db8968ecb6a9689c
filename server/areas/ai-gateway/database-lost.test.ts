import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engines, testHome } from '#testing/engines.ts';
import { startTcpProxy } from '#testing/tcp-proxy.ts';
import { startGateway } from './testing/gateway.ts';

const skip = engines.includes('postgres') ? false : 'PostgreSQL is not on this machine';
const messages = [{ role: 'user', content: 'Say hello.' }];
/** Of what a request may wait for the database, with room for a slow machine. */
const patience = 60_000;

/** An instance whose database is behind a proxy. */
async function startBehindProxy() {
  await using stack = new AsyncDisposableStack();
  const home = stack.use(await testHome('postgres'));
  const address = new URL(home.settings['MAINSTAY_DATABASE_URL'] as string);
  const proxy = stack.use(await startTcpProxy({ host: address.hostname, port: Number(address.port) }));
  address.port = String(proxy.port);
  home.settings['MAINSTAY_DATABASE_URL'] = address.href;
  const gateway = stack.use(await startGateway('postgres', { home }));
  await gateway.price('mock/mock-chat', { perRequest: 1000 });
  await gateway.budgets([{ maxCostMicros: 1_000_000 }]);
  const resources = stack.move();
  return { gateway, proxy, [Symbol.asyncDispose]: () => resources.disposeAsync() };
}

const within = (promise: Promise<Response>) =>
  Promise.race([
    promise,
    new Promise<never>((_, reject) => {
      setTimeout(() => reject(new Error('No answer.')), patience).unref();
    }),
  ]);

for (const [how, lose, restore] of [
  ['refuses connections', 'refuse', 'accept'],
  ['answers nothing', 'stall', 'resume'],
] as const)
  test(`a database that ${how}: refused in the shape of the protocol, nothing sent, and well again after`, {
    skip,
  }, async () => {
    await using behind = await startBehindProxy();
    const { gateway, proxy } = behind;
    const body = { model: 'mock/mock-chat', messages, max_tokens: 3 };
    assert.equal((await gateway.ask('/chat/completions', body)).status, 200);
    await gateway.events();
    const before = gateway.mock.seen.length;
    proxy[lose]();
    const asked = [
      within(gateway.ask('/chat/completions', body)),
      within(gateway.ask('/chat/completions', { ...body, stream: true })),
      within(gateway.ask('/messages', body)),
    ];
    const [chat, stream, message] = (await Promise.all(asked)) as [Response, Response, Response];
    for (const answer of [chat, stream, message]) {
      assert.equal(answer.status, 503);
      assert.ok(Number(answer.headers.get('retry-after')) > 0, 'says when to come again');
      assert.match(answer.headers.get('content-type') ?? '', /^application\/json/);
    }
    for (const answer of [chat, stream]) {
      const { error } = (await answer.json()) as { error: Record<string, unknown> };
      assert.deepEqual([error['type'], error['code'], error['param']], ['api_error', 'unavailable', null]);
    }
    const { type, error } = (await message.json()) as { type: string; error: Record<string, unknown> };
    assert.deepEqual([type, error['type']], ['error', 'overloaded_error']);
    assert.equal(gateway.mock.seen.length, before, 'no provider was asked');

    await proxy[restore]();
    const deadline = performance.now() + patience;
    let status = 0;
    while (status !== 200 && performance.now() < deadline)
      status = (await gateway.ask('/chat/completions', body)).status;
    assert.equal(status, 200);
    const { db } = gateway.instance.platform;
    const events = await gateway.events();
    const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
    assert.equal(
      ledger?.used_nanos,
      events.reduce((sum: number, { costNanos }) => sum + costNanos, 0),
    );
    const leases = await db.selectFrom('ai_leases').selectAll().execute();
    assert.equal(
      ledger?.held_nanos,
      leases.reduce((sum, lease) => sum + lease.nanos, 0),
    );
  });
