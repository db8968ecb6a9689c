import type { Logger } from 'pino';
import type { Clock } from '#core/clock.ts';
import { responseHeader } from '#core/compatibility.ts';
import type { KeptAnswer } from '../answers.ts';
import type { Attempt, UsageEvent } from '../ledger/event.ts';
import type { Journal } from '../ledger/journal.ts';
import type { Call } from './call.ts';
import { streamHeaders } from './carry.ts';
import type { Sink } from './sink.ts';

/** Sends an answer that is kept. It costs nothing, and its row says so. */
export async function replay(
  { journal, clock, log }: { journal: Journal; clock: Clock; log: Logger },
  call: Call,
  to: { event: UsageEvent; attempts: Attempt[]; known: KeptAnswer; sink: Sink },
): Promise<void> {
  const { event, attempts, known, sink } = to;
  const { contentType, model, provider, body } = known;
  sink.setAll(responseHeader('x-mainstay-request-id', call.requestId));
  const served = { 'x-mainstay-model': model, 'x-mainstay-provider': provider, 'x-mainstay-cache': 'hit' };
  if (call.streaming) {
    sink.head(200, { ...served, ...streamHeaders });
    await sink.write(body);
    sink.end();
  } else {
    const cost = responseHeader('x-mainstay-cost-micros', '0');
    await sink.send(200, { ...served, ...cost, 'content-type': contentType }, [Buffer.from(body)]);
  }
  const now = clock.now();
  attempts.push({ provider, model, tag: 'cache', startedMs: 0, durationMs: now - event.startedAt });
  Object.assign(event, {
    ...{ status: 'success', modelServed: model, provider, cacheHit: true, providerAttempts: attempts },
    ...{ latencyMs: now - event.startedAt, completedAt: now },
  });
  journal.note(event).catch((err) => log.warn({ err }, 'An answer from the cache was not written down.'));
}
