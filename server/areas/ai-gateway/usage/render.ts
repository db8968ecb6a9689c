import type { Static } from 'typebox';
import { isoTime } from '#core/clock.ts';
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
