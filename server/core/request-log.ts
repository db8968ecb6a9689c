/** What an answer came from, as shared caches name it. */
export type CacheStatus = 'hit' | 'miss' | 'bypass' | 'revalidated' | 'stale' | 'updating';

/** One answered request, as the gateway, the storage host and the S3 endpoint hand it to the log. */
export interface RequestLine {
  /** UUIDv7 of the moment it started: sorts by time. */
  id: string;
  organizationId: string;
  applicationId: string;
  deploymentId?: string;
  deploymentFunctionId?: string;
  deploymentAssetId?: string;
  storageBucketId?: string;
  storageObjectId?: string;
  method: string;
  hostname: string;
  path: string;
  /** Without the question mark. The log masks secrets in it. */
  query?: string;
  /** `HTTP/1.1`. */
  protocol?: string;
  /** As the connection or a trusted proxy says; the log truncates it where the operator wants so. */
  address?: string;
  /** As they came; the log sanitises them before anything is stored. */
  requestHeaders: Readonly<Record<string, string | string[] | undefined>>;
  responseHeaders: Readonly<Record<string, number | string | string[] | undefined>>;
  status: number | null;
  cacheStatus?: CacheStatus;
  requestBodyBytes?: number;
  responseBodyBytes?: number;
  bytesSent?: number;
  durationMs?: number;
  /** Why the request failed, in a sentence for the owner of the application. */
  error?: string;
  /** Milliseconds since 1970. */
  startedAt: number;
  completedAt?: number;
}

/** Where answered requests go. `write` never throws, never waits and keeps no more than a bounded number of lines. */
export interface RequestLog {
  write(line: RequestLine): void;
}
