import assert from 'node:assert/strict';
import { describe, test } from 'node:test';
import { pino } from 'pino';
import type { Db, Tx } from '#core/db.ts';
import { newId } from '#core/ids.ts';
import { outcomeUnknown, type Problem } from '#core/problem.ts';
import { engines } from '#testing/engines.ts';
import { type Gateway, startGateway } from '../testing/gateway.ts';
import { insertEvents, writtenEvents } from '../usage/store.ts';
import { type Ask, windowStart } from './amounts.ts';
import type { UsageEvent } from './event.ts';
import { Journal } from './journal.ts';
import { sweepDead } from './sweep.ts';
import { BudgetExhausted, type BudgetWindow } from './windows.ts';

const clock = { now: () => Date.now() };
const later = { now: () => Date.now() + 120_000 };
const nanos = 1_000_000;

/** A request that costs a thousandth of a dollar, or so many of them. */
const ask = (times = 1): Ask => ({
  ...{ fixedNanos: times * nanos, perOutputPico: 0, inputTokens: 1, outputWanted: 0, outputLeast: 0 },
});

function eventOf(gateway: Gateway): UsageEvent {
  const now = Date.now();
  return {
    ...{ id: newId(now), requestId: newId(now), traceId: null, organizationId: gateway.organizationId },
    ...{ applicationId: null, actorId: null, actorType: 'user', apiKeyId: null, authenticatedUserId: null },
    ...{ callerEndUserId: null, path: '/ai/v1/chat/completions', modelRequested: 'mock/mock-chat' },
    ...{ modelServed: null, provider: null, providerAttempts: null, status: 'success', errorCode: null },
    ...{ errorType: null, inputTokens: 1, outputTokens: 0, cachedInputTokens: 0, cacheWriteTokens: 0 },
    ...{ reasoningTokens: 0, usageSource: 'provider', providerNanos: nanos, billableNanos: nanos },
    ...{ pricing: 'list', unitPrices: null, streaming: false, cacheHit: false, latencyMs: 1 },
    ...{ firstTokenMs: null, metadata: null, startedAt: now, completedAt: now },
  };
}

function journalOf(gateway: Gateway, db: Db = gateway.instance.platform.db, refused?: string): Journal {
  return new Journal({
    ...{ db, clock, log: pino({ level: 'silent' }), written: writtenEvents },
    async write(tx: Tx, events) {
      if (events.some(({ id }) => id === refused)) throw new Error('This one cannot be written.');
      await insertEvents(tx, db.engine, events);
    },
    used: async () => {},
  });
}

async function budgetOf(gateway: Gateway, thousandths: number): Promise<BudgetWindow> {
  const [budget] = await gateway.budgets([{ maxCostMicros: thousandths * 1000 }]);
  // Notification of the change makes processes give back what they hold: that is over before anything is taken.
  await gateway.instance.platform.db.notifications.catchUp();
  return {
    budgetId: budget?.id as string,
    windowStart: windowStart('month', Date.now()),
    limit: { nanos: thousandths * nanos, requests: Infinity, tokens: Infinity },
  };
}

async function rowsOf({ instance }: Gateway) {
  const { db } = instance.platform;
  const [ledger] = await db.selectFrom('ai_ledger').selectAll().execute();
  const leases = await db.selectFrom('ai_leases').selectAll().execute();
  const pending = await db.selectFrom('ai_pending').selectAll().execute();
  return { ledger, leases, pending, leased: leases.reduce((sum, lease) => sum + lease.nanos, 0) };
}

const sweep = ({ instance: { platform } }: Gateway) =>
  sweepDead({
    ...{ db: platform.db, clock: later },
    write: (tx, events) => insertEvents(tx, platform.db.engine, events),
  });

/** The database, of which one answer to a commit is lost. */
function losing(db: Db): { db: Db; loseNext(): void } {
  let isLost = false;
  const answer = <T>(result: T): T => {
    if (!isLost) return result;
    isLost = false;
    throw outcomeUnknown(new Error('The connection is gone.'));
  };
  const writes: Pick<Db, 'write' | 'writeOne'> = {
    write: async (work, options) => answer(await db.write(work, options)),
    writeOne: async (work, options) => answer(await db.writeOne(work, options)),
  };
  const proxy = new Proxy(db, {
    get: (target, name) => Reflect.get(name in writes ? writes : target, name),
  });
  return { db: proxy, loseNext: () => (isLost = true) };
}

for (const engine of engines) {
  describe(`the ledger on ${engine}`, () => {
    test('a process that was taken for dead continues as another one, and gives nothing back twice', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 1000);
      const journal = journalOf(gateway);
      await journal.beat();
      const ended = eventOf(gateway);
      const under = eventOf(gateway);
      const { holds } = await journal.admit(ended, ask(), [window]);
      await journal.settle(ended, holds, { nanos, requests: 1, tokens: 1 });
      const open = await journal.admit(under, ask(), [window]);
      await sweep(gateway);
      const swept = await rowsOf(gateway);
      assert.equal(swept.ledger?.used_nanos, 2 * nanos, 'what was under way is charged as held');
      assert.equal(swept.ledger?.held_nanos, 0);

      // It says that it lives, returns what it does not need, settles, and takes more: in every order it is another one.
      await journal.beat();
      await journal.settle(under, open.holds, { nanos, requests: 1, tokens: 1 });
      await journal.returnIdle();
      const back = await rowsOf(gateway);
      assert.equal(back.ledger?.used_nanos, 2 * nanos, 'and not again');
      assert.equal(back.ledger?.held_nanos, 0);
      const next = eventOf(gateway);
      const again = await journal.admit(next, ask(), [window]);
      const taken = await rowsOf(gateway);
      assert.equal(taken.ledger?.held_nanos, taken.leased);
      assert.notEqual(taken.pending[0]?.process_id, swept.pending[0]?.process_id);

      // Without a word in between: the first that it hears of its end is that a request cannot be written down.
      await sweep(gateway);
      const last = eventOf(gateway);
      const after = await journal.admit(last, ask(), [window]);
      await journal.settle(next, again.holds, { nanos, requests: 1, tokens: 1 });
      await journal.settle(last, after.holds, { nanos, requests: 1, tokens: 1 });
      await journal.close();
      const end = await rowsOf(gateway);
      assert.equal(end.ledger?.used_nanos, 4 * nanos);
      assert.equal(end.ledger?.held_nanos, 0);
      assert.equal(end.leases.length, 0);
      const events = await gateway.events();
      assert.deepEqual(
        events.map(({ errorCode }) => errorCode),
        [null, 'interrupted', 'interrupted', null],
      );
    });

    test('what another process holds and does not need is had before anything is refused', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 100);
      const one = journalOf(gateway);
      const two = journalOf(gateway);
      // All of the budget is held, nothing is used: it stays with the one.
      const event = eventOf(gateway);
      const { holds } = await one.admit(event, ask(100), [window]);
      const settled = one.settle({ ...event, billableNanos: 0 }, holds, { nanos: 0, requests: 1, tokens: 1 });
      await settled;
      const all = await two.admit(eventOf(gateway), ask(100), [window]);
      assert.equal(all.holds[0]?.nanos, 100 * nanos);
      // Now it is held for a request: there is nothing to wait for.
      await assert.rejects(one.admit(eventOf(gateway), ask(), [window]), BudgetExhausted);
      await Promise.all([one.close(), two.close()]);
    });

    test('of many that ask two processes exactly as many are admitted as are paid for', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 100);
      const journals = [journalOf(gateway), journalOf(gateway)] as const;
      let admitted = 0;
      const asks = Array.from({ length: 256 }, async (_, at) => {
        const journal = journals[at % 2 === 0 ? 0 : 1];
        const event = eventOf(gateway);
        // Each is bound to cost twice of what it does: what is left of it goes back.
        const granted = await journal.admit(event, ask(2), [window]).catch((error: unknown) => {
          assert.ok(error instanceof BudgetExhausted, String(error));
          return undefined;
        });
        if (!granted) return;
        admitted++;
        await journal.settle(event, granted.holds, { nanos, requests: 1, tokens: 1 });
      });
      await Promise.all(asks);
      // Those refused were refused beside requests under way; one by one they find what is left, to the last but one.
      for (let at = 0; at < 100; at++) {
        const journal = journals[at % 2 === 0 ? 0 : 1];
        const event = eventOf(gateway);
        const granted = await journal.admit(event, ask(2), [window]).catch(() => undefined);
        if (!granted) break;
        admitted++;
        await journal.settle(event, granted.holds, { nanos, requests: 1, tokens: 1 });
      }
      assert.equal(admitted, 99);
      await Promise.all(journals.map((journal) => journal.close()));
      const { ledger } = await rowsOf(gateway);
      assert.equal(ledger?.used_nanos, 99 * nanos);
      assert.equal(ledger?.held_nanos, 0);
    });

    test('a commit whose answer is lost loses nothing and holds nothing for ever', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 1000);
      const { db, loseNext } = losing(gateway.instance.platform.db);
      const journal = journalOf(gateway, db);
      await journal.beat();
      const first = eventOf(gateway);
      loseNext();
      // It was written down, and nobody knows: it is not sent on.
      await assert.rejects(
        journal.admit(first, ask(), [window]),
        ({ kind }: Problem) => kind === 'unavailable',
      );
      const second = eventOf(gateway);
      const { holds } = await journal.admit(second, ask(), [window]);
      const { pending, ledger, leased } = await rowsOf(gateway);
      assert.deepEqual(
        pending.map(({ id }) => id),
        [second.id],
      );
      assert.equal(ledger?.held_nanos, leased);
      loseNext();
      const refused = eventOf(gateway);
      await Promise.all([
        journal.settle(second, holds, { nanos, requests: 1, tokens: 1 }),
        journal.note({ ...refused, status: 'error', billableNanos: 0 }),
      ]);
      await journal.close();
      const end = await rowsOf(gateway);
      assert.equal(end.ledger?.used_nanos, nanos);
      assert.equal(end.ledger?.held_nanos, 0);
      assert.deepEqual((await gateway.events()).map(({ id }) => id).sort(), [second.id, refused.id].sort());
    });

    test('one event that cannot be written keeps no other from it', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 1000);
      const events = Array.from({ length: 5 }, () => eventOf(gateway));
      const journal = journalOf(gateway, undefined, events[3]?.id);
      const admissions = await Promise.all(events.map((event) => journal.admit(event, ask(), [window])));
      const ends = await Promise.allSettled(
        events.map((event, at) =>
          journal.settle(event, admissions[at]?.holds ?? [], { nanos, requests: 1, tokens: 1 }),
        ),
      );
      assert.deepEqual(
        ends.map(({ status }) => status),
        ['fulfilled', 'fulfilled', 'fulfilled', 'rejected', 'fulfilled'],
      );
      const { ledger, leased } = await rowsOf(gateway);
      assert.equal(ledger?.used_nanos, 4 * nanos);
      assert.equal(ledger?.held_nanos, leased);
      await journal.close();
    });

    test('a budget that was deleted this moment holds nobody back', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 1000);
      await gateway.budgets([]);
      const journal = journalOf(gateway);
      const event = eventOf(gateway);
      const { holds } = await journal.admit(event, ask(), [window]);
      await journal.settle(event, holds, { nanos, requests: 1, tokens: 1 });
      await journal.close();
      assert.equal((await gateway.events()).length, 1);
    });

    test('what a process had taken counts as spent when the machine went down with it', async () => {
      await using gateway = await startGateway(engine);
      const window = await budgetOf(gateway, 1000);
      const journal = journalOf(gateway);
      const event = eventOf(gateway);
      const { holds } = await journal.admit(event, ask(), [window]);
      await journal.settle(event, holds, { nanos, requests: 1, tokens: 1 });
      const { db } = gateway.instance.platform;
      await db.write((tx) => tx.updateTable('ai_processes').set({ boot_id: 'another' }).execute());
      const { leased } = await rowsOf(gateway);
      assert.ok(leased > 0);
      await sweep(gateway);
      const { ledger } = await rowsOf(gateway);
      // PostgreSQL had every request on its disk: what is not there was never sent.
      assert.equal(ledger?.used_nanos, nanos + (engine === 'sqlite' ? leased : 0));
      assert.equal(ledger?.used_requests, 1, 'only what the budget limits');
      assert.equal(ledger?.held_nanos, 0);
      await journal.close();
    });
  });
}
