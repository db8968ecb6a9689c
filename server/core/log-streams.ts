import type { RequestLine } from '#core/request-log.ts';

/** A line of a build or of the running code of a deployment: what it printed, or what was done with it. */
export interface RuntimeLine {
  /** UUIDv7. Lines of one writer get strictly increasing ids (core/ids.ts), which keep the order of a millisecond. */
  id: string;
  organizationId: string;
  applicationId: string;
  deploymentId: string;
  /** Null: of the build, or of the deployment as a whole. */
  functionId: string | null;
  source: 'build' | 'runtime';
  level: 'DEBUG' | 'INFO' | 'WARN' | 'ERROR';
  message: string;
  /** The request that the code was answering, where it is known. */
  requestId?: string;
  /** Counts the lines of a deployment, so that a reader sees a gap. */
  seq: number;
  /** Milliseconds since 1970. */
  at: number;
}

/**
 * An event of the AI gateway. Writing it again under the same `id` and `startedAt` replaces it, so a writer that was
 * killed repeats what it is not sure of, and an event that was `pending` is written again when it has ended.
 */
export interface UsageLine {
  /** UUIDv7. */
  id: string;
  organizationId: string;
  applicationId: string | null;
  requestId: string;
  apiKeyId: string | null;
  authenticatedUserId: string | null;
  callerEndUserId: string | null;
  /** As the filter `model` compares it: the model that served, else the one that was asked for. */
  model: string;
  provider: string | null;
  status: 'pending' | 'success' | 'error' | 'cancelled';
  inputTokens: number;
  outputTokens: number;
  totalTokens: number;
  billableCostMicros: number;
  latencyMs: number | null;
  /** Milliseconds since 1970. */
  startedAt: number;
  /** The whole event as the API shows it; comes back as it was given. */
  event: Readonly<Record<string, unknown>>;
}

/** What is written to each stream. */
export interface StreamLines {
  requests: RequestLine;
  'runtime-logs': RuntimeLine;
  'ai-usage': UsageLine;
}
export type StreamName = keyof StreamLines;

/** What can be filtered by, summed and grouped by. `text` and `number` may be null. */
type ColumnKind = 'text' | 'number';

export interface StreamSpec {
  readonly name: StreamName;
  readonly columns: Readonly<Record<string, ColumnKind>>;
  /** Kept by minute and hour as lines are written, so that charts need not read the lines. */
  readonly rollup: {
    /** A column of few values; lines are counted by each. */
    readonly group: string;
    readonly sums: readonly string[];
    readonly quantile: string | null;
  };
  /** Whether a line that is written again under the same id and moment replaces the one before. */
  readonly replaces: boolean;
}

export const streams = {
  /** Scope: the application. */
  requests: {
    name: 'requests',
    columns: {
      deploymentId: 'text',
      deploymentFunctionId: 'text',
      deploymentAssetId: 'text',
      storageBucketId: 'text',
      storageObjectId: 'text',
      method: 'text',
      status: 'number',
      /** 1 to 5; 0 without an answer. */
      family: 'number',
      hostname: 'text',
      path: 'text',
      country: 'text',
      region: 'text',
      edgeLocation: 'text',
      cacheStatus: 'text',
      /** 1, 0 or null. */
      cacheHit: 'number',
      /** 1: a program that says so, or is known as one. */
      bot: 'number',
      referrer: 'text',
      agent: 'text',
      error: 'text',
      bytes: 'number',
      durationMs: 'number',
    },
    rollup: { group: 'family', sums: ['bytes', 'cacheHit'], quantile: 'durationMs' },
    replaces: false,
  },
  /** Scope: the application. */
  'runtime-logs': {
    name: 'runtime-logs',
    columns: {
      deploymentId: 'text',
      functionId: 'text',
      source: 'text',
      level: 'text',
      requestId: 'text',
      message: 'text',
      seq: 'number',
    },
    rollup: { group: 'level', sums: [], quantile: null },
    replaces: false,
  },
  /** Scope: the organization. */
  'ai-usage': {
    name: 'ai-usage',
    columns: {
      applicationId: 'text',
      requestId: 'text',
      apiKeyId: 'text',
      authenticatedUserId: 'text',
      callerEndUserId: 'text',
      model: 'text',
      provider: 'text',
      status: 'text',
      inputTokens: 'number',
      outputTokens: 'number',
      totalTokens: 'number',
      billableCostMicros: 'number',
      latencyMs: 'number',
    },
    rollup: {
      group: 'status',
      sums: ['inputTokens', 'outputTokens', 'totalTokens', 'billableCostMicros'],
      quantile: 'latencyMs',
    },
    replaces: true,
  },
} as const satisfies Record<StreamName, StreamSpec>;

export type ColumnOf<S extends StreamName> = keyof (typeof streams)[S]['columns'] & string;
