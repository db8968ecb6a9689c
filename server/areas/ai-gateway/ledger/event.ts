/** One request as the usage API tells of it. Money in nano-dollars here, in micro-dollars there. */
export interface Attempt {
  provider: string;
  model?: string;
  error?: string;
  statusCode?: number;
  /** `skipped:policy`, `connect_timeout`, `http_500`. */
  tag?: string;
  /** Milliseconds since the request began, and how long it took: the waterfall. */
  startedMs?: number;
  durationMs?: number;
  firstTokenMs?: number;
}

export type EventStatus = 'pending' | 'success' | 'error' | 'cancelled';

export interface UsageEvent {
  id: string;
  requestId: string;
  traceId: string | null;
  organizationId: string;
  applicationId: string | null;
  actorId: string | null;
  actorType: string;
  apiKeyId: string | null;
  authenticatedUserId: string | null;
  callerEndUserId: string | null;
  path: string;
  modelRequested: string;
  modelServed: string | null;
  provider: string | null;
  providerAttempts: Attempt[] | null;
  status: EventStatus;
  errorCode: string | null;
  errorType: string | null;
  inputTokens: number;
  outputTokens: number;
  cachedInputTokens: number;
  cacheWriteTokens: number;
  reasoningTokens: number;
  usageSource: 'provider' | 'estimated' | 'none';
  providerNanos: number;
  billableNanos: number;
  /** `unpriced` is a state of its own: what it costs is not known, and it is not free. */
  pricing: 'list' | 'provider' | 'unpriced' | 'none';
  /** The unit prices that held, so that history never changes; micro-dollars per million tokens. */
  unitPrices: Record<string, number | string> | null;
  streaming: boolean;
  cacheHit: boolean;
  latencyMs: number | null;
  firstTokenMs: number | null;
  metadata: Record<string, unknown> | null;
  startedAt: number;
  completedAt: number | null;
}
