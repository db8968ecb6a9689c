import assert from 'node:assert/strict';
import { test } from 'node:test';
import { newId } from '#core/ids.ts';
import { engines } from '#testing/engines.ts';
import type { UsageEvent } from '../ledger/event.ts';
import { startGateway } from '../testing/gateway.ts';
import { insertEvents } from './store.ts';

const hour = 3_600_000;
const models = ['a/one', 'a/two', 'b/one'];
const users = ['ann', 'bob', null];

function eventOf(organizationId: string, applicationId: string, at: number, startedAt: number): UsageEvent {
  const model = models[at % 3] as string;
  return {
    ...{ id: newId(startedAt), requestId: newId(startedAt), traceId: null, organizationId },
    ...{ applicationId: at % 5 === 0 ? null : applicationId, actorId: null, actorType: 'user' },
    ...{ apiKeyId: null, authenticatedUserId: null, callerEndUserId: users[at % 3] ?? null },
    ...{ path: '/ai/v1/chat/completions', modelRequested: model, modelServed: model },
    ...{ provider: at % 2 ? 'p' : 'q', providerAttempts: null, errorCode: null, errorType: null },
    ...{ status: at % 7 === 0 ? 'error' : 'success', inputTokens: at, outputTokens: 1 },
    ...{ cachedInputTokens: 0, cacheWriteTokens: 0, reasoningTokens: 0, usageSource: 'provider' },
    ...{ providerNanos: at * 1000, billableNanos: at * 1000, pricing: 'list', unitPrices: null },
    ...{ streaming: false, cacheHit: false, latencyMs: 10, firstTokenMs: null, metadata: null },
    ...{ startedAt, completedAt: startedAt + 10 },
  };
}

for (const engine of engines) {
  test(`sums by model, provider, application and user are those of the events on ${engine}`, async () => {
    await using gateway = await startGateway(engine);
    const { instance, organizationId } = gateway;
    const { db, clock } = instance.platform;
    const applicationId = instance.bootstrapped.application.id;
    // Three days and some minutes, several in an hour, none of them in the future.
    const begin = clock.now() - 75 * hour;
    const events = Array.from({ length: 300 }, (_, at) =>
      eventOf(organizationId, applicationId, at, begin + at * 14 * 60_000),
    );
    for (const part of [events.slice(0, 120), events.slice(120)])
      await db.write((tx) => insertEvents(tx, db.engine, part));
    const of = `/organizations/${organizationId}/ai-gateway/usage`;
    const ranges = [
      [begin, begin + 75 * hour],
      // From the middle of an hour to the middle of another one, with whole days in between and without.
      [begin + 1_234_567, begin + 60 * hour + 7_654_321],
      [begin + 5 * hour, begin + 7 * hour],
      // Up to now, from late in an hour, and a few minutes of one.
      [begin + 2_900_000, clock.now()],
      [begin + 9 * hour, begin + 9 * hour + 1_500_000],
    ] as const;
    for (const [from, to] of ranges)
      for (const application of [undefined, applicationId]) {
        const query = new URLSearchParams({
          from: new Date(from).toISOString(),
          to: new Date(to).toISOString(),
          ...(application && { applicationId: application }),
        });
        const { body } = await instance.call('GET', `${of}/summary?${query}`, { as: 'user' });
        const wanted = events.filter(
          (event) =>
            event.startedAt >= from &&
            event.startedAt <= to &&
            (application === undefined || event.applicationId === application),
        );
        assert.equal(body.summary.requestCount, wanted.length);
        assert.equal(body.summary.errorCount, wanted.filter(({ status }) => status === 'error').length);
        const groups = {
          byModel: ({ modelServed }: UsageEvent) => modelServed,
          byProvider: ({ provider }: UsageEvent) => provider,
          byApplication: (event: UsageEvent) => event.applicationId,
          byUser: ({ callerEndUserId }: UsageEvent) => callerEndUserId,
        };
        for (const [name, labelOf] of Object.entries(groups)) {
          const sums = new Map<string, { requests: number; costMicros: number }>();
          for (const event of wanted) {
            const label = labelOf(event) ?? 'none';
            const { requests, costMicros } = sums.get(label) ?? { requests: 0, costMicros: 0 };
            const cost = costMicros + event.billableNanos / 1000;
            sums.set(label, { requests: requests + 1, costMicros: cost });
          }
          const found = body[name].map(
            ({ label, requests, costMicros }: Record<string, unknown>) =>
              [label, { requests, costMicros }] as const,
          );
          assert.deepEqual(new Map(found), sums, `${name} from ${from - begin} to ${to - begin}`);
        }
      }
    const { body } = await instance.call(
      'GET',
      `${of}/series?from=${new Date(begin).toISOString()}&interval=day&groupBy=user`,
      { as: 'user' },
    );
    const byUser = Map.groupBy(body.items as { label: string; requests: number }[], ({ label }) => label);
    assert.deepEqual(
      [...byUser]
        .map(([label, items]) => [label, items.reduce((sum, { requests }) => sum + requests, 0)])
        .sort(),
      [
        ['ann', 100],
        ['bob', 100],
        ['none', 100],
      ],
    );
    for (const query of ['from=2026-02-30', 'to=yesterday', 'from=2026-03-02&to=2026-03-01']) {
      for (const path of ['requests', 'summary', 'series']) {
        const { status } = await instance.call('GET', `${of}/${path}?${query}`, { as: 'user' });
        assert.equal(status, 400, `${path}?${query}`);
      }
    }
  });
}
