import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
import type { UsageLine } from '#core/log-streams.ts';
import { toMicros } from '../catalogue/rates.ts';
import type { UsageEvent as Event } from '../ledger/event.ts';
import type { UsageEvent } from './schema.ts';

export function toUsageEvent(event: Event): Static<typeof UsageEvent> {
  const { billableNanos, providerNanos, startedAt, completedAt, ...rest } = event;
  const started = isoTime(startedAt);
  return {
    ...rest,
    billingSubjectType: event.applicationId === null ? 'organization' : 'application',
    totalTokens: event.inputTokens + event.outputTokens,
    providerCostMicros: toMicros(providerNanos),
    billableCostMicros: toMicros(billableNanos),
    costNanos: billableNanos,
    startedAt: started,
    completedAt: completedAt === null ? null : isoTime(completedAt),
    createdAt: started,
    updatedAt: isoTime(completedAt ?? startedAt),
  };
}

/** As the log store keeps it. */
export function toUsageLine(event: Event): UsageLine {
  const shown = toUsageEvent(event);
  const { id, organizationId, applicationId, requestId, apiKeyId, status } = event;
  const { authenticatedUserId, callerEndUserId, provider, latencyMs, startedAt } = event;
  const { inputTokens, outputTokens, totalTokens, billableCostMicros } = shown;
  return {
    ...{ id, organizationId, applicationId, requestId, apiKeyId, authenticatedUserId, callerEndUserId },
    model: event.modelServed ?? event.modelRequested,
    ...{ provider, status, inputTokens, outputTokens, totalTokens, billableCostMicros, latencyMs, startedAt },
    event: shown,
  };
}

const columns = [
  ...['id', 'requestId', 'traceId', 'billingSubjectType', 'organizationId', 'applicationId', 'actorId'],
  ...['actorType', 'apiKeyId', 'authenticatedUserId', 'callerEndUserId', 'modelRequested', 'modelServed'],
  ...['provider', 'providerAttempts', 'status', 'errorCode', 'errorType', 'inputTokens', 'outputTokens'],
  ...['cachedInputTokens', 'totalTokens', 'usageSource', 'providerCostMicros', 'billableCostMicros'],
  ...['streaming', 'latencyMs', 'metadata', 'startedAt', 'completedAt', 'createdAt', 'updatedAt'],
] as (keyof Static<typeof UsageEvent>)[];

export const csvHead = `${columns.join(',')}\r\n`;

export function toCsvLine(shown: Static<typeof UsageEvent>): string {
  return `${columns.map((name) => csvField(shown[name])).join(',')}\r\n`;
}

/** RFC 4180. Text that a spreadsheet would take for a formula gets a quote before it. */
function csvField(value: unknown): string {
  if (value === null || value === undefined) return '';
  if (typeof value === 'number' || typeof value === 'boolean') return String(value);
  const plain = typeof value === 'string' ? value : JSON.stringify(value);
  const text = /^[=+\-@\t\r]/.test(plain) ? `'${plain}` : plain;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
