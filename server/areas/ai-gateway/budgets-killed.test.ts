import assert from 'node:assert/strict';
import { test } from 'node:test';
import { startAiProvider } from '#testing/ai-provider.ts';
import { engines, testHome } from '#testing/engines.ts';
import { fetchToken, startInstance } from '#testing/instance.ts';
import { bootstrapCommand, startProcess } from '#testing/process.ts';
import { freePort } from '../../../scripts/postgres.ts';
import { sweepDead } from './ledger/sweep.ts';
import { insertEvents } from './usage/store.ts';

const clients = 256;
const paid = 100;
const later = { now: () => Date.now() + 120_000 };
const ports = async () => ({ port: await freePort(), adminPort: await freePort() });

for (const engine of engines) {
  test(`kill -9 of one of two processes in the middle overspends nothing and loses no row on ${engine}`, async () => {
    await using home = await testHome(engine);
    await using mock = await startAiProvider();
    const settings = { ...home.settings, MAINSTAY_BASE_URL: 'http://mainstay.test' };
    const { keys, organization, application } = await bootstrapCommand(settings);
    await using one = await startProcess(settings, await ports());
    await using two = await startProcess(settings, await ports());
    const token = await fetchToken(one.url, keys.user);
    const must = async (method: string, path: string, body: object) => {
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const answer = await fetch(`${one.url}${path}`, { method, headers, body: JSON.stringify(body) });
      if (!answer.ok) throw new Error(`${path}: ${answer.status} ${await answer.text()}`);
      return (await answer.json()) as { secret: string };
    };
    const of = `/organizations/${organization.id}/ai-gateway`;
    await must('POST', '/admin/ai-gateway/providers', {
      ...{ slug: 'mock', type: 'openai-compatible', baseUrl: `${mock.url}/v1`, allowPrivate: true },
    });
    await must('PUT', '/admin/ai-gateway/models/mock%2Fmock-chat', { prices: { perRequest: 1000 } });
    await must('PUT', `${of}/budgets`, { budgets: [{ maxCostMicros: paid * 1000 }] });
    const { secret } = await must('POST', '/api-keys', {
      ...{ name: 'AI', applicationId: application.id, scopes: ['network:ai_gateway:chat'] },
    });
    const ask = async (url: string) => {
      const answer = await fetch(`${url}/ai/v1/chat/completions`, {
        method: 'POST',
        headers: { authorization: `Bearer ${secret}`, 'content-type': 'application/json' },
        body: JSON.stringify({
          ...{ model: 'mock/mock-chat', messages: [{ role: 'user', content: 'Hello.' }], max_tokens: 3 },
        }),
      });
      await answer.arrayBuffer();
      return answer.status;
    };
    let killed: Promise<unknown> | undefined;
    let answered = 0;
    const statuses = await Promise.all(
      Array.from({ length: clients }, async (_, at) => {
        const status = await ask(at % 2 === 0 ? one.url : two.url).catch(() => 0);
        // In the middle of what is paid for.
        if (status === 200 && ++answered === paid / 4) killed = two.end('SIGKILL');
        return status;
      }),
    );
    await killed;
    assert.ok(killed, statuses.join(' '));
    assert.ok(
      statuses.every((status) => [0, 200, 402].includes(status)),
      statuses.join(' '),
    );
    assert.ok(answered <= paid, `${answered} were admitted`);
    await one.end();

    // What the dead process left is closed, and the rest of the budget can be spent to its end.
    await using instance = await startInstance(engine, { home });
    const { db } = instance.platform;
    await sweepDead({ db, clock: later, write: (tx, events) => insertEvents(tx, db.engine, events) });
    while ((await ask(instance.url)) === 200) answered++;
    const rows = [];
    let cursor = '';
    do {
      const { body } = await instance.call('GET', `${of}/usage/requests?limit=100${cursor}`, {
        as: { token: await fetchToken(instance.url, keys.user) },
      });
      rows.push(...body.items);
      cursor = body.nextCursor ? `&cursor=${body.nextCursor}` : '';
    } while (cursor !== '');
    const spent = rows.reduce((sum: number, { costNanos }) => sum + costNanos, 0);
    const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
    assert.equal(ledger?.used_nanos, spent, 'the ledger is the sum of the events');
    assert.equal(spent, paid * 1_000_000, 'the budget to its end, and not beyond it');
    const interrupted = rows.filter(({ errorCode }) => errorCode === 'interrupted').length;
    const successes = rows.filter(({ status }) => status === 'success').length;
    assert.equal(successes + interrupted, paid);
    assert.ok(answered <= paid, `${answered} answers`);
    assert.equal(new Set(rows.map(({ id }) => id)).size, rows.length);
    const asked = mock.seen.filter(({ path }) => path.endsWith('/chat/completions'));
    assert.ok(asked.length <= paid, 'nothing was sent that was not written down before');
  });
}
